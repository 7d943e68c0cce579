/**
 * The equilibria of a game that are found: on every support where they are few, and at the ends of replicator paths from many starts.
 * None of this shows that there are no others.
 */

import type { Draws } from '../statistics/draws.js';
import { replicatorEnd } from './replicator.js';
import { combinations, flatSurfaceOf, type PerOption, payoffRange, type RoleGame, type Support } from './role-game.js';
import { distance, drawnMixture, equilibriaOn, type GameEquilibrium, polished } from './support-equilibria.js';

/** More supports than these are not enumerated. */
const SUPPORTS_MAX = 512;
/** An end this near to an equilibrium is at it. */
const NEAR = 0.01;

/** An equilibrium, and the share of starts from which the replicator dynamics lead to it. */
export interface FoundEquilibrium extends GameEquilibrium {
  readonly basin: number;
}

/** The equilibria of a game, and how they were found. */
export interface FoundEquilibria {
  readonly equilibria: readonly FoundEquilibrium[];
  /** True if every support was tried. */
  readonly enumerated: boolean;
  /** The share of starts whose paths did not come to rest, or at no equilibrium that is known. */
  readonly unsettled: number;
}

/** Looks for equilibria among the options `within`, with replicator paths from `starts` mixtures. */
export function findEquilibria(game: RoleGame, within: Support, starts: number, draws: Draws): FoundEquilibria {
  const supports = within.reduce((product, { length }) => product * (2 ** length - 1), 1);
  const enumerated = supports <= SUPPORTS_MAX;
  const found: GameEquilibrium[] = enumerated
    ? combinations(within.map(subsets)).flatMap((support) => equilibriaOn(game, support, within, draws))
    : [];
  const surface = flatSurfaceOf(game, within);
  const range = payoffRange(game, within);
  const arrivals = new Map<GameEquilibrium, number>();
  for (let i = 0; i < starts; i += 1) {
    const { end, settled } = replicatorEnd(game.roles, surface, drawnMixture(game, within, draws), range);
    const at = found.find((each) => isAt(each, end)) ?? (settled ? addedAt(game, end, within, found) : undefined);
    if (at !== undefined) arrivals.set(at, (arrivals.get(at) ?? 0) + 1);
  }
  const settled = [...arrivals.values()].reduce((sum, count) => sum + count, 0);
  return {
    equilibria: found.map((each) => ({ ...each, basin: starts === 0 ? 0 : (arrivals.get(each) ?? 0) / starts })),
    enumerated,
    unsettled: starts === 0 ? 0 : 1 - settled / starts,
  };
}

/** Adds the equilibrium at which a path came to rest, if there is one. */
function addedAt(
  game: RoleGame,
  end: PerOption,
  within: Support,
  found: GameEquilibrium[],
): GameEquilibrium | undefined {
  const used = end.map((shares) => shares.map((share) => (share > NEAR / 10 ? share : 0)));
  const point = polished(game, used, within);
  if (point === null || distance(point, end) > NEAR) return undefined;
  const known = found.find((each) => isAt(each, point));
  if (known !== undefined) return known;
  const added: GameEquilibrium = { mixture: point, dimension: 0, ends: [], ties: [] };
  found.push(added);
  return added;
}

/** True if a mixture is an equilibrium, or lies on the line between two ends of its continuum. */
function isAt({ mixture, ends }: GameEquilibrium, point: PerOption): boolean {
  if (distance(mixture, point) < NEAR) return true;
  return ends.some((from, i) => i % 2 === 0 && isBetween(from, ends[i + 1] ?? from, point));
}

function isBetween(from: PerOption, to: PerOption, point: PerOption): boolean {
  const pairs = from.flatMap((shares, role) =>
    shares.map((share, i) => [(to[role]?.[i] ?? 0) - share, (point[role]?.[i] ?? 0) - share] as const),
  );
  const length = pairs.reduce((sum, [way]) => sum + way * way, 0);
  const along = length === 0 ? 0 : pairs.reduce((sum, [way, off]) => sum + way * off, 0) / length;
  const t = Math.min(1, Math.max(0, along));
  return pairs.every(([way, off]) => Math.abs(off - t * way) < NEAR);
}

/** Every part of some options but the empty one, small parts first. */
function subsets(options: readonly number[]): number[][] {
  const all = Array.from({ length: 2 ** options.length - 1 }, (_, i) =>
    options.filter((__, bit) => Math.floor((i + 1) / 2 ** bit) % 2 === 1),
  );
  return all.toSorted((a, b) => a.length - b.length);
}
