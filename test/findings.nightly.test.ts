import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chdir, cwd } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DesignResult } from '../results/design-result.js';
import { exploreSide } from '../runs/specification/explore.js';
import { silencesOf } from '../runs/specification/silences.js';
import { presentSide } from '../runs/specification/spec-side.js';
import { copiedFindings } from './fixtures/copied-findings.js';
import { design, playedOption, reformFindings, tariffFindings } from './fixtures/designed-findings.js';
import { exploredFindings } from './fixtures/explored-findings.js';
import {
  type Experiment,
  experiment,
  figure,
  findingsDocument,
  type Responses,
  response,
} from './fixtures/findings.js';
import { silencesFindings } from './fixtures/silences-findings.js';
import { root } from './source-tree.js';

const before = cwd();
let played: Readonly<Record<'survival' | 'fees' | 'ring' | 'held' | 'tariffs' | 'rules', Experiment>>;
let responses: Responses;
let tariff: DesignResult;
let reform: Awaited<ReturnType<typeof design>>;

beforeAll(async () => {
  chdir(root);
  played = {
    survival: await experiment('freeze-survival'),
    fees: await experiment('flat-fees'),
    ring: await experiment('sponsor-ring'),
    held: await experiment('held-revenue'),
    tariffs: await experiment('treasury-tariff-near'),
    rules: await experiment('paid-resync-others'),
  };
  tariff = (await design('treasury-tariff')).result;
  reform = await design('paid-resync');
  responses = {
    life: await response('cheapest-life'),
    passport: await response('passport-at-hand'),
    cap: await response('class-for-life'),
  };
});
afterAll(() => chdir(before));

/** The section about the small world, whole and quick. */
function exploredOf(): string {
  const options = { agents: 2, toolVersion: '' };
  return exploredFindings(exploreSide(presentSide(), options), exploreSide(presentSide(), { ...options, quick: true }));
}

// `npx vitest run test/findings.nightly.test.ts -u` writes the page and its figures again.
describe('the findings', () => {
  it('have every number from their experiments', async () => {
    const silences = silencesFindings(await silencesOf(presentSide(), ''));
    const document = findingsDocument({
      ...{ ...played, responses, copied: copiedFindings(played.held) },
      designed: `${tariffFindings(tariff, played.tariffs)}\n\n${reformFindings(reform.result, played.rules)}`,
      ...{ explored: exploredOf(), silences },
    });
    await expect(document).toMatchFileSnapshot('../docs/findings.md');
  });

  it('have the figures of their experiments', async () => {
    const { survival, fees, ring, tariffs, rules } = played;
    const costs = ['thrifty', 'steady', 'busy'].map((group) => `heartbeat_cost_lamports.${group}`);
    await expect(figure(survival, 'never_frozen_share')).toMatchFileSnapshot('../docs/figures/freeze-survival.svg');
    await expect(figure(fees, ['fees_lamports', ...costs].join(','))).toMatchFileSnapshot(
      '../docs/figures/flat-fees.svg',
    );
    await expect(figure(ring, 'live_day_cost_lamports')).toMatchFileSnapshot('../docs/figures/sponsor-ring.svg');
    await expect(figure(tariffs, 'fees_to_treasury_lamports,availability_share')).toMatchFileSnapshot(
      '../docs/figures/treasury-tariff.svg',
    );
    await expect(figure(rules, 'honest_day,faithful_ahead')).toMatchFileSnapshot('../docs/figures/paid-resync.svg');
  });

  it('are of sweeps whose expectations hold and in which no run failed', () => {
    for (const { summary } of Object.values(played)) {
      expect([summary.failures, summary.expectations.filter(({ holds }) => !holds)]).toEqual([[], []]);
    }
  });
});

describe('the reform', () => {
  it('turns freezing into faith, and nothing that it leaves open is worth as much', () => {
    const { front, chosen, reached, equilibrium } = reform.result;
    if (equilibrium === null) throw new Error('the reform has no game');
    const { before, after } = equilibrium;
    expect([reached, playedOption(before), playedOption(after)]).toEqual([true, 'freezing', 'faithful']);
    const [found] = after.equilibria;
    expect(found).toMatchObject({ kind: 'pure', status: 'confirmed' });
    expect(found?.deviations.map(({ interval }) => interval[1] < 0)).toEqual([true, true, true, true]);
    // The sweep of other rules plays what the design found.
    const fee = played.rules.plan.arms.find(({ name }) => name === 'fee')?.set;
    expect(fee?.['protocol.resync.feeLamports']).toBe(front[chosen]?.set['protocol.resync.feeLamports']);
  });

  it('is a file that the package has', async () => {
    const change = readFileSync(join(reform.emitted, 'change.yaml'), 'utf8');
    await expect(change).toMatchFileSnapshot('../examples/changes/paid-resync.yaml');
  });
});

describe('the best responses', () => {
  it('are to be frozen on purpose, where nine tenths of a life are enough', () => {
    const { life } = responses;
    expect(life.dominated_prices).toContainEqual(expect.objectContaining({ price: 'heartbeat', avoiding: 'freezing' }));
    const freezing = life.policies.find(({ policy }) => policy === 'freezing');
    // The Dead Man's Switch freezes after more than 60 anchors of a minute: at the 61st, or soon after it, they come by.
    const heartbeat = freezing?.confirmed.set['populations.workers.heartbeat'] as
      | { readonly every: string }
      | undefined;
    expect(Number.parseInt(heartbeat?.every ?? '', 10)).toBeGreaterThanOrEqual(3_660);
    expect(freezing?.confirmed.goals[0]?.mean).toBeLessThan(1);
    expect(freezing?.confirmed.goals[0]).toMatchObject({ text: 'uptime_share.workers > 90 %', state: 'reached' });
    expect(life.policies.find(({ policy }) => policy === 'as_it_is')).toMatchObject({ verdict: 'dominated' });
  });

  it('are to read a passport for nothing in place of a paid reissue', () => {
    const { dominated_prices: prices } = responses.passport;
    const reissuance = prices.find(({ price }) => price === 'reissuance');
    expect(reissuance).toMatchObject({ paying: 'reissuing', avoiding: 'fetching' });
    // 4.7: 0.0002 SOL each, and a passport is valid for 24 hours.
    expect(reissuance?.more.t95[0]).toBeGreaterThanOrEqual(150_000);
  });

  it('are none in a class whose cap cannot keep it alive', () => {
    const { cap } = responses;
    expect(cap.classes_without_life).toEqual([
      expect.objectContaining({ class: 'narrow_task', cap_decides: true, closest: 'margin' }),
    ]);
    const best = cap.policies.filter(({ verdict }) => verdict === 'best');
    expect(best.map((policy) => [policy.class, policy.policy])).toEqual([['autonomous', 'margin']]);
  });
});
