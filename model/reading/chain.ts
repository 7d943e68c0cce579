/** Computes the hashes of beats (2.3, D-02). It shares no code with the reference, so it can reveal mistakes there. */

import { hash } from 'node:crypto';
import { nodeKernel } from '../../sha256/kernels.js';
import { type Chain, startLanes } from '../../sha256/lanes.js';

/** A chain to compute: `beats` beats after the hash `from`, which has the index `fromIndex`. */
export interface ChainTerms {
  readonly from: string;
  readonly beats: number;
  readonly fromIndex: number;
  /** The anchor hash that every beat weaves; null if the beats weave no anchor. */
  readonly anchorHash: string | null;
  readonly difficulty: number;
}

/**
 * Describes a chain of beats as a chain of hashes, with the text of each beat as in D-02. `ended` gets all hashes, from the starting one on.
 *
 * It must use only its arguments: threads run the source text of this function (chain-pool.ts).
 */
export function hashChain(
  { from, beats, fromIndex, anchorHash, difficulty }: ChainTerms,
  ended: (hashes: readonly string[]) => void,
): Chain {
  const hashes = [from];
  return {
    steps: difficulty,
    next: (last) => {
      if (last !== '') hashes.push(last);
      const beat = hashes.length;
      const woven = anchorHash === null ? '' : `:${anchorHash}`;
      if (beat <= beats) return `${hashes[beat - 1]}:${fromIndex + beat}:${woven}`;
      ended(hashes);
      return undefined;
    },
  };
}

const here = { kernel: nodeKernel(hash), hashesPerMs: 1 };

/** Computes the hashes of a chain synchronously: the starting hash, and one for each beat. */
export function chainHashes(terms: ChainTerms): readonly string[] {
  let found: readonly string[] = [];
  const lanes = startLanes({ one: here, many: here }, hash);
  const ended = (hashes: readonly string[]): void => {
    found = hashes;
  };
  lanes.add(hashChain(terms, ended));
  while (lanes.run(Number.MAX_SAFE_INTEGER));
  return found;
}

/** The hash of one beat without a nonce (D-02): difficulty + 1 hashes. `anchorHash`: the woven anchor; null for none. */
export function beatHash(prev: string, index: number, anchorHash: string | null, difficulty: number): string {
  return chainHashes({ from: prev, beats: 1, fromIndex: index - 1, anchorHash, difficulty })[1] ?? '';
}
