import type { BeatProof } from '../../spec/endpoints/proof-schemas.js';
import type { Protocol } from '../../spec/protocol.js';
import type { BeatCheck } from './beat.js';
import { type SpotCheckFault, spotCheckFault } from './spot-checks.js';

/** Why a beat proof does not hold: one word for each rule, in the order in which they are looked at. */
export type BeatProofFault = 'count_mismatch' | 'no_beats' | 'stale_anchor' | 'anchor_mismatch' | SpotCheckFault;

/** What the checker knows that the proof does not decide. */
export interface BeatProofTerms {
  readonly protocol: Protocol;
  /** Difficulty of the agent's chain: a beat proof does not name one. */
  readonly difficulty: number;
  /** Hash of the anchor that the proof names as `global_anchor`; undefined when that is none of the latest (D-06). */
  readonly anchorHash: string | undefined;
  /** Recomputes a spot check; absent: here and now. */
  readonly checkBeat?: BeatCheck | undefined;
}

/** A beat proof holds, or breaks a rule. */
export type BeatProofVerdict =
  | { readonly ok: true; readonly spotChecksVerified: number }
  | { readonly ok: false; readonly reason: BeatProofFault };

/**
 * D-07: whether a beat proof holds by itself. That it continues an agent's chain (`from_beat` and `from_hash` are the
 * agent's latest) and is not too long for the call is the registry's to know, and `global_anchor` counts only through
 * `anchorHash`.
 *
 * The scheme cannot tell a run that was computed from one whose prover computed just the beats that it shows: three
 * beats can claim any number of them (spot-checks.ts says what `proof.challengeChecks` changes). Nor can it see a
 * `from_hash` that no check at `from_beat + 1` touches; the registry compares that with the chain.
 */
export function checkBeatProof(
  proof: BeatProof,
  { protocol, difficulty, anchorHash, checkBeat }: BeatProofTerms,
): BeatProofVerdict {
  if (proof.beats_computed !== proof.to_beat - proof.from_beat) return { ok: false, reason: 'count_mismatch' };
  if (!(proof.beats_computed >= 1)) return { ok: false, reason: 'no_beats' };
  if (anchorHash === undefined) return { ok: false, reason: 'stale_anchor' };
  if (proof.anchor_hash !== anchorHash) return { ok: false, reason: 'anchor_mismatch' };
  const reason = spotCheckFault(
    {
      fromBeat: proof.from_beat,
      toBeat: proof.to_beat,
      fromHash: proof.from_hash,
      toHash: proof.to_hash,
      difficulty,
      anchorHash,
      checks: proof.spot_checks,
      checkBeat,
    },
    protocol,
  );
  if (reason !== undefined) return { ok: false, reason };
  return { ok: true, spotChecksVerified: proof.spot_checks.length };
}
