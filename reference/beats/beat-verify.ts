/**
 * Recomputes the beats of POST /beat/verify, in modes `beat` and `chain` (D-10). Mode `proof` is checked by
 * beat-proof.ts and work-proof.ts.
 */

import type { Beat } from '../../spec/endpoints/beat-verify.js';
import { type BeatCheck, checkBeatInline } from './beat.js';

/** Whether the beats are valid, how many were recomputed, and the fault of the first that is not. */
export interface BeatsVerdict {
  readonly valid: boolean;
  readonly beatsChecked: number;
  readonly reason?: 'hash_mismatch' | 'not_linked' | 'index_gap';
}

/**
 * D-10: recomputes one beat, or several that follow one another, and stops at the first invalid one: its index is not
 * the next, its `prev` is not the hash before, or `checkBeat` finds that its hash is not that of D-02.
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
