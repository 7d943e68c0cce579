/** The files of a report: the format and the writer of each, and the one that is read again. The writers themselves are in reports/. */

import { badge } from '../../reports/charts/badge.js';
import { conformanceJson, parseConformanceJson } from '../../reports/conformance/conformance-json.js';
import { apartTranscripts } from '../../reports/conformance/conformance-transcripts.js';
import { type ConformanceWriting, TRANSCRIPTS_FILE } from '../../reports/conformance/conformance-view.js';
import { ctrf } from '../../reports/conformance/ctrf.js';
import { junit } from '../../reports/conformance/junit.js';
import { conformanceMarkdown } from '../../reports/conformance/markdown.js';
import { conformanceAnnotations, sarif } from '../../reports/conformance/sarif.js';
import { withShortNames } from '../../reports/text/short-names.js';
import { conformancePage } from '../../reports/views/conformance-page.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { clausesMarkdown } from '../../spec/print.js';
import { parsedOrFail, readText } from '../host/files.js';
import { clauseRows } from './clause-rows.js';

type Writer = (result: ConformanceResult, writing: ConformanceWriting) => string;

/** The reports by format: the name of the file, and its writer. */
const reports = {
  json: ['conformance.json', conformanceJson],
  junit: ['junit.xml', junit],
  ctrf: ['ctrf.json', ctrf],
  sarif: ['conformance.sarif', (result, writing) => sarif(result, { ...writing, lineOf: clauseLines() })],
  github: ['annotations.txt', conformanceAnnotations],
  markdown: ['summary.md', conformanceMarkdown],
  html: ['conformance.html', conformancePage],
  badge: ['badge.svg', (result) => badge(result)],
} as const satisfies Readonly<Record<string, readonly [file: string, writer: Writer]>>;

type Format = keyof typeof reports;
export const formats = Object.keys(reports) as readonly Format[];

/** The names of all files of a report. */
export const REPORT_FILES: readonly string[] = [...Object.values(reports).map(([file]) => file), TRANSCRIPTS_FILE];

/** Reads a `conformance.json`. Throws a Failure where this version does not read it. */
export function readReport(file: string): ConformanceResult {
  return parsedOrFail(parseConformanceJson(readText(file, 'report'), file));
}

/** The files of a report by name, in every format if none are chosen. Transcripts of checks that passed are apart. */
export function reportFiles(
  result: ConformanceResult,
  writing: ConformanceWriting,
  wanted: readonly Format[] = formats,
): Readonly<Record<string, string | Buffer>> {
  const shown = withShortNames(result);
  const written = wanted.map((format): readonly (readonly [string, string | Buffer])[] => {
    const [file, write]: readonly [string, Writer] = reports[format];
    if (format !== 'json') return [[file, write(shown, writing)]];
    const apart = apartTranscripts(result);
    return [
      [file, conformanceJson(apart.result)],
      [TRANSCRIPTS_FILE, apart.file],
    ];
  });
  return Object.fromEntries(written.flat());
}

/** The line of each clause in docs/clauses.md, which the build makes of the same text. */
function clauseLines(): (clause: string) => number | undefined {
  const lines = clausesMarkdown(clauseRows()).split('\n');
  const numbers = new Map(lines.map((line, index) => [/^\| `([^`]+)` \|/.exec(line)?.[1], index + 1]));
  return (clause) => numbers.get(clause);
}

/**
 * The checks that failed, found a decision that is not followed, were flaky or could not be judged, and those about clauses that
 * no check judged. Checks of what the target declares as unsupported are not among them.
 */
export function checksToRepeat({ checks, clauses }: ConformanceResult): readonly string[] {
  const open = new Set(clauses.filter(({ state }) => state === 'not-judged').map(({ id }) => id));
  const again = checks.filter(
    ({ verdict, flaky, clauses: judged }) =>
      verdict !== 'not-applicable' && (verdict !== 'pass' || flaky !== undefined || judged.some((id) => open.has(id))),
  );
  return again.map(({ id }) => id);
}
