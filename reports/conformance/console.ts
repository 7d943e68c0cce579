/** Writes the findings of a conformance run for a terminal. Next steps are in console-next.ts. */
import picocolors from 'picocolors';
import type { CheckResult, ConformanceResult, Finding } from '../../results/conformance-result.js';
import { countText, numberText, secondsText, solText } from '../../results/numbers.js';
import { clipped, oneLine, shortLine, visible } from '../../results/visible.js';
import { columns, field } from '../text/console-lines.js';
import {
  baselineFaults,
  type ConformanceWriting,
  flakyText,
  headline,
  isBad,
  isUndecided,
  knownText,
  powerText,
  rerunCommand,
  verdictCounts,
  wallText,
} from './conformance-view.js';
import { lackingLines, nextLines, otherFamilyLines, roadLines } from './console-next.js';
import { causesOf, checkToRepeat, clauseLines, findingTitle, followersOf, sortedFindings } from './findings-view.js';
import { type Change, changeText } from './result-change.js';
import { clausesLeft, type UnjudgedGroup, unjudgedGroups } from './unjudged.js';
import { verdictText } from './verdict-text.js';

const SHOWN_MAX = 20;
const VALUE_MAX = 600;
const CLAUSES_MAX = 4;
const CHECKS_MAX = 8;
const REASON_MAX = 200;
const INDENT = '  ';

/** How a summary for a terminal is written. */
interface ConformanceSummaryOptions extends ConformanceWriting {
  readonly colour: boolean;
  /** The file that holds transcripts and curl scripts, as the user can open it. Absent: none was written. */
  readonly where?: string;
  /** With every stage of building a server. */
  readonly roadmap?: boolean | undefined;
  /** The difference to the run before; absent: there was none. */
  readonly since?: Change | undefined;
  /** No more than the verdict, the difference, the first findings and the next step. */
  readonly brief?: boolean;
}

type Colours = ReturnType<typeof picocolors.createColors>;

/** All that the lines of a summary are written from. */
interface Summary {
  readonly result: ConformanceResult;
  readonly options: ConformanceSummaryOptions;
  readonly colours: Colours;
}

/**
 * The summary of a conformance run for a terminal. The first line says how much was judged. Then comes what fails the run, by
 * cause; then what could not be judged, by reason, with how to provide what was missing; then the decisions that are not
 * followed; and last what to do next.
 */
export function conformanceSummary(result: ConformanceResult, options: ConformanceSummaryOptions): string {
  const summary: Summary = { result, options, colours: picocolors.createColors(options.colour) };
  const { failing, known, decisions } = sortedFindings(result, options);
  const wrong = causesOf([...failing, ...known]);
  if (options.brief) return briefSummary(causesOf(failing), summary);
  const lines = [
    ...headLines(summary),
    ...wrong.slice(0, SHOWN_MAX).flatMap((finding) => ['', ...findingBlock(finding, summary)]),
    ...moreLines(wrong.length - SHOWN_MAX, 'finding', summary),
    ...flakyLines(summary),
    ...lackingLines(result, summary.colours),
    ...undecidedLines(summary),
    ...unjudgedLines(summary),
    ...otherFamilyLines(result, summary.colours),
    ...decisionLines(causesOf(decisions), summary),
    ...transcriptLines(wrong.length + decisions.length, summary),
    ...(options.roadmap ? roadLines(result, options, summary.colours) : []),
    ...nextLines(result, options, summary.colours),
    '',
    ...slowLines(result),
    `seed ${result.seed}, exit status ${result.exit_status}`,
  ];
  return `${lines.join('\n')}\n`;
}

const SLOW_MIN_MS = 1_000;
const SLOW_MAX = 3;

/** The median reply, and the checks that took longest; waits that checks share, such as for the clock, count for each. */
function slowLines({ checks, reply_ms }: ConformanceResult): readonly string[] {
  const slowest = checks.filter(({ wall_ms }) => wall_ms >= SLOW_MIN_MS).toSorted((a, b) => b.wall_ms - a.wall_ms);
  const named = slowest.slice(0, SLOW_MAX).map(({ id, wall_ms }) => `${id} ${secondsText(wall_ms / 1_000)}`);
  const parts = [
    ...(reply_ms === undefined ? [] : [`median reply ${numberText(reply_ms)} ms`]),
    ...(named.length === 0 ? [] : [`slowest checks ${named.join(', ')}`]),
  ];
  return parts.length === 0 ? [] : [parts.join('; ')];
}

const BRIEF_MAX = 3;
const NAMED_MAX = 6;

/** The summary of a run that repeats a part of the one before: one screen. */
function briefSummary(failing: readonly Finding[], summary: Summary): string {
  return `${[
    ...headLines(summary),
    ...failing.slice(0, BRIEF_MAX).flatMap((finding) => ['', ...findingBlock(finding, summary)]),
    ...moreLines(failing.length - BRIEF_MAX, 'finding', summary),
    ...nextLines(summary.result, summary.options, summary.colours),
  ].join('\n')}\n`;
}

function sinceLines({ since, brief }: ConformanceSummaryOptions): string[] {
  if (since === undefined) return [];
  const text = changeText(since);
  const named = (label: string, ids: readonly string[]): string[] => {
    const more = ids.length > NAMED_MAX ? ` and ${numberText(ids.length - NAMED_MAX)} more` : '';
    return ids.length === 0 ? [] : [field(label, oneLine(ids.slice(0, NAMED_MAX).join(', ') + more), INDENT)];
  };
  const lists = brief ? [...named('hold', since.holds), ...named('fail', [...since.broken, ...since.fails])] : [];
  return [`since the last run: ${text === '' ? 'nothing else' : text}`, ...lists];
}

function headLines({ result, options, colours }: Summary): string[] {
  const { target } = result;
  const first = oneLine(verdictText(result, options));
  const power = powerText(result);
  return [
    colours.bold(isBad(result, options) ? colours.red(first) : colours.green(first)),
    headline(result),
    ...sinceLines(options),
    oneLine(`${target.base_url}, ${target.network}, dialect ${target.dialect}: ${verdictCounts(result)}`),
    `${countText(result.requests, 'request')}, ${solText(result.lamports)} in fees, ${wallText(result)}`,
    ...(power === undefined ? [] : [power]),
    ...(result.stopped === undefined ? [] : [colours.red(`stopped: ${oneLine(result.stopped)}`)]),
    ...(result.unpaid === undefined ? [] : [colours.yellow(`not all was paid for: ${oneLine(result.unpaid)}`)]),
    ...(result.notes ?? []).map((note) => colours.yellow(`note: ${oneLine(note)}`)),
    ...baselineFaults(result).map((fault) => colours.red(`baseline: ${oneLine(fault)}`)),
    ...(result.checks.length === 0 ? [colours.red('no check ran: nothing was shown about the target')] : []),
  ];
}

function findingBlock(finding: Finding, { result, options, colours }: Summary): string[] {
  const { checks, known } = finding;
  const clauses = clauseLines(finding, result);
  const again = checkToRepeat(finding, result);
  const named = checks.slice(0, CHECKS_MAX);
  const unnamed = checks.length - named.length;
  const met = `${countText(checks.length, 'check')}: ${named.join(', ')}${unnamed > 0 ? ` and ${numberText(unnamed)} more` : ''}`;
  return [
    `${markOf(finding, options, colours)}  ${colours.bold(oneLine(findingTitle(finding)))}`,
    ...clauses.slice(0, CLAUSES_MAX).map((clause) => field('clause', oneLine(clause), INDENT)),
    ...(clauses.length > CLAUSES_MAX
      ? [field('', `and ${countText(clauses.length - CLAUSES_MAX, 'clause')} more`, INDENT)]
      : []),
    ...sentLines(finding),
    field('expected', shown(finding.expected), INDENT),
    field('actual', shown(finding.actual), INDENT),
    ...(known === undefined ? [] : [field('known', shown(knownText(known)), INDENT)]),
    ...alsoLines(finding),
    field('met by', oneLine(met), INDENT),
    ...followingLines(finding, result),
    ...(again === undefined ? [] : [field('again', oneLine(rerunCommand(result, again, options)), INDENT)]),
  ];
}

const ENDPOINTS_MAX = 8;

/** The other endpoints that have it. */
function alsoLines({ endpoints = [] }: Finding): string[] {
  const others = endpoints.slice(1);
  if (others.length === 0) return [];
  const more = others.length > ENDPOINTS_MAX ? ` and ${numberText(others.length - ENDPOINTS_MAX)} more` : '';
  return [field('also at', oneLine(others.slice(0, ENDPOINTS_MAX).join(', ') + more), INDENT)];
}

/** The request that shows a finding, and when its reply came by the clock of the protocol: a long body would hide what is after it. */
function sentLines({ transcript: [exchange] }: Finding): string[] {
  if (exchange === undefined) return [];
  const { request, at } = exchange;
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : request.url;
  const words = [at === undefined ? '' : `${at}:`, request.method, path, request.body ?? ''];
  return [field('sent', shortLine(words.filter((word) => word !== '').join(' '), REASON_MAX), INDENT)];
}

const FOLLOWING_MAX = 5;

/** The findings that may follow from one, a line for all that say the same. */
function followingLines(finding: Finding, { findings }: ConformanceResult): string[] {
  const counts = new Map<string, number>();
  for (const one of followersOf(finding, findings)) {
    const line = shortLine(`${findingTitle(one)}: expected ${one.expected}, got ${one.actual}`, REASON_MAX);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const shownOnes = [...counts]
    .slice(0, FOLLOWING_MAX)
    .map(([line, count]) => (count === 1 ? line : `${line} (${countText(count, 'finding')})`));
  const left = [...counts.values()].slice(FOLLOWING_MAX).reduce((sum, count) => sum + count, 0);
  const lines = left === 0 ? shownOnes : [...shownOnes, `and ${countText(left, 'finding')} more`];
  return lines.map((line, at) => field(at === 0 ? 'then' : '', line, INDENT));
}

function markOf({ level, known }: Finding, { strict }: ConformanceSummaryOptions, colours: Colours): string {
  if (known !== undefined) return colours.yellow('KNOWN   ');
  return level === 'must' || strict === true ? colours.red('FAIL    ') : colours.yellow('ADVISORY');
}

function shown(text: string): string {
  const { text: first, left } = clipped(visible(text), VALUE_MAX);
  return left === 0 ? first : `${first}… (${countText(left, 'character')} more)`;
}

function moreLines(left: number, what: string, { options }: Summary): string[] {
  if (left <= 0) return [];
  const where = options.where === undefined ? '' : `: ${options.where}`;
  return ['', `and ${countText(left, what)} more${where}`];
}

/** Where transcripts are, if there is anything that they would explain. */
function transcriptLines(findings: number, { options }: Summary): string[] {
  if (findings === 0) return [];
  const { where } = options;
  return [
    '',
    where === undefined
      ? 'transcripts and curl scripts: add --out FOLDER'
      : `transcripts and curl scripts: in ${where}`,
  ];
}

function flakyLines({ result, options, colours }: Summary): string[] {
  return result.checks.flatMap(({ id, title, flaky }) =>
    flaky === undefined
      ? []
      : [
          '',
          `${colours.red('FLAKY   ')}  ${colours.bold(oneLine(id))}  ${oneLine(title)}`,
          field('flaky', flakyText(flaky), INDENT),
          field('again', oneLine(rerunCommand(result, id, options)), INDENT),
        ],
  );
}

function undecidedLines(summary: Summary): string[] {
  const { result, options, colours } = summary;
  const groups = unjudgedGroups(result);
  const undecided = result.checks.filter(isUndecided);
  const blocks = undecided.slice(0, SHOWN_MAX).flatMap((check) => {
    const group = groups.find(({ verdict, reason }) => verdict === check.verdict && reason === check.reason);
    const left = group === undefined ? '' : leftText(group);
    return [
      '',
      `${colours.magenta(undecidedMark(check))}  ${oneLine(check.id)}  ${oneLine(check.title)}`,
      field('reason', shown(check.reason), INDENT),
      ...(left === '' ? [] : [field('leaves', `${left} not judged`, INDENT)]),
      field('again', oneLine(rerunCommand(result, check.id, options)), INDENT),
    ];
  });
  return [...blocks, ...moreLines(undecided.length - SHOWN_MAX, 'check', summary)];
}

function undecidedMark({ verdict }: CheckResult): string {
  return verdict === 'error' ? 'ERROR   ' : 'UNCLEAR ';
}

/** `31 must clauses and 20 decisions`; empty where nothing is left open. */
function leftText(group: UnjudgedGroup): string {
  const { must, decision } = clausesLeft(group);
  return [
    ...(must === 0 ? [] : [countText(must, 'must clause')]),
    ...(decision === 0 ? [] : [`${numberText(decision)} of decisions`]),
  ].join(' and ');
}

function unjudgedLines({ result, colours }: Summary): string[] {
  const groups = unjudgedGroups(result).filter(({ verdict }) => verdict !== 'error' && verdict !== 'inconclusive');
  if (groups.length === 0) return [];
  const cells = groups.map((group) => {
    const { must, decision } = clausesLeft(group);
    const counts = [must, decision, group.checks.length].map((count) => (count === 0 ? '-' : numberText(count)));
    return [...counts, group.label, shortLine(group.reason, REASON_MAX)];
  });
  const rows = [['must', 'decisions', 'checks', '', ''], ...cells];
  const table = columns(rows, ['right', 'right', 'right', 'left', 'left'], INDENT);
  const width = (at: number): number => Math.max(...rows.map((row) => (row[at] ?? '').length));
  const hint = ' '.repeat(INDENT.length + [0, 1, 2, 3].reduce((sum, at) => sum + width(at) + 2, 0));
  const lines = groups.flatMap(({ provide }, at) => [
    table[at + 1] ?? '',
    ...(provide === undefined ? [] : [colours.dim(`${hint}${provide}`)]),
  ]);
  return ['', colours.bold('not judged'), colours.dim(table[0] ?? ''), ...lines];
}

function decisionLines(decisions: readonly Finding[], summary: Summary): string[] {
  if (decisions.length === 0) return [];
  return [
    '',
    summary.colours.bold('decisions that are not followed'),
    ...decisions
      .slice(0, SHOWN_MAX)
      .flatMap((finding, at) => [...(at === 0 ? [] : ['']), ...findingBlock(finding, summary)]),
    ...moreLines(decisions.length - SHOWN_MAX, 'decision', summary),
  ];
}
