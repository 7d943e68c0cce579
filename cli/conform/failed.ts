/** `aips conform --failed`: reads from an earlier report which checks to run again, and against which target. It runs none itself. */

import type { ConformanceResult } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { Failure } from '../../runs/host/failure.js';
import { checksToRepeat, readReport } from '../../runs/suite/report-files.js';

/** The part of an earlier run to run again. */
export interface Rerun {
  /** The ids of the checks. */
  readonly checks: readonly string[];
  /** The seed of the earlier run, so that the same requests are sent. */
  readonly seed: number;
  readonly target: ConformanceResult['target'];
}

/** The part of the run of `--failed` to repeat. Throws a Failure if its report cannot be read, or if nothing is to be repeated. */
export function readRerun(file: string): Rerun {
  const result = readReport(file);
  const checks = checksToRepeat(result);
  if (checks.length === 0) {
    const isPart = result.clauses.some(({ why }) => why?.kind === 'unchosen');
    const others = isPart ? ' The run had selected checks only: leave out --failed to run the others.' : '';
    const ran = countText(result.checks.length, 'check');
    throw new Failure(
      `${file}: none of its ${ran} failed or was left unjudged, so there is nothing to run again.${others}`,
    );
  }
  return { checks, seed: result.seed, target: result.target };
}

/** The URL of the earlier run's target. Throws a Failure if the target cannot be described by a URL alone. */
export function urlOf({ target: { base_url, beats_url, offers } }: Rerun, file: string): string {
  if (!URL.canParse(base_url)) {
    throw new Failure(`${file} is about servers that aips conform self starts: use it there.`);
  }
  if (beats_url !== null || offers.length > 0) {
    throw new Failure(`${file} is about a target that a file describes: give that file with --target.`);
  }
  return base_url;
}
