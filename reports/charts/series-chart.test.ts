// The bands of a chart over time: where a last interval ends, and where shares end.
import { expect, it } from 'vitest';
import type { SeriesPoint, SurvivalPoint } from '../../results/sweep-result.js';
import { seriesChart, survivalChart } from './series-chart.js';

const arms = [{ arm: 0, name: 'one', set: {} }];
const NO_LOG = { x: false, y: false };
/** The places of a band or a line, left to right and bottom up. */
const placesOf = (svg: string | undefined, kind: 'polygon' | 'polyline'): readonly (readonly number[])[] =>
  (new RegExp(`<${kind} points="([^"]+)"`).exec(svg ?? '')?.[1] ?? '')
    .split(' ')
    .map((place) => place.split(',').map(Number));

it('the band of a curve of survival ends where the curve falls to 0', () => {
  const point = (time_ms: number, survival: number, band: readonly [number | null, number | null]): SurvivalPoint => ({
    ...{ arm: 0, group: null, time_ms, at_risk: 2, events: 1, survival, low: band[0], high: band[1] },
  });
  const points = [point(0, 1, [null, null]), point(3_600_000, 0.5, [0.1, 0.9]), point(7_200_000, 0, [null, null])];
  const svg = survivalChart('swept', arms, points, NO_LOG, 'aips report');
  const ends = (kind: 'polygon' | 'polyline'): number => Math.max(...placesOf(svg, kind).map(([x = 0]) => x));
  expect(ends('polygon')).toBe(ends('polyline'));
});

it('the band of a share stays between 0 and 1', () => {
  const point = (time_ms: number, mean: number): SeriesPoint => ({
    ...{ arm: 0, less_arm: null, group: null, measure: 'frozen_share', unit: 'share', time_ms, n: 3 },
    ...{ mean, low: mean - 0.1, high: mean + 0.1 },
  });
  const draw = (means: readonly SeriesPoint[]) =>
    seriesChart({ name: 'swept', arms, means, differences: [] }, ['frozen_share'], NO_LOG, 'aips report');
  expect(draw([point(0, 0.05), point(3_600_000, 0.95)])).not.toMatch(/>-|>1[.]\d/);
  const [top, bottom] = [-Infinity, Infinity].map((start) =>
    placesOf(draw([point(0, 0.05), point(3_600_000, 0.95)]), 'polygon').reduce(
      (end, [, y = 0]) => (start < 0 ? Math.max(end, y) : Math.min(end, y)),
      start,
    ),
  );
  expect((top ?? 0) - (bottom ?? 0)).toBeCloseTo(210, 0);
});
