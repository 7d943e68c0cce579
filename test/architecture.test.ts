import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, root, type SourceFile, sourceFiles } from './source-tree.js';

const files = sourceFiles();
const sources = files.filter((file) => !file.isTest);

/** Who may import whom: the longest prefix of a file's path names its row. Own room and `spec` go without saying. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'spec/': [],
  // Beats and registry are one core; beats never looks back.
  'reference/beats/': [],
  'reference/registry/': ['reference/beats/'],
  'reference/ledger/': ['reference/'],
  'reference/store/': ['reference/'],
  'reference/http/': ['reference/'],
  'reference/': ['reference/beats/', 'reference/registry/', 'reference/ledger/', 'reference/store/'],
  'reports/': [],
  'scenarios/': [],
  'simulator/': [
    'reference/beats/',
    'reference/registry/',
    'reference/ledger/',
    'reference/service.ts',
    'scenarios/',
    'reports/simulation-result.ts',
  ],
  'conformance/': ['reports/conformance-result.ts'],
  'cli/': ['reference/', 'reports/', 'scenarios/', 'simulator/', 'conformance/'],
  'bench/': ['reference/', 'reports/', 'scenarios/', 'simulator/', 'conformance/', 'cli/'],
};

function roomOf(path: string): string {
  const rows = Object.keys(mayImport).filter((prefix) => path.startsWith(prefix));
  const longest = rows.toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) throw new Error(`${path} is in no room`);
  return longest;
}

function strayImports(file: Pick<SourceFile, 'path' | 'imports' | 'isTest'>): string[] {
  const room = roomOf(file.path);
  const allowed = [room, 'spec/', ...(mayImport[room] ?? []), ...(file.isTest ? ['test/'] : [])];
  return file.imports.filter((path) => !allowed.some((prefix) => path.startsWith(prefix)));
}

describe('rooms', () => {
  it.each(files.map((file) => [file.path, file] as const))('%s imports only what its room may', (_path, file) => {
    expect(strayImports(file)).toEqual([]);
  });

  it.each([
    ['conformance/runner.ts', 'reference/service.ts'],
    ['simulator/kernel.ts', 'reference/http/app.ts'],
    ['reference/beats/beat.ts', 'reference/registry/state.ts'],
    ['spec/protocol.ts', 'reports/junit.ts'],
    ['reports/junit.ts', 'conformance/runner.ts'],
  ])('the rules would catch %s importing %s', (path, target) => {
    expect(strayImports({ path, imports: [target], isTest: false })).toEqual([target]);
  });

  it('spec/ uses no package but zod and yaml', () => {
    const used = sources.filter(({ path }) => path.startsWith('spec/')).flatMap(({ packages }) => packages);
    expect([...new Set(used)].toSorted()).toEqual(['yaml', 'zod']);
  });
});

/** Time, chance and surroundings are arguments in these rooms. What to use instead stands beside each. */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bDate\.now\b/, 'take nowMs as an argument'],
  [/\bnew Date\(\s*\)/, 'take nowMs as an argument'],
  [/\bMath\.random\b/, 'draw from a seeded stream'],
  [/\bprocess\.env\b/, 'let cli/ read the environment'],
  [/\bperformance\b/, 'take nowMs as an argument'],
  [/\btoLocale\w*/, 'format by rules of our own'],
  [/\bIntl\b/, 'format by rules of our own'],
];
const pureRooms = ['spec/', 'reference/registry/', 'reference/beats/', 'reference/ledger/', 'scenarios/', 'simulator/'];

function impurities(text: string): string[] {
  const code = codeOf(text);
  return banned.filter(([pattern]) => pattern.test(code)).map(([pattern, instead]) => `${pattern.source}: ${instead}`);
}

describe('purity', () => {
  const pure = sources.filter(({ path }) => pureRooms.some((room) => path.startsWith(room)));
  it.each(pure.map(({ path, text }) => [path, text] as const))(
    '%s takes time and chance as arguments',
    (_path, text) => {
      expect(impurities(text)).toEqual([]);
    },
  );

  it.each([
    'Date.now()',
    'new Date()',
    'Math.random()',
    'process.env.HOME',
    'performance.now()',
    'x.toLocaleString()',
    'new Intl.NumberFormat()',
  ])('the rule would catch %s', (code) => {
    expect(impurities(code)).toHaveLength(1);
  });

  it('a comment, a string and a dated Date are no use', () => {
    expect(impurities("// Date.now()\nconst a = 'Math.random';\nnew Date(0);")).toEqual([]);
  });
});

/** IEEE 754 rounds these as it likes: their last bits differ between engines, and a simulation would with them. */
const INEXACT = /\bMath\.(?!(?:abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc|[A-Z0-9_]+)\b)\w+|\*\*/g;

describe('the same numbers on every machine', () => {
  const rooms = sources.filter(({ path }) => path.startsWith('simulator/') || path.startsWith('scenarios/'));
  it.each(rooms.map(({ path, text }) => [path, text] as const))('%s uses exact functions alone', (_path, text) => {
    expect(codeOf(text).match(INEXACT) ?? []).toEqual([]);
  });

  it.each([
    'Math.exp(1)',
    'Math.log(2)',
    'Math.log1p(2)',
    'Math.sin(1)',
    'Math.pow(2, 3)',
    'x ** 0.5',
    'Math.hypot(1)',
  ])('the rule would catch %s', (code) => {
    expect(code.match(INEXACT)).toHaveLength(1);
  });

  it('lets through what every engine computes alike', () => {
    expect('Math.sqrt(2) + Math.round(1) + Math.LN2 + Math.SQRT2 + Math.imul(1, 2)'.match(INEXACT)).toBeNull();
  });
});

describe('tidiness', () => {
  it('every source file is imported by another, by a test, or is an entry', () => {
    const imported = new Set(files.flatMap(({ path, imports }) => imports.filter((other) => other !== path)));
    const entries = ['cli/aips.ts', 'cli/conformance-api.ts', 'bench/bench.ts'];
    const stray = sources.map(({ path }) => path).filter((path) => !imported.has(path) && !entries.includes(path));
    expect(stray).toEqual([]);
  });

  it('file names are kebab-case and say what they hold', () => {
    const names = files.map(({ path }) => path.split('/').at(-1) ?? '');
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*((\.slow|\.nightly)?\.test)?\.ts$/.test(name))).toEqual([]);
    expect(names.filter((name) => /^(utils?|helpers?|types|misc|common)\.ts$/.test(name))).toEqual([]);
  });

  it('exports are named, and nothing is any', () => {
    const offenders = sources.filter(({ text }) => /\bexport default\b|: any\b|\bas any\b|<any>/.test(codeOf(text)));
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });

  it('no file reads the folder beside the repository', () => {
    expect(files.filter(({ text }) => /\.\.\/shared\//.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('ARCHITECTURE.md names every run-time dependency', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    expect(Object.keys(dependencies).filter((name) => !text.includes(name))).toEqual([]);
  });
});
