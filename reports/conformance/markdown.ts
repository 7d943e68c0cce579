/** Writes the summary of a conformance run for a page of a CI service, in GitHub's Markdown. */

import type { ConformanceResult, Finding } from '../../results/conformance-result.js';
import { countText, numberText } from '../../results/numbers.js';
import { code, prose } from '../text/markdown-text.js';
import {
  baselineFaults,
  type ConformanceWriting,
  flakyText,
  headline,
  isBad,
  knownText,
  powerText,
  rerunCommand,
  verdictCounts,
  wallText,
} from './conformance-view.js';
import { causesOf, checkToRepeat, clauseLines, findingTitle, followersOf, sortedFindings } from './findings-view.js';
import { nextSteps } from './next-step.js';
import { lackingEndpoints } from './not-served.js';
import { clausesLeft, unjudgedGroups } from './unjudged.js';
import { verdictText } from './verdict-text.js';

const SHOWN_MAX = 20;
const CHECKS_MAX = 4;
const CLAUSES_MAX = 4;

/**
 * The conformance summary of a CI job: short, with what fails the run by cause, then what could not be judged and why, then the
 * decisions that are not followed, and what to do next.
 */
export function conformanceMarkdown(result: ConformanceResult, writing: ConformanceWriting = {}): string {
  const { target } = result;
  const { failing, known, decisions } = sortedFindings(result, writing);
  const lines = [
    `## ${isBad(result, writing) ? '❌' : '✅'} ${prose(verdictText(result, writing))}`,
    '',
    `${headline(result)}.`,
    '',
    `${code(target.base_url)} (${prose(target.network)}, dialect ${prose(target.dialect)}): ${verdictCounts(result)} in ${wallText(result)}, seed ${result.seed}, exit status ${result.exit_status}.`,
  ];
  const power = powerText(result);
  if (power !== undefined) lines.push('', `${power}.`);
  if (result.stopped !== undefined) lines.push('', `**The run stopped:** ${prose(result.stopped)}`);
  for (const note of result.notes ?? []) lines.push('', `**Note:** ${prose(note)}`);
  if (result.unpaid !== undefined) lines.push('', `**Not all was paid for:** ${prose(result.unpaid)}`);
  for (const fault of baselineFaults(result)) lines.push('', `**Baseline:** ${prose(fault)}`);
  lines.push(
    ...findingTable('failure', [...failing, ...known], result, writing),
    ...flakyLines(result),
    ...lackingLines(result),
    ...unjudgedLines(result),
    ...findingTable('decision that is not followed', decisions, result, writing),
    ...nextLines(result, writing),
  );
  return `${lines.join('\n')}\n`;
}

function findingTable(
  title: string,
  findings: readonly Finding[],
  result: ConformanceResult,
  writing: ConformanceWriting,
): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const causes = causesOf(findings);
  const rows = causes.slice(0, SHOWN_MAX).map((finding) => row(findingCells(finding, result, writing)));
  const left = causes.length - rows.length;
  const again = checkToRepeat(first, result);
  return [
    '',
    `| | ${title} | clauses | expected | actual | checks |`,
    '|---|---|---|---|---|---|',
    ...rows,
    ...(left > 0 ? ['', `and ${countText(left, 'finding')} more.`] : []),
    ...(again === undefined ? [] : ['', `See the first again: ${code(rerunCommand(result, again, writing))}`]),
  ];
}

function findingCells(finding: Finding, result: ConformanceResult, writing: ConformanceWriting): string[] {
  const { checks, expected, actual } = finding;
  const clauses = clauseLines(finding, result);
  const after = followersOf(finding, result.findings).length;
  return [
    markOf(finding, writing),
    code(findingTitle(finding)) + (after === 0 ? '' : `<br>and ${countText(after, 'finding')} that may follow`),
    shownOf(clauses, CLAUSES_MAX, 'clause', prose, '<br>'),
    code(expected),
    code(actual),
    shownOf(checks, CHECKS_MAX, 'check', code, ' '),
  ];
}

/** The first of some texts, and how many are left. */
function shownOf(
  texts: readonly string[],
  max: number,
  what: string,
  write: (text: string) => string,
  between: string,
): string {
  const left = texts.length - max;
  const more = left > 0 ? [`and ${numberText(left)} more ${left === 1 ? what : `${what}s`}`] : [];
  return [...texts.slice(0, max).map(write), ...more].join(between);
}

function markOf({ level, known }: Finding, { strict }: ConformanceWriting): string {
  if (known !== undefined) return `☑️ known ${prose(knownText(known))}`;
  return level === 'must' || strict === true ? '❌' : '⚠️ advisory';
}

function flakyLines(result: ConformanceResult): string[] {
  return result.checks.flatMap(({ id, flaky }) =>
    flaky === undefined ? [] : ['', `❌ ${code(id)} is flaky: ${flakyText(flaky)}.`],
  );
}

function unjudgedLines(result: ConformanceResult): string[] {
  const groups = unjudgedGroups(result);
  if (groups.length === 0) return [];
  const rows = groups.map((group) => {
    const { label, reason, checks, provide } = group;
    const { must, decision } = clausesLeft(group);
    return row([label, ...[must, decision, checks.length].map(numberText), prose(reason), provide ?? '']);
  });
  return [
    '',
    '| not judged | must clauses | of decisions | checks | reason | how to provide it |',
    '|---|---:|---:|---:|---|---|',
    ...rows,
  ];
}

/** The endpoints that are not there, once each. */
function lackingLines(result: ConformanceResult): string[] {
  const rows = lackingEndpoints(result).map(({ name, section, status, note }) =>
    row(['❌', code(name), section, status, prose(note)]),
  );
  if (rows.length === 0) return [];
  return ['', '| | endpoint that is not served | section | answer | |', '|---|---|---|---|---|', ...rows];
}

function nextLines(result: ConformanceResult, writing: ConformanceWriting): string[] {
  return nextSteps(result, writing).flatMap(({ text, subject, frees, lines }, index) => {
    const what = subject === undefined ? text : `${text} ${code(subject)}`;
    const step = frees === undefined ? what : `${what} (${frees})`;
    return [
      '',
      index === 0 ? `**Next:** ${step}` : step,
      ...(lines.length === 0 ? [] : ['', ...lines.map((line) => `- ${code(line)}`)]),
    ];
  });
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
