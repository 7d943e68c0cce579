import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { textOf } from '../../test/fixtures/markup-reader.js';
import { byClass, byName, expectGoodPage } from '../../test/fixtures/page-checks.js';
import {
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  emptySimulation,
  hostileConformance,
  hostileSimulation,
  simulationFixture,
} from '../../test/fixtures/results.js';
import { indexPage } from './index-page.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-index-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The page as a browser would get it from a file. */
function written(text: string): string {
  const path = join(folder, 'index.html');
  writeFileSync(path, text);
  return readFileSync(path, 'utf8');
}

describe('indexPage', () => {
  const text = written(indexPage(conformanceFixture(), simulationFixture()));
  const elements = expectGoodPage(text);

  it.each([
    ['a clean run', cleanConformance(), simulationFixture()],
    ['runs in which nothing happened', emptyConformance(), emptySimulation()],
    ['hostile text', hostileConformance(), hostileSimulation()],
  ])('is a good page for %s', (_, conformance, simulation) => {
    expectGoodPage(written(indexPage(conformance, simulation)));
  });

  it('refers to nothing on a network', () => {
    expect(text.match(/(?:src|href|action|srcset)="https?:/gu)).toBeNull();
    expect(text).not.toMatch(/@import|url\((?!#)/u);
  });

  it('has both parts, with charts', () => {
    expect(text.match(/<svg/gu)?.length ?? 0).toBeGreaterThanOrEqual(4);
    expect(byName(elements, 'h2').map(textOf)).toEqual([
      'Conformance of http://127.0.0.1:8787',
      'Simulation of quickstart',
      'Conformance of http://127.0.0.1:8787',
      'Simulation: quickstart',
    ]);
  });

  it('begins with a card for each part', () => {
    const [conformance = '', simulation = ''] = byClass(elements, 'card').slice(0, 2).map(textOf);
    expect(conformance).toContain('Specification: 6 of 13 clauses judged: 4 pass, 2 fail');
    expect(conformance).toContain('Decisions: 1 of 1 clauses judged: 0 pass, 1 fail. Checks: 1 failed, 1 error');
    expect(simulation).toContain('2,000 agents');
    expect(simulation).toContain('14 days of protocol time: 48,940 operations in 1.84 s. 1 of 2 expectations passes.');
    expect(simulation).toContain('Heartbeats accepted42,500Fees paid32 SOLShare of agents frozen1.23 %');
  });

  it('begins with the life of the agents, a mark each at the end, where it is known', () => {
    const populations = [
      { name: 'one', count: 2 },
      { name: 'two & more', count: 1 },
    ];
    const lives = { populations, parents: [-1, -1, -1], changes: [[0], [60, 7_200, 90_000], [5, 600_000]] };
    const page = expectGoodPage(indexPage(cleanConformance(), simulationFixture(), {}, lives));
    const [life] = byClass(page, 'lives');
    expect(byName(page, 'section')[0]).toBe(life);
    expect(byClass(page, 'marks').map(textOf)).toEqual(['one 1 active, 1 resyncedtwo & more 1 frozen']);
    expect(textOf(byName(page, 'h2')[0] as (typeof page)[number])).toBe('The life of 3 agents over 14 days');
  });

  it('marks the cards by what was found', () => {
    const marks = (page: string): (string | undefined)[] =>
      byClass(expectGoodPage(page), 'card')
        .slice(0, 2)
        .map(({ attributes }) => attributes.get('class'));
    const held = simulationFixture({ expectations: [{ text: 'resyncs > 5', holds: true, measured: 200 }] });
    expect(marks(indexPage(cleanConformance(), held))).toEqual(['card good', 'card good']);
    expect(marks(text)).toEqual(['card bad', 'card bad']);
    expect(marks(indexPage(emptyConformance(), emptySimulation()))).toEqual(['card bad', 'card bad']);
  });

  it('has both themes and a style for paper', () => {
    const sheet = byName(elements, 'style').map(textOf).join('');
    expect(sheet).toContain('@media screen and (prefers-color-scheme:dark)');
    expect(sheet).toContain('@media print');
    expect(sheet).toContain(':focus-visible');
  });

  it('gives the same bytes for the same results', () => {
    expect(indexPage(conformanceFixture(), simulationFixture())).toBe(text);
  });
});
