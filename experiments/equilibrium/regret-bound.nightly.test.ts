import { expect, it } from 'vitest';
import { noisyGames } from './noisy-games.js';

it('the bound on regret holds in at least 94 % of 1,000 noisy games, for all equilibria that are found in one', () => {
  const { holds, regrets } = noisyGames(1_000);
  expect(holds).toBeGreaterThanOrEqual(0.94);
  expect(regrets).toBeGreaterThan(300);
});
