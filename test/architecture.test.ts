import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allFiles,
  codeOf,
  exportsOf,
  importsOf,
  namesTaken,
  rooms,
  root,
  type SourceFile,
  sourceFiles,
} from './source-tree.js';
import { tierOf } from './tiers.js';

const files = sourceFiles();
const sources = files.filter((file) => !file.isTest);

/** The rooms that each room may import: the longest prefix of a file's path names its row. Own room and `spec` go without saying. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // A formula of the text may be a rule of the user's own; in a page spec/ computes none.
  'spec/': ['rules/'],
  // Code of the user's own, in a realm of its own: it knows no protocol.
  'rules/': [],
  // The one judge of exchanges, with the readers that the suite uses too.
  'model/': ['sha256/'],
  // The small world is played with the shipped rules, never over HTTP; what plays a script on a server is in conformance/.
  'explore/': ['model/', 'reference/beats/', 'reference/registry/'],
  // Judges traffic by the model; it reads no file and opens no connection.
  'watch/': ['model/', 'power/', 'results/'],
  // Kill data of planted mistakes, and the lookup of mistakes that other requests would notice.
  'power/': ['model/', 'results/'],
  // A primitive that knows no protocol: server and suite may share it, as they share node:crypto.
  'sha256/': [],
  // Beats and registry are one core; beats never looks back.
  'reference/beats/': ['sha256/'],
  'reference/registry/': ['reference/beats/'],
  'reference/ledger/': ['reference/'],
  'reference/store/': ['reference/'],
  'reference/http/': ['reference/', 'sha256/'],
  'reference/': ['reference/beats/', 'reference/registry/', 'reference/ledger/', 'reference/store/'],
  // Types of results, their schemas, and the forms of numbers and texts that all who write them share.
  'results/': [],
  'reports/': ['results/'],
  'scenarios/': [],
  'simulator/': [
    'reference/beats/',
    'reference/registry/',
    'reference/ledger/',
    'reference/service.ts',
    'scenarios/',
    'results/',
  ],
  // Experiments decide which runs there are and what they say; they play none.
  'experiments/': ['scenarios/', 'simulator/chance/', 'results/'],
  'conformance/': ['sha256/', 'model/', 'power/', 'results/'],
  // The one file of the suite that starts the reference.
  'conformance/in-process/reference.ts': ['conformance/', 'reference/'],
  // Mistakes in the reference: a room of the repository, not of the package. It reads the reference's source as text.
  'planted/': ['conformance/', 'power/', 'results/'],
  // Minimal pairs: scripts of the small world on servers with planted mistakes.
  'planted/pairs/': ['planted/', 'conformance/', 'model/', 'explore/', 'results/'],
  // The checklist of clients sees nothing but what was sent and answered.
  'clients/': [],
  'runs/': [
    'rules/',
    'sha256/',
    'reference/',
    'results/',
    'reports/',
    'scenarios/',
    'simulator/',
    'experiments/',
    'conformance/',
    'power/',
    'watch/',
    'explore/',
  ],
  // The server of the page; its wings are one for each view. The page itself sees no code of ours but types.
  'lab/server/': [
    'reference/',
    'results/',
    'reports/',
    'scenarios/',
    'simulator/',
    'experiments/',
    'conformance/',
    'model/evidence.ts',
    'runs/',
  ],
  'lab/page/': ['lab/server/', 'results/', 'reports/'],
  'cli/': [
    'lab/server/',
    'rules/',
    'sha256/',
    'reference/',
    'results/',
    'reports/',
    'scenarios/',
    'simulator/',
    'experiments/',
    'conformance/',
    'clients/',
    'watch/',
    'explore/',
    'runs/',
  ],
  'bench/': [
    'lab/server/',
    'sha256/',
    'reference/',
    'results/',
    'reports/',
    'scenarios/',
    'simulator/',
    'experiments/',
    'conformance/',
    'runs/',
    'cli/',
  ],
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
    ['conformance/run/runner.ts', 'reference/service.ts'],
    ['simulator/play/kernel.ts', 'reference/http/server/app.ts'],
    ['reference/beats/beat.ts', 'reference/registry/state.ts'],
    ['model/exchange.ts', 'conformance/assertions/reply.ts'],
    ['spec/protocol.ts', 'reports/conformance/junit.ts'],
    ['planted/plant.ts', 'reference/service.ts'],
    ['cli/spec/check.ts', 'planted/all-mutants.ts'],
    ['reports/conformance/junit.ts', 'conformance/run/runner.ts'],
    ['runs/suite/self.ts', 'cli/conform/options.ts'],
  ])('the rules would catch %s importing %s', (path, target) => {
    expect(strayImports({ path, imports: [target], isTest: false })).toEqual([target]);
  });

  it('every folder with source is a room, so that its tests run and these rules hold in it', () => {
    const others = ['build', 'dist', 'docs', 'examples', 'node_modules', 'site', 'test'];
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((each) => each.isDirectory() && !each.name.startsWith('.') && !others.includes(each.name))
      .filter(({ name }) =>
        readdirSync(join(root, name), { recursive: true }).some((path) => String(path).endsWith('.ts')),
      );
    expect(folders.map(({ name }) => name).toSorted()).toEqual([...rooms].toSorted());
  });

  it('spec/ uses no package but zod and yaml', () => {
    const used = sources.filter(({ path }) => path.startsWith('spec/')).flatMap(({ packages }) => packages);
    expect([...new Set(used)].toSorted()).toEqual(['yaml', 'zod']);
  });
});

/**
 * Wings are the folders of a room; its own files are the wing `.`, apart from those with a row of their own. Each row says which other
 * wings of the same room a wing may import, by type too. A room that is not here has no rule yet. Tests may look at the whole room.
 */
const wingsMayImport: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // Handlers are listed in server/routes.ts alone, so that the way of a request to its handler knows none of them.
  'reference/http/': {
    request: [],
    endpoints: ['request'],
    control: ['request'],
    server: ['request', 'endpoints', 'control'],
  },
  // columns/ stores, the room's own files decide: nothing of how an agent is stored depends on a rule.
  'reference/registry/': { columns: [], '.': ['columns'] },
  // case.ts and evidence.ts are what every floor above them speaks in; exchange.ts and oracle.ts, in `.`, see all.
  'model/': {
    reading: [],
    'evidence.ts': ['reading'],
    facts: ['reading'],
    'case.ts': ['reading', 'evidence.ts', 'facts'],
    judge: ['reading', 'evidence.ts', 'facts', 'case.ts'],
    views: ['reading', 'evidence.ts', 'facts', 'case.ts', 'judge'],
    operations: ['reading', 'evidence.ts', 'facts', 'case.ts', 'judge', 'views'],
    '.': ['reading', 'evidence.ts', 'facts', 'case.ts', 'judge', 'operations'],
  },
  'conformance/': {
    protocol: [],
    target: ['protocol'],
    wire: ['target'],
    assertions: [],
    moves: ['protocol', 'target'],
    trial: ['protocol', 'target', 'wire', 'assertions', 'moves'],
    steps: ['protocol', 'target', 'wire', 'assertions', 'moves', 'trial'],
    derived: ['protocol', 'assertions', 'moves', 'trial', 'steps'],
    checks: ['protocol', 'target', 'wire', 'assertions', 'moves', 'trial', 'steps', 'derived'],
    judge: ['protocol', 'target', 'wire', 'assertions', 'trial', 'checks'],
    run: ['protocol', 'target', 'wire', 'assertions', 'trial', 'checks', 'judge'],
    tape: ['target', 'wire', 'assertions', 'protocol', 'trial', 'run'],
    chaos: ['wire', 'trial'],
    fuzz: ['protocol', 'target', 'wire', 'moves', 'trial'],
    pairs: ['protocol', 'target', 'wire', 'moves'],
    'in-process': ['target', 'wire', 'chaos'],
    mutants: ['target', 'wire', 'trial', 'checks', 'judge', 'run', 'in-process'],
  },
  'planted/': { engine: [], operators: ['.', 'engine'], pairs: ['.', 'engine'], '.': ['engine'] },
  'simulator/': {
    chance: [],
    world: ['chance'],
    invariants: ['world'],
    agents: ['chance', 'invariants', 'world'],
    play: ['agents', 'chance', 'invariants', 'world'],
    run: ['agents', 'invariants', 'play', 'world'],
    modes: ['chance', 'invariants', 'play', 'run', 'world'],
    server: ['agents', 'run', 'world'],
  },
  'experiments/': {
    statistics: [],
    design: ['statistics'],
    sweep: ['design', 'statistics'],
    sensitivity: ['design', 'statistics', 'sweep'],
    search: ['design', 'statistics', 'sweep'],
    equilibrium: ['design', 'statistics', 'sweep'],
    reform: ['design', 'search', 'statistics', 'sweep'],
  },
  // One folder for each kind of result, over the forms of text; pages show all of them.
  'reports/': {
    text: [],
    conformance: ['text'],
    simulation: ['text'],
    experiment: ['text'],
    specification: ['text', 'conformance'],
    watch: ['text', 'conformance'],
    charts: ['text', 'simulation', 'experiment'],
    views: ['text', 'conformance', 'simulation', 'experiment', 'specification', 'charts'],
    site: ['text', 'conformance', 'charts', 'views'],
  },
  'runs/': {
    host: [],
    behaviours: ['host'],
    simulation: ['behaviours', 'host'],
    experiment: ['behaviours', 'host', 'simulation'],
    server: ['host'],
    suite: ['host', 'server'],
    specification: ['host', 'simulation', 'suite'],
    watch: ['host', 'suite'],
    site: ['host', 'simulation', 'suite'],
    registry: ['host', 'suite'],
  },
  // A wing for each command: only what lists them knows them.
  'cli/': {
    flags: [],
    conform: ['flags'],
    experiment: ['flags'],
    journal: ['flags'],
    lab: ['flags'],
    registry: ['flags'],
    report: ['flags'],
    serve: ['flags'],
    simulate: ['flags'],
    spec: ['flags'],
    tools: ['flags'],
    watch: ['flags'],
    '.': [
      'flags',
      'conform',
      'experiment',
      'journal',
      'lab',
      'registry',
      'report',
      'serve',
      'simulate',
      'spec',
      'tools',
      'watch',
    ],
  },
};

function wingOf(room: string, path: string): string {
  const rest = path.slice(room.length);
  if (Object.hasOwn(wingsMayImport[room] ?? {}, rest)) return rest;
  return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : '.';
}

function strayWings(
  room: string,
  rows: Readonly<Record<string, readonly string[]>>,
  { path, imports }: Pick<SourceFile, 'path' | 'imports'>,
): string[] {
  const wing = wingOf(room, path);
  const allowed = rows[wing];
  if (allowed === undefined) return [`${path} is in a wing without a row`];
  return imports
    .filter((target) => target.startsWith(room))
    .filter((target) => ![wing, ...allowed].includes(wingOf(room, target)));
}

/** A way from each node on a circle back to it, the nodes in order. */
function circles(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, way: readonly string[]): void => {
    const at = way.indexOf(node);
    if (at >= 0) found.push([...way.slice(at), node]);
    if (at >= 0 || done.has(node)) return;
    for (const next of arrows.get(node) ?? []) visit(next, [...way, node]);
    done.add(node);
  };
  for (const node of arrows.keys()) visit(node, []);
  return found;
}

describe('wings', () => {
  const rooms = Object.entries(wingsMayImport);

  it.each(rooms)('each wing of %s imports only what its row says', (room, rows) => {
    const inside = sources.filter(({ path }) => path.startsWith(room));
    expect(inside.length).toBeGreaterThan(0);
    expect(inside.flatMap((file) => strayWings(room, rows, file))).toEqual([]);
  });

  it.each(rooms)('no row of %s is for a wing that is not there, and no wings depend on each other', (room, rows) => {
    const wings = new Set(sources.filter(({ path }) => path.startsWith(room)).map(({ path }) => wingOf(room, path)));
    expect(
      Object.entries(rows).flatMap(([wing, others]) => [wing, ...others].filter((each) => !wings.has(each))),
    ).toEqual([]);
    expect(circles(new Map(Object.entries(rows)))).toEqual([]);
  });

  it('the rule would catch a wing that imports another by type, and a wing without a row', () => {
    const room = 'reference/registry/';
    const { imports } = importsOf(`${room}columns/wheel.ts`, "import type { Registry } from '../state.js';\n");
    const file = { path: `${room}columns/wheel.ts`, imports };
    expect(strayWings(room, { '.': ['columns'], columns: [] }, file)).toEqual([`${room}state.ts`]);
    expect(strayWings(room, { '.': [] }, file)).toEqual([`${file.path} is in a wing without a row`]);
  });

  it.each(['reference/', 'model/'])('no files of %s depend on each other in a circle, not even by type', (room) => {
    const inside = sources.filter(({ path }) => path.startsWith(room));
    expect(inside.length).toBeGreaterThan(0);
    expect(circles(new Map(inside.map(({ path, imports }) => [path, imports])))).toEqual([]);
  });

  it('no files load each other in a circle', () => {
    expect(circles(new Map(files.map(({ path, runTimeImports }) => [path, runTimeImports])))).toEqual([]);
  });

  it('the rule would catch two files that load each other, but not one that needs the other for its types alone', () => {
    const arrowsOf = (texts: Readonly<Record<string, string>>) =>
      new Map(Object.entries(texts).map(([path, text]) => [path, importsOf(path, text).runTimeImports] as const));
    const loaded = "import { b } from './b.js';\n";
    const circular = arrowsOf({
      'x/a.ts': loaded,
      'x/b.ts': "export { c } from './c.js';\n",
      'x/c.ts': "import './a.js';\n",
    });
    expect(circles(circular)).toEqual([['x/a.ts', 'x/b.ts', 'x/c.ts', 'x/a.ts']]);
    expect(circles(arrowsOf({ 'x/a.ts': loaded, 'x/b.ts': "import type { A } from './a.js';\n" }))).toEqual([]);
  });
});

/** Time, chance and surroundings are arguments in these rooms. Each has what to use instead. */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bDate\.now\b/, 'take nowMs as an argument'],
  [/\bnew Date\(\s*\)/, 'take nowMs as an argument'],
  [/\bMath\.random\b/, 'draw from a seeded stream'],
  [/\bprocess\.env\b/, 'let cli/ read the environment'],
  [/\bperformance\b/, 'take nowMs as an argument'],
  [/\btoLocale\w*/, 'format by rules of our own'],
  [/\bIntl\b/, 'format by rules of our own'],
];
const pureRooms = [
  'spec/',
  'sha256/',
  'reference/registry/',
  'reference/beats/',
  'reference/ledger/',
  'scenarios/',
  'simulator/',
  'experiments/',
  'watch/',
  'explore/',
];

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

/**
 * Ceilings, tests included: thousands of lines of TypeScript that a room may have, and what they pay for. A commit that raises one
 * says why in its message.
 */
const ceilings: Readonly<Record<string, readonly [thousands: number, paysFor: string]>> = {
  bench: [2, 'Each promise about speed has one measurement.'],
  cli: [15, 'Each command has its options and tests of what a user sees.'],
  clients: [2, 'The checklist of clients is small beside the suite.'],
  conformance: [37, 'Checks are sequences of requests; what judges them belongs to the model.'],
  explore: [5, 'A search of all that the rules can do in a small world, and what follows from its graph.'],
  experiments: [9, 'Designs, searches, statistics, survival and games that libraries do not have.'],
  lab: [
    14,
    'A page over what the commands do, with acts of agents, a living picture, runs to watch and what-if; it adds no rule of its own.',
  ],
  model: [12, 'One judge of all that the specification says, and the words, kind and situation of each deviation.'],
  power: [1, 'A lookup of measured data.'],
  planted: [
    4,
    'Mistakes are data; this is the engine that makes them, and the search for the shortest script that shows each.',
  ],
  reference: [31, 'A whole service with a durable store, three clocks and a ledger.'],
  reports: [17, 'Eight formats of seven kinds of results, and the pages of the site.'],
  results: [3, 'Types of five kinds of results, with their schemas.'],
  runs: [
    13,
    'The commands without their options, for the library too, what the site shows, and a registry that judges again.',
  ],
  scenarios: [5, 'The schema of scenarios and the decisions of agents.'],
  rules: [1, 'One realm.'],
  sha256: [1, 'One primitive, generated.'],
  simulator: [
    15,
    'An event engine, its invariants, agents that choose, rules that answer them, the ends of each interval, the effect of each key and number.',
  ],
  spec: [17, 'The specification as data, the formulas that a change may give it, and the flaws that follow from it.'],
  watch: [3, 'Readers of traffic, its order in time, and excerpts; the judge is the model.'],
  test: [
    21.5,
    'Tests of the whole, of rules that are code with every tool, of traffic that the suite has not asked for too, the sections of findings that designs give, cases that a change and the night share, scripts of the small world over HTTP, and a second server.',
  ],
};

describe('size', () => {
  it('no room has more lines than its ceiling', () => {
    const lines = new Map<string, number>();
    for (const { path, text } of allFiles()) {
      const room = path.slice(0, path.indexOf('/'));
      lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length - 1);
    }
    expect([...lines].filter(([room, count]) => count > 1000 * (ceilings[room]?.[0] ?? 0))).toEqual([]);
  });
});

/** Exports that no import names: the public interfaces, the hooks that Node calls, and types that declarations of others name. */
const USED_FROM_OUTSIDE =
  /^(?:runs\/suite\/conformance-api|runs\/simulation\/simulator-api|planted\/hooks|test\/[a-z]+-(?:first|reporter))\.ts |^reference\/registry\/columns\/table\.ts ColumnSpec$|^test\/fixtures\/solana\.ts Key$/;

/** Exports that no other file takes, as `path name`; a planted mistake or a script of the build may take one, too. */
function unusedExports(all: readonly { readonly path: string; readonly text: string }[]): string[] {
  const taken = new Set(
    all.flatMap(({ path, text }) => namesTaken(path, text)).map(({ from, name }) => `${from} ${name}`),
  );
  const mistakes = readdirSync(join(root, 'planted/mistakes')).map((name) =>
    readFileSync(join(root, 'planted/mistakes', name), 'utf8'),
  );
  const builders = readdirSync(join(root, 'build'))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => readFileSync(join(root, 'build', name), 'utf8'));
  const imported = new Set(
    [...mistakes, ...builders]
      .flatMap((text) => [...text.matchAll(/\{ ([\w, ]+) \} (?:from|= await import)[ (]'/g)])
      .flatMap(([, names = '']) => names.split(', ')),
  );
  return all
    .filter(({ path }) => !path.endsWith('.test.ts') && !taken.has(`${path} *`))
    .flatMap(({ path, text }) => exportsOf(text).map((name) => ({ path, name })))
    .filter(({ path, name }) => !taken.has(`${path} ${name}`) && !imported.has(name))
    .map(({ path, name }) => `${path} ${name}`)
    .filter((each) => !USED_FROM_OUTSIDE.test(each));
}

describe('tidiness', () => {
  it('tests that start the built program are named *.slow.test.ts or *.nightly.test.ts: quick ones read the sources alone', () => {
    const starts = /\baipsProcess\(|\bstartReference\(|'dist\/|\/dist\/cli\//;
    const starting = files.filter(({ isTest, text }) => isTest && starts.test(text)).map(({ path }) => path);
    expect(starting.filter((path) => tierOf(path) === 'quick')).toEqual([]);
    expect(starting.length).toBeGreaterThan(5);
  });

  it('every source file is imported by another, by a test, or is an entry', () => {
    const imported = new Set(files.flatMap(({ path, imports }) => imports.filter((other) => other !== path)));
    const entries = [
      'cli/aips.ts',
      'lab/page/main.ts',
      'runs/suite/conformance-api.ts',
      'runs/simulation/simulator-api.ts',
      'conformance/mutants/worker.ts',
      'planted/mutants.ts',
      'planted/pairs/find.ts',
      'planted/operators/mutate.ts',
      'bench/bench.ts',
      'reports/views/page-script.ts',
      'reports/site/site-pages.ts',
      'runs/site/recorded.ts',
      'runs/site/site-facts.ts',
      'runs/site/life.ts',
    ];
    const stray = sources.map(({ path }) => path).filter((path) => !imported.has(path) && !entries.includes(path));
    expect(stray).toEqual([]);
  });

  it('every export is used by another file', () => {
    expect(unusedExports(allFiles())).toEqual([]);
  });

  it('the rule would catch an export that is used at home only, and takes a whole module for a use', () => {
    const of = (user: string) =>
      unusedExports([
        { path: 'x/a.ts', text: 'export const one = 1;\nexport function two() {\n  return one;\n}\n' },
        { path: 'x/b.ts', text: user },
      ]);
    expect(of("import { two } from './a.js';\n")).toEqual(['x/a.ts one']);
    expect(of("import {\n  type one,\n  two as three,\n} from './a.js';\n")).toEqual([]);
    expect(of("const a = await import('./a.js');\n")).toEqual([]);
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

  it('the shell can read every script, those too that only the night runs', () => {
    const folder = join(root, '.ci');
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const isScript = (name: string): boolean => readFileSync(join(folder, name), 'utf8').startsWith('#!');
    const scripts = files.map(({ name }) => name).filter(isScript);
    expect(scripts).toContain('nightly');
    for (const name of scripts) {
      const { status, stderr } = spawnSync('bash', ['-n', join(folder, name)], { encoding: 'utf8' });
      expect([name, status, stderr]).toEqual([name, 0, '']);
    }
  });

  it('ARCHITECTURE.md names every run-time dependency', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    expect(Object.keys(dependencies).filter((name) => !text.includes(name))).toEqual([]);
  });
});
