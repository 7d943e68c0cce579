/**
 * A work proof of any number of beats with three computed ones, for the comparison over HTTP. It stands for work that
 * took protocol time.
 */

import { computeBeat } from '../../reference/beats/beat.js';
import type { WorkProof } from '../../spec/endpoints/proof-schemas.js';

/** The distance of the beats that a proof shows: neighbours would have to link. */
const SHOWN_GAP = 2;
const SHOWN = 3;

/**
 * A work proof of `beats` beats of which three are computed. The beats service accepts it (D-07 explains why). The agent has
 * spent protocol time on the work; computing it would take as long again.
 */
export function shortProof(given: {
  readonly start: string;
  readonly beats: number;
  readonly anchorHash: string;
  readonly anchorIndex: number;
  readonly difficulty: number;
}): WorkProof {
  const { start, beats, anchorHash, anchorIndex, difficulty } = given;
  const whole = beats <= SHOWN * SHOWN_GAP;
  const indexes = whole
    ? Array.from({ length: beats }, (_, i) => i + 1)
    : Array.from({ length: SHOWN }, (_, i) => beats - (SHOWN - 1 - i) * SHOWN_GAP);
  let prev = start;
  const checks = indexes.map((index) => {
    const check = { index, prev, hash: computeBeat({ prev, index, anchorHash, difficulty }) };
    prev = check.hash;
    return check;
  });
  return {
    from_hash: start,
    to_hash: prev,
    beats_computed: beats,
    difficulty,
    anchor_hash: anchorHash,
    anchor_index: anchorIndex,
    spot_checks: checks,
  };
}
