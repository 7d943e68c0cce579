/** Refusals by code and class, and fees that sponsors paid for others, for the results. Totals of these are measures. */

import type { RefusalCount, SponsoredFees } from '../../results/simulation-result.js';
import { identityClasses } from '../../spec/vocabulary.js';
import type { Cells } from '../world/cells.js';
import { EVENT_NAMES, outcomeName } from '../world/operations.js';
import { refusalKey, refusalOf, sponsoredKey, sponsoredOf, tally } from '../world/tallies.js';
import type { Outcome } from './outcome.js';

/** The refused calls of each population and class, by operation and code. */
export function refusalsOf({ tallies, cells }: Pick<Outcome, 'tallies' | 'cells'>): RefusalCount[] {
  const merged = inPopulations(tallies.refusals, (key) => {
    const { cell, operation, outcome } = refusalOf(key);
    return refusalKey(withoutOption(cells, cell), operation, outcome);
  });
  return inKeyOrder(merged).map(([key, count]) => {
    const { cell, operation, outcome } = refusalOf(key);
    const place = { population: cells.populations[cell]!.name, class: cells.classes[cell]! };
    return { ...place, operation: EVENT_NAMES[operation] as string, code: outcomeName(outcome), count };
  });
}

/** The heartbeats that agents of one population and class paid for those of another. */
export function sponsoredFees({ tallies, cells }: Pick<Outcome, 'tallies' | 'cells'>): SponsoredFees[] {
  const named = (cell: number) => ({ population: cells.populations[cell]!.name, class: cells.classes[cell]! });
  const whole = (key: number): number => {
    const { sponsorCell, cell } = sponsoredOf(key);
    return sponsoredKey(withoutOption(cells, sponsorCell), withoutOption(cells, cell));
  };
  const fees = inPopulations(tallies.sponsoredLamports, whole);
  return inKeyOrder(inPopulations(tallies.sponsored, whole)).map(([key, heartbeats]) => {
    const { sponsorCell, cell } = sponsoredOf(key);
    const lamports = fees.get(key) ?? 0;
    return { sponsor: named(sponsorCell), sponsored: named(cell), heartbeats, lamports };
  });
}

/** The first cell of the population and class of a cell, for all options. */
function withoutOption({ indices, firstCells }: Cells, cell: number): number {
  return firstCells[indices[cell]!]! + (cell % identityClasses.length);
}

function inPopulations(
  counts: ReadonlyMap<number, number>,
  whole: (key: number) => number,
): ReadonlyMap<number, number> {
  const merged = new Map<number, number>();
  for (const [key, count] of counts) tally(merged, whole(key), count);
  return merged;
}

function inKeyOrder(counts: ReadonlyMap<number, number>): readonly (readonly [key: number, count: number])[] {
  return [...counts].sort(([a], [b]) => a - b);
}
