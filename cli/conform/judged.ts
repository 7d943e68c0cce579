/** Concludes from the records of a run: applies known failures, writes the reports, prints the result, sets the exit status. */

import { allChecks } from '../../conformance/checks/index.js';
import { baselineText, parseBaseline } from '../../conformance/judge/baseline.js';
import { conclude } from '../../conformance/judge/conclude.js';
import type { RunRecord } from '../../conformance/judge/record.js';
import { conformanceJson } from '../../reports/conformance-json.js';
import { conformanceSummary } from '../../reports/console.js';
import { quietJson } from '../../reports/visible.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { colour } from '../../runs/host/terminal.js';
import { reportFiles } from '../../runs/suite/report-files.js';
import type { VerdictFlags } from './options.js';

/** A subject to judge. */
export interface Subject {
  /** The command that judges it again. */
  readonly command: string;
  readonly judge: (signal: AbortSignal) => Promise<readonly RunRecord[]>;
  /** The name of the target, where it is not that of the records. */
  readonly nameOf?: (records: readonly RunRecord[]) => string;
}

/** Judges a subject, and delivers the result. A file that it cannot read or write is a Failure, before any request is sent. */
export async function judged(flags: VerdictFlags, { command, judge, nameOf }: Subject): Promise<void> {
  const { strict, out, baseline: known, json, roadmap } = flags;
  const baseline = known === undefined ? undefined : parsedOrFail(parseBaseline(readText(known, 'baseline'), known));
  if (out !== undefined) ensureFolder(out);
  const interrupt = interruptOf();
  const records = (await judge(interrupt.signal).finally(interrupt.forget)) as [RunRecord, ...RunRecord[]];
  const nowMs = Date.now();
  const result = conclude(records, {
    checks: allChecks,
    requireJudged: flags['require-judged'],
    strict,
    baseline: baseline && { list: baseline, nowMs },
    target: nameOf?.(records),
  });
  const writing = { command, strict };
  // A run that stopped does not show all that fails.
  const failures =
    result.stopped !== undefined ? {} : { 'baseline.yaml': quietJson(baselineText(result, nowMs, baseline, strict)) };
  const files = out === undefined ? {} : { ...reportFiles(result, writing), ...failures };
  if (out !== undefined) writeFiles(out, files);
  if (json) process.stdout.write(conformanceJson(result));
  else {
    console.log(
      conformanceSummary(result, { colour, roadmap, ...writing, ...(out && { where: `${out}/conformance.html` }) }),
    );
    for (const name of Object.keys(files)) console.log(`wrote ${out}/${name}`);
  }
  process.exitCode = result.exit_status;
}
