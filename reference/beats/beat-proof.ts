/** Checks a beat proof by itself (2.4, D-07). Whether it continues an agent's chain is checked by the registry. */

import type { BeatProof } from '../../spec/endpoints/proof-schemas.js';
import type { Protocol } from '../../spec/protocol.js';
import type { BeatCheck } from './beat.js';
import { type SpotCheckFault, spotCheckFault } from './spot-checks.js';

/** The rule that a beat proof breaks; the rules are checked in this order. */
export type BeatProofFault = 'count_mismatch' | 'no_beats' | 'stale_anchor' | 'anchor_mismatch' | SpotCheckFault;

/** The facts that a beat proof is checked against. */
interface BeatProofTerms {
  readonly protocol: Protocol;
  /** Difficulty of the agent's chain: a beat proof does not state one. */
  readonly difficulty: number;
  /** Hash of the anchor that the proof names as `global_anchor`; undefined unless it is one of the latest (D-06). */
  readonly anchorHash: string | undefined;
  /** Checks the hash of a spot check; absent: it is recomputed at once. */
  readonly checkBeat?: BeatCheck | undefined;
}

/** The result of a check: valid, or the first rule that is broken. */
type BeatProofVerdict =
  | { readonly ok: true; readonly spotChecksVerified: number }
  | { readonly ok: false; readonly reason: BeatProofFault };

/**
 * D-07: checks a beat proof by itself. Whether it continues an agent's chain (`from_beat` and `from_hash` are the agent's latest) and is short
 * enough for the call is checked by the registry; `global_anchor` matters only through `anchorHash`.
 *
 * The scheme cannot tell whether a run was
 * computed: a prover who computes only the beats that it shows passes, so three beats can claim any number of them (spot-checks.ts says what
 * `proof.challengeChecks` changes). It cannot see a wrong `from_hash` either, unless there is a check at `from_beat + 1`; the registry compares it
 * with the chain.
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
