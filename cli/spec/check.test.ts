import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { derivedMutants } from '../../conformance/mutants/derived.js';
import type { MutantResult } from '../../conformance/mutants/judge-mutant.js';
import type { MutantsJudged } from '../../conformance/mutants/run.js';
import type { CheckStep } from '../../results/spec-check-result.js';
import { useRules } from '../../rules/rule-module.js';
import { compareSpecs } from '../../runs/specification/compare.js';
import { standardScenarios } from '../../simulator/modes/effects.js';
import { NOTHING_ACCEPTED } from '../../spec/accepted-changes.js';
import { aips } from '../../test/fixtures/aips.js';
import { conformanceFixture } from '../../test/fixtures/results.js';
import { root } from '../../test/source-tree.js';
import { broughtFindings, withAcceptance } from './acceptance.js';
import { acceptedChanges } from './accepted-file.js';
import { checkStatus } from './check.js';
import { agreement, lintStep, nearStep, scenarioStep, staleEntries } from './check-steps.js';
import { libraryNames, PLAYABLE } from './library.js';
import { knownFindings } from './lint.js';
import { mutantStep, touchedMutants } from './mutant-step.js';
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
      ...NOTHING_ACCEPTED,
      findings: step.faults.map(({ id }) => ({ id, arithmetic: 'another', reason: 'r' })),
    };
    expect(lintStep(side, knownFindings(), loose).faults.filter((fault) => fault.accepted === 'r')).toEqual([]);
    const accepted = { ...NOTHING_ACCEPTED, findings: step.faults.map(({ id }) => ({ id, reason: 'r' })) };
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

  it.each(readdirSync(join(root, 'examples/changes')).filter((name) => /^(?!.*-accepted).*\.yaml$/.test(name)))(
    'lint: the file of accepted changes has what %s brings about, and no more',
    (name) => {
      const file = join(root, 'examples/changes', name);
      const module = file.replace('.yaml', '.mjs');
      useRules(...(existsSync(module) ? [module] : []));
      const own = file.replace('.yaml', '-accepted.yaml');
      const accepted = acceptedChanges(existsSync(own) ? own : undefined);
      const step = lintStep(sideOf(file), knownFindings(), accepted);
      expect(step.faults.filter((fault) => fault.accepted === undefined)).toEqual([]);
      expect(staleEntries([step], { ...accepted, scenarios: [] })).toEqual([]);
    },
  );

  it('effects: a formula is played like the numbers that say the same', () => {
    const effectsOf = (text: string) =>
      compareSpecs(sideOf('spec'), sideOf(fileOf(text)), { replicates: 2, seed: 1 }).effects;
    const byFormula = effectsOf('formulas:\n  resync.penaltyBeats: min(50 * missedAnchors, 10000)\n');
    expect(byFormula).toEqual(effectsOf('resync: { beatsPerMissedAnchor: 50 }\n'));
    expect(byFormula.find(({ id }) => id.includes('work'))?.difference).toBeLessThan(-1);
  });

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
    const accepted = { ...NOTHING_ACCEPTED, scenarios: [{ ...keepAlive, expectation: broken[0] as string }] };
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

  it('scenarios: a formula of the change is in force', async () => {
    const side = sideOf(fileOf('formulas: { resync.penaltyBeats: 1000000 * missedAnchors }\n'));
    const { faults } = await scenarioStep(side, NOTHING_ACCEPTED, { names: ['strategic-freezing'] });
    expect(faults.map(({ id }) => id)).toContain('strategic-freezing: resyncs.sleepers > 900');
  });

  it('the library is chosen by globs', () => {
    expect(libraryNames().length).toBeGreaterThanOrEqual(12);
    expect(libraryNames(['keep-*', 'quickstart'])).toEqual(['keep-alive-cost', 'quickstart']);
  });

  it('scenarios: a measured value has the unit of its limit', async () => {
    const side = sideOf(fileOf('heartbeat: { intervalBeatsMin: 25 }\n'));
    const { faults } = await scenarioStep(side, NOTHING_ACCEPTED, { names: ['fee-tier-straddling'] });
    expect(faults.map(({ id, text }) => `${id}: ${text}`)).toEqual([
      'fee-tier-straddling: heartbeat_cost_lamports.straddlers < 0.00038 SOL: fails: measured 0.0004212 SOL',
    ]);
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

  it('a name in a file of accepted changes that nothing has is refused with its line, its key and the nearest name', () => {
    const file = fileOf(`findings:
  - { id: clas-cap/narrow-task, reason: r }
scenarios:
  - { scenario: keep-alive-cots, expectation: x, reason: r }
  - { scenario: keep-alive-cost, expectation: "x > 1", reason: r }
  - { scenario: keep-alive-cost, expectation: can be played, reason: r }
checks:
  - { check: dms/other-cals, finding: class-cap/x, reason: r }
mutants:
  - { mutant: no-such, finding: nothing, reason: r }
`);
    const problems = [
      '2: findings.0.id: "clas-cap" is no kind of finding, with which clas-cap/narrow-task begins; did you mean class-cap?',
      '4: scenarios.0.scenario: "keep-alive-cots" is no scenario of the library; did you mean keep-alive-cost?',
      '5: scenarios.1.expectation: "x > 1" is no expectation of keep-alive-cost',
      '8: checks.0.check: "dms/other-cals" is no check of the suite; did you mean dms/other-calls?',
      '10: mutants.0.mutant: "no-such" is no mutant that follows from a table',
      '10: mutants.0.finding: "nothing" is no kind of finding, with which nothing begins',
    ];
    expect(() => acceptedChanges(file)).toThrow(problems.map((line) => `${file}:${line}`).join('\n'));
  });

  it('a change of no number says so', () => {
    const printed = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const file = fileOf('dms: { missedAnchorsMax: 60 }\n');
    sideOf(file);
    expect(printed.mock.calls).toEqual([[`${file}: changes nothing: every number is what it is without this file.\n`]]);
    printed.mockRestore();
  });

  it('a signal is heard while checks are judged in this process', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort('SIGTERM'));
    const asked = { ids: ['heartbeat/too-soon'], seed: 1, signal: controller.signal };
    const { unable } = await nearStep(sideOf('spec'), asked);
    expect(unable).toBe('it was interrupted by SIGTERM');
  });

  it('an accepted change that nothing needs is stale; a fault counts more than what could not be judged', () => {
    const step: CheckStep = { name: 'lint', looked: '', faults: [{ id: 'a/b', text: '', accepted: 'r' }] };
    const accepted = {
      ...NOTHING_ACCEPTED,
      findings: [{ id: 'a/b', reason: 'r' }],
      scenarios: [{ ...keepAlive, expectation: 'x' }],
    };
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

describe('a red row of the suite or of a mutant', () => {
  const side = sideOf(fileOf('limits: { workProof: { count: 0 } }\n'));
  const known = knownFindings(side.protocol);
  const brought = broughtFindings(side, known);
  const red = (id: string): CheckStep => ({ name: 'x', looked: '', faults: [{ id, text: 'red' }] });
  const reason = 'there are to be no receipts';
  const stopped = { id: 'stopped-flow/resync-receipt', reason };

  it('is accepted where it follows from a finding that is accepted, and prints that entry', () => {
    const check = { check: 'resync/receipt', finding: 'stopped-flow/resync-receipt' };
    const mutant = { mutant: 'no/such', finding: 'stopped-flow/resync-receipt' };
    const accepted = {
      ...NOTHING_ACCEPTED,
      findings: [stopped],
      checks: [{ ...check, reason }],
      mutants: [{ ...mutant, reason }],
    };
    const faults = (step: CheckStep, which: 'checks' | 'mutants', given: typeof accepted) =>
      withAcceptance(step, which, { brought, accepted: given }).faults[0];
    expect(faults(red('resync/receipt'), 'checks', accepted)?.accepted).toBe(reason);
    expect(faults(red('no/such'), 'mutants', accepted)?.accepted).toBe(reason);
    const alone = faults(red('resync/receipt'), 'checks', { ...accepted, findings: [] });
    expect([alone?.accepted, alone?.text, alone?.entry]).toEqual([
      undefined,
      'red; the change brings no finding stopped-flow/resync-receipt that is accepted',
      { check: 'resync/receipt', finding: expect.stringMatching(/^(stopped-flow|tight-limit)/) },
    ]);
    const steps = [red('resync/receipt')];
    const ids = { ...accepted, findings: [] };
    expect(staleEntries(steps, ids, ['resync/receipt'])).toEqual(['no/such']);
    expect(staleEntries([red('no/such')], ids, [])).toEqual([]);
  });

  it('cannot be accepted where no finding explains it', () => {
    const step = withAcceptance(red('resync/receipt'), 'checks', { brought: [], accepted: NOTHING_ACCEPTED });
    expect(step.faults).toEqual([{ id: 'resync/receipt', text: 'red; no finding of the lint explains it: report it' }]);
  });

  it('is a mutant that the suite loses by the change, also when it is judged on its own', async () => {
    const change = sideOf(
      fileOf('dms: { missedAnchorsMax: 61 }\nresync: { beatsMax: 9000 }\nreissue: { feeLamports: 90000 }\n'),
    );
    const places = touchedMutants(change);
    expect(places.length).toBeGreaterThanOrEqual(5);
    const outcomes = ['killed-elsewhere', 'advisory', 'survived', 'survived', 'survived'] as const;
    const judge = async (asked: readonly number[], to: unknown, threads: number): Promise<MutantsJudged> => ({
      broken: [],
      results: asked.map((place) => {
        const at = places.indexOf(place);
        // The second is out of reach, the third is missed by a busy machine alone, the fourth without the change too.
        const busy = at === 2 && threads === 1;
        const stated = to === undefined && at !== 3;
        const outcome = busy || stated ? 'killed' : (outcomes[at] ?? 'killed');
        return { ...derivedMutants[place], outcome, unreachable: at === 1 } as unknown as MutantResult;
      }),
    });
    const { faults, looked } = await mutantStep(change, { only: [], judge });
    expect(faults.map(({ id }) => id)).toEqual([derivedMutants[places[4] as number]?.id]);
    expect(looked).toBe(
      `${places.length} mutants, 1 of which are killed by another clause, 1 of which are not killed without the change either, 1 of which are about what the change puts out of reach of the suite`,
    );
  });

  it('is none where a signal came before: nothing more is judged, and the step says so', async () => {
    const cut = AbortSignal.abort('SIGTERM');
    const judge = async (): Promise<MutantsJudged> => ({ results: [], broken: [] });
    const steps = [
      await mutantStep(side, { only: [], signal: cut, judge }),
      await scenarioStep(side, NOTHING_ACCEPTED, { names: ['keep-alive-cost'], signal: cut }),
    ];
    expect(steps.map(({ unable }) => unable)).toEqual(Array(2).fill('it was interrupted by SIGTERM'));
    expect(checkStatus(steps, [])).toBe(2);
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

  it('leaves a report of a change that cannot be read, with file, line and key of each mistake', async () => {
    const typo = fileOf('heartbeat:\n  intervalBeatMin: 12\ndms: 3\n');
    expect((await run(typo, '--out', 'typo')).status).toBe(2);
    const [summary, annotations] = ['summary.md', 'annotations.txt'].map((name) =>
      readFileSync(join(place, 'typo', name), 'utf8'),
    );
    expect(summary).toContain(`| \`${typo}:2\` | \`heartbeat.intervalBeatMin\` | is not a key`);
    expect(summary).toContain(
      `| \`${typo}:3\` | \`dms\` | must be a map of numbers: missedAnchorsMax, warningAnchors, graceAnchors |`,
    );
    expect(annotations).toMatch(/^::error file=.*\.yaml,line=2,title=heartbeat\.intervalBeatMin::is not a key/);
  });

  it('takes a change that is not there for none where that is said, and a file that accepts nothing for none', async () => {
    const gone = await run('no-such.yaml', '--if-present', '--out', 'gone');
    expect([gone.status, gone.stdout]).toEqual([0, expect.stringContaining('there is no change to judge')]);
    expect(readFileSync(join(place, 'gone/summary.md'), 'utf8')).toContain('There is no change to judge');
    const first = await run(change, '--accepted', 'no-such.yaml', '--only', 'keep-alive-cost');
    expect([first.status, first.stderr]).toEqual([1, expect.stringContaining('so that nothing is accepted')]);
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
