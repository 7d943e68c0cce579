import type { CheckResult, ConformanceResult, Repetition } from '../../reports/conformance-result.js';
import type { Check } from '../trial/check.js';
import { concluded, endOf, outweighs, totalsOf } from './result.js';

/**
 * Runs with successive seeds as one: each check as its weightiest verdict. One whose verdicts differ is flaky, and that
 * fails the run. A check that a run did not try, or could not, says nothing about the target and is no difference.
 */
export function repeatedResult(
  runs: readonly [ConformanceResult, ...ConformanceResult[]],
  checks: readonly Check[],
  { requireJudged = 0 }: { readonly requireJudged?: number | undefined },
): ConformanceResult {
  const found = new Map<string, { weightiest: CheckResult; seen: Repetition[] }>();
  for (const { seed, checks: results } of runs) {
    for (const result of results) {
      const known = found.get(result.id);
      const weightiest = known === undefined || outweighs(result, known.weightiest) ? result : known.weightiest;
      found.set(result.id, { weightiest, seen: [...(known?.seen ?? []), { seed, verdict: result.verdict }] });
    }
  }
  const results = [...found.values()].map(({ weightiest, seen }) => {
    const tried = seen.filter(({ verdict }) => verdict !== 'not-tested' && verdict !== 'not-applicable');
    const differ = new Set(tried.map(({ verdict }) => verdict)).size > 1;
    return differ ? { ...weightiest, flaky: tried } : weightiest;
  });
  const [first] = runs;
  return {
    ...first,
    repeat: runs.length,
    ...totalsOf(runs),
    ...endOf(...runs),
    ...concluded(checks, results, { unjudgeable: runs.some(isUnjudgeable), requireJudged }),
  };
}

/** Whether a run ended because the target could not be judged any further. */
export function isUnjudgeable({ stopped, exit_status }: ConformanceResult): boolean {
  return stopped !== undefined && exit_status === 2;
}
