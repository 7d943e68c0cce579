import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folders that hold source. */
export const rooms = ['spec', 'reference', 'scenarios', 'simulator', 'conformance', 'reports', 'cli', 'bench'] as const;

/** One TypeScript file: its path from the root, its text without comments, and what it imports. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Paths from the root of the project's own files, with `.ts`. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  readonly isTest: boolean;
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** The text with comments and string contents gone, so that a word in prose is no use of it. */
export function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (found) =>
    found.startsWith('/') ? ' ' : "''",
  );
}

function read(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [
    ...text.matchAll(
      /(?:^|\n)(?:import|export)\b[^;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const own = specifiers.filter((name) => name.startsWith('.'));
  return {
    path,
    text,
    imports: own.map((name) => normalize(join(dirname(path), name)).replace(/\.js$/, '.ts')),
    packages: specifiers.filter((name) => !name.startsWith('.')),
    isTest: path.endsWith('.test.ts'),
  };
}

/** Every source file of the rooms, tests among them. */
export function sourceFiles(): readonly SourceFile[] {
  return rooms.flatMap(filesUnder).map(read);
}
