/**
 * `aips conform`: reads the flags, runs the suite, writes the reports, sets the exit status. What is judged, and how,
 * is decided in conformance/.
 */

import { basename, dirname } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { baselineText } from '../../conformance/judge/baseline.js';
import { conclude } from '../../conformance/judge/conclude.js';
import type { RunRecord } from '../../conformance/judge/record.js';
import { plan } from '../../conformance/run/plan.js';
import type { ConformOptions } from '../../conformance/run/runner.js';
import type { Recording } from '../../conformance/tape/read-recording.js';
import type { Target } from '../../conformance/target/target.js';
import { conformanceJson } from '../../reports/conformance-json.js';
import type { ConformanceResult } from '../../reports/conformance-result.js';
import { conformanceSummary } from '../../reports/console.js';
import { shellWord } from '../../reports/shell-word.js';
import { quietJson } from '../../reports/visible.js';
import { Failure } from '../../runs/host/failure.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { colour } from '../../runs/host/terminal.js';
import { judge, repeated, requireChoice } from '../../runs/suite/judge.js';
import { judgeAndRecord, judgeRecording, readRecording } from '../../runs/suite/record.js';
import { readFormats, reportFiles } from '../../runs/suite/report-files.js';
import { judgeSelf, planSelf, selfName } from '../../runs/suite/self.js';
import { readTarget } from '../../runs/suite/target-file.js';
import type { Command } from '../flags/command.js';
import { explanation } from './explain.js';
import { readRerun, urlOf } from './failed.js';
import { listCommand } from './list.js';
import {
  baselineOf,
  type ConformFlags,
  conformFlags,
  recordable,
  recordingOnly,
  repeatOf,
  suiteOptions,
} from './options.js';
import { planText, selfPlanJson, selfPlanText } from './plan.js';

/** `aips conform [URL]`: judges a server, clause by clause. */
export const conformCommand: Command<ConformFlags> = {
  builder: (args: Argv) =>
    args
      .positional('url', { type: 'string', describe: 'Base URL of the target, when there is no target file' })
      .options(conformFlags)
      .command(listCommand as unknown as CommandModule)
      .example('$0 conform http://127.0.0.1:8787', 'everything that needs no more than the URL')
      .example('$0 conform --target target.yaml --format json,junit,html --report out', 'with reports')
      .example('$0 conform --self', 'the reference, in every configuration')
      .example('$0 conform --self --protocol overlay.yaml', '… with your own numbers')
      .example('$0 conform --target target.yaml --plan', 'what a run would do and cost')
      .example("$0 conform --target target.yaml --only 'heartbeat/*' 4.6", 'some checks by id, clause or section')
      .example('$0 conform --target target.yaml --profile paid', 'without what needs a clock or a control API')
      .example('$0 conform http://127.0.0.1:8787 --wait 10m', 'and what takes ten minutes, in real time')
      .example('$0 conform --target target.yaml --write-baseline known.yaml', 'lists what fails today …')
      .example('$0 conform --target target.yaml --baseline known.yaml', '… and fails only for new failures')
      .example('$0 conform --target target.yaml --failed out/conformance.json', 'only what failed or was not judged')
      .example('$0 conform --explain heartbeat.interval.min', 'the text, the source and the checks of a clause')
      .example('$0 conform --target target.yaml --repeat 5', 'finds flaky checks')
      .example('$0 conform --target target.yaml --record tape', 'keeps all requests and replies …')
      .example('$0 conform --from tape', '… and judges it again without the server'),
  handler: async (flags) => {
    if (flags.explain !== undefined) return void process.stdout.write(explanation(flags.explain, flags));
    const target = subjectOf(flags);
    if (flags.plan) return console.log(planned(flags, target));
    const wanted = readFormats(flags.format);
    const folder = flags.report ?? 'out';
    if (wanted.length > 0) ensureFolder(folder);
    const recording = flags.from === undefined ? undefined : readRecording(flags.from);
    const command = recording?.manifest.command ?? commandOf(flags);
    const interrupt = interruptOf();
    const judging = { subject: recording ?? target, command, signal: interrupt.signal };
    const result = await judgedBy(flags, judging).finally(interrupt.forget);
    const writing = { command, strict: flags.strict };
    const files = reportFiles(result, wanted, { ...writing, transcripts: flags.transcripts });
    writeFiles(folder, files);
    if (flags.json) process.stdout.write(conformanceJson(result));
    else {
      const where = ['conformance.html', 'conformance.json'].find((name) => name in files);
      console.log(conformanceSummary(result, { colour, ...writing, ...(where && { where: `${folder}/${where}` }) }));
      for (const name of Object.keys(files)) console.log(`wrote ${folder}/${name}`);
    }
    process.exitCode = result.exit_status;
  },
};

/** The plan of a run as text or JSON; with `--self`, of all configurations. */
function planned(flags: ConformFlags, target: Target | undefined): string {
  const options = suiteOptions(flags);
  const runs = repeatOf(flags);
  if (target === undefined) {
    const configurations = planSelf(options, flags.protocol);
    return flags.json ? JSON.stringify(selfPlanJson(configurations), null, 2) : selfPlanText(configurations, runs);
  }
  requireChoice(options);
  const made = plan(target, allChecks, options);
  return flags.json ? JSON.stringify(made, null, 2) : planText(made, runs);
}

/** The subject of a run, the command that repeats it, and the signal that interrupts it. */
interface Judging {
  /** Undefined for `--self`. */
  readonly subject: Target | Recording | undefined;
  readonly command: string;
  readonly signal: AbortSignal;
}

/** Runs the suite, `--repeat` times, applies the known failures, and writes them down with `--write-baseline`. */
async function judgedBy(flags: ConformFlags, { subject, command, signal }: Judging): Promise<ConformanceResult> {
  const options = { ...suiteOptions(flags), signal };
  const baseline = baselineOf(flags);
  const runs = repeatOf(flags);
  const { record: folder } = flags;
  if (folder !== undefined) recordable(flags, subject !== undefined && 'manifest' in subject ? undefined : subject);
  const once = async (suite: ConformOptions): Promise<readonly RunRecord[]> => {
    if (subject === undefined) return judgeSelf(suite, judge, flags.protocol);
    if ('manifest' in subject) return [await judgeRecording(subject, suite)];
    return [await (folder === undefined ? judge(subject, suite) : judgeAndRecord({ folder, command }, subject, suite))];
  };
  const records = (await repeated(runs, options, once)) as [RunRecord, ...RunRecord[]];
  const nowMs = Date.now();
  const result = conclude(records, {
    checks: allChecks,
    requireJudged: options.requireJudged,
    strict: flags.strict,
    baseline: baseline && { list: baseline, nowMs },
    target: subject === undefined ? selfName(records) : undefined,
  });
  const path = flags['write-baseline'];
  if (path !== undefined && result.stopped !== undefined) {
    console.error(`${path} is not written: a run that stopped does not show all that fails`);
  } else if (path !== undefined) {
    writeFiles(dirname(path), { [basename(path)]: quietJson(baselineText(result, nowMs, baseline, flags.strict)) });
  }
  return result;
}

/** The target that the flags name; undefined for `--self` and `--from`, which bring their own. */
function subjectOf(flags: ConformFlags): Target | undefined {
  if (flags.from !== undefined) return recordingOnly(flags);
  if (flags.self) return selfOnly(flags);
  return readTarget({ ...flags, url: urlGiven(flags) });
}

/** The URL that the flags name, or that of the report of `--failed` where nothing else describes the target. */
function urlGiven({ url, target, failed }: ConformFlags): string | undefined {
  return url !== undefined || target !== undefined || failed === undefined ? url : urlOf(readRerun(failed), failed);
}

/** Refuses a target beside `--self`. */
function selfOnly({ url, target }: ConformFlags): undefined {
  if (url !== undefined || target !== undefined) {
    throw new Failure('--self starts servers of its own: give no URL and no --target with it.');
  }
}

/** The command that judges the same target again, without its selection of checks. */
function commandOf(flags: ConformFlags): string {
  const named = flags.target === undefined ? shellWord(urlGiven(flags) ?? '') : `--target ${shellWord(flags.target)}`;
  return [
    'aips conform',
    flags.self ? '--self' : named,
    ...(flags.protocol === undefined ? [] : [`--protocol ${shellWord(flags.protocol)}`]),
    ...(flags['allow-writes'] ? ['--allow-writes'] : []),
    ...(flags.wait === undefined ? [] : [`--wait ${flags.wait}`]),
  ].join(' ');
}
