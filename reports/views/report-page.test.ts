import { describe, expect, it } from 'vitest';
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
import { type Reported, reportPage } from './report-page.js';

const conformance = (name: string, result = conformanceFixture()): Reported => ({ kind: 'conformance', name, result });
const simulation = (name: string, result = simulationFixture()): Reported => ({ kind: 'simulation', name, result });

describe('the page of several results', () => {
  it.each<[string, readonly Reported[]]>([
    ['one', [conformance('a')]],
    [
      'two of a kind, and the same twice',
      [conformance('a'), conformance('b', cleanConformance()), simulation('c'), simulation('c')],
    ],
    ['what is empty', [conformance('a', emptyConformance()), simulation('b', emptySimulation())]],
    ['hostile text', [conformance('<b id="x">', hostileConformance()), simulation('url(#x) "', hostileSimulation())]],
  ])('is good for %s: ids are apart, and every link has its place', (_, reported) => {
    expectGoodPage(reportPage(reported, '0.1.0'));
  });

  it('has a card of each, and each in full', () => {
    const elements = expectGoodPage(reportPage([conformance('out/devnet'), simulation('out/fees')], '0.1.0'));
    expect(byName(elements, 'h2').map(textOf)).toEqual([
      'Conformance of http://127.0.0.1:8787',
      'Simulation of quickstart',
      'out/devnet',
      'Conformance of http://127.0.0.1:8787',
      'out/fees',
      'Simulation: quickstart',
    ]);
    expect(byClass(elements, 'lead').map(textOf)[0]).toBe('1 conformance run and 1 simulation run on one page.');
    expect(byClass(elements, 'verdict').map(textOf)[0]).toBe(
      '✗2 of 2 results are no successNo success: out/devnet and out/fees.',
    );
    expect(byName(elements, 'nav').map(textOf).join()).toContain('out/fees');
  });

  it('shows failures first, then what could not be judged, and says which they are', () => {
    const results = [conformance('a', cleanConformance()), conformance('b', emptyConformance()), conformance('c')];
    const elements = expectGoodPage(reportPage(results, '0.1.0'));
    expect(byClass(elements, 'verdict').map(textOf)[0]).toBe('✗2 of 3 results are no successNo success: c and b.');
    const names = byName(elements, 'h2')
      .map(textOf)
      .filter((name) => /^[abc]$/.test(name));
    expect(names).toEqual(['c', 'b', 'a']);
  });
});
