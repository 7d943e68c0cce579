/** Runs the suite with a progress bar, once or several times. The suite itself is in conformance/run. */

import { allChecks } from '../../conformance/checks/index.js';
import type { RunRecord } from '../../conformance/judge/record.js';
import { plan } from '../../conformance/run/plan.js';
import { type ConformOptions, runSuite } from '../../conformance/run/runner.js';
import { type Selection, selectChecks } from '../../conformance/run/select.js';
import type { Target } from '../../conformance/target/target.js';
import { findingTitle } from '../../reports/conformance/findings-view.js';
import type { CheckOutcome } from '../../results/conformance-result.js';
import { countText, numberText } from '../../results/numbers.js';
import { clauses } from '../../spec/clauses/index.js';
import { didYouMean } from '../../spec/nearest-name.js';
import { Failure } from '../host/failure.js';
import { progressBar } from '../host/progress.js';

/** Shorter waits are not worth a line. */
const NOTED_MS_MIN = 10_000;

/** The deviations that are said while a run goes on; the rest is in its report. */
const SAID_MAX = 12;

/** Runs the suite with its progress, and reports each deviation at once. */
export async function judge(target: Target, options: ConformOptions): Promise<RunRecord> {
  const bar = progressBar('checks', plan(target, allChecks, options).checks.length);
  let said = 0;
  const onDeviation: ConformOptions['onDeviation'] = ({ clauses, ...seen }) => {
    said += 1;
    if (said <= SAID_MAX) bar.say(`failed: ${findingTitle(seen)} (${clauses.join(', ')})`);
    else if (said === SAID_MAX + 1) bar.say('failed: more, which the report names');
  };
  const onWait = (untilMs: number, waiting: number): void => {
    if (untilMs - options.nowWallMs() < NOTED_MS_MIN) return;
    bar.note(`waits until ${new Date(untilMs).toISOString().slice(11, 19)} UTC for ${countText(waiting, 'check')}`);
  };
  let progress = '';
  const onJudged = (clauses: number, inReach: number): void => {
    progress = `${numberText(clauses)} of ${countText(inReach, 'clause')} judged, `;
    options.onJudged?.(clauses, inReach);
  };
  const onResult = (result: CheckOutcome): void => {
    bar.step(`${progress}${result.id}`);
    options.onResult?.(result);
  };
  try {
    return await runSuite(target, { onWait, onDeviation, ...options, onJudged, onResult });
  } finally {
    bar.stop();
  }
}

/** The records of `runs` runs with successive seeds; a target that cannot be judged is not tried again. */
export async function repeated(
  runs: number,
  options: ConformOptions,
  once: (options: ConformOptions) => Promise<readonly RunRecord[]>,
): Promise<readonly RunRecord[]> {
  const records: RunRecord[] = [];
  for (let run = 0; run < runs && !records.some(({ stopped }) => stopped?.unjudgeable === true); run += 1) {
    records.push(...(await once({ ...options, seed: options.seed + run })));
  }
  return records;
}

/** Throws a Failure for a pattern that no check has, with what is near it. */
export function requireMatches(patterns: readonly string[]): void {
  for (const pattern of patterns) {
    if (selectChecks(allChecks, { only: [pattern] }).length > 0) continue;
    const names = [...allChecks.map(({ id }) => id), ...clauses.map(({ id }) => id)];
    const near = didYouMean(pattern, names);
    throw new Failure(`No check has such an id, clause or section: ${pattern}${near === '' ? '.' : near}`);
  }
}

/** Throws a Failure for a selection that holds no check. */
export function requireChoice(selection: Selection): void {
  if (selectChecks(allChecks, selection).length > 0) return;
  const where = selection.profile === undefined ? '' : ` in the profile ${selection.profile.name}`;
  throw new Failure(`No check has such an id, clause or section${where}: ${selection.only?.join(', ')}.`);
}
