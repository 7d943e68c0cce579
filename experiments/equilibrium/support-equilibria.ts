/**
 * The equilibria of a role-symmetric game whose players use all of some options: payoffs of these are equal, and no other option gives
 * more. Newton's method solves the equations from many starts, so an equilibrium can be missed where more than two options are used; of
 * two options no equilibrium with a change of sign is missed. Where solutions are not isolated, the continuum is followed to its ends.
 */

import type { Draws } from '../statistics/draws.js';
import { bernsteinRoots } from './bernstein-roots.js';
import {
  evenMixture,
  gainsOf,
  type PerOption,
  type RoleGame,
  type Support,
  supportOf,
  surfaceOf,
} from './role-game.js';
import { supportSystem } from './support-system.js';

/** An equilibrium, or one point of a continuum of them. */
export interface GameEquilibrium {
  readonly mixture: PerOption;
  /** 0: it is isolated; else the number of directions in which there are others. */
  readonly dimension: number;
  /** The last equilibria in those directions, two for each. */
  readonly ends: readonly PerOption[];
  /** Options outside its support that give as much, by role and option. */
  readonly ties: readonly (readonly [role: number, option: number])[];
}

/** Payoffs are compared as shares of the game's range. */
const GAIN_MAX = 1e-7;
const SHARE_MIN = 1e-7;
const STARTS = 16;

/** A mixture at random: every division of a role among its options is as likely. */
export function drawnMixture({ roles }: Pick<RoleGame, 'roles'>, support: Support, draws: Draws): PerOption {
  return roles.map(({ options }, role) => {
    const chosen = support[role] ?? [];
    const cuts = [0, ...Array.from({ length: chosen.length - 1 }, draws).toSorted((a, b) => a - b), 1];
    const shares = options.map(() => 0);
    chosen.forEach((option, i) => {
      shares[option] = (cuts[i + 1] as number) - (cuts[i] as number);
    });
    return shares;
  });
}

/** The equilibria with just this support, in a game where players choose among the options `within`. */
export function equilibriaOn(game: RoleGame, support: Support, within: Support, draws: Draws): GameEquilibrium[] {
  const equations = equationsOf(game, support, within);
  const starts = [
    evenMixture(game.roles, support),
    ...rootsOf(game, support),
    ...Array.from({ length: equations.isPure ? 0 : STARTS }, () => drawnMixture(game, support, draws)),
  ];
  const found: GameEquilibrium[] = [];
  for (const start of starts) {
    const point = equations.solve(start);
    if (point === null || !equations.isInside(point) || !equations.isEquilibrium(point)) continue;
    if (found.some(({ mixture, dimension }) => dimension > 0 || distance(mixture, point) < 1e-6)) continue;
    found.push({ mixture: point, ...equations.continuumAt(point), ties: equations.tiesAt(point) });
  }
  return found;
}

/** The nearest equilibrium with the support of a mixture; null if Newton's method finds none. */
export function polished(game: RoleGame, mixture: PerOption, within: Support): PerOption | null {
  const equations = equationsOf(game, supportOf(mixture), within);
  const point = equations.solve(mixture);
  return point !== null && equations.isInside(point) && equations.isEquilibrium(point) ? point : null;
}

/** The greatest difference of two mixtures in one share. */
export function distance(a: PerOption, b: PerOption): number {
  return Math.max(...a.flatMap((shares, role) => shares.map((share, i) => Math.abs(share - (b[role]?.[i] ?? 0)))));
}

/** Points at which two options of one role give the same, where all other roles use one option. */
function rootsOf({ roles, payoff }: RoleGame, support: Support): PerOption[] {
  const role = support.findIndex(({ length }) => length === 2);
  const [a, b] = support[role] ?? [];
  if (a === undefined || b === undefined || support.some(({ length }, i) => i !== role && length > 1)) return [];
  const rivals = (roles[role]?.players ?? 1) - 1;
  const coefficients = Array.from({ length: rivals + 1 }, (_, k) => {
    const others = roles.map(({ players, options }, of) =>
      options.map((__, t) => {
        if (of !== role) return support[of]?.[0] === t ? players : 0;
        return t === a ? k : t === b ? rivals - k : 0;
      }),
    );
    return payoff({ role, option: a, others }) - payoff({ role, option: b, others });
  });
  return bernsteinRoots(coefficients).map((share) =>
    evenMixture(roles, support).map((shares, of) =>
      of === role ? shares.map((_, t) => (t === a ? share : t === b ? 1 - share : 0)) : shares,
    ),
  );
}

function equationsOf(game: RoleGame, support: Support, within: Support) {
  const system = supportSystem(game, support);
  const { scale, mixtureAt, pointOf } = system;
  const all = surfaceOf(game, support, within);
  const gainsAt = (x: readonly number[]): PerOption => gainsOf(all(mixtureAt(x)), mixtureAt(x));
  // Payoffs of options outside the support can be far from those inside.
  const scaleOf = (gains: readonly number[]): number => Math.max(scale, ...gains.map(Math.abs));
  const isEquilibrium = (x: readonly number[]): boolean =>
    x.every((share) => share > -1e-9) &&
    gainsAt(x).every((gains, role) =>
      (within[role] ?? []).every((option) => (gains[option] as number) <= GAIN_MAX * scaleOf(gains)),
    );
  return {
    isPure: support.every(({ length }) => length === 1),
    solve: (start: PerOption): PerOption | null => {
      const x = system.solve(pointOf(start));
      return x === null ? null : mixtureAt(x);
    },
    isInside: (mixture: PerOption): boolean => pointOf(mixture).every((share) => share > SHARE_MIN),
    isEquilibrium: (mixture: PerOption): boolean => isEquilibrium(pointOf(mixture)),
    tiesAt: (mixture: PerOption) =>
      gainsAt(pointOf(mixture)).flatMap((gains, role) =>
        (within[role] ?? [])
          .filter((option) => support[role]?.includes(option) !== true)
          .filter((option) => Math.abs(gains[option] as number) <= GAIN_MAX * scaleOf(gains))
          .map((option) => [role, option] as const),
      ),
    continuumAt: (mixture: PerOption): Pick<GameEquilibrium, 'dimension' | 'ends'> => {
      const x = pointOf(mixture);
      const walks = system
        .freeWays(x)
        .map((way) => [1, -1].map((sign) => walked(x, way, sign, system.solve, isEquilibrium)));
      const open = walks.filter((pair) => pair.some((end) => far(end, x) > 1e-3));
      const ends = open.flat().map((end) => mixtureAt(end.map((share) => Math.max(0, share))));
      return { dimension: open.length, ends };
    },
  };
}

const far = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - (b[i] as number))));

/** The last equilibrium from a point along a way, in steps that grow shorter before the end. */
function walked(
  from: readonly number[],
  way: readonly number[],
  sign: number,
  newton: (x: readonly number[]) => number[] | null,
  isEquilibrium: (x: readonly number[]) => boolean,
): readonly number[] {
  const unit = (v: readonly number[]): number[] => v.map((each) => each / Math.max(...v.map(Math.abs)));
  let [x, ahead, step] = [from, unit(way).map((each) => sign * each), 0.05];
  for (let i = 0; i < 1_000 && step > 1e-7; i += 1) {
    const next = newton(x.map((value, j) => value + step * (ahead[j] as number)));
    const moved = next === null ? 0 : far(next, x);
    if (next === null || moved < step / 4 || moved > 4 * step || !isEquilibrium(next)) step /= 2;
    else [x, ahead] = [next, unit(next.map((value, j) => value - (x[j] as number)))];
  }
  return x;
}
