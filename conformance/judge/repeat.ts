/**
 * Merges the results of runs with successive seeds into one, and finds the checks whose verdicts differ between them.
 * It runs nothing itself.
 */
import type { ConformanceResult, Repetition } from '../../reports/conformance-result.js';
import type { Check } from '../trial/check.js';
import { concluded, endOf, listOf, mergedRuns, runsByCheck, totalsOf } from './result.js';
import type { CheckRun } from './verdict.js';

/**
 * Merges runs with successive seeds into one result, with the weightiest verdict of each check. A check whose verdicts differ is
 * flaky, and fails the run. A run that did not or could not try a check says nothing about the target and makes no difference.
 */
export function repeatedResult(
  runs: readonly [ConformanceResult, ...ConformanceResult[]],
  checks: readonly Check[],
  { requireJudged = 0, strict = false }: { readonly requireJudged?: number | undefined; readonly strict?: boolean },
): ConformanceResult {
  const results = [...runsByCheck(runs)].flatMap(([id, found]): readonly CheckRun[] => {
    const merged = mergedRuns(found);
    if (merged === undefined) return [];
    const seen = runs.flatMap(({ seed, checks: results }): readonly Repetition[] => {
      const result = results.find((one) => one.id === id);
      return result === undefined ? [] : [{ seed, verdict: result.verdict }];
    });
    const tried = seen.filter(({ verdict }) => verdict !== 'not-tested' && verdict !== 'not-applicable');
    const differ = new Set(tried.map(({ verdict }) => verdict)).size > 1;
    return [differ ? { ...merged, flaky: tried } : merged];
  });
  const [first] = runs;
  return {
    ...first,
    repeat: runs.length,
    ...totalsOf(runs),
    ...endOf(...runs),
    ...concluded(checks, results, {
      unjudgeable: runs.some(isUnjudgeable),
      requireJudged,
      strict,
      list: listOf(runs),
    }),
  };
}

/** Whether a run ended because the target could no longer be judged. */
export function isUnjudgeable({ stopped, exit_status }: ConformanceResult): boolean {
  return stopped !== undefined && exit_status !== 0;
}
