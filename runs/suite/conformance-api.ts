/**
 * `aips-lab/conformance`: the suite as a library, for a user's own tests. It reads no flags, writes no files, prints
 * nothing and never ends the process: the command line does that.
 */

import { type ConformOptions, conform as run } from '../../conformance/run/runner.js';
import { type Selection, selectChecks } from '../../conformance/run/select.js';
import type { Target } from '../../conformance/target/target.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { packageVersion } from '../host/package.js';

export { allChecks } from '../../conformance/checks/index.js';
export { type Baseline, type BaselineEntry, baselineText, parseBaseline } from '../../conformance/judge/baseline.js';
export { type Profile, type ProfileName, profileNamed, profiles } from '../../conformance/run/profile.js';
export { bareTarget, parseTarget, type Target } from '../../conformance/target/target.js';
export { shortSecretsOf } from '../../conformance/trial/session.js';
export { conformanceJson } from '../../reports/conformance/conformance-json.js';
export { conformanceSummary } from '../../reports/conformance/console.js';
export type { CheckResult, ConformanceResult, Exchange, Mismatch, Verdict } from '../../results/conformance-result.js';
export { useRules } from '../../rules/rule-module.js';
export { describeProblem, type Parsed, type Problem } from '../../spec/document.js';
export { type Selection, selectChecks };

/** The options of a run, all optional. */
export type RunOptions = Partial<ConformOptions>;

/**
 * Judges a target and returns the whole result. Without options: every check, seed 1. It never throws for what the
 * target does: `exit_status` is 0 (conformant), 1 (not) or 2 (could not judge). Secrets of the target that `shortSecretsOf` names are hidden
 * where they are all of a value only.
 */
export function conform(target: Target, options: RunOptions = {}): Promise<ConformanceResult> {
  return run(target, { seed: 1, toolVersion: packageVersion(), nowWallMs: Date.now, ...options });
}
