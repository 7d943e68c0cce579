// No secret of watched traffic is in a report or in a file of exchanges, wherever a server repeats it.
import { expect, it } from 'vitest';
import { LEAK_PLACES, leaksOfRun } from '../../test/fixtures/watched-secrets.js';

it.each(Array.from({ length: 50 }, (_, seed) => seed))('run %i leaks nothing', (seed) => {
  expect(leaksOfRun(seed)).toEqual([]);
});

it('a secret in any of the places would be found', () => {
  for (const place of LEAK_PLACES) expect([place, leaksOfRun(1, place).length > 0]).toEqual([place, true]);
});
