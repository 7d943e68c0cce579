/**
 * The equations of a support: the shares of each role sum to 1, and its options give the same. Newton's method solves them. Which
 * solutions are equilibria is in support-equilibria.ts.
 */

import { eliminated } from './elimination.js';
import { type PerOption, payoffRange, type RoleGame, type Support, surfaceOf } from './role-game.js';

const RESIDUAL_MAX = 1e-10;
/** At a solution, a pivot of less is 0, and the solution is not isolated. */
const PIVOT_MIN = 1e-6;
const SLOPE = 1e-5;
/** Steps that do not halve the residual. */
const PATIENCE = 6;

/** Equations over the shares of a support's options, as points with one number for each. */
interface SupportSystem {
  /** The distance of the game's greatest and least payoff. */
  readonly scale: number;
  readonly mixtureAt: (point: readonly number[]) => number[][];
  readonly pointOf: (mixture: PerOption) => number[];
  /** The solution that is found from a start; null if none is. Shares of it may be below 0. */
  readonly solve: (start: readonly number[]) => number[] | null;
  /** Directions in which a solution may have others next to it. */
  readonly freeWays: (solution: readonly number[]) => readonly (readonly number[])[];
}

/** The equations of a support of a game. */
export function supportSystem(game: RoleGame, support: Support): SupportSystem {
  const scale = payoffRange(game, support);
  const surface = surfaceOf(game, support);
  const unknowns = support.flatMap((chosen, role) => chosen.map((option) => [role, option] as const));
  const mixtureAt = (point: readonly number[]): number[][] => {
    const mixture = game.roles.map(({ options }) => options.map(() => 0));
    unknowns.forEach(([role, option], i) => {
      (mixture[role] as number[])[option] = point[i] as number;
    });
    return mixture;
  };
  const residual = (point: readonly number[]): number[] => {
    const mixture = mixtureAt(point);
    const payoffs = surface(mixture);
    return support.flatMap((chosen, role) => {
      const [first, ...rest] = chosen.map((option) => (payoffs[role]?.[option] as number) / scale);
      const sum = chosen.reduce((all, option) => all + (mixture[role]?.[option] as number), 0);
      return [sum - 1, ...rest.map((payoff) => payoff - (first as number))];
    });
  };
  return {
    scale,
    mixtureAt,
    pointOf: (mixture) => unknowns.map(([role, option]) => mixture[role]?.[option] as number),
    solve: (start) => newton(start, residual),
    freeWays: (solution) =>
      eliminated(
        slopesOf(residual, solution),
        solution.map(() => 0),
        PIVOT_MIN,
      ).free,
  };
}

type Residual = (point: readonly number[]) => number[];

/** The slopes of the residuals, by central differences: a row for each equation. */
function slopesOf(residual: Residual, point: readonly number[]): number[][] {
  const columns = point.map((_, i) => {
    const moved = (by: number): number[] => residual(point.map((value, j) => (j === i ? value + by : value)));
    const low = moved(-SLOPE);
    return moved(SLOPE).map((value, row) => (value - (low[row] as number)) / (2 * SLOPE));
  });
  return columns.map((_, row) => columns.map((column) => column[row] as number));
}

function newton(start: readonly number[], residual: Residual): number[] | null {
  let point = [...start];
  let [least, since] = [Number.POSITIVE_INFINITY, 0];
  for (;;) {
    const off = residual(point);
    const size = Math.max(...off.map(Math.abs));
    since = size < least / 2 ? 0 : since + 1;
    least = Math.min(least, size);
    // Where the equations contradict each other, steps lead nowhere.
    if (size < 1e-14 || since === PATIENCE) return size < RESIDUAL_MAX ? point : null;
    const { step } = eliminated(
      slopesOf(residual, point),
      off.map((value) => -value),
      1e-9,
    );
    point = point.map((value, i) => value + (step[i] as number));
    if (point.some((value) => !(Math.abs(value) < 10))) return null;
  }
}
