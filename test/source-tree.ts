/** Reads the project's source files and their imports, for tests about the source itself. It judges nothing. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folders that hold source. */
export const rooms = [
  'spec',
  'model',
  'sha256',
  'rules',
  'reference',
  'scenarios',
  'simulator',
  'experiments',
  'conformance',
  'reports',
  'results',
  'runs',
  'watch',
  'explore',
  'power',
  'cli',
  'lab',
  'planted',
  'clients',
  'bench',
] as const;

/** One TypeScript file: its path from the root, its text without comments, and what it imports. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Paths from the root of the project's own files, with `.ts`. */
  readonly imports: readonly string[];
  /** Those of `imports` that are there at run time: all but `import type` and `export type`. */
  readonly runTimeImports: readonly string[];
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

const COMMENT_OR_TEXT =
  /(\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** The comments of a text, each without its marks and line breaks; successive lines of `//` are one. */
export function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(COMMENT_OR_TEXT)].flatMap(([, comment = '']) =>
    comment === ''
      ? []
      : [
          comment
            .replace(/^[ \t]*(?:\/\*\*?|\*(?!\/)|\/\/)|\*\/$/gm, ' ')
            .replace(/\s+/g, ' ')
            .trim(),
        ],
  );
}

const IMPORT =
  /(?:^|\n)(?:import|export)\s+(type\b)?[^;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;

/** The imports of a file of this path and text: other files by their paths from the root, packages by their names. */
export function importsOf(path: string, text: string): Pick<SourceFile, 'imports' | 'runTimeImports' | 'packages'> {
  const found = [...text.matchAll(IMPORT)].map(([, type, from, loaded, bare]) => ({
    name: from ?? loaded ?? bare ?? '',
    atRunTime: type === undefined,
  }));
  const own = found
    .filter(({ name }) => name.startsWith('.'))
    .map((each) => ({ ...each, name: normalize(join(dirname(path), each.name)).replace(/\.js$/, '.ts') }));
  return {
    imports: own.map(({ name }) => name),
    runTimeImports: own.filter(({ atRunTime }) => atRunTime).map(({ name }) => name),
    packages: found.map(({ name }) => name).filter((name) => !name.startsWith('.')),
  };
}

const EXPORT = /^export (?:abstract )?(?:async )?(?:function\*?|const|let|interface|type|class)\s+(\w+)/gm;

/** The names that a text declares and exports. */
export function exportsOf(text: string): readonly string[] {
  return [...text.matchAll(EXPORT)].flatMap(([, name]) => name ?? []);
}

const NAMED =
  /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?(\*|[^;'"]*?\{([^}]*)\})[^;'"]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/g;

/** The names that a text takes from each other file, by its path from the root; `*` where it takes the whole module. */
export function namesTaken(path: string, text: string): readonly { readonly from: string; readonly name: string }[] {
  return [...text.matchAll(NAMED)].flatMap(([, clause = '*', list = '', named, loaded]) => {
    const from = normalize(join(dirname(path), named ?? loaded ?? '')).replace(/\.js$/, '.ts');
    if (clause === '*') return [{ from, name: '*' }];
    const names = list.split(',').map((each) =>
      each
        .trim()
        .replace(/^type\s+/, '')
        .replace(/\s+as\s+\w+$/, ''),
    );
    return names.filter((name) => name !== '').map((name) => ({ from, name }));
  });
}

function read(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, ...importsOf(path, text), isTest: path.endsWith('.test.ts') };
}

/** Every TypeScript file of the repository in a folder, tests and fixtures among them; no bundles. */
export function allFiles(): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$|dist$)/.test(entry.name))
    .flatMap(({ name }) => filesUnder(name))
    .filter((path) => !path.endsWith('-bundle.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Every source file of the rooms, tests among them. */
export function sourceFiles(): readonly SourceFile[] {
  return rooms.flatMap(filesUnder).map(read);
}
