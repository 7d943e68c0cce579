import { performance } from 'node:perf_hooks';
import { computeBeat as publishedBeat } from '@provenonce/sdk';
import { computeChain, genesisHash } from '../reference/beats/beat.js';
import { median } from './median.js';

const DIFFICULTY = 1_000;
/** As many in one go as a client computes: a spawn costs 1,000 or more (4.8). What a run leaves to be collected counts. */
const BEATS_PER_ROUND = 500;
const ROUNDS = 9;
const ANCHOR_HASH = 'a1'.repeat(32);

/** What beats cost here and in the published client, and how many times as fast `aips beats compute` is. */
export interface BeatsBench {
  readonly ratio: number;
  readonly difficulty: number;
  readonly beats_per_s: number;
  readonly published_client_beats_per_s: number;
  readonly node: string;
}

/**
 * Computes the same chain of anchored beats by `computeChain`, as `aips beats compute` does, and by the client's
 * `computeBeat`, by turns, so that a slow moment of the machine meets both; gives the median of the rounds. Throws when
 * the two do not come to the same hash.
 */
export async function benchBeats(): Promise<BeatsBench> {
  const ratios: number[] = [];
  const ours: number[] = [];
  const theirs: number[] = [];
  let prev = genesisHash(`0x${'0'.repeat(64)}`);
  let index = 0;
  // The first round warms both up and is not counted.
  for (let round = -1; round < ROUNDS; round++) {
    const oursFirst = round % 2 === 0;
    const early = await timed(oursFirst ? ourChain : publishedChain, prev, index);
    const late = await timed(oursFirst ? publishedChain : ourChain, prev, index);
    if (early.hash !== late.hash) throw new Error(`the two part within the beats after ${index}`);
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

const ourChain: Chain = (fromHash, fromIndex) =>
  computeChain({
    fromHash,
    fromIndex,
    beats: BEATS_PER_ROUND,
    difficulty: DIFFICULTY,
    anchorHash: ANCHOR_HASH,
    keep: { indexes: [] },
  }).toHash;

const publishedChain: Chain = (fromHash, fromIndex) => {
  let prev = fromHash;
  for (let index = fromIndex + 1; index <= fromIndex + BEATS_PER_ROUND; index++) {
    prev = publishedBeat(prev, index, DIFFICULTY, undefined, ANCHOR_HASH).hash;
  }
  return prev;
};

/** Each chain starts with the event loop run dry, and pays for its own garbage. */
async function timed(chain: Chain, prev: string, index: number): Promise<{ hash: string; perSecond: number }> {
  await new Promise((done) => setTimeout(done, 5));
  const startMs = performance.now();
  const hash = chain(prev, index);
  const elapsedMs = performance.now() - startMs;
  return { hash, perSecond: (BEATS_PER_ROUND * 1_000) / elapsedMs };
}
