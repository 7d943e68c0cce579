// The leak test of secrets.test.ts, a thousand times.
import { expect, it } from 'vitest';
import { leaksOfRun } from '../../test/fixtures/watched-secrets.js';

it('a thousand runs leak nothing', () => {
  const leaking = Array.from({ length: 1_000 }, (_, run) => 1_000 + run).filter((seed) => leaksOfRun(seed).length > 0);
  expect(leaking).toEqual([]);
});
