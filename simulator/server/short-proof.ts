/**
 * A work proof of any number of beats with three computed ones, for the comparison over HTTP. It replaces work that
 * took protocol time.
 */

import { computeChain } from '../../reference/beats/beat.js';
import type { WorkProof } from '../../spec/endpoints/proof-schemas.js';

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
  const shown = Math.min(SHOWN, beats);
  const run = { fromHash: start, fromIndex: beats - shown, beats: shown, difficulty, anchorHash, keep: { every: 1 } };
  const { toHash, spotChecks } = computeChain(run);
  return {
    from_hash: start,
    to_hash: toHash,
    beats_computed: beats,
    difficulty,
    anchor_hash: anchorHash,
    anchor_index: anchorIndex,
    spot_checks: spotChecks,
  };
}
