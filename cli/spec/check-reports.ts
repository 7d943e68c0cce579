/** The files that `aips spec check` writes, of a change that was judged and of one that could not be read. */

import { specCheckJunit } from '../../reports/specification/spec-check-junit.js';
import { specCheckAnnotations, specCheckSarif } from '../../reports/specification/spec-check-sarif.js';
import { specCheckJson, specCheckMarkdown, unreadableMarkdown } from '../../reports/specification/spec-check-text.js';
import { type Annotation, annotationLines } from '../../reports/text/annotations.js';
import type { PathLine } from '../../reports/text/source-line.js';
import { SPEC_CHECK_FILES as FILES, type SpecCheck } from '../../results/spec-check-result.js';
import type { Failure } from '../../runs/host/failure.js';
import { sourceLines } from '../../runs/host/source-lines.js';
import { isFile } from './side.js';

/** The reports of a check, by file. */
export function reportsOf(overlay: string, check: SpecCheck): Readonly<Record<string, string>> {
  const lines = changedLines(overlay, check);
  return {
    [FILES.json]: specCheckJson(check),
    [FILES.sarif]: specCheckSarif(check, lines),
    [FILES.annotations]: specCheckAnnotations(check, lines),
    [FILES.junit]: specCheckJunit(check),
    [FILES.summary]: specCheckMarkdown(check),
  };
}

/** The lines of the overlay that change something. */
function changedLines(overlay: string, { diff: { numbers, parts = [] } }: SpecCheck): readonly PathLine[] {
  if (!isFile(overlay)) return [];
  return sourceLines(
    overlay,
    [...numbers, ...parts].map(({ path }) => path),
  );
}

/** The reports of a change that could not be read: its mistakes, each at its line. */
export function reportOfFailure(change: string, { problems, message }: Failure): Readonly<Record<string, string>> {
  const annotations = problems.map(({ file, line, key, message: text }): Annotation => {
    const [at] = sourceLines(file, []);
    return { level: 'error', title: key === '' ? file : key, text, at: at === undefined ? at : { ...at, line } };
  });
  const whole: Annotation = { level: 'error', title: 'AIPS', text: message };
  return {
    [FILES.annotations]: annotationLines(annotations.length === 0 ? [whole] : annotations),
    [FILES.summary]: unreadableMarkdown(change, problems, message),
  };
}
