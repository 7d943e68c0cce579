/** Random games with noisy payoffs, for tests: how often the interval of a regret holds. */

import { normalQuantile } from '../statistics/distributions.js';
import { drawsOf } from '../statistics/draws.js';
import { findEquilibria } from './find-equilibria.js';
import { gainSamples, meanGame, type Samples } from './quiesce.js';
import { type Gain, regretOf, simultaneous } from './regret-bound.js';
import { type Cell, cellKey, cellsOf, gainsOf, type Role, surfaceOf, wholeSupport } from './role-game.js';

const SHAPES: readonly (readonly Role[])[] = [
  [{ name: 'all', players: 2, options: ['a', 'b', 'c'] }],
  [{ name: 'all', players: 4, options: ['a', 'b'] }],
  [
    { name: 'one', players: 2, options: ['a', 'b'] },
    { name: 'other', players: 2, options: ['a', 'b'] },
  ],
];

/** A random game, with noisy payoffs by which equilibria are found, and others by which they are judged; true regrets and their intervals. */
function noisyRegrets(seed: number): { readonly truth: number; readonly bound: Gain }[] {
  const draws = drawsOf(seed, 'noisy game');
  const roles = SHAPES[seed % SHAPES.length] ?? [];
  const noise = (size: number, n: number): number[] => Array.from({ length: n }, () => size * normalQuantile(draws()));
  const within = wholeSupport(roles);
  const values = (runs: number, truth: ReadonlyMap<string, number>): Samples => {
    // A seed that is good for one cell is good for the others, too.
    const luck = noise(1, runs);
    const lists = new Map(
      [...truth].map(([key, mean]) => [key, noise(0.3, runs).map((own, k) => mean + own + (luck[k] ?? 0))]),
    );
    return (cell) => lists.get(cellKey(cell)) ?? [];
  };
  const truth = new Map(cellsOf(roles, within).map((cell) => [cellKey(cell), draws()] as const));
  const [seen, held] = [values(6, truth), values(6, truth)];
  const payoff = (cell: Cell): number => truth.get(cellKey(cell)) ?? 0;
  const surface = surfaceOf({ roles, payoff }, within);
  const options = within.flatMap((own, role) => own.map((option) => [role, option] as const));
  return findEquilibria(meanGame(roles, seen), within, 0, draws).equilibria.map(({ mixture }) => ({
    truth: Math.max(0, ...gainsOf(surface(mixture), mixture).flat()),
    bound: regretOf(simultaneous(gainSamples(roles, held, mixture, options))),
  }));
}

/** The shares of some games in which the intervals of all found equilibria hold, and the regrets that are not 0. */
export function noisyGames(count: number): { readonly holds: number; readonly regrets: number } {
  const games = Array.from({ length: count }, (_, seed) => noisyRegrets(seed));
  const holds = games.filter((found) =>
    found.every(({ truth, bound: { interval } }) => truth >= interval[0] && truth <= interval[1]),
  );
  return { holds: holds.length / count, regrets: games.flat().filter(({ truth }) => truth > 0.01).length };
}
