/**
 * Explores a game whose payoffs are measured, within a budget of cells. A game that is affordable is measured whole. Of a larger one small
 * parts come first: an equilibrium of a part is tried against all options outside it, and one that gains by another option leads to the
 * part with this option (Wellman 2016). It plays nothing: it asks for cells, and finds them among the samples.
 */

import { mean } from 'simple-statistics';
import type { Draws } from '../statistics/draws.js';
import { type FoundEquilibria, type FoundEquilibrium, findEquilibria } from './find-equilibria.js';
import { type Gain, simultaneous } from './regret-bound.js';
import {
  type Cell,
  cellCount,
  cellKey,
  cellsOf,
  combinations,
  gainsOf,
  type PerOption,
  type Role,
  type RoleGame,
  type Support,
  supportOf,
  surfaceOf,
  wholeSupport,
} from './role-game.js';
import { distance } from './support-equilibria.js';

/** The payoffs of a cell, one for each replicate. The n-th payoffs of all cells share a seed. A cell that was not played has none. */
export type Samples = (cell: Cell) => readonly number[];

/** Cells whose payoffs are wanted, each in at least this number of replicates. */
export interface Batch {
  readonly cells: readonly Cell[];
  readonly replicates: number;
}

/** Limits of an exploration. */
interface Exploring {
  readonly replicates: number;
  /** Where it is not known after `replicates` if an option gains, more are played up to these. */
  readonly replicatesMax: number;
  /** The most cells. */
  readonly cellsMax: number;
  /** A gain of an option above this leads to the part with it. */
  readonly resolution: number;
  readonly starts: number;
  readonly draws: Draws;
}

/** The outcome of an exploration. */
interface Explored {
  /** Equilibria of parts from which no option outside was seen to gain. */
  readonly candidates: readonly FoundEquilibrium[];
  /** Parts that the budget did not allow. */
  readonly unexplored: readonly Support[];
  /** The largest part that was measured whole; null where none was. */
  readonly part: { readonly support: Support; readonly found: FoundEquilibria } | null;
}

/** The game of the means of some samples. */
export function meanGame(roles: readonly Role[], samples: Samples): RoleGame {
  const means = new Map<string, number>();
  const payoff = (cell: Cell): number => {
    const key = cellKey(cell);
    const known = means.get(key);
    if (known !== undefined) return known;
    const value = mean([...samples(cell)]);
    means.set(key, value);
    return value;
  };
  return { roles, payoff };
}

/** The pairs of role and option that are not in a support. */
function outsideOf(roles: readonly Role[], support: Support): (readonly [role: number, option: number])[] {
  return roles.flatMap(({ options }, role) =>
    options.flatMap((_, option) => (support[role]?.includes(option) === true ? [] : [[role, option] as const])),
  );
}

/** The gain of each of some options over a mixture, in each replicate that all cells have. */
export function gainSamples(
  roles: readonly Role[],
  samples: Samples,
  mixture: PerOption,
  options: readonly (readonly [role: number, option: number])[],
): number[][] {
  const against = supportOf(mixture);
  const of = against.map((chosen, role) => [
    ...new Set([...chosen, ...options.filter(([own]) => own === role).map(([, option]) => option)]),
  ]);
  const replicates = Math.min(...cellsOf(roles, against, of).map((cell) => samples(cell).length));
  const lists = options.map((): number[] => []);
  for (let k = 0; k < replicates; k += 1) {
    const surface = surfaceOf({ roles, payoff: (cell) => samples(cell)[k] as number }, against, of);
    const gains = gainsOf(surface(mixture), mixture);
    options.forEach(([role, option], i) => {
      lists[i]?.push(gains[role]?.[option] as number);
    });
  }
  return lists;
}

/** Explores a game: yields batches, after each of which `samples` has their cells. */
export function* explore(
  roles: readonly Role[],
  samples: Samples,
  { replicates, replicatesMax, cellsMax, resolution, starts, draws }: Exploring,
): Generator<Batch, Explored, undefined> {
  const whole = wholeSupport(roles);
  const asked = new Set<string>();
  const isAffordable = (cells: readonly Cell[]): boolean => new Set([...asked, ...cells.map(cellKey)]).size <= cellsMax;
  function* ask(cells: readonly Cell[], count: number): Generator<Batch, void, undefined> {
    for (const cell of cells) asked.add(cellKey(cell));
    yield { cells, replicates: count };
  }
  const queue: Support[] =
    cellCount(roles, whole) <= cellsMax ? [whole] : combinations(whole.map((options) => options.map((each) => [each])));
  const seen = new Set(queue.map((part) => JSON.stringify(part)));
  const candidates: FoundEquilibrium[] = [];
  const unexplored: Support[] = [];
  let part: Explored['part'] = null;
  for (let support = queue.shift(); support !== undefined; support = queue.shift()) {
    if (cellCount(roles, support) > cellsMax || !isAffordable(cellsOf(roles, support))) {
      unexplored.push(support);
      continue;
    }
    yield* ask(cellsOf(roles, support), replicates);
    const found = findEquilibria(meanGame(roles, samples), support, starts, draws);
    if (part === null || cellCount(roles, support) > cellCount(roles, part.support)) part = { support, found };
    const outside = outsideOf(roles, support);
    for (const equilibrium of found.equilibria) {
      if (candidates.some(({ mixture }) => distance(mixture, equilibrium.mixture) < 1e-4)) continue;
      const used = supportOf(equilibrium.mixture);
      const tried = used.map((_, role) => outside.filter(([of]) => of === role).map(([, option]) => option));
      const cells = cellsOf(roles, used, tried);
      const gains: Gain[] = [];
      if (isAffordable(cells)) {
        const needed = [...cellsOf(roles, used), ...cells];
        for (let count = replicates; cells.length > 0; count = Math.min(2 * count, replicatesMax)) {
          yield* ask(needed, count);
          gains.splice(0, gains.length, ...simultaneous(gainSamples(roles, samples, equilibrium.mixture, outside)));
          const isOpen = gains.some(({ interval: [low, high] }) => low <= resolution && high > resolution);
          if (!isOpen || count >= replicatesMax) break;
        }
      }
      const better = betterPart(used, outside, gains, resolution);
      if (better === null) candidates.push(equilibrium);
      else if (!seen.has(JSON.stringify(better))) {
        seen.add(JSON.stringify(better));
        queue.push(better);
      }
    }
  }
  return { candidates, unexplored, part };
}

/** The part with the option of each role that gains most; null where none gains more than `resolution`. */
function betterPart(
  used: Support,
  outside: readonly (readonly [role: number, option: number])[],
  gains: readonly Gain[],
  resolution: number,
): Support | null {
  const best = used.map((_, role) => {
    const own = outside.flatMap(([of, option], i) => (of === role ? [{ option, gain: gains[i]?.mean ?? 0 }] : []));
    return own.toSorted((a, b) => b.gain - a.gain || a.option - b.option).find(({ gain }) => gain > resolution);
  });
  if (best.every((each) => each === undefined)) return null;
  return used.map((options, role) =>
    [...options, ...(best[role] === undefined ? [] : [best[role].option])].toSorted((a, b) => a - b),
  );
}
