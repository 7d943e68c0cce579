import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckStep } from '../../reports/spec-check-result.js';
import { compareSpecs } from '../../runs/specification/compare.js';
import { standardScenarios } from '../../simulator/modes/effects.js';
import { NOTHING_ACCEPTED } from '../../spec/accepted-changes.js';
import { aips } from '../../test/fixtures/aips.js';
import { conformanceFixture } from '../../test/fixtures/results.js';
import { root } from '../../test/source-tree.js';
import { checkStatus } from './check.js';
import { agreement, libraryNames, lintStep, PLAYABLE, scenarioStep, staleEntries } from './check-steps.js';
import { acceptedChanges, knownFindings } from './lint.js';
import { sideOf } from './side.js';

const place = mkdtempSync(join(tmpdir(), 'aips-check-'));
let files = 0;
function fileOf(text: string): string {
  files += 1;
  const path = join(place, `${files}.yaml`);
  writeFileSync(path, text);
  return path;
}
const keepAlive = { scenario: 'keep-alive-cost', reason: 'it is the point of the change' };

describe('the steps of aips spec check', () => {
  it('lint: an error that a change brings fails, unless it is known or accepted', () => {
    const side = sideOf(fileOf('heartbeat: { intervalBeatsMin: 61 }\n'));
    const step = lintStep(side, knownFindings(), NOTHING_ACCEPTED);
    expect(step.faults.map(({ id }) => id)).toContain('class-cap/interval');
    const loose = {
      scenarios: [],
      findings: step.faults.map(({ id }) => ({ id, arithmetic: 'another', reason: 'r' })),
    };
    expect(lintStep(side, knownFindings(), loose).faults.filter((fault) => fault.accepted === 'r')).toEqual([]);
    const accepted = { scenarios: [], findings: step.faults.map(({ id }) => ({ id, reason: 'r' })) };
    expect(lintStep(side, knownFindings(), accepted).faults.every((fault) => fault.accepted === 'r')).toBe(true);
    expect(lintStep(sideOf('spec'), knownFindings(), NOTHING_ACCEPTED).faults).toEqual([]);
  });

  it.each([
    ['passport: { validityHours: 876000 }', 'outlived-right/passport', '36,500 days', '24 hours'],
    ['flag: { breakerPendingMax: 0 }', 'cheap-identity/flag-breaker', '1 pending flags', '21 pending flags'],
  ])('lint: %s fails with both figures of a known finding that becomes worse', (text, id, now, before) => {
    const { faults } = lintStep(sideOf(fileOf(`${text}\n`)), knownFindings(), NOTHING_ACCEPTED);
    const fault = faults.find((each) => each.id === id);
    expect([fault?.text.includes(now), fault?.text.includes(before), fault?.accepted]).toEqual([true, true, undefined]);
    const { findings } = compareSpecs(sideOf('spec'), sideOf(fileOf(`${text}\n`)), { replicates: 0, seed: 1 });
    const worse = findings.worse?.find((each) => each.id === id);
    expect([worse?.arithmetic, worse?.was]).toEqual([expect.stringContaining(now), expect.stringContaining(before)]);
  });

  it('lint: a finding is about the changed numbers without which it would be another, or not be there', () => {
    const text = 'reissue: { feeLamports: 300000 }\nlimits: { resyncReceipt: { count: 1, windowSec: 86400 } }\n';
    const { faults } = lintStep(sideOf(fileOf(text)), knownFindings(), NOTHING_ACCEPTED);
    const about = (id: string) => faults.find((each) => each.id === id)?.about;
    expect(about('tight-limit/resync')).toEqual(['limits.resyncReceipt.count', 'limits.resyncReceipt.windowSec']);
    expect(about('dominated-price/reissue')).toEqual(['reissue.feeLamports']);
  });

  it.each(readdirSync(join(root, 'examples/changes')).filter((name) => !name.includes('-accepted')))(
    'lint: the file of accepted changes has what %s brings about, and no more',
    (name) => {
      const file = join(root, 'examples/changes', name);
      const own = file.replace('.yaml', '-accepted.yaml');
      const accepted = acceptedChanges(existsSync(own) ? own : undefined);
      const step = lintStep(sideOf(file), knownFindings(), accepted);
      expect(step.faults.filter((fault) => fault.accepted === undefined)).toEqual([]);
      expect(staleEntries([step], { ...accepted, scenarios: [] })).toEqual([]);
    },
  );

  it('effects: scenarios in which a change makes no difference are played under --full alone', () => {
    const pairs = { replicates: 2, seed: 1 };
    const sides = (text: string) => [sideOf('spec'), sideOf(fileOf(text))] as const;
    const limit = compareSpecs(...sides('limits: { flagReporter: { count: 5 } }\n'), pairs);
    expect([limit.effects, limit.unmeasured.at(-1)?.scenario]).toEqual([[], standardScenarios.join(', ')]);
    const sponsor = sides('sponsor: { heartbeatsEpochDefault: 200 }\n');
    const [few, all] = [pairs, { ...pairs, full: true }].map((options) => compareSpecs(...sponsor, options).effects);
    expect(few?.length).toBeGreaterThan(0);
    expect(all?.filter(({ difference, half_width: width }) => difference !== 0 || width !== 0)).toEqual(few);
  });

  it('numbers that contradict each other are refused at the line of the one that does so', () => {
    const file = fileOf('flag: { reasonCharsMax: 2001 }\nverifyBatch:\n  hashesMax: 55\n  hashesMin: 56\n');
    expect(() => sideOf(file)).toThrow(
      `${file}:4: verifyBatch.hashesMin: contradicts the other numbers; wanted: verifyBatch.hashesMin <= verifyBatch.hashesMax`,
    );
  });

  it('scenarios: an expectation that does not hold any more fails, unless it is accepted', async () => {
    const side = sideOf(fileOf('heartbeat: { narrowTaskCap: 1800 }\n'));
    const names = ['keep-alive-cost'];
    const broken = ['frozen_share.narrow = 100% at 42d', 'frozen_share.narrow = 100% at 68d'];
    const step = await scenarioStep(side, NOTHING_ACCEPTED, { names });
    expect(step.faults.map(({ id }) => id)).toEqual(broken.map((expectation) => `keep-alive-cost: ${expectation}`));
    const accepted = { findings: [], scenarios: [{ ...keepAlive, expectation: broken[0] as string }] };
    const told = (await scenarioStep(side, accepted, { names })).faults.map((fault) => fault.accepted);
    expect(told).toEqual([keepAlive.reason, undefined]);
    expect((await scenarioStep(sideOf('spec'), NOTHING_ACCEPTED, { names })).faults).toEqual([]);
  });

  it('scenarios: one that the change leaves no room for cannot be played', async () => {
    const side = sideOf(fileOf('dms: { missedAnchorsMax: 5, warningAnchors: 4 }\n'));
    const { faults } = await scenarioStep(side, NOTHING_ACCEPTED, { names: ['keep-alive-cost'] });
    const entry = { scenario: 'keep-alive-cost', expectation: PLAYABLE };
    expect(faults).toEqual([{ id: `keep-alive-cost: ${PLAYABLE}`, text: expect.stringContaining('margin'), entry }]);
  });

  it('the library is chosen by globs', () => {
    expect(libraryNames().length).toBeGreaterThanOrEqual(12);
    expect(libraryNames(['keep-*', 'quickstart'])).toEqual(['keep-alive-cost', 'quickstart']);
  });

  it('reference and suite: each check in which they disagree fails, and a stopped run is not judged', () => {
    const result = conformanceFixture();
    const wrong = result.checks.filter(({ verdict }) => ['fail', 'advisory'].includes(verdict));
    expect(agreement(result).faults.map(({ id }) => id)).toEqual(wrong.map(({ id }) => id));
    expect(wrong.length).toBeGreaterThan(0);
    const broken = result.checks.filter(({ verdict }) => verdict === 'error' || verdict === 'inconclusive');
    expect(broken.length).toBeGreaterThan(0);
    for (const { id } of broken) expect(agreement(result).unable).toContain(id);
    const alone = agreement({ ...result, checks: broken });
    expect([alone.faults, checkStatus([alone], [])]).toEqual([[], 2]);
    expect(agreement({ ...result, stopped: 'no reply' }).unable).toBe('no reply');
    expect(agreement({ ...result, checks: [], exit_status: 2 }).unable).toBeDefined();
  });

  it('an accepted change that nothing needs is stale; a fault counts more than what could not be judged', () => {
    const step: CheckStep = { name: 'lint', looked: '', faults: [{ id: 'a/b', text: '', accepted: 'r' }] };
    const accepted = { findings: [{ id: 'a/b', reason: 'r' }], scenarios: [{ ...keepAlive, expectation: 'x' }] };
    expect(staleEntries([step], accepted)).toEqual(['keep-alive-cost: x']);
    const unable = { ...step, unable: 'no reply' };
    const open = { ...step, faults: [{ id: 'c/d', text: '' }] };
    expect([
      checkStatus([step], []),
      checkStatus([step], ['x']),
      checkStatus([unable], []),
      checkStatus([unable, open], []),
    ]).toEqual([0, 1, 2, 1]);
  });
});

describe('aips spec check', () => {
  const run = (...args: readonly string[]) => aips(place, 'spec', 'check', ...args, '--replicates', '0');
  const change = join(root, 'examples/spec-change.yaml');
  const accepted = join(root, 'examples/spec-change-accepted.yaml');

  it('ends with 0 for the change of the examples with what it is accepted to bring about, and with 1 without', async () => {
    const only = ['--only', 'keep-alive-cost', 'epoch-rollover'];
    const { status, stdout } = await run(change, '--accepted', accepted, '--out', 'out', ...only);
    expect([status, stdout]).toEqual([0, expect.stringContaining('The change passes')]);
    for (const file of ['spec-check.json', 'summary.md']) expect(existsSync(join(place, 'out', file)), file).toBe(true);
    expect((await run(change, ...only)).status).toBe(1);
  });

  it.each([
    [['no-such.yaml'], 'no-such.yaml: there is no such overlay file'],
    [[change, '--only', 'dms/*', 'no-such'], '--only no-such: no check, clause, section or scenario has such a name'],
    [[change, '--accepted', fileOf('scenarios: [{ scenario: x }]\n')], 'scenarios.0.expectation: is missing'],
  ])('%j ends with 2: %s', async (args, message) => {
    const { status, stderr } = await run(...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
