import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { clauses } from '../spec/clauses/index.js';
import { root } from './source-tree.js';

/** Which tests name each clause: `[clause.id]` in the title of a test, or of what it stands under. */
type ClauseIndex = Record<string, string[]>;

const INDEX = join(root, 'docs', 'reference-tests.json');
const NAMED = /\[([a-z0-9-]+(?:\.[a-z0-9-]+)+)\]/g;
const known = new Set(clauses.map(({ id }) => id));

/**
 * Collects the clauses that passed tests name, and holds them against `docs/reference-tests.json` after a full run.
 * With `AIPS_TEST_INDEX=write` the entries of the files that ran are written instead (`npm run docs:tests`).
 */
export class ClauseReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): Promise<void> {
    const vitest = this.#vitest;
    if (vitest === undefined || reason !== 'passed' || vitest.config.testNamePattern !== undefined) return;
    const { index, unknown } = namedClauses(modules);
    for (const line of unknown) fail(`${line} names a clause that spec/clauses does not have`);
    const all = await vitest.globTestSpecifications();
    const ran = new Set(modules.map(({ relativeModuleId }) => relativeModuleId));
    const whole = all.every((specification) => modules.some(({ moduleId }) => moduleId === specification.moduleId));
    const before = JSON.parse(readFileSync(INDEX, 'utf8')) as ClauseIndex;
    if (process.env['AIPS_TEST_INDEX'] === 'write') {
      writeFileSync(INDEX, printed(whole ? index : merged(before, index, ran)));
    } else if (whole && printed(index) !== printed(before)) {
      fail('docs/reference-tests.json differs from what the tests name: run npm run docs:tests');
    }
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
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

/** The index of before, with what the files that ran now name in place of what they named. */
function merged(before: ClauseIndex, now: ClauseIndex, ran: ReadonlySet<string>): ClauseIndex {
  const kept = Object.entries(before).map(
    ([id, places]) => [id, places.filter((place) => !ran.has(place.split(' > ')[0] ?? ''))] as const,
  );
  const index: ClauseIndex = Object.fromEntries(kept.map(([id, places]) => [id, [...places]]));
  for (const [id, places] of Object.entries(now)) index[id] = [...(index[id] ?? []), ...places];
  return index;
}

/** In the order of the clauses, so that a change shows as few lines. */
function printed(index: ClauseIndex): string {
  const rows = clauses.flatMap(({ id }) => {
    const places = [...new Set(index[id] ?? [])].toSorted();
    return places.length === 0 ? [] : [[id, places] as const];
  });
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}
