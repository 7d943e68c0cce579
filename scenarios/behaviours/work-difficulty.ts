/** The difficulty at which an agent computes work for receipts. How many beats it computes is in the policies that need them. */

import type { Protocol } from '../../spec/protocol.js';

/** The lowest difficulty for which the beats service gives a receipt and the registry takes it (D-08). */
export function cheapestDifficulty({ work }: Protocol): number {
  return Math.max(work.difficultyMin, work.receiptDifficultyMin);
}

/** The difficulty that an agent works at: the one that it wants, within what the service takes; null for the cheapest. */
export function workDifficulty(protocol: Protocol, wanted: number | null): number {
  const cheapest = cheapestDifficulty(protocol);
  return wanted === null ? cheapest : Math.max(cheapest, Math.min(wanted, protocol.work.difficultyMax));
}
