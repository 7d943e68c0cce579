/**
 * Collects which tests name which clause of the specification, and holds a full run to it: every clause that demands
 * something is named by a test that passed. It does not say what a test shows.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { TEST_INDEX } from '../cli/spec-tests.js';
import { clauses } from '../spec/clauses/index.js';
import { rooms, root } from './source-tree.js';
import { tierOf } from './tiers.js';

/** Which tests name each clause: `[clause.id]` in the title of a test, or of what it stands under. */
type ClauseIndex = Record<string, string[]>;

const NAMED = /\[([a-z0-9-]+(?:\.[a-z0-9-]+)+)\]/g;
const known = new Set(clauses.map(({ id }) => id));

/** After any run: an id that no clause has fails it. After a full one (`npm run test:all`): so does a clause without a test. */
export class ClauseReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    const { index, unknown } = namedClauses(modules);
    for (const line of unknown) fail(`${line} names a clause that spec/clauses does not have`);
    const ran = new Set(modules.map(({ relativeModuleId }) => relativeModuleId));
    const whole = this.#vitest?.config.testNamePattern === undefined && filesOfAll().every((path) => ran.has(path));
    if (!whole || reason !== 'passed') return;
    const path = join(root, TEST_INDEX);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, printed(index));
    for (const { id, excluded } of clauses) {
      if (index[id] === undefined && excluded === undefined) fail(`no test that passed names the clause [${id}]`);
    }
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

/** The files that a full run has at least. */
function filesOfAll(): string[] {
  const paths = [...rooms, 'test'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
  );
  return paths.filter((path) => path.endsWith('.test.ts') && tierOf(path) !== 'nightly');
}

function namedClauses(modules: readonly TestModule[]): { readonly index: ClauseIndex; readonly unknown: string[] } {
  const index: ClauseIndex = {};
  const unknown: string[] = [];
  for (const module of modules) {
    for (const test of module.children.allTests('passed')) {
      for (const [, id = ''] of test.fullName.matchAll(NAMED)) {
        const place = `${module.relativeModuleId} > ${test.fullName.replaceAll(NAMED, '').replaceAll(/\s+/g, ' ').trim()}`;
        if (known.has(id)) index[id] = [...(index[id] ?? []), place];
        else unknown.push(`${place}: [${id}]`);
      }
    }
  }
  return { index, unknown };
}

/** In the order of the clauses. */
function printed(index: ClauseIndex): string {
  const rows = clauses.flatMap(({ id }) => {
    const places = [...new Set(index[id] ?? [])].toSorted();
    return places.length === 0 ? [] : [[id, places] as const];
  });
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}
