import type { Beat } from '../../spec/endpoints/beat-verify.js';
import { type BeatCheck, checkBeatInline } from './beat.js';

/** Whether beats hold, how many were recomputed, and what was wrong with the first that does not. */
export interface BeatsVerdict {
  readonly valid: boolean;
  readonly beatsChecked: number;
  readonly reason?: 'hash_mismatch' | 'not_linked' | 'index_gap';
}

/**
 * D-10: recomputes beats that follow one another, or a single one, and stops at the first that does not hold: its index
 * is not the next, its `prev` is not the hash before, or its hash is not what D-02 gives, which `checkBeat` recomputes.
 */
export function verifyBeats(
  beats: readonly Beat[],
  difficulty: number,
  checkBeat: BeatCheck = checkBeatInline,
): BeatsVerdict {
  let before: Beat | undefined;
  for (const [beatsChecked, beat] of beats.entries()) {
    if (before !== undefined && beat.index !== before.index + 1) {
      return { valid: false, beatsChecked, reason: 'index_gap' };
    }
    if (before !== undefined && beat.prev !== before.hash) return { valid: false, beatsChecked, reason: 'not_linked' };
    const { prev, index, nonce, anchor_hash: anchorHash } = beat;
    if (!checkBeat({ prev, index, nonce, anchorHash, difficulty }, beat.hash)) {
      return { valid: false, beatsChecked: beatsChecked + 1, reason: 'hash_mismatch' };
    }
    before = beat;
  }
  return { valid: true, beatsChecked: beats.length };
}
