/** Measures beats per second here and in the published client. Proofs are measured in proofs.ts. */

import { performance } from 'node:perf_hooks';
import { computeBeat as publishedBeat } from '@provenonce/sdk';
import { median } from 'simple-statistics';
import { fastestSteps } from '../cli/tools/beat-run.js';
import { computeChain, genesisHash, type HashSteps } from '../reference/beats/beat.js';

const DIFFICULTY = 1_000;
/** As many as a client computes at a time: a spawn costs 1,000 or more (4.8). Garbage collection counts. */
const BEATS_PER_ROUND = 500;
const ROUNDS = 9;
const ANCHOR_HASH = 'a1'.repeat(32);

/**
 * Computes the same chain of anchored beats with `computeChain`, as `aips tools beats compute` does, and with the client's
 * `computeBeat`, alternately, so that a slow moment of the machine affects both. Returns medians, and how many times as fast
 * `aips tools beats compute` is; throws if the hashes differ.
 */
export async function benchBeats() {
  const ratios: number[] = [];
  const ours: number[] = [];
  const theirs: number[] = [];
  const ourChain = chainBy(fastestSteps());
  let prev = genesisHash(`0x${'0'.repeat(64)}`);
  let index = 0;
  // The first round is a warm-up and is not counted.
  for (let round = -1; round < ROUNDS; round += 1) {
    const oursFirst = round % 2 === 0;
    const early = await timed(oursFirst ? ourChain : publishedChain, prev, index);
    const late = await timed(oursFirst ? publishedChain : ourChain, prev, index);
    if (early.hash !== late.hash) throw new Error(`the two chains differ after beat ${index}`);
    if (round >= 0) {
      const [our, published] = oursFirst ? [early, late] : [late, early];
      ratios.push(our.perSecond / published.perSecond);
      ours.push(our.perSecond);
      theirs.push(published.perSecond);
    }
    prev = early.hash;
    index += BEATS_PER_ROUND;
  }
  return {
    ratio: Number(median(ratios).toFixed(3)),
    difficulty: DIFFICULTY,
    beats_per_s: Math.round(median(ours)),
    published_client_beats_per_s: Math.round(median(theirs)),
    node: process.versions.node,
  };
}

type Chain = (prev: string, index: number) => string;

function chainBy(steps: HashSteps): Chain {
  const terms = { beats: BEATS_PER_ROUND, difficulty: DIFFICULTY, anchorHash: ANCHOR_HASH, keep: { indexes: [] } };
  return (fromHash, fromIndex) => computeChain({ fromHash, fromIndex, ...terms, steps }).toHash;
}

const publishedChain: Chain = (fromHash, fromIndex) => {
  let prev = fromHash;
  for (let index = fromIndex + 1; index <= fromIndex + BEATS_PER_ROUND; index += 1) {
    prev = publishedBeat(prev, index, DIFFICULTY, undefined, ANCHOR_HASH).hash;
  }
  return prev;
};

/** Times one chain. It starts with an empty event loop, and includes its own garbage collection. */
async function timed(chain: Chain, prev: string, index: number): Promise<{ hash: string; perSecond: number }> {
  await new Promise((done) => setTimeout(done, 5));
  const startMs = performance.now();
  const hash = chain(prev, index);
  const elapsedMs = performance.now() - startMs;
  return { hash, perSecond: (BEATS_PER_ROUND * 1_000) / elapsedMs };
}
