/**
 * Computes beats: a single one, the genesis hash, and runs with their spot checks (D-02, D-03, D-07). It is the only
 * place of the reference that does; worker threads run the text of `hashSteps`.
 */

import { hash } from 'node:crypto';
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
export function computeBeat(seed: BeatSeed): string {
  return hashSteps(hash, SCRATCH, beatText(seed), seed.difficulty);
}

/** D-02: the text whose hash is the first of a beat. Throws a RangeError for an impossible index or difficulty. */
export function beatText({ prev, index, nonce = '', anchorHash, difficulty }: BeatSeed): string {
  requireCount('index', index);
  requireCount('difficulty', difficulty);
  const woven = anchorHash === undefined || anchorHash === '' ? '' : `:${anchorHash}`;
  return `${prev}:${index}:${nonce}${woven}`;
}

/** SHA-256 of a text or of bytes, as 64 hex characters: `hash` of node:crypto. */
type OneShotHash = (algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex') => string;

/** A buffer into which a hash's characters are written before they are hashed; null: the string itself is hashed. */
type Scratch = { readonly latin1Write: (text: string, offset: number, length: number) => number } & Uint8Array;

/**
 * D-02: hashes a text, and then `steps` times the 64 characters of the last hash. The one-shot `hash` costs less than
 * half of createHash().update().digest(); beats are cheap here because of it.
 *
 * It uses nothing but its arguments, since worker threads run the text of this function (http/request/beat-thread.ts).
 */
export function hashSteps(hashOf: OneShotHash, scratch: Scratch | null, text: string, steps: number): string {
  let current = hashOf('sha256', text, 'hex');
  if (scratch === null) {
    for (let step = 0; step < steps; step++) current = hashOf('sha256', current, 'hex');
    return current;
  }
  for (let step = 0; step < steps; step++) {
    scratch.latin1Write(current, 0, 64);
    current = hashOf('sha256', scratch, 'hex');
  }
  return current;
}

/**
 * Node 22 hashes 64 bytes faster than 64 characters, Node 20 and 24 the other way round, each by about a tenth (`npm
 * run bench -- beats`).
 */
export const HASHES_BYTES_FASTER = process.versions.node.startsWith('22.');

const SCRATCH = HASHES_BYTES_FASTER ? (Buffer.alloc(64) as Buffer & Scratch) : null;

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
export interface ChainRun {
  /** Hash of the beat at `fromIndex`. */
  readonly fromHash: string;
  readonly fromIndex: number;
  /** How many beats to compute; 0 computes none. */
  readonly beats: number;
  readonly difficulty: number;
  readonly anchorHash?: string | undefined;
  /** The beats to keep as spot checks: those at these indexes, or every n-th of the run and its last. */
  readonly keep: { readonly indexes: readonly number[] } | { readonly every: number };
}

/** The end of a computed run, and the kept beats in order of index. */
export interface ComputedChain {
  readonly toIndex: number;
  readonly toHash: string;
  readonly spotChecks: SpotCheck[];
}

/** Computes a run of beats one after the other. Throws a RangeError for indexes to keep that are outside the run. */
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
