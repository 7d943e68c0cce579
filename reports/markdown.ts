import type { ConformanceResult } from './conformance-result.js';
import {
  baselineFaults,
  type ConformanceWriting,
  type Contradicted,
  failedClauses,
  failsRun,
  flakyText,
  isContradicted,
  judgedLine,
  knownText,
  rerunCommand,
  unjudgedGroups,
  verdictCounts,
} from './conformance-view.js';
import { type Finding, findings } from './findings.js';
import { lackingEndpoints, nextSteps } from './not-served.js';
import { countText, secondsText } from './numbers.js';
import { shortLine } from './visible.js';

const SHOWN_MAX = 20;
const CELL_MAX = 300;

/** The conformance summary of a CI job, in GitHub's Markdown: short, with what failed, what was not judged and how to run it again. */
export function conformanceMarkdown(result: ConformanceResult, writing: ConformanceWriting = {}): string {
  const { target } = result;
  const wrong = result.exit_status !== 0 || result.checks.some((check) => failsRun(check, writing));
  const lines = [
    `## ${wrong ? '❌' : '✅'} ${judgedLine(result)}`,
    '',
    `${code(target.base_url)} (${prose(target.network)}, dialect ${prose(target.dialect)}): ${verdictCounts(result)} in ${secondsText(result.wall_s)}, seed ${result.seed}, exit status ${result.exit_status}.`,
  ];
  if (result.stopped !== undefined) lines.push('', `**The run stopped:** ${prose(result.stopped)}`);
  if (result.unpaid !== undefined) lines.push('', `**Not all was paid for:** ${prose(result.unpaid)}`);
  for (const fault of baselineFaults(result)) lines.push('', `**Baseline:** ${prose(fault)}`);
  lines.push(...contradictedLines(result, writing), ...lackingLines(result), ...unjudgedLines(result));
  lines.push(...nextLines(result, writing));
  return `${lines.join('\n')}\n`;
}

function contradictedLines(result: ConformanceResult, writing: ConformanceWriting): string[] {
  const found = findings(result);
  if (found.length === 0) return [];
  const ordered = [...found].sort((a, b) => Number(failsRun(b.check, writing)) - Number(failsRun(a.check, writing)));
  const rows = ordered.slice(0, SHOWN_MAX).map((finding) => row(findingCells(finding, writing)));
  const left = ordered.slice(SHOWN_MAX).reduce((sum, { also }) => sum + 1 + also.length, 0);
  const first = ordered[0]?.check;
  return [
    '',
    '| | check | clauses | expected | actual |',
    '|---|---|---|---|---|',
    ...rows,
    ...(left > 0 ? ['', `and ${countText(left, 'check')} more.`] : []),
    ...(first === undefined ? [] : ['', `Run one again: ${code(rerunCommand(result, first.id, writing))}`]),
  ];
}

function findingCells({ check, also }: Finding, writing: ConformanceWriting): string[] {
  return [
    markOf(check, writing),
    `${code(check.id)} ${prose(check.title)}${also.length === 0 ? '' : `, also met by ${also.map(code).join(' ')}`}`,
    failedClauses(check).map(code).join(' '),
    `${prose(check.about)}: ${code(check.expected)}`,
    code(check.actual),
  ];
}

function markOf(check: Contradicted, writing: ConformanceWriting): string {
  if (check.flaky !== undefined) return `❌ flaky: ${flakyText(check.flaky)}`;
  if (check.known !== undefined) return `☑️ known ${prose(knownText(check.known))}`;
  return failsRun(check, writing) ? '❌' : '⚠️ advisory';
}

function unjudgedLines(result: ConformanceResult): string[] {
  const groups = unjudgedGroups(result);
  if (groups.length === 0) return [];
  const flaky = result.checks.flatMap((check) =>
    check.flaky === undefined || isContradicted(check)
      ? []
      : ['', `❌ ${code(check.id)} is flaky: ${flakyText(check.flaky)}.`],
  );
  const rows = groups.map(({ label, reason, checks, provide }) =>
    row([label, String(checks.length), prose(reason), provide ?? '']),
  );
  return [...flaky, '', '| not judged | checks | reason | how to provide it |', '|---|---:|---|---|', ...rows];
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
  const steps = nextSteps(result, writing).flatMap(({ text, lines }) => [
    '',
    prose(text),
    '',
    ...lines.map((line) => `- ${code(line)}`),
  ]);
  return steps.length === 0 ? [] : ['', '### Next', ...steps];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function prose(text: string): string {
  return shortLine(text, CELL_MAX)
    .replace(/[\\`*_{}[\]()#+!|~@]/gu, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}

/** A code span whose fence is longer than any run of backticks in it; a pipe would end the table's cell even there. */
function code(text: string): string {
  const line = shortLine(text, CELL_MAX).replaceAll('|', '\\|');
  const runs = line.match(/`+/gu) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
