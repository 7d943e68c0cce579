import { describe, expect, it } from 'vitest';
import type { EquilibriumResult } from '../../results/equilibrium-result.js';
import { invasionFiles } from './invasion-chart.js';

/** One option gains where few have it, up to a share of a quarter. */
const result = {
  name: 'hawks',
  roles: [
    { name: 'birds', agents: 10, players: 2, options: ['hawk', 'dove'] },
    { name: 'trees', agents: 1, players: 1, options: ['one', 'two'] },
  ],
  diagrams: [
    {
      ...{ role: 0, options: [0, 1], shares: [0, 0.5, 1] },
      gains: [1e9, -1e9, -3e9].map((mean) => ({ mean, interval: [mean - 1e8, mean + 1e8] })),
    },
  ],
} as unknown as EquilibriumResult;

describe('an invasion diagram', () => {
  const files = invasionFiles(result, 'aips <x>');

  it('is a file for each role that has one', () => {
    expect(Object.keys(files)).toEqual(['invasion-birds.svg']);
    expect(files['invasion-birds.svg']).toContain('hawk over dove');
    expect(files['invasion-birds.svg']).toContain('aips &lt;x&gt;');
  });

  it('shows from which shares each option spreads', () => {
    const bars = [
      ...(files['invasion-birds.svg'] ?? '').matchAll(
        /<rect x="([\d.]+)" y="\d+" width="([\d.]+)" height="8" fill="(#\w+)"/g,
      ),
    ];
    // The axis is 540 wide, from 76 on: the zero lies at a quarter.
    expect(bars.map(([, x, width]) => [Number(x), Number(width)])).toEqual([
      [76, 135],
      [211, 405],
    ]);
    expect(new Set(bars.map(([, , , colour]) => colour)).size).toBe(2);
  });
});
