import { expect, it } from 'vitest';
import { agreementOf } from './agreement.js';
import type { PointValue } from './searched-sweep.js';

const worth = (extreme: number | null, excess = 0): PointValue => ({ goals: [], excess, extreme });
const settingsAt = ([x]: readonly number[]) => ({ every: `${Math.round(100 * (x as number))}s` });

it('counts the starts that came within a hundredth of the best point, and tells how far they ended apart', () => {
  const descents = [
    { best: { point: [0.2], value: worth(100.5) }, ended: true },
    { best: { point: [0.9], value: worth(100.9) }, ended: true },
    { best: { point: [0.5], value: worth(103) }, ended: false },
    // It costs less, and misses the goals.
    { best: { point: [0.4], value: worth(100, 0.2) }, ended: true },
    { best: { point: [0.4], value: worth(null, Number.POSITIVE_INFINITY) }, ended: true },
  ];
  const found = agreementOf(descents, worth(100), settingsAt);
  expect(found).toMatchObject({ begun: 5, ended: 4, agreeing: 2, tolerance: 0.01, values: [100, 103] });
  expect(found?.distance).toBeCloseTo(0.7, 12);
  expect(found?.ends.map(({ set, agrees }) => [set['every'], agrees])).toEqual([
    ['20s', true],
    ['90s', true],
    ['50s', false],
    ['40s', false],
    ['40s', false],
  ]);
  expect(found?.ends.at(-1)?.excess).toBeNull();
});

it('is by the goals alone where nothing is minimized, and absent where no start was needed', () => {
  const descents = [
    { best: { point: [0.2], value: worth(null, 0.3) }, ended: true },
    { best: { point: [0.3], value: worth(null, 0.305) }, ended: true },
  ];
  expect(agreementOf(descents, worth(null, 0.3), settingsAt)).toMatchObject({ agreeing: 2, values: null });
  expect(agreementOf([], worth(null, 0.3), settingsAt)).toBeNull();
});
