import { chdir, cwd } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Experiment, experiment, figure, findingsDocument } from './fixtures/findings.js';
import { root } from './source-tree.js';

const before = cwd();
let played: { readonly survival: Experiment; readonly fees: Experiment; readonly ring: Experiment };

beforeAll(async () => {
  chdir(root);
  played = {
    survival: await experiment('freeze-survival'),
    fees: await experiment('flat-fees'),
    ring: await experiment('sponsor-ring'),
  };
});
afterAll(() => chdir(before));

// `npx vitest run test/findings.slow.test.ts -u` writes the page and its figures anew.
describe('the findings', () => {
  it('have every number from their experiments', async () => {
    await expect(findingsDocument(played)).toMatchFileSnapshot('../docs/findings.md');
  });

  it('have the figures of their experiments', async () => {
    const { survival, fees, ring } = played;
    const costs = ['thrifty', 'steady', 'busy'].map((group) => `heartbeat_cost_lamports.${group}`);
    await expect(figure(survival, 'never_frozen_share')).toMatchFileSnapshot('../docs/figures/freeze-survival.svg');
    await expect(figure(fees, ['fees_lamports', ...costs].join(','))).toMatchFileSnapshot(
      '../docs/figures/flat-fees.svg',
    );
    await expect(figure(ring, 'live_day_cost_lamports')).toMatchFileSnapshot('../docs/figures/sponsor-ring.svg');
  });

  it('are of sweeps whose expectations hold and in which no run failed', () => {
    for (const { summary } of Object.values(played)) {
      expect([summary.failures, summary.expectations.filter(({ holds }) => !holds)]).toEqual([[], []]);
    }
  });
});
