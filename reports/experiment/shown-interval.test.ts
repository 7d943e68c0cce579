import { expect, it } from 'vitest';
import { shownInterval } from './shown-interval.js';

it.each([
  [[0.9, 1.02], null, 'share', [0.9, 1]],
  [[0.9, 1.02], [-0.1, 0.8], 'share', [0, 0.8]],
  [[0.9, 1.02], null, 'agents', [0.9, 1.02]],
  [null, null, 'share', null],
] as const)('of t %j and bootstrap %j in %s is %j', (t95, bootstrap95, unit, shown) => {
  expect(shownInterval({ t95, bootstrap95, unit })).toEqual(shown);
});
