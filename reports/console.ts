import picocolors from 'picocolors';
import type { CheckResult, ConformanceResult } from './conformance-result.js';
import {
  baselineFaults,
  type ConformanceWriting,
  type Contradicted,
  failedClauses,
  failsRun,
  flakyText,
  isUnjudged,
  judgedLine,
  knownText,
  rerunCommand,
  unjudgedGroups,
  unsaidClauses,
  verdictCounts,
} from './conformance-view.js';
import { lackingLines, nextLines } from './console-lacking.js';
import { columns, field } from './console-lines.js';
import { type Finding, findings } from './findings.js';
import { countText, secondsText, solText } from './numbers.js';
import { clipped, oneLine, shortLine, visible } from './visible.js';

const SHOWN_MAX = 20;
const VALUE_MAX = 600;
const CLAUSES_MAX = 4;
const INDENT = '  ';

/** How a summary for a terminal is written. */
export interface ConformanceSummaryOptions extends ConformanceWriting {
  readonly colour: boolean;
  /** The file that holds the curl scripts and transcripts, as the user can open it. Absent: `conformance.json`. */
  readonly where?: string;
}

type Colours = ReturnType<typeof picocolors.createColors>;

/**
 * What one conformance run found, for a terminal. The first line says how much was judged; then each check that found the target
 * wrong with how to run it again, each that could not tell, and what was not tested by reason with how to provide what was missing.
 */
export function conformanceSummary(result: ConformanceResult, options: ConformanceSummaryOptions): string {
  const colours = picocolors.createColors(options.colour);
  const { target } = result;
  const lines = [
    headline(result, options, colours),
    oneLine(`${target.base_url}, ${target.network}, dialect ${target.dialect}: ${verdictCounts(result)}`),
    `${countText(result.requests, 'request')}, ${solText(result.lamports)} in fees, ${secondsText(result.wall_s)}`,
  ];
  if (result.stopped !== undefined) lines.push(colours.red(`stopped: ${oneLine(result.stopped)}`));
  if (result.unpaid !== undefined) lines.push(colours.yellow(`not all was paid for: ${oneLine(result.unpaid)}`));
  for (const fault of baselineFaults(result)) lines.push(colours.red(`baseline: ${oneLine(fault)}`));
  if (result.checks.length === 0) lines.push(colours.red('no check ran: nothing was shown about the target'));
  const found = findings(result);
  const ordered = [...found].sort((a, b) => Number(failsRun(b.check, options)) - Number(failsRun(a.check, options)));
  for (const finding of ordered.slice(0, SHOWN_MAX)) lines.push('', ...findingBlock(finding, result, options, colours));
  const left = ordered.slice(SHOWN_MAX).reduce((sum, { also }) => sum + 1 + also.length, 0);
  if (left > 0) lines.push('', `and ${countText(left, 'check')} more that did not pass: ${whereOf(options)}`);
  lines.push(...undecidedLines(result, options, colours));
  lines.push(...lackingLines(result, colours));
  lines.push(...untestedLines(result, colours));
  lines.push(...nextLines(result, options, colours));
  lines.push('', `seed ${result.seed}, exit status ${result.exit_status}`);
  return `${lines.join('\n')}\n`;
}

function headline(result: ConformanceResult, writing: ConformanceWriting, colours: Colours): string {
  const line = judgedLine(result);
  const wrong = result.exit_status !== 0 || result.checks.some((check) => failsRun(check, writing));
  return colours.bold(wrong ? colours.red(line) : colours.green(line));
}

function whereOf(options: ConformanceSummaryOptions): string {
  return options.where ?? 'conformance.json';
}

function findingBlock(
  { check, also }: Finding,
  result: ConformanceResult,
  options: ConformanceSummaryOptions,
  colours: Colours,
): string[] {
  const mark = markOf(check, options, colours);
  const failed = failedClauses(check);
  const [more, unsaid] = [failed.length - CLAUSES_MAX, unsaidClauses(check)];
  const clauses = failed.slice(0, CLAUSES_MAX).map((id) => {
    const clause = result.clauses.find((one) => one.id === id);
    return clause === undefined ? oneLine(id) : oneLine(`${id} (${clause.section}): ${clause.text}`);
  });
  return [
    `${mark}  ${colours.bold(oneLine(check.id))}  ${oneLine(check.title)}`,
    ...clauses.map((clause) => field('clause', clause, INDENT)),
    ...(more > 0 ? [field('', `and ${countText(more, 'clause')} more`, INDENT)] : []),
    ...(unsaid > 0 ? [field('', `of ${countText(unsaid, 'other clause')} of the check it says nothing`, INDENT)] : []),
    field('about', shown(check.about), INDENT),
    field('expected', shown(check.expected), INDENT),
    field('actual', shown(check.actual), INDENT),
    ...standingFields(check),
    ...(also.length === 0 ? [] : [field('also', `met by ${oneLine(also.join(', '))}`, INDENT)]),
    field('again', oneLine(rerunCommand(result, check.id, options)), INDENT),
    ...(check.curl === '' ? [] : [field('curl', `in ${whereOf(options)}, with the transcript`, INDENT)]),
  ];
}

function markOf(check: Contradicted, options: ConformanceSummaryOptions, colours: Colours): string {
  if (check.flaky !== undefined) return colours.red('FLAKY   ');
  if (check.known !== undefined) return colours.yellow('KNOWN   ');
  return failsRun(check, options) ? colours.red('FAIL    ') : colours.yellow('ADVISORY');
}

/** Why a failure does not count, or what the repetitions found. */
function standingFields({ known, flaky }: CheckResult): string[] {
  return [
    ...(known === undefined ? [] : [field('known', shown(knownText(known)), INDENT)]),
    ...(flaky === undefined ? [] : [field('flaky', flakyText(flaky), INDENT)]),
  ];
}

function shown(text: string): string {
  const { text: first, left } = clipped(visible(text), VALUE_MAX);
  return left === 0 ? first : `${first}… (${countText(left, 'character')} more)`;
}

function undecidedLines(result: ConformanceResult, options: ConformanceSummaryOptions, colours: Colours): string[] {
  const undecided = result.checks.filter(isUndecided);
  const lines = undecided
    .slice(0, SHOWN_MAX)
    .flatMap((check) => [
      '',
      `${colours.magenta(undecidedMark(check))}  ${oneLine(check.id)}  ${oneLine(check.title)}`,
      field('reason', shown(check.reason), INDENT),
      ...standingFields(check),
      field('again', oneLine(rerunCommand(result, check.id, options)), INDENT),
    ]);
  const left = undecided.length - SHOWN_MAX;
  return left > 0
    ? [...lines, '', `and ${countText(left, 'check')} more that could not tell: ${whereOf(options)}`]
    : lines;
}

function undecidedMark({ verdict, flaky }: CheckResult): string {
  if (flaky !== undefined) return 'FLAKY   ';
  return verdict === 'error' ? 'ERROR   ' : 'UNCLEAR ';
}

function isUndecided(check: CheckResult): check is Extract<CheckResult, { readonly reason: string }> {
  return isUnjudged(check) && (check.verdict === 'error' || check.verdict === 'inconclusive');
}

function untestedLines(result: ConformanceResult, colours: Colours): string[] {
  const groups = unjudgedGroups(result).filter(
    ({ verdict }) => verdict === 'not-tested' || verdict === 'not-applicable',
  );
  if (groups.length === 0) return [];
  const rows = groups.map(({ checks, label, reason }) => [String(checks.length), label, shortLine(reason, 200)]);
  const table = columns(rows, ['right', 'left', 'left'], INDENT);
  const lines = groups.flatMap(({ provide }, row) => {
    const line = table[row] ?? '';
    return provide === undefined ? [line] : [line, colours.dim(`${' '.repeat(hintColumn(rows))}${provide}`)];
  });
  return ['', colours.bold('not judged'), ...lines];
}

function hintColumn(rows: readonly (readonly string[])[]): number {
  const width = (at: number): number => Math.max(...rows.map((row) => (row[at] ?? '').length));
  return INDENT.length + width(0) + 2 + width(1) + 2;
}
