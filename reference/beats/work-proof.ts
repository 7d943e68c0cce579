/** Checks a work proof of the beats service (2.5, D-08). The receipt that a valid one earns is made in receipt.ts. */

import type { WorkProof } from '../../spec/endpoints/proof-schemas.js';
import type { Protocol } from '../../spec/protocol.js';
import type { WorkProofRefusal } from '../../spec/vocabulary.js';
import { type BeatCheck, checkBeatInline } from './beat.js';
import { type SpotCheckFault, spotCheckFault } from './spot-checks.js';

/** The facts that a work proof is checked against. */
interface WorkProofTerms {
  readonly protocol: Protocol;
  /** Hash of the anchor that the proof names as `anchor_index`; undefined unless it is one of the latest (D-06). */
  readonly anchorHash: string | undefined;
  /** Checks the hash of a spot check; absent: it is recomputed at once. */
  readonly checkBeat?: BeatCheck | undefined;
}

/** The result of a check: valid, or a reason of D-08. */
type WorkProofVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: WorkProofRefusal };

/**
 * The reason of D-08 for each rule of D-07. D-08 has only five reasons: too few checks, too many, one beat shown twice
 * or beats other than those of a challenge are `insufficient_spot_checks`; an index outside the claimed count is
 * `count_mismatch`; a check that does not link, or whose hash is wrong, is `spot_check_failed`.
 */
const REASONS: { readonly [F in SpotCheckFault]: WorkProofRefusal } = {
  too_few_checks: 'insufficient_spot_checks',
  too_many_checks: 'insufficient_spot_checks',
  index_out_of_range: 'count_mismatch',
  index_twice: 'insufficient_spot_checks',
  end_not_checked: 'insufficient_spot_checks',
  challenge_not_met: 'insufficient_spot_checks',
  start_not_linked: 'spot_check_failed',
  neighbours_not_linked: 'spot_check_failed',
  end_not_linked: 'spot_check_failed',
  check_failed: 'spot_check_failed',
};

/**
 * D-08: checks a work proof. A work proof names no indexes of its run: its highest check is taken for the end, and
 * `beats_computed` gives the start. So the first beat's index is highest − beats_computed + 1; if that is negative the
 * count is wrong, since no beat has such an index.
 *
 * - `insufficient_difficulty`: outside `work.difficultyMin` to `work.difficultyMax`. Above the range, too: the upper
 *   bound limits the cost of checking, and D-08 has no other reason for a difficulty.
 * - `stale_anchor`: the anchor is not among the latest, or `anchor_hash` is not its hash.
 * - the others: the rules of D-07 for the run so placed, by the table above.
 *
 * This check sees even less than that of D-07: without a check at its first beat, a proof is also valid with another
 * `from_hash`, and with any count back to index 0. So one computation can earn receipts for many pairs of hashes, and
 * for more beats than were computed.
 */
export function checkWorkProof(
  proof: WorkProof,
  { protocol, anchorHash, checkBeat }: WorkProofTerms,
): WorkProofVerdict {
  const { difficulty, beats_computed: beats, spot_checks: checks } = proof;
  const { difficultyMin, difficultyMax } = protocol.work;
  if (!(difficulty >= difficultyMin && difficulty <= difficultyMax)) return failed('insufficient_difficulty');
  if (anchorHash === undefined || proof.anchor_hash !== anchorHash) return failed('stale_anchor');
  if (checks.length === 0) return failed('insufficient_spot_checks');
  const toBeat = checks.reduce((highest, { index }) => Math.max(highest, index), 0);
  const fromBeat = toBeat - beats;
  if (!(beats >= 1 && fromBeat + 1 >= 0)) return failed('count_mismatch');
  const { from_hash: fromHash, to_hash: toHash } = proof;
  const fault = spotCheckFault(
    { fromBeat, toBeat, fromHash, toHash, difficulty, anchorHash, checks, checkBeat },
    protocol,
  );
  return fault === undefined ? { ok: true } : failed(REASONS[fault]);
}

/** The facts that the shown beats of a work proof are checked against. */
interface ShownBeatsTerms {
  readonly protocol: Protocol;
  /** Whether the anchor that the proof names by its index is recent enough. */
  readonly fresh: boolean;
  readonly checkBeat?: BeatCheck | undefined;
}

/** D-57: the difficulty at which a proof's beats are recomputed and its receipt is written. */
export function clampedDifficulty(difficulty: number, { work }: Protocol): number {
  return Math.min(difficulty, work.difficultyMax);
}

/**
 * D-57: checks only the shown beats of a work proof: `from_hash`, `to_hash` and the links between beats may be anything, a beat may be shown twice,
 * and the anchor's hash, if there is one, is woven in as it was sent.
 */
export function checkShownBeats(
  proof: WorkProof,
  { protocol, fresh, checkBeat = checkBeatInline }: ShownBeatsTerms,
): WorkProofVerdict {
  const { beats_computed: beats, spot_checks: checks, anchor_hash: anchorHash } = proof;
  if (proof.difficulty < protocol.work.difficultyMin) return failed('insufficient_difficulty');
  if (checks.length < Math.min(protocol.proof.spotChecksMin, beats)) return failed('insufficient_spot_checks');
  const indexes = checks.map(({ index }) => index);
  if (Math.max(...indexes) - Math.min(...indexes) > beats) return failed('count_mismatch');
  if (!fresh) return failed('stale_anchor');
  const difficulty = clampedDifficulty(proof.difficulty, protocol);
  const holds = checks.every(({ index, hash, prev, nonce }) =>
    checkBeat({ prev, index, nonce, anchorHash, difficulty }, hash),
  );
  return holds ? { ok: true } : failed('spot_check_failed');
}

function failed(reason: WorkProofRefusal): WorkProofVerdict {
  return { ok: false, reason };
}
