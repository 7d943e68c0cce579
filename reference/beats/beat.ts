/**
 * Computes beats: a single one, the genesis hash, and runs with their spot checks (D-02, D-03, D-07). How chains of hashes
 * are computed fast is in sha256/; threads are given the texts of beats (http/request/beat-thread.ts).
 */

import { hash } from 'node:crypto';
import { nodeKernel } from '../../sha256/kernels.js';
import type { SpotCheck } from '../../spec/endpoints/proof-schemas.js';

/** The inputs of one beat (D-02). */
export interface BeatSeed {
  /** Hash of the beat before, 64 hex characters. */
  readonly prev: string;
  readonly index: number;
  /** Absent and empty are the same. */
  readonly nonce?: string | undefined;
  /** Hash of the global anchor that is woven in, 64 hex characters; absent without one. */
  readonly anchorHash?: string | undefined;
  /** Hash steps after the first: a beat costs `difficulty + 1` hashes. */
  readonly difficulty: number;
}

/**
 * D-02: the hash of one beat, 64 lower-case hex characters. Throws a RangeError for an impossible index or difficulty.
 */
export function computeBeat(seed: BeatSeed, steps: HashSteps = hashSteps): string {
  return steps(beatText(seed), seed.difficulty);
}

/** D-02: the text whose hash is the first of a beat. Throws a RangeError for an impossible index or difficulty. */
export function beatText({ prev, index, nonce = '', anchorHash, difficulty }: BeatSeed): string {
  requireCount('index', index);
  requireCount('difficulty', difficulty);
  const woven = anchorHash === undefined || anchorHash === '' ? '' : `:${anchorHash}`;
  return `${prev}:${index}:${nonce}${woven}`;
}

/** The hash of a text, hashed `steps` times more as the 64 characters of the last hash (D-02). */
export type HashSteps = (text: string, steps: number) => string;

const kernel = nodeKernel(hash);

/** With node:crypto, which needs no start: for a few beats. */
const hashSteps: HashSteps = (text, steps) => kernel.advance([hash('sha256', text, 'hex')], steps)[0] as string;

/** Whether a beat has the hash that is claimed for it. */
export type BeatCheck = (seed: BeatSeed, claimed: string) => boolean;

/** The check that recomputes the beat at once, on this thread. */
export const checkBeatInline: BeatCheck = (seed, claimed) => computeBeat(seed) === claimed;

/**
 * D-03: the hash of beat 0 of an agent's chain, whose `prev` is 64 zeros. The agent hash is used as given, so the
 * caller gives it in lower case (D-39). The empty text gives the `prev_hash` of anchor 0 (D-05).
 */
export function genesisHash(agentHash: string): string {
  return hash('sha256', `beats:genesis:v1:${agentHash}`, 'hex');
}

/** A run of beats to compute: those after `fromIndex`, without nonces, each weaving the same anchor (D-07). */
interface ChainRun {
  /** Hash of the beat at `fromIndex`. */
  readonly fromHash: string;
  readonly fromIndex: number;
  /** How many beats to compute; 0 computes none. */
  readonly beats: number;
  readonly difficulty: number;
  readonly anchorHash?: string | undefined;
  /** The beats to keep as spot checks: those at these indexes, or every n-th of the run and its last. */
  readonly keep: { readonly indexes: readonly number[] } | { readonly every: number };
  /** The way to hash; absent: that of a few beats. */
  readonly steps?: HashSteps | undefined;
}

/** The end of a computed run, and the kept beats in order of index. */
interface ComputedChain {
  readonly toIndex: number;
  readonly toHash: string;
  readonly spotChecks: SpotCheck[];
}

/** Computes a run of beats one after the other. Throws a RangeError for indexes to keep that are outside the run. */
export function computeChain({
  fromHash,
  fromIndex,
  beats,
  difficulty,
  anchorHash,
  keep,
  steps,
}: ChainRun): ComputedChain {
  requireCount('fromIndex', fromIndex);
  requireCount('beats', beats);
  const toIndex = fromIndex + beats;
  const wanted = keptIndexes(keep, fromIndex, toIndex);
  const spotChecks: SpotCheck[] = [];
  let prev = fromHash;
  for (let index = fromIndex + 1; index <= toIndex; index++) {
    const hashed = computeBeat({ prev, index, anchorHash, difficulty }, steps);
    if (wanted(index)) spotChecks.push({ index, hash: hashed, prev });
    prev = hashed;
  }
  return { toIndex, toHash: prev, spotChecks };
}

function keptIndexes(keep: ChainRun['keep'], fromIndex: number, toIndex: number): (index: number) => boolean {
  if ('every' in keep) {
    const { every } = keep;
    if (!Number.isSafeInteger(every) || every < 1)
      throw new RangeError(`every ${every} is not a positive whole number`);
    return (index) => (index - fromIndex) % every === 0 || index === toIndex;
  }
  const indexes = new Set(keep.indexes);
  for (const index of indexes) {
    if (!(index > fromIndex && index <= toIndex)) throw new RangeError(`no beat ${index} in a run to beat ${toIndex}`);
  }
  return (index) => indexes.has(index);
}

function requireCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} ${value} is not a whole number from 0`);
}
