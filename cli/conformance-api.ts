import { type ConformOptions, conform as run } from '../conformance/run/runner.js';
import { type Selection, selectChecks } from '../conformance/run/select.js';
import type { Target } from '../conformance/target/target.js';
import type { ConformanceResult } from '../reports/conformance-result.js';
import { packageVersion } from './files.js';

export { allChecks } from '../conformance/checks/index.js';
/**
 * `aips-lab/conformance`: the suite as a library, for a test of your own. What the command line adds, reading flags and
 * writing files, stays there; nothing here ends the process or prints.
 */
export { type Baseline, type BaselineEntry, baselineText, parseBaseline } from '../conformance/judge/baseline.js';
export { type Profile, type ProfileName, profileNamed, profiles } from '../conformance/run/profile.js';
export { bareTarget, parseTarget, type Target } from '../conformance/target/target.js';
export { conformanceJson } from '../reports/conformance-json.js';
export type { CheckResult, ConformanceResult, Exchange, Mismatch, Verdict } from '../reports/conformance-result.js';
export { conformanceSummary } from '../reports/console.js';
export { describeProblem, type Parsed, type Problem } from '../spec/document.js';
export { type Selection, selectChecks };

/** How a run is made: all of `ConformOptions` may be left out. */
export type RunOptions = Partial<ConformOptions>;

/**
 * Judges a target and tells everything that was found. Without options: every check, seed 1. It never throws for what the
 * target does: `exit_status` is 0 (conformant), 1 (not) or 2 (could not judge).
 */
export function conform(target: Target, options: RunOptions = {}): Promise<ConformanceResult> {
  return run(target, { seed: 1, toolVersion: packageVersion(), nowWallMs: Date.now, ...options });
}
