import { describe, expect, it } from 'vitest';
import type { ConformanceResult, Verdict } from '../../reports/conformance-result.js';
import { check, fake, local, run } from '../../test/fixtures/fake-target.js';
import { repeatedResult } from './repeat.js';

/** A run in which each check ends as told. */
async function ending(seed: number, verdicts: Readonly<Record<string, Verdict>>): Promise<ConformanceResult> {
  const checks = Object.keys(verdicts).map((id) => check(id, async () => {}));
  const result = await run(local, checks, fake().transport, { seed });
  const told = result.checks.map((one) => {
    const verdict = verdicts[one.id] ?? 'pass';
    if (verdict === 'pass') return { ...one, verdict };
    if (verdict === 'fail' || verdict === 'advisory') {
      return { ...one, verdict, about: `in run ${seed}`, expected: 'e', actual: 'a' };
    }
    return { ...one, verdict, reason: `in run ${seed}` };
  });
  return { ...result, checks: told };
}

const A = [check('a/1', async () => {})];

describe('repeated runs', () => {
  it.each<[Verdict[], Verdict, 0 | 1 | 2, boolean]>([
    [['pass', 'pass', 'pass'], 'pass', 0, false],
    [['fail', 'fail', 'fail'], 'fail', 1, false],
    [['pass', 'fail', 'pass'], 'fail', 1, true],
    [['pass', 'advisory', 'pass'], 'advisory', 1, true],
    [['advisory', 'advisory', 'advisory'], 'advisory', 0, false],
    [['inconclusive', 'pass', 'pass'], 'inconclusive', 1, true],
    [['error', 'error', 'error'], 'error', 2, false],
    [['pass', 'not-tested', 'pass'], 'pass', 0, false],
    [['not-tested', 'not-tested', 'not-tested'], 'not-tested', 2, false],
  ])('%j: %s, exit status %i, flaky %s', async (verdicts, verdict, status, flaky) => {
    const runs = await Promise.all(verdicts.map((one, index) => ending(5 + index, { 'a/1': one })));
    const [first, ...rest] = runs;
    if (first === undefined) throw new Error('no run');
    const result = repeatedResult([first, ...rest], A, {});
    expect(result).toMatchObject({ seed: 5, repeat: 3, exit_status: status });
    expect(result.checks.map((one) => [one.verdict, one.flaky !== undefined])).toEqual([[verdict, flaky]]);
  });

  it('names the seed of each verdict and adds up what the runs took', async () => {
    const runs = [await ending(5, { 'a/1': 'pass' }), await ending(6, { 'a/1': 'fail' })] as const;
    const result = repeatedResult(runs, A, {});
    expect(result.checks[0]).toMatchObject({
      about: 'in run 6',
      flaky: [
        { seed: 5, verdict: 'pass' },
        { seed: 6, verdict: 'fail' },
      ],
    });
    expect(result.requests).toBe(runs[0].requests + runs[1].requests);
  });

  it('keeps 2 when a run could not judge the target any further', async () => {
    const stopped = { ...(await ending(6, { 'a/1': 'pass' })), stopped: 'no reply', exit_status: 2 as const };
    const result = repeatedResult([await ending(5, { 'a/1': 'fail' }), stopped], A, {});
    expect(result).toMatchObject({ exit_status: 2, stopped: 'no reply' });
  });
});
