import { hash } from 'node:crypto';
import type { SpotCheck } from '../../spec/endpoints/proof-schemas.js';

/** What one beat is computed from (D-02). */
export interface BeatSeed {
  /** Hash of the beat before, 64 hex characters. */
  readonly prev: string;
  readonly index: number;
  /** Absent and empty are the same. */
  readonly nonce?: string | undefined;
  /** Hash of the global anchor that is woven in, 64 hex characters; absent when none is. */
  readonly anchorHash?: string | undefined;
  /** Hash steps after the seed's own: a beat costs `difficulty + 1` hashes. */
  readonly difficulty: number;
}

/** D-02: the hash of one beat, 64 lower-case hex characters. RangeError for an index or a difficulty that cannot be. */
export function computeBeat({ prev, index, nonce = '', anchorHash, difficulty }: BeatSeed): string {
  requireCount('index', index);
  requireCount('difficulty', difficulty);
  const woven = anchorHash === undefined || anchorHash === '' ? '' : `:${anchorHash}`;
  // The one-shot call costs less than half of createHash().update().digest(); it is what makes a beat cheap here.
  let current = hash('sha256', `${prev}:${index}:${nonce}${woven}`, 'hex');
  for (let step = 0; step < difficulty; step++) current = hash('sha256', current, 'hex');
  return current;
}

/**
 * D-03: the hash of beat 0 of an agent's chain, whose `prev` is 64 zeros. The agent hash is taken as it is written, so
 * the caller gives it in lower case (D-39). The empty text gives the `prev_hash` of anchor 0 (D-05).
 */
export function genesisHash(agentHash: string): string {
  return hash('sha256', `beats:genesis:v1:${agentHash}`, 'hex');
}

/** A run of beats to compute: the beats after `fromIndex`, without nonces, each weaving the same anchor (D-07). */
export interface ChainRun {
  /** Hash of the beat at `fromIndex`. */
  readonly fromHash: string;
  readonly fromIndex: number;
  /** How many beats to compute; 0 computes none. */
  readonly beats: number;
  readonly difficulty: number;
  readonly anchorHash?: string | undefined;
  /** Which beats to keep as spot checks: those at these indexes, or every n-th of the run and its last. */
  readonly keep: { readonly indexes: readonly number[] } | { readonly every: number };
}

/** The end of a computed run, and the beats kept from it in order of index. */
export interface ComputedChain {
  readonly toIndex: number;
  readonly toHash: string;
  readonly spotChecks: SpotCheck[];
}

/** Computes a run of beats one after the other. RangeError for indexes to keep that the run does not reach. */
export function computeChain({ fromHash, fromIndex, beats, difficulty, anchorHash, keep }: ChainRun): ComputedChain {
  requireCount('fromIndex', fromIndex);
  requireCount('beats', beats);
  const toIndex = fromIndex + beats;
  const wanted = keptIndexes(keep, fromIndex, toIndex);
  const spotChecks: SpotCheck[] = [];
  let prev = fromHash;
  for (let index = fromIndex + 1; index <= toIndex; index++) {
    const hashed = computeBeat({ prev, index, anchorHash, difficulty });
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
