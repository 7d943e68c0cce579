/** Finds lines of a user's YAML file by dotted paths, for reports that a forge shows at files of the repository. */

import { relative, sep } from 'node:path';
import type { SourceLine } from '../../reports/source-line.js';
import { linesOfPaths } from '../../spec/document.js';
import { readText } from './files.js';

/** The lines of the paths, each once and in order; the first line of the file where there are no paths. */
export function sourceLines(file: string, paths: readonly string[]): readonly SourceLine[] {
  const lines = new Set(paths.length === 0 ? [1] : linesOfPaths(readText(file, 'source'), paths));
  const path = relative(process.env['GITHUB_WORKSPACE'] ?? '.', file)
    .split(sep)
    .join('/');
  return [...lines].toSorted((a, b) => a - b).map((line) => ({ path, line }));
}
