/** Refusals by code and class, and fees that sponsors paid for others, for the results. Totals of these are measures. */

import type { RefusalCount, SponsoredFees } from '../../results/simulation-result.js';
import { EVENT_NAMES, outcomeName } from '../world/operations.js';
import { refusalOf, sponsoredOf } from '../world/tallies.js';
import type { Outcome } from './outcome.js';

/** The refused calls of each population and class, by operation and code. */
export function refusalsOf({ tallies, cells }: Pick<Outcome, 'tallies' | 'cells'>): RefusalCount[] {
  return inKeyOrder(tallies.refusals).map(([key, count]) => {
    const { cell, operation, outcome } = refusalOf(key);
    const place = { population: cells.populations[cell]!.name, class: cells.classes[cell]! };
    return { ...place, operation: EVENT_NAMES[operation] as string, code: outcomeName(outcome), count };
  });
}

/** The heartbeats that agents of one population and class paid for those of another. */
export function sponsoredFees({ tallies, cells }: Pick<Outcome, 'tallies' | 'cells'>): SponsoredFees[] {
  const named = (cell: number) => ({ population: cells.populations[cell]!.name, class: cells.classes[cell]! });
  return inKeyOrder(tallies.sponsored).map(([key, heartbeats]) => {
    const { sponsorCell, cell } = sponsoredOf(key);
    const lamports = tallies.sponsoredLamports.get(key) ?? 0;
    return { sponsor: named(sponsorCell), sponsored: named(cell), heartbeats, lamports };
  });
}

function inKeyOrder(counts: ReadonlyMap<number, number>): readonly (readonly [key: number, count: number])[] {
  return [...counts].sort(([a], [b]) => a - b);
}
