import { describe, expect, it } from 'vitest';
import type { SimulationResult } from '../../results/simulation-result.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { withOverlay } from '../../spec/overlay.js';
import { lastOf, mixed, others, played, samplesOf, smallScenario } from '../../test/fixtures/small-scenario.js';
import { simulateScenario } from './simulate.js';

const scenario = smallScenario([mixed]);

function withoutRun({ manifest: { run: _run, ...manifest }, ...rest }: SimulationResult): unknown {
  return { manifest, ...rest };
}

describe('a simulation', () => {
  it('gives the same result twice, and another with another seed', () => {
    const first = played(scenario, 7);
    expect(withoutRun(played(scenario, 7))).toEqual(withoutRun(first));
    const other = played(scenario, 8);
    expect(other.manifest.event_hash).not.toBe(first.manifest.event_hash);
    expect(samplesOf(other, 'heartbeats')).not.toEqual(samplesOf(first, 'heartbeats'));
    expect(first.manifest.event_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has the same events however often it is measured', () => {
    const hash = played(scenario, 7).manifest.event_hash;
    for (const everySec of [60, 777, 86_400]) {
      const measured = { ...scenario, measures: { everySec, names: ['heartbeats'] as const } };
      expect(played(measured, 7).manifest.event_hash).toBe(hash);
    }
  });

  it('counts its operations by kind and code', () => {
    const result = played(scenario, 7);
    const { operations, agents } = result.manifest;
    expect(operations.by_kind.map(({ kind }) => kind)).toEqual(['register', 'init', 'sigil', 'heartbeat', 'resync']);
    const refused = operations.by_kind.flatMap((kind) => Object.values(kind.refused)).reduce((a, b) => a + b, 0);
    const accepted = operations.by_kind.reduce((sum, kind) => sum + kind.accepted, 0);
    expect([operations.accepted, operations.refused, operations.total]).toEqual([
      accepted,
      refused,
      accepted + refused,
    ]);
    const [, , , heartbeats, resyncs] = operations.by_kind;
    expect(heartbeats?.accepted).toBe(lastOf(result, 'heartbeats'));
    expect(Object.values(heartbeats?.refused ?? {}).reduce((a, b) => a + b, 0)).toBe(
      lastOf(result, 'heartbeats_refused'),
    );
    expect(resyncs?.accepted).toBe(lastOf(result, 'resyncs'));
    expect([agents, lastOf(result, 'registered')]).toEqual([60, 60]);
    expect(lastOf(result, 'freezes')).toBeGreaterThan(10);
    expect(lastOf(result, 'resyncs')).toBeGreaterThan(10);
  });

  it('loses no money: what was given is in wallets or was paid in fees, and fees are shared out to the lamport', () => {
    const result = played(scenario, 7);
    const given = 60 * 400_000_000 + lastOf(result, 'top_ups_lamports');
    expect(lastOf(result, 'wallet_lamports') + lastOf(result, 'fees_lamports')).toBe(given);
    expect(lastOf(result, 'top_ups_lamports')).toBeGreaterThan(0);
    const { totals } = result;
    const shares = ['operations', 'contributors', 'development', 'treasury', 'referral'];
    const shared = shares.reduce((sum, share) => sum + (totals[`fees_to_${share}_lamports`] ?? Number.NaN), 0);
    expect(shared).toBe(totals['fees_lamports']);
    expect(totals['sigil_fees_lamports']! + totals['heartbeat_fees_lamports']!).toBe(totals['fees_lamports']);
  });

  it('samples at the start, at every step and at the end, by class and by population', () => {
    const result = played({ ...smallScenario([mixed, others]), durationSec: 10_000 });
    expect(result.times_ms).toEqual([0, 3_600_000, 7_200_000, 10_000_000]);
    const groups = result.series.filter(({ name }) => name === 'registered').map(({ group }) => group);
    expect(groups).toEqual([undefined, 'narrow_task', 'autonomous', 'orchestrator', 'mixed', 'others']);
    const at = (group?: string): readonly number[] => samplesOf(result, 'registered', group);
    at().forEach((all, i) => {
      expect(at('narrow_task')[i]! + at('autonomous')[i]! + at('orchestrator')[i]!).toBe(all);
      expect(at('mixed')[i]! + at('others')[i]!).toBe(all);
    });
    expect(at()[0]).toBe(0);
  });

  it('has series of every group, and summarises none where there is one', () => {
    const result = played(smallScenario([{ ...others, count: 2 }], { durationSec: 3_600 }));
    expect(new Set(result.series.map(({ group }) => group))).toEqual(new Set([undefined, 'narrow_task', 'others']));
    expect(result.first_freeze.map(({ group }) => group)).toEqual([undefined]);
  });

  it('tells the hash of its protocol, its command and its simplifications', () => {
    const { manifest, command } = played(scenario, 7);
    const changed = { ...scenario, protocol: withOverlay({ dms: { missedAnchorsMax: 61 } }) };
    expect(manifest.protocol_digest).toMatch(/^[0-9a-f]{64}$/);
    expect(played(changed, 7).manifest.protocol_digest).not.toBe(manifest.protocol_digest);
    expect(command).toBe('aips simulate small.yaml --seed 7');
    expect(manifest.model.length).toBeGreaterThan(4);
    expect(manifest).toMatchObject({
      seed: 7,
      partial: false,
      simulated_ms: 86_400_000,
      versions: { scenario_format: 1 },
    });
  });

  it('reports progress at every sample', () => {
    const seen: number[] = [];
    const options = {
      seed: 1,
      source: { file: 'a.yaml', sha256: '' },
      versions: { aips_lab: '0', node: '0' },
      nowWallMs: () => 0,
      rssMb: () => 1,
    };
    simulateScenario(smallScenario([{}], { durationSec: 7_200 }), {
      ...options,
      onProgress: ({ simulatedMs, totalMs }) => seen.push(simulatedMs / totalMs),
    });
    expect(seen).toEqual([0, 0.5, 1]);
  });
});

describe('draws', () => {
  /** The events of a group, except for those that the registry's other users cause. */
  const fateOf = (result: SimulationResult, group?: string): unknown =>
    ['registered', 'heartbeats', 'freezes', 'resyncs', 'offline', 'fees_lamports'].map((name) =>
      samplesOf(result, name, group),
    );

  it('are the same when others join, wherever they stand', () => {
    const alone = played(scenario, 7);
    expect(fateOf(played(smallScenario([mixed, others]), 7), 'mixed')).toEqual(fateOf(alone));
    expect(fateOf(played(smallScenario([others, mixed]), 7), 'mixed')).toEqual(fateOf(alone));
  });

  it('of the first agents are the same when there are more of them', () => {
    const few: Scenario = smallScenario([{ ...others, count: 20 }, mixed], { durationSec: 3_600 });
    const many: Scenario = smallScenario([{ ...others, count: 30 }, mixed], { durationSec: 3_600 });
    expect(samplesOf(played(many, 7), 'registered', 'others')[1]).toBe(
      samplesOf(played(few, 7), 'registered', 'others')[1],
    );
    expect(fateOf(played(many, 7), 'mixed')).toEqual(fateOf(played(few, 7), 'mixed'));
  });

  it('are the same under another fee', () => {
    const rich = { ...mixed, budget: { walletLamports: 9_000_000_000, topUp: null } };
    const cheap = played(smallScenario([rich]), 7);
    const dear = played(
      smallScenario([rich], { protocol: withOverlay({ heartbeat: { tier1FeeLamports: 900_000 } }) }),
      7,
    );
    for (const name of ['heartbeats', 'freezes', 'resyncs', 'offline']) {
      expect(samplesOf(dear, name)).toEqual(samplesOf(cheap, name));
    }
    expect(lastOf(dear, 'fees_lamports')).toBeGreaterThan(lastOf(cheap, 'fees_lamports'));
  });
});
