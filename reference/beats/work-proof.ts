import type { WorkProof } from '../../spec/endpoints/proof-schemas.js';
import type { Protocol } from '../../spec/protocol.js';
import type { WorkProofRefusal } from '../../spec/vocabulary.js';
import type { BeatCheck } from './beat.js';
import { type SpotCheckFault, spotCheckFault } from './spot-checks.js';

/** What the checker knows that the proof does not decide. */
export interface WorkProofTerms {
  readonly protocol: Protocol;
  /** Hash of the anchor that the proof names as `anchor_index`; undefined when that is none of the latest (D-06). */
  readonly anchorHash: string | undefined;
  /** Recomputes a spot check; absent: here and now. */
  readonly checkBeat?: BeatCheck | undefined;
}

/** A work proof holds, or fails for a reason of D-08. */
export type WorkProofVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: WorkProofRefusal };

/**
 * D-08 has five words for every rule. Too few checks, too many, one beat shown twice, or other beats than a challenge
 * names: the set of checks does not serve. An index outside the claimed count: the count is wrong. A check that does
 * not link to the run's ends or its neighbour, or does not hash to what it says: the check fails.
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
 * D-08: whether a work proof holds. A work proof names no indexes of its run: the highest check is taken for its end,
 * and `beats_computed` places its start, wherever that is. So the first beat's index comes out as highest −
 * beats_computed + 1, and a negative one is a wrong count, since no beat has such an index.
 *
 * - `insufficient_difficulty`: outside `work.difficultyMin` to `work.difficultyMax`. Above the range is this word's
 *   too: the bound keeps the cost of checking down, and D-08 has no other word for a difficulty.
 * - `stale_anchor`: the anchor is none of the latest, or `anchor_hash` is not its hash.
 * - the rest as the table above maps the rules of D-07, which hold here for the run so placed.
 *
 * It cannot see more than D-07 can, and less: with no check at its first beat, a proof also holds with another
 * `from_hash`, and with any count back to index 0. So one computation can earn receipts for many pairs of hashes, and
 * for more beats.
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

function failed(reason: WorkProofRefusal): WorkProofVerdict {
  return { ok: false, reason };
}
