/** Finds lines of a user's YAML files, by dotted paths or of the workflow, for reports that a forge shows at files of the repository. */

import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { PathLine, SourceLine } from '../../reports/text/source-line.js';
import { linesOfPaths } from '../../spec/document.js';
import { readText } from './files.js';

/** The line of each of the paths; the first line of the file where there are no paths. */
export function sourceLines(file: string, paths: readonly string[]): readonly PathLine[] {
  const path = inRepository(file);
  if (paths.length === 0) return [{ path, line: 1 }];
  const lines = linesOfPaths(readText(file, 'source'), paths);
  return paths.map((of, at) => ({ path, line: lines[at] ?? 1, of }));
}

const inRepository = (file: string): string =>
  relative(process.env['GITHUB_WORKSPACE'] ?? '.', file)
    .split(sep)
    .join('/');

/** The line of the workflow that runs this in GitHub Actions: the last that names `text`, or the first of all; elsewhere undefined. */
export function workflowLine(text: string): SourceLine | undefined {
  const [name = ''] = (process.env['GITHUB_WORKFLOW_REF'] ?? '').split('@');
  const repository = `${process.env['GITHUB_REPOSITORY']}/`;
  if (!name.startsWith(repository)) return undefined;
  const path = name.slice(repository.length);
  const file = join(process.env['GITHUB_WORKSPACE'] ?? '.', path);
  const lines = existsSync(file) ? readText(file, 'workflow').split('\n') : [];
  return { path, line: Math.max(1, lines.findLastIndex((line) => line.includes(text)) + 1) };
}
