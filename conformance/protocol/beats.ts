/**
 * Makes chains and work proofs as a client of the protocol. It shares no code with the reference, so it can
 * reveal mistakes there.
 */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { chainHashes } from '../../model/reading/chain.js';
import { protocol } from '../../spec/protocol.js';

/** One beat of a proof, for the target to recompute. */
export interface SpotCheck {
  readonly index: number;
  readonly hash: string;
  readonly prev: string;
}

/** A work proof (2.5). */
export interface WorkProof {
  readonly from_hash: string;
  readonly to_hash: string;
  readonly beats_computed: number;
  readonly difficulty: number;
  readonly anchor_hash: string;
  readonly anchor_index: number;
  readonly spot_checks: readonly SpotCheck[];
}

/** The anchor that a proof weaves. */
export interface WovenAnchor {
  readonly index: number;
  readonly hash: string;
}

/** A computed chain of beats after `fromHash`; `hashes[0]` is `fromHash`. */
export interface Chain {
  readonly hashes: readonly string[];
  readonly fromIndex: number;
  readonly anchor: WovenAnchor;
  readonly difficulty: number;
  /** The default number of spot checks in proofs of this chain. */
  readonly spotChecks?: number | undefined;
}

/** Computes a chain of `beats` beats synchronously. */
export function computeChain(
  fromHash: string,
  beats: number,
  anchor: WovenAnchor,
  options: { readonly difficulty: number; readonly fromIndex?: number; readonly spotChecks?: number | undefined },
): Chain {
  const { difficulty, fromIndex = 0, spotChecks } = options;
  const hashes = chainHashes({ from: fromHash, beats, fromIndex, anchorHash: anchor.hash, difficulty });
  return { hashes, fromIndex, anchor, difficulty, spotChecks };
}

/** The spot check of a chain's n-th beat, from 1. */
export function spotCheck(chain: Chain, beat: number): SpotCheck {
  const [prev, own] = [chain.hashes[beat - 1], chain.hashes[beat]];
  if (prev === undefined || own === undefined) throw new RangeError(`the chain has no beat ${beat}`);
  return { index: chain.fromIndex + beat, hash: own, prev };
}

/** The numbers of the beats that a proof of `beats` beats shows, from 1; the last beat is one of them. */
export function spotPlaces(beats: number, checks: number): readonly number[] {
  const count = Math.min(checks, beats);
  return Array.from({ length: count }, (_, place) =>
    count === 1 ? beats : 1 + Math.floor((place * (beats - 1)) / (count - 1)),
  );
}

/** A proof of the first `beats` beats of a chain (by default all), with spot checks in order. */
export function proofOf(
  chain: Chain,
  beats = chain.hashes.length - 1,
  checks = chain.spotChecks ?? sureSpotChecks(protocol),
): WorkProof {
  return {
    from_hash: chain.hashes[0] ?? '',
    to_hash: chain.hashes[beats] ?? '',
    beats_computed: beats,
    difficulty: chain.difficulty,
    anchor_hash: chain.anchor.hash,
    anchor_index: chain.anchor.index,
    spot_checks: spotPlaces(beats, checks).map((place) => spotCheck(chain, place)),
  };
}

/** A beat proof (2.4): successive beats of an agent's chain. */
export interface BeatProof {
  readonly from_beat: number;
  readonly to_beat: number;
  readonly from_hash: string;
  readonly to_hash: string;
  readonly beats_computed: number;
  readonly global_anchor: number;
  readonly anchor_hash: string;
  readonly spot_checks: readonly SpotCheck[];
}

/** Converts a work proof to the form of 2.4, for beats after `from_beat`. */
export function beatProofOf({ anchor_index, difficulty: _, ...work }: WorkProof, from_beat: number): BeatProof {
  return { ...work, from_beat, to_beat: from_beat + work.beats_computed, global_anchor: anchor_index };
}

/** A beat proof (2.4) of the first `beats` beats of a chain (by default all). */
export function asBeatProof(chain: Chain, beats?: number, checks?: number): BeatProof {
  return beatProofOf(proofOf(chain, beats, checks), chain.fromIndex);
}
