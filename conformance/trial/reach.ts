/** Bounds of one step of a check. A step beyond them is not judged. The numbers of the specification stay well within. */

import type { Protocol } from '../../spec/protocol.js';
import { DAY_MS } from '../../spec/time.js';
import { unreachable } from '../assertions/unjudged.js';

/** The bounds of a step: some minutes on a slow machine, or the largest single call of a control API. */
export const REACH = {
  /** Hashes of one chain of beats, one after the other, and its beats, which are kept. */
  hashes: 40_000_000,
  beats: 200_000,
  /** Anchors that one sleep lets pass, and its length in ms: a century. */
  anchors: 900_000,
  spanMs: 100 * 365 * DAY_MS,
  /** Requests of one check. */
  requests: 50_000,
  /** Requests that fill one bucket. */
  bucket: 3_000,
  /** Lamports of one wallet, a thousandth of all that are on the ledger. */
  lamports: 1_000_000_000_000,
} as const;

const words = (count: number): string => count.toLocaleString('en');

/** Throws where a chain of `beats` beats at this difficulty is too much to compute. */
export function needReachableWork(beats: number, difficulty: number): void {
  const counts = [beats, difficulty].every((count) => Number.isInteger(count) && count >= 0);
  if (counts && beats <= REACH.beats && beats * (difficulty + 1) <= REACH.hashes) return;
  throw unreachable(`${words(beats)} beats of ${words(difficulty)} hashes are more work than a check does`);
}

/** Throws if `ms` is too long to let pass, or if too many anchors are issued meanwhile, unless they are `stalled`. */
export function needReachableTime(ms: number, { anchor }: Protocol, stalled: boolean): void {
  const anchors = stalled ? 0 : ms / (anchor.intervalSec * 1_000);
  if (ms <= REACH.spanMs && anchors <= REACH.anchors) return;
  const long = `${words(Math.round(ms / 1_000))} s, ${words(Math.ceil(anchors))} anchors`;
  throw unreachable(`a check does not let that much time pass: ${long}`);
}

/** Throws where a check would make more than `most` of something, such as requests for one purpose. */
export function needReachableCount(count: number, most: number, what: string): void {
  if (count > most) throw unreachable(`${words(count)} ${what}, and a check makes ${words(most)} at most`);
}
