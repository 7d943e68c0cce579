import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { computeChain, genesisHash } from '../reference/beats/beat.js';
import { median } from './median.js';

const DIFFICULTY = 1_000;
/** Hashes of one beat at that difficulty: the seed's own, then one for each step (D-02). */
const HASHES_PER_BEAT = DIFFICULTY + 1;
const BEATS_PER_ROUND = 100;
const ROUNDS = 11;
const ANCHOR_HASH = 'a1'.repeat(32);

/** What beats cost: hashes a second of `computeBeat`, and of the same chain by `createHash().update().digest()`. */
export interface BeatsBench {
  readonly ratio: number;
  readonly fast_hashes_per_s: number;
  readonly slow_hashes_per_s: number;
}

/**
 * Computes the same chain of anchored beats both ways by turns, so that a slow moment of the machine meets both, and
 * gives the median of the rounds. Throws when the two ways do not come to the same hash.
 */
export function benchBeats(): BeatsBench {
  const ratios: number[] = [];
  const fast: number[] = [];
  const slow: number[] = [];
  let prev = genesisHash(`0x${'0'.repeat(64)}`);
  let index = 0;
  // The first round warms both up and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    const fastFirst = round % 2 === 0;
    const early = fastFirst ? timed(fastChain, prev, index) : timed(slowChain, prev, index);
    const late = fastFirst ? timed(slowChain, prev, index) : timed(fastChain, prev, index);
    if (early.hash !== late.hash) throw new Error(`the two ways part within the beats after ${index}`);
    if (round > 0) {
      const [fastRound, slowRound] = fastFirst ? [early, late] : [late, early];
      ratios.push(fastRound.perSecond / slowRound.perSecond);
      fast.push(fastRound.perSecond);
      slow.push(slowRound.perSecond);
    }
    prev = early.hash;
    index += BEATS_PER_ROUND;
  }
  return {
    ratio: median(ratios),
    fast_hashes_per_s: Math.round(median(fast)),
    slow_hashes_per_s: Math.round(median(slow)),
  };
}

type Chain = (prev: string, index: number) => string;

const fastChain: Chain = (fromHash, fromIndex) =>
  computeChain({
    fromHash,
    fromIndex,
    beats: BEATS_PER_ROUND,
    difficulty: DIFFICULTY,
    anchorHash: ANCHOR_HASH,
    keep: { indexes: [] },
  }).toHash;

const slowChain: Chain = (fromHash, fromIndex) => {
  let prev = fromHash;
  for (let index = fromIndex + 1; index <= fromIndex + BEATS_PER_ROUND; index++) {
    let current = createHash('sha256').update(`${prev}:${index}::${ANCHOR_HASH}`).digest('hex');
    for (let step = 0; step < DIFFICULTY; step++) current = createHash('sha256').update(current).digest('hex');
    prev = current;
  }
  return prev;
};

function timed(chain: Chain, prev: string, index: number): { readonly hash: string; readonly perSecond: number } {
  const startMs = performance.now();
  const hash = chain(prev, index);
  const elapsedMs = performance.now() - startMs;
  return { hash, perSecond: (BEATS_PER_ROUND * HASHES_PER_BEAT * 1_000) / elapsedMs };
}
