import { describe, expect, it } from 'vitest';
import { feeModels, mostMoney, numbersAt, tariffValue, valueAt } from '../../test/fixtures/fee-models.js';
import { functions, type KnownOptimum } from '../../test/fixtures/known-optima.js';
import { minimum } from '../../test/fixtures/minimum.js';
import { drawsOf } from '../statistics/draws.js';
import { multiStart } from './multi-start.js';
import { numbersSpread } from './numbers-search.js';
import { betterBy, type PointValue } from './searched-sweep.js';

const POINTS = 300;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const better = betterBy({
  goals: [],
  extreme: { amount: { name: 'value', unit: '', terms: [] }, sign: 1 },
});

type Settings = (point: readonly number[]) => readonly number[];

/** The best of 300 points with different settings, as aips experiment search looks for them. */
function bestOf(
  dimensions: number,
  seed: number,
  f: (point: readonly number[]) => PointValue,
  settings: Settings = (point) => point,
) {
  const { search } = multiStart<PointValue>({
    ...{ dimensions, spread: numbersSpread(dimensions, POINTS), pointsMax: POINTS, better },
    draws: drawsOf(seed, 'search'),
    isSame: (a, b) => String(settings(a)) === String(settings(b)),
    isEnough: () => false,
  });
  return minimum(search, f, better, POINTS, (point) => String(settings(point)));
}

/** Seeds from which the search ends within 1 % of the range of every number from an optimum. */
const found = ({ dimensions, f, optima }: KnownOptimum, seeds = SEEDS): readonly number[] =>
  seeds.filter((seed) => {
    const { point } = bestOf(dimensions, seed, f);
    return optima.some((optimum) => optimum.every((x, d) => Math.abs(x - (point[d] as number)) <= 0.01));
  });

describe('with 300 points, in at least nine of ten starts', () => {
  it.each(functions.filter(({ name }) => name !== 'Rastrigin'))('the optimum of $name is found', (each) => {
    expect(found(each).length).toBeGreaterThanOrEqual(9);
  });

  it.each(feeModels)('a model brings as much as on its whole grid, less 1 %: $name', (model) => {
    const most = mostMoney(model);
    const near = SEEDS.filter((seed) => {
      const { value } = bestOf(
        model.numbers.length,
        seed,
        (point) => valueAt(model, point),
        (point) => numbersAt(model, point),
      );
      return value.excess === 0 && -(value.extreme as number) >= 0.99 * most;
    });
    expect(near.length).toBeGreaterThanOrEqual(9);
  });
});

it('finds the best of the hundred basins of Rastrigin in some starts alone', () => {
  const rastrigin = functions.find(({ name }) => name === 'Rastrigin') as KnownOptimum;
  expect(found(rastrigin).length).toBeGreaterThanOrEqual(3);
});

it('finds the optima that are hard to find in as many of twenty starts as docs/experiments.md says', () => {
  const seeds = [...SEEDS, ...SEEDS.map((seed) => seed + 10)];
  const counts = ['Styblinski-Tang', 'Rastrigin'].map(
    (name) => found(functions.find((each) => each.name === name) as KnownOptimum, seeds).length,
  );
  expect(counts).toEqual([16, 6]);
});

it('brings more than a tariff made by hand, from every seed', () => {
  for (const seed of SEEDS) {
    const { value } = bestOf(5, seed, tariffValue);
    expect([seed, value.excess, -(value.extreme as number) >= 8.524e9]).toEqual([seed, 0, true]);
  }
});
