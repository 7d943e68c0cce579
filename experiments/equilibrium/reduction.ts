/**
 * The deviation-preserving reduction (Wiedenbeck and Wellman 2012): a few players for many agents. One agent is the player; the other
 * agents of a role divide themselves as its other players do. So a deviation is of one agent, as it is in the whole game.
 */

import type { PerOption } from './role-game.js';

/** Agents at each option of each role, and how exactly their shares are those of the players. */
interface FullCounts {
  readonly others: PerOption;
  /** False where the agents do not divide as the players do, and were rounded. */
  readonly exact: boolean;
}

/**
 * The agents of the whole game that a cell's others stand for. `agents`: of each role; of the player's own role `deviators` are not among
 * the others.
 */
export function fullCounts(role: number, others: PerOption, agents: readonly number[], deviators: number): FullCounts {
  let exact = true;
  const full = others.map((counts, of) => {
    const total = (agents[of] as number) - (of === role ? deviators : 0);
    const parts = counts.reduce((sum, count) => sum + count, 0);
    if (parts > 0 && counts.some((count) => (total * count) % parts !== 0)) exact = false;
    return apportioned(total, counts);
  });
  return { others: full, exact };
}

/** Whole numbers with the sum `total`, as near to these weights as can be: the largest remainders get one more, of equals the first. */
export function apportioned(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum <= 0) return weights.map(() => 0);
  const quotas = weights.map((weight) => (total * weight) / sum);
  // A product that is off by its last bit is no remainder.
  const whole = quotas.map((quota) => Math.floor(quota + 1e-9));
  const left = total - whole.reduce((all, each) => all + each, 0);
  const order = quotas
    .map((quota, i) => ({ i, rest: quota - (whole[i] as number) }))
    .toSorted((a, b) => b.rest - a.rest || a.i - b.i);
  for (const { i } of order.slice(0, left)) whole[i] = (whole[i] as number) + 1;
  return whole;
}
