import { describe, expect, it } from 'vitest';
import type { ConformanceResult, Verdict } from '../../reports/conformance-result.js';
import { check, fake, local, run } from '../../test/fixtures/fake-target.js';
import { Unjudged } from '../assertions/unjudged.js';
import type { Check } from '../trial/check.js';
import { repeatedResult } from './repeat.js';

const CLAUSES = ['register.route', 'clock.billing-epoch'];

/** A check that ends as told. */
function ending(verdict: Verdict, seed: number): Check {
  return check(
    'a/1',
    async (t) => {
      if (verdict === 'not-tested' || verdict === 'inconclusive') throw new Unjudged(verdict, `in run ${seed}`);
      if (verdict === 'error') throw new Error(`in run ${seed}`);
      t.shows('register.route').equal(`in run ${seed}`, verdict === 'fail' ? 1 : 2, 2);
      t.shows('clock.billing-epoch').equal('the epoch', verdict === 'advisory' ? 1 : 2, 2);
    },
    { clauses: CLAUSES },
  );
}

const judged = (seed: number, verdict: Verdict): Promise<ConformanceResult> =>
  run(local, [ending(verdict, seed)], fake().transport, { seed });

const A = [ending('pass', 0)];

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
    const runs = await Promise.all(verdicts.map((one, index) => judged(5 + index, one)));
    const [first, ...rest] = runs;
    if (first === undefined) throw new Error('no run');
    const result = repeatedResult([first, ...rest], A, {});
    expect(result).toMatchObject({ seed: 5, repeat: 3, exit_status: status });
    expect(result.checks.map((one) => [one.verdict, one.flaky !== undefined])).toEqual([[verdict, flaky]]);
  });

  it('names the seed of each verdict and adds up what the runs took', async () => {
    const runs = [await judged(5, 'pass'), await judged(6, 'fail')] as const;
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

  it('judge a clause by the evidence of all, and a deviation of one is a finding', async () => {
    const result = repeatedResult([await judged(5, 'pass'), await judged(6, 'fail')], A, {});
    expect(result.clauses.find(({ id }) => id === 'register.route')?.state).toBe('fails');
    expect(result.findings).toMatchObject([{ clauses: ['register.route'], about: 'in run 6' }]);
  });

  it('fail for a decision where they are strict', async () => {
    const runs = [await judged(5, 'advisory'), await judged(6, 'advisory')] as const;
    expect(repeatedResult(runs, A, {}).exit_status).toBe(0);
    expect(repeatedResult(runs, A, { strict: true }).exit_status).toBe(1);
  });

  it.each([
    ['pass', 2],
    ['fail', 1],
  ] as const)('of which one could not judge any further, after a %s, are %i', async (verdict, status) => {
    const stopped = { ...(await judged(6, verdict)), stopped: 'no reply', exit_status: 2 as const };
    const result = repeatedResult([await judged(5, verdict), stopped], A, {});
    expect(result).toMatchObject({ exit_status: status, stopped: 'no reply' });
  });
});
