/**
 * The anchor that is due every interval: it is issued with the DMS and the billing epoch, or held back by a stall.
 * The stall itself is a fault.
 */

import { advanceAnchor } from '../../reference/registry/dead-man-switch.js';
import { billingEpoch } from '../../reference/registry/fees.js';
import { currentBeat } from '../../reference/registry/state.js';
import { recordEvent, recordFreeze } from '../agents/calls.js';
import { retryAllWaiting } from '../agents/retry.js';
import { checkAnchorOnTime } from '../invariants/check-calls.js';
import { NONE } from '../world/features.js';
import { ACCEPTED, ANCHOR_STALL } from '../world/operations.js';
import type { World } from '../world/world.js';

/** Issues the anchor that is due. During a stall it is held back, and all later ones shift (D-24). */
export function issueOrStallAnchor(world: World): void {
  const { features } = world;
  if (features === null || features.stallFault === NONE) {
    issueNextAnchor(world);
    checkAnchorOnTime(world);
    return;
  }
  features.owedAnchors += 1;
  features.faultEffects[features.stallFault]! += 1;
  features.eventCounts[ANCHOR_STALL]! += 1;
  world.anchorShiftSec += world.registry.protocol.anchor.intervalSec;
  recordEvent(world, NONE, ANCHOR_STALL, ACCEPTED, 0);
}

/** Issues the next anchor, runs the DMS and starts a new billing epoch if one is due. */
export function issueNextAnchor(world: World): void {
  const { agents, registry, agentOfRow } = world;
  const frozen = advanceAnchor(registry, world.nowMs);
  const epoch = billingEpoch(registry.protocol, currentBeat(registry));
  if (epoch !== world.epoch) {
    world.epoch = epoch;
    for (let agent = 0; agent < agents.size; agent += 1) agents.setEpochBeats(agent, 0);
    retryAllWaiting(world);
  }
  for (const row of frozen) recordFreeze(world, agentOfRow[row]!);
}
