import { describe, expect, it } from 'vitest';
import { noisyGames } from './noisy-games.js';
import { couplingVerdict, regretOf, regretStatus, simultaneous } from './regret-bound.js';

describe('the bound on regret', () => {
  it('holds in at least 94 % of 25 noisy games, whose regrets are not 0', () => {
    const { holds, regrets } = noisyGames(25);
    expect(holds).toBeGreaterThanOrEqual(0.94);
    expect(regrets).toBeGreaterThan(8);
  });

  it('is wider for more options, and 0 where there is no other option', () => {
    const one = simultaneous([[1, 2, 3]])[0]?.interval[1] ?? 0;
    const [, second] = simultaneous([
      [0, 0, 0],
      [1, 2, 3],
    ]);
    // Student's t of 2 degrees: 4.303 at 2.5 %, 6.205 at 1.25 %; the standard error is 1 / √3.
    expect(one).toBeCloseTo(2 + 4.303 / Math.sqrt(3), 3);
    expect(second?.interval[1]).toBeCloseTo(2 + 6.205 / Math.sqrt(3), 3);
    expect(regretOf([])).toEqual({ mean: 0, interval: [0, 0] });
  });

  it.each([
    [[0, 0.5], 'confirmed'],
    [[0, 1.5], 'unconfirmed'],
    [[1.2, 1.5], 'refuted'],
  ] as const)('%j makes a profile %s at a resolution of 1', (interval, status) => {
    expect(regretStatus({ mean: 0, interval }, 1)).toBe(status);
  });

  it.each([
    [
      [
        [0, 0],
        [-0.5, 0.5],
      ],
      'uncoupled',
    ],
    // A sure difference that is too small to matter.
    [[[0.2, 0.4]], 'uncoupled'],
    [
      [
        [0, 0],
        [0.2, 1.4],
      ],
      'coupled',
    ],
    [
      [
        [0, 0],
        [-0.2, 1.4],
      ],
      'undecided',
    ],
  ] as const)('differences of %j are %s at a resolution of 1', (intervals, verdict) => {
    expect(
      couplingVerdict(
        intervals.map((interval) => ({ mean: 0, interval })),
        1,
      ),
    ).toBe(verdict);
  });
});
