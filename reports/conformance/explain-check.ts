/** Writes one check for a terminal: the findings of a run, the transcript with what failed, and the script of it. Clauses are in explain.ts. */

import type { ConformanceResult, Exchange } from '../../results/conformance-result.js';
import { clipped, oneLine } from '../../results/visible.js';
import { field } from '../text/console-lines.js';
import { clockMoves } from './clock-moves.js';
import { curlScript, type Marks } from './curl.js';
import { failedExchanges, numbersOf, untilFailed } from './failed-exchanges.js';
import { findingLines, findingsOfCheck } from './findings-view.js';

const INDENT = '  ';
const BODY_MAX = 600;

/** A check as the suite has it. */
interface CheckFacts {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly needs: readonly string[];
}

/** A check for a terminal: title, needs, clauses; and with a report its verdict there, its findings and its transcript. */
export function explainCheckText(
  { id, title, clauses, needs }: CheckFacts,
  report?: { readonly file: string; readonly result: ConformanceResult },
): string {
  const lines = [
    `${id}  ${title}`,
    field('needs', needs.length === 0 ? 'nothing but the URL' : needs.join(', '), INDENT),
    field('clauses', clauses.join(', '), INDENT),
    ...(report === undefined ? [] : ['', ...reportLines(id, report.file, report.result)]),
  ];
  return `${lines.join('\n')}\n`;
}

function reportLines(id: string, file: string, result: ConformanceResult): readonly string[] {
  const check = result.checks.find((one) => one.id === id);
  const head = oneLine(`in ${file}, about ${result.target.base_url} at ${result.started_at}:`);
  if (check === undefined) return [`${head} it was not chosen`];
  const findings = findingsOfCheck(result, check.id, {});
  return [
    `${head} ${check.verdict}`,
    ...('reason' in check ? [field('reason', oneLine(check.reason), INDENT)] : []),
    ...findings.flatMap((finding) => findingLines(finding, result)).map((line) => INDENT + oneLine(line)),
    ...transcriptLines(check.transcript, failedExchanges(result, id, check.transcript)),
    ...scriptLines(result, id),
  ];
}

/** The script of a check in a report, up to the last request that failed; empty where it sent none. */
export function explainedScript(result: ConformanceResult, id: string): string {
  const transcript = result.checks.find((one) => one.id === id)?.transcript ?? [];
  const marks = failedExchanges(result, id, transcript);
  return curlScript(untilFailed(transcript, marks), marks);
}

function scriptLines(result: ConformanceResult, id: string): readonly string[] {
  const script = explainedScript(result, id);
  return script === ''
    ? []
    : ['', 'The same by curl, up to the last request that failed, if one did:', '', script.trimEnd()];
}

/** Each request with its number, body and reply, what failed in it, and a line where protocol time went on. */
function transcriptLines(transcript: readonly Exchange[], marks: Marks): readonly string[] {
  const [moves, numbers] = [clockMoves(transcript), numbersOf(transcript)];
  const body = (text: string): string => oneLine(clipped(text, BODY_MAX).text);
  return transcript.flatMap(({ request, response, failure }, at) => {
    const moved = moves[at];
    const came =
      response === undefined ? `no reply: ${oneLine(failure ?? '')}` : `${response.status} ${body(response.body)}`;
    return [
      ...(moved === undefined ? [] : [`${INDENT}${moved}`]),
      `${marks.has(at) ? '✗ ' : INDENT}#${numbers[at]}  ${oneLine(`${request.method} ${request.url}`)}`,
      ...(request.body === undefined ? [] : [field('sent', body(request.body), INDENT + INDENT)]),
      field('got', came, INDENT + INDENT),
      ...(marks.get(at) ?? []).map((text) => `${INDENT + INDENT}${oneLine(text)}`),
    ];
  });
}
