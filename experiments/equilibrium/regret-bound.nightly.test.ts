import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { percentText } from '../../results/numbers.js';
import { root } from '../../test/source-tree.js';
import { noisyGames } from './noisy-games.js';

it('the bound on regret holds in at least 94 % of 1,000 noisy games, for all equilibria that are found in one', () => {
  const { holds, regrets } = noisyGames(1_000);
  expect(holds).toBeGreaterThanOrEqual(0.94);
  expect(regrets).toBeGreaterThan(300);
  const documented = readFileSync(join(root, 'docs/experiments.md'), 'utf8');
  expect(documented).toContain(
    `of 1,000 random games with normal noise the intervals of all equilibria held in ${percentText(holds)}`,
  );
});
