/** `aips conform --failed`: which checks of an earlier report are run again, and against what. It runs none itself. */

import { parseConformanceJson } from '../reports/conformance-json.js';
import type { ConformanceResult } from '../reports/conformance-result.js';
import { Failure } from './failure.js';
import { parsedOrFail, readText } from './files.js';

/** The part of an earlier run that is to be run again. */
export interface Again {
  /** The ids of the checks. */
  readonly checks: readonly string[];
  /** The seed of the earlier run, with which what it found is found again. */
  readonly seed: number;
  readonly target: ConformanceResult['target'];
}

/** Reads the report of `--failed`. Throws a Failure where it cannot be read, or holds nothing to run again. */
export function againFrom(file: string): Again {
  const result = parsedOrFail(parseConformanceJson(readText(file, 'report'), file));
  const checks = checksToRepeat(result);
  if (checks.length === 0) {
    throw new Failure(`${file}: nothing failed and nothing was left unjudged, so there is nothing to run again.`);
  }
  return { checks, seed: result.seed, target: result.target };
}

/**
 * The checks of a run that failed, found a decision that is not followed, are flaky or gave no judgement; and those about
 * clauses that nothing judged. What the target declares as unsupported is not tried again.
 */
function checksToRepeat({ checks, clauses }: ConformanceResult): readonly string[] {
  const open = new Set(clauses.filter(({ state }) => state === 'not-judged').map(({ id }) => id));
  const again = checks.filter(
    ({ verdict, flaky, clauses: judged }) =>
      verdict !== 'not-applicable' && (verdict !== 'pass' || flaky !== undefined || judged.some((id) => open.has(id))),
  );
  return again.map(({ id }) => id);
}

/** The URL of the earlier run's target, where that alone describes it. Throws a Failure where more has to be given. */
export function urlOf({ target: { base_url, beats_url, offers } }: Again, file: string): string {
  if (base_url.startsWith('aips serve ')) {
    throw new Failure(`${file} is about servers that --self starts: give --self with it.`);
  }
  if (beats_url !== null || offers.length > 0) {
    throw new Failure(`${file} is about a target that a file describes: give that file with --target.`);
  }
  return base_url;
}
