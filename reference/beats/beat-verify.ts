/**
 * Recomputes the beats of POST /beat/verify, in modes `beat` and `chain` (D-10). Mode `proof` is checked by
 * beat-proof.ts and work-proof.ts.
 */

import type { Beat } from '../../spec/endpoints/beat-verify.js';
import { type BeatCheck, checkBeatInline } from './beat.js';

/** Whether the beats are valid, how many were recomputed, and the fault of the first that is not. */
interface BeatsVerdict {
  readonly valid: boolean;
  readonly beatsChecked: number;
  readonly reason?: 'hash_mismatch' | 'not_linked' | 'index_gap';
}

/** D-57: how many of a chain's beats are recomputed by default, and at most. */
const SAMPLED = { least: 3, most: 25 } as const;

/** The places of a chain that are recomputed: its first, its last, and as many between as are wanted, evenly. */
export function sampledPlaces(beats: number, wanted: number = SAMPLED.least): ReadonlySet<number> {
  const count = Math.max(2, Math.min(Math.floor(wanted), SAMPLED.most, beats));
  return new Set(Array.from({ length: count }, (_, i) => Math.round((i * (beats - 1)) / (count - 1))));
}

/**
 * D-10: recomputes one beat, or several that follow one another, and stops at the first invalid one: its index is not
 * the next, its `prev` is not the hash before, or `checkBeat` finds that its hash is not that of D-02. D-57: with
 * `places`, only those beats are recomputed.
 */
export function verifyBeats(
  beats: readonly Beat[],
  difficulty: number,
  checkBeat: BeatCheck = checkBeatInline,
  places?: ReadonlySet<number>,
): BeatsVerdict {
  let before: Beat | undefined;
  let beatsChecked = 0;
  for (const [place, beat] of beats.entries()) {
    if (before !== undefined && beat.index !== before.index + 1) {
      return { valid: false, beatsChecked, reason: 'index_gap' };
    }
    if (before !== undefined && beat.prev !== before.hash) return { valid: false, beatsChecked, reason: 'not_linked' };
    const { prev, index, nonce, anchor_hash: anchorHash } = beat;
    before = beat;
    if (places !== undefined && !places.has(place)) continue;
    beatsChecked += 1;
    if (!checkBeat({ prev, index, nonce, anchorHash, difficulty }, beat.hash)) {
      return { valid: false, beatsChecked, reason: 'hash_mismatch' };
    }
  }
  return { valid: true, beatsChecked };
}
