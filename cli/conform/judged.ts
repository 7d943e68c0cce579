/** Concludes from the records of a run: applies known failures, writes the reports, prints the result, sets the exit status. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allChecks } from '../../conformance/checks/index.js';
import { baselineText, parseBaseline } from '../../conformance/judge/baseline.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { mergedResult } from '../../conformance/judge/merged.js';
import type { RunRecord } from '../../conformance/judge/record.js';
import { conformanceJson, parseConformanceJson } from '../../reports/conformance/conformance-json.js';
import { conformanceSummary } from '../../reports/conformance/console.js';
import { changeBetween } from '../../reports/conformance/result-change.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { quietJson } from '../../results/visible.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { sourceLines, workflowLine } from '../../runs/host/source-lines.js';
import { colour } from '../../runs/host/terminal.js';
import { REPORT_FILES, readReport, reportFiles } from '../../runs/suite/report-files.js';
import { requiredOf } from '../flags/required.js';
import type { VerdictFlags } from './options.js';

/** The file of known failures, in the folder of the report. */
const BASELINE_FILE = 'baseline.yaml';

/** A subject to judge. */
interface Subject {
  /** The command that judges it again. */
  readonly command: string;
  /** The patterns of `--only`. */
  readonly only?: readonly string[] | undefined;
  readonly judge: (signal: AbortSignal) => Promise<readonly RunRecord[]>;
  /** The name of the target, where it is not that of the records. */
  readonly nameOf?: (records: readonly RunRecord[]) => string;
}

/**
 * Judges a subject, delivers the result, and returns it. A file that it cannot read or write is a Failure, before any request is
 * sent. `before`: the result that this run completes, of which only the difference is shown.
 */
export async function judged(
  flags: VerdictFlags & { readonly failed?: string | undefined; readonly target?: string | undefined },
  { command, only, judge, nameOf }: Subject,
  before?: ConformanceResult,
): Promise<ConformanceResult> {
  const { strict, out, baseline: known, json, roadmap } = flags;
  const baseline = known === undefined ? undefined : parsedOrFail(parseBaseline(readText(known, 'baseline'), known));
  if (out !== undefined) ensureFolder(out, [...REPORT_FILES, BASELINE_FILE]);
  const last = before ?? lastResult(flags);
  const interrupt = interruptOf();
  const records = (await judge(interrupt.signal).finally(interrupt.forget)) as [RunRecord, ...RunRecord[]];
  const required = requiredOf(flags);
  const nowMs = Date.now();
  const run = conclude(records, {
    checks: allChecks,
    ...required,
    strict,
    baseline: baseline && { list: baseline, nowMs },
    target: nameOf?.(records),
  });
  const [source] =
    flags.target === undefined ? [workflowLine(run.target.base_url)] : sourceLines(flags.target, ['base_url']);
  const writing = { command, ...(only && { only }), strict, ...(source && { source }) };
  const isPart = before !== undefined || flags.failed !== undefined;
  const result = isPart && last !== undefined ? mergedResult(last, run, { strict, ...required }) : run;
  const since = last === undefined || (!isPart && !isOfSame(last, run)) ? undefined : changeBetween(last, result);
  // A run that stopped does not show all that fails.
  const failures =
    result.stopped !== undefined ? {} : { [BASELINE_FILE]: quietJson(baselineText(result, nowMs, baseline, strict)) };
  const files = out === undefined ? {} : { ...reportFiles(result, writing), ...failures };
  if (out !== undefined) writeFiles(out, files);
  if (json) process.stdout.write(conformanceJson(result));
  else {
    console.log(
      conformanceSummary(result, {
        colour,
        roadmap,
        since,
        brief: before !== undefined,
        ...writing,
        ...(out && { where: `${out}/conformance.html` }),
      }),
    );
    if (before === undefined) for (const name of Object.keys(files)) console.log(`wrote ${out}/${name}`);
  }
  process.exitCode = result.exit_status;
  return result;
}

/** The result that this run is compared with, or completes: that of `--failed`, or the last one in the folder. */
function lastResult({
  failed,
  out,
}: {
  readonly failed?: string | undefined;
  readonly out?: string | undefined;
}): ConformanceResult | undefined {
  if (failed !== undefined) return readReport(failed);
  const file = out === undefined ? undefined : join(out, 'conformance.json');
  if (file === undefined || !existsSync(file)) return undefined;
  const parsed = parseConformanceJson(readText(file, 'report'), file);
  // A report of another version is ignored and overwritten.
  return parsed.ok ? parsed.value : undefined;
}

const isOfSame = ({ target: a }: ConformanceResult, { target: b }: ConformanceResult): boolean =>
  a.base_url === b.base_url && a.network === b.network && a.dialect === b.dialect;
