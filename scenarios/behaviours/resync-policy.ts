import type { Protocol } from '../../spec/protocol.js';
import { beatsComputed } from './spawn-policy.js';

/** What a frozen agent knows when it sets out to resync. */
export interface ResyncView {
  /** Anchors that it has missed up to now. */
  readonly gapAnchors: number;
  readonly secToNextAnchor: number;
  readonly hashesPerSec: number;
  /** Whether it computes no more beats than are looked at (D-07). */
  readonly forges: boolean;
}

/** The work that an agent sets out to do before it calls resync. */
export interface ResyncPlan {
  readonly beats: number;
  readonly workSec: number;
}

/** Rounds after which an agent that cannot keep up with the anchors aims for the cap of the penalty instead. */
const ROUNDS_MAX = 64;

/**
 * How many beats an agent computes (4.10). Anchors go on while it works, and the penalty is counted when the receipt
 * arrives, so it aims at the gap that it will have by then. A beat costs difficulty + 1 hashes (D-02).
 */
export function planResync(protocol: Protocol, view: ResyncView): ResyncPlan {
  const { beatsPerMissedAnchor, beatsMax } = protocol.resync;
  const { intervalSec } = protocol.anchor;
  const workFor = (beats: number): number => {
    const computed = beatsComputed(beats, view.forges, protocol.proof.spotChecksMin);
    return Math.ceil((computed * (protocol.beat.difficulty + 1)) / view.hashesPerSec);
  };
  let passed = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const beats = Math.min(beatsPerMissedAnchor * (view.gapAnchors + passed), beatsMax);
    const workSec = workFor(beats);
    const late = workSec - view.secToNextAnchor;
    const anchors = late < 0 ? 0 : 1 + Math.floor(late / intervalSec);
    if (anchors <= passed || beats === beatsMax) return { beats, workSec };
    passed = anchors;
  }
  return { beats: beatsMax, workSec: workFor(beatsMax) };
}
