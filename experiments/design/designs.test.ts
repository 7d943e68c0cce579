import { describe, expect, it } from 'vitest';
import { drawsOf } from '../statistics/draws.js';
import { rowNames, rowsOf } from './designs.js';
import { readRange } from './factor-range.js';
import { latinHypercube } from './latin-hypercube.js';
import { withSetting } from './setting.js';
import { SOBOL_DIMENSIONS_MAX, sobolPoints } from './sobol-sequence.js';

const range = (from: number | string, to: number | string, rest = {}) => {
  const read = readRange({ from, to, scale: 'linear', whole: false, ...rest });
  if (typeof read === 'string') throw new Error(read);
  return read;
};

describe('designs', () => {
  it('cross lists in a grid, the last fastest', () => {
    const rows = rowsOf({ kind: 'grid', factors: { 'a.x': [1, 2], 'b.y': ['p', 'q'] } }, 1);
    expect(rows.map(({ set }) => set)).toEqual([
      { 'a.x': 1, 'b.y': 'p' },
      { 'a.x': 1, 'b.y': 'q' },
      { 'a.x': 2, 'b.y': 'p' },
      { 'a.x': 2, 'b.y': 'q' },
    ]);
    expect(rowNames(rows)).toEqual(['x=1,y=p', 'x=1,y=q', 'x=2,y=p', 'x=2,y=q']);
  });

  it('zip lists, and name rows by what differs, with as much of the path as tells them apart', () => {
    const rows = rowsOf({ kind: 'zip', factors: { 'a.mean': [1, 2], 'b.mean': [3, 4], 'c.d': [9, 9] } }, 1);
    expect(rowNames(rows)).toEqual(['a.mean=1,b.mean=3', 'a.mean=2,b.mean=4']);
  });

  it('take a table as it is, with its names', () => {
    const rows = rowsOf({ kind: 'table', rows: [{ name: 'now', set: {} }, { set: { 'a.b': 2 } }] }, 1);
    expect(rowNames(rows)).toEqual(['now', 'b=2']);
  });

  it.each(['latin_hypercube', 'sobol'] as const)(
    'place points of a %s in ranges with units, the same for a seed',
    (kind) => {
      const factors = {
        time: range('10m', '2h'),
        money: range('0.1 SOL', '2 SOL', { scale: 'log' }),
        count: range(1, 9, { whole: true }),
      };
      const rows = rowsOf({ kind, points: 16, factors }, 7);
      expect(rows).toEqual(rowsOf({ kind, points: 16, factors }, 7));
      expect(rows).not.toEqual(rowsOf({ kind, points: 16, factors }, 8));
      for (const { set } of rows) {
        const [time, money, count] = [set['time'], set['money'], set['count']] as [string, string, number];
        expect(time).toMatch(/^\d+s$/);
        expect(Number.parseInt(time, 10)).toBeGreaterThanOrEqual(600);
        expect(Number.parseInt(time, 10)).toBeLessThanOrEqual(7_200);
        expect(money).toMatch(/^\d+ lamports$/);
        expect(Number.isInteger(count)).toBe(true);
      }
      // On a logarithmic scale half of the points are below the geometric mean.
      const below = rows.filter(({ set }) => Number.parseInt(String(set['money']), 10) < Math.sqrt(0.1 * 2) * 1e9);
      expect(below).toHaveLength(8);
    },
  );

  it.each([
    [1, '2h', 'must go from one number to another, or between two durations, sums or hash rates'],
    ['1h', '2 SOL', 'must go from one number to another, or between two durations, sums or hash rates'],
    ['2h', '1h', 'must go from a smaller value to a larger one'],
  ])('refuse a range from %s to %s', (from, to, reason) => {
    expect(readRange({ from, to, scale: 'linear', whole: false })).toBe(reason);
  });

  it('refuse a logarithmic range from zero', () => {
    expect(readRange({ from: 0, to: 1, scale: 'log', whole: false })).toBe(
      'must begin above zero where its scale is log',
    );
  });
});

describe('a Latin hypercube', () => {
  it('has one point in each part of every range', () => {
    const points = latinHypercube(50, 4, drawsOf(3, 'test'));
    for (const d of [0, 1, 2, 3]) {
      const parts = points.map((point) => Math.floor((point[d] as number) * 50)).toSorted((a, b) => a - b);
      expect(parts).toEqual(Array.from({ length: 50 }, (_, i) => i));
    }
  });
});

describe('the Sobol sequence', () => {
  it('begins with the published points', () => {
    const half = 0.5 / 4_294_967_296;
    const points = sobolPoints(8, 3).map((point) => point.map((x) => x - half));
    expect(points).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
    ]);
  });

  it.each([null, drawsOf(5, 'shift')])(
    'has one of 2^m points in each of 2^m parts of every dimension, shifted or not',
    (draws) => {
      const points = sobolPoints(256, SOBOL_DIMENSIONS_MAX, draws);
      for (let d = 0; d < SOBOL_DIMENSIONS_MAX; d += 1) {
        expect(new Set(points.map((point) => Math.floor((point[d] as number) * 256))).size).toBe(256);
      }
    },
  );

  it('integrates a smooth function of ten variables to three digits with 4096 points', () => {
    const points = sobolPoints(4_096, 10, drawsOf(2, 'shift'));
    const product = (point: readonly number[]): number => point.reduce((all, x) => all * (1 + (x - 0.5) / 2), 1);
    const mean = points.reduce((sum, point) => sum + product(point), 0) / points.length;
    expect(Math.abs(mean - 1)).toBeLessThan(0.001);
  });
});

describe('a setting', () => {
  const file = {
    populations: [
      { name: 'bees', count: 3 },
      { name: 'wasps', count: 4 },
    ],
    list: [1, 2],
  };

  it('reaches items of a list by name or place, and makes missing maps', () => {
    expect(withSetting(file, 'populations.wasps.count', 9)).toEqual({
      file: {
        ...file,
        populations: [
          { name: 'bees', count: 3 },
          { name: 'wasps', count: 9 },
        ],
      },
    });
    expect(withSetting(file, 'list.1', 'x')).toEqual({ file: { ...file, list: [1, 'x'] } });
    expect(withSetting(file, 'protocol.dms.missedAnchorsMax', 90)).toEqual({
      file: { ...file, protocol: { dms: { missedAnchorsMax: 90 } } },
    });
    expect(file.populations[1]?.count).toBe(4);
    expect(file.list).toEqual([1, 2]);
  });

  it('takes away what null stands for', () => {
    expect(withSetting(file, 'populations.bees', null)).toEqual({
      file: { ...file, populations: [{ name: 'wasps', count: 4 }] },
    });
    expect(withSetting(file, 'populations.bees.count', null)).toEqual({
      file: { ...file, populations: [{ name: 'bees' }, { name: 'wasps', count: 4 }] },
    });
    expect(withSetting(file, 'populations.bees.cuont', null)).toEqual({
      reason: 'populations.bees.cuont: is not there, so null takes nothing away',
    });
  });

  it.each([
    ['populations.ants.count', 'populations.ants.count: there is no ants in populations; known: bees, wasps'],
    ['populations.bees.name.x', 'populations.bees.name.x: populations.bees.name is neither a map nor a list'],
    ['a..b', 'a..b: is not a path such as populations.workers.count'],
  ])('%s leads nowhere, and says so', (path, reason) => {
    expect(withSetting(file, path, 1)).toEqual({ reason });
  });
});
