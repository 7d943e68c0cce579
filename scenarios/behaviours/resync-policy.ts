/** The work that a frozen agent plans for a resync. Whether the resync is accepted is the registry's rule (4.10). */

import { penaltyFormula } from '../../spec/formula/formulas.js';
import type { Protocol } from '../../spec/protocol.js';
import { beatsComputed } from './spawn-policy.js';

/** The facts that a frozen agent plans with. */
interface ResyncView {
  /** Anchors that it has missed so far. */
  readonly gapAnchors: number;
  readonly secToNextAnchor: number;
  readonly hashesPerSec: number;
  /** The difficulty that it works at. */
  readonly difficulty: number;
  /** Whether it computes only the beats that are checked (D-07). */
  readonly forges: boolean;
}

/** The beats that an agent proves for a resync, and the seconds that it computes them. */
interface ResyncPlan {
  readonly beats: number;
  readonly workSec: number;
}

/** After this many rounds an agent that cannot keep up with the anchors plans for the cap of the penalty. */
const ROUNDS_MAX = 64;

/**
 * Plans the beats of a resync (4.10). Anchors go on during the work, and the penalty is counted when the receipt arrives, so the
 * plan covers the gap at the end of the work. A beat costs difficulty + 1 hashes (D-02). Under a formula an agent that cannot keep up with the
 * anchors plans for the gap that it has found last.
 */
export function planResync(protocol: Protocol, view: ResyncView): ResyncPlan {
  const { beatsPerMissedAnchor, beatsMax } = protocol.resync;
  const { intervalSec } = protocol.anchor;
  const workFor = (beats: number): number => {
    const computed = beatsComputed(beats, view.forges, protocol.proof.spotChecksMin);
    return Math.ceil((computed * (view.difficulty + 1)) / view.hashesPerSec);
  };
  const formula = penaltyFormula(protocol);
  let passed = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const gap = view.gapAnchors + passed;
    const beats = formula === undefined ? Math.min(beatsPerMissedAnchor * gap, beatsMax) : formula(gap);
    const workSec = workFor(beats);
    const late = workSec - view.secToNextAnchor;
    const anchors = late < 0 ? 0 : 1 + Math.floor(late / intervalSec);
    const isMost = formula === undefined ? beats === beatsMax : round === ROUNDS_MAX - 1;
    if (anchors <= passed || isMost) return { beats, workSec };
    passed = anchors;
  }
  return { beats: beatsMax, workSec: workFor(beatsMax) };
}
