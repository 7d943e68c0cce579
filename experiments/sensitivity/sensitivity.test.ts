import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeProblem } from '../../spec/document.js';
import { drawsOf } from '../statistics/draws.js';
import { planSweep } from '../sweep/plan.js';
import { morrisDesign, morrisEffects } from './morris.js';
import { parseSensitivity, planAnalysis } from './sensitivity-file.js';
import { sobolIndexPoints, sobolIndices } from './sobol-indices.js';

const draws = (purpose: string) => drawsOf(1, purpose);
const [A, B] = [7, 0.1];

/** The function of Ishigami and Homma (1990) with a = 7 and b = 0.1, on (-π, π)³. */
function ishigami(point: readonly number[]): number {
  const [x, y, z] = point.map((u) => Math.PI * (2 * u - 1)) as [number, number, number];
  return Math.sin(x) + A * Math.sin(y) ** 2 + B * z ** 4 * Math.sin(x);
}

/** The g-function of Sobol with a = 0, 1, 4.5, 9. */
const G = [0, 1, 4.5, 9];
const gFunction = (point: readonly number[]): number =>
  G.reduce((product, a, i) => (product * (Math.abs(4 * (point[i] as number) - 2) + a)) / (1 + a), 1);

const analysed = (f: (point: readonly number[]) => number, dimensions: number, rows = 2_048) =>
  sobolIndices(sobolIndexPoints(rows, dimensions, draws('points')).map(f), dimensions, draws('bootstrap'));

describe('Sobol indices', () => {
  it('are those of the Ishigami function', () => {
    const spread = A ** 2 / 8 + (B * Math.PI ** 4) / 5 + (B ** 2 * Math.PI ** 8) / 18 + 1 / 2;
    const first = [(1 + (B * Math.PI ** 4) / 5) ** 2 / 2, A ** 2 / 8, 0].map((part) => part / spread);
    const both = (B ** 2 * Math.PI ** 8 * 8) / 225 / spread;
    const total = [(first[0] as number) + both, first[1] as number, both];
    analysed(ishigami, 3).forEach((index, i) => {
      expect(Math.abs(index.first - (first[i] as number))).toBeLessThan(0.02);
      expect(Math.abs(index.total - (total[i] as number))).toBeLessThan(0.02);
    });
  });

  it('are those of the g-function, within their intervals', () => {
    const parts = G.map((a) => 1 / (3 * (1 + a) ** 2));
    const spread = parts.reduce((product, part) => product * (1 + part), 1) - 1;
    analysed(gFunction, 4).forEach((index, i) => {
      const part = parts[i] as number;
      const total =
        (part * parts.reduce((product, other, j) => (j === i ? product : product * (1 + other)), 1)) / spread;
      expect(Math.abs(index.first - part / spread)).toBeLessThan(0.02);
      expect(Math.abs(index.total - total)).toBeLessThan(0.02);
      expect(index.first95[0]).toBeLessThan(index.first95[1]);
      expect(index.total95[0]).toBeLessThanOrEqual(index.total);
      expect(index.total95[1]).toBeGreaterThanOrEqual(index.total);
    });
  });

  it('of what does not vary are zero', () => {
    expect(analysed(() => 3, 2, 64)).toMatchObject([
      { first: 0, total: 0 },
      { first: 0, total: 0 },
    ]);
  });
});

describe("Morris' effects", () => {
  it('of a linear function are its coefficients, without spread', () => {
    const design = morrisDesign(10, 3, 4, draws('morris'));
    const values = design.points.map(([x, y, z]) => 5 * (x as number) - 2 * (y as number) + 0 * (z as number));
    const effects = morrisEffects(design, values, 3, draws('bootstrap'));
    expect(effects.map(({ mu }) => mu)).toEqual([expect.closeTo(5, 9), expect.closeTo(-2, 9), 0]);
    expect(effects.map(({ mu_star }) => mu_star)).toEqual([expect.closeTo(5, 9), expect.closeTo(2, 9), 0]);
    for (const { sigma } of effects) expect(sigma).toBeCloseTo(0, 9);
  });

  it('stay in the cube, and change one factor by one step at a time', () => {
    const { points, steps } = morrisDesign(20, 5, 6, draws('cube'));
    expect(points).toHaveLength(20 * 6);
    expect(steps).toHaveLength(20 * 5);
    for (const point of points) for (const x of point) expect(x >= -1e-12 && x <= 1 + 1e-12).toBe(true);
    for (const { from, factor, delta } of steps) {
      const [before, after] = [points[from], points[from + 1]] as [number[], number[]];
      const changed = after.map((x, i) => x - (before[i] as number));
      expect(changed.map((x, i) => (i === factor ? x - delta : x)).every((x) => Math.abs(x) < 1e-12)).toBe(true);
    }
  });

  it('rank the factors of the g-function by their weight, and tell interaction by spread', () => {
    const design = morrisDesign(200, 4, 8, draws('rank'));
    const effects = morrisEffects(design, design.points.map(gFunction), 4, draws('bootstrap'));
    const sizes = effects.map(({ mu_star }) => mu_star);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    for (const { sigma, mu } of effects) expect(sigma).toBeGreaterThan(Math.abs(mu));
  });
});

it('a factor that the scenario does not take is a problem with its line in the user file', () => {
  const scenarioText = readFileSync(new URL('../../test/fixtures/small.yaml', import.meta.url), 'utf8');
  const written = [
    ...['format: 1', 'name: n', 'question: Which?', 'scenario: small.yaml', 'measures: [freezes]'],
    ...['method: { kind: morris }', 'factors:', '  populations.workers.count: { from: 1, to: 4, whole: true }'],
    '  populations.workers.class: { from: 1, to: 4 }',
  ].join('\n');
  const parsed = parseSensitivity(written, 'n.yaml');
  if (!parsed.ok) throw new Error('the file is as it should be');
  const { sweepText: text } = planAnalysis(parsed.value);
  const plan = planSweep({ file: 'n.yaml', text, written, scenarioFile: 'small.yaml', scenarioText, version: '1' });
  const lines = plan.ok ? [] : plan.problems.map(describeProblem);
  expect(lines).toEqual([
    expect.stringMatching(/^n\.yaml:9: factors\.populations\.workers\.class: arm 0 .*must be one of narrow_task/),
  ]);
});
