/**
 * A child's heartbeat that its parent pays, and what the child does when the sponsorship fails. Sponsoring is in
 * spawning.ts.
 */

import { heartbeatFee } from '../../reference/registry/fee-resolution.js';
import { heartbeatTier } from '../../reference/registry/fees.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_SPONSORED_HEARTBEAT, DUE_SPONSORSHIP } from '../world/due-kinds.js';
import type { Features } from '../world/features.js';
import { outcomeOf } from '../world/operations.js';
import type { World } from '../world/world.js';
import { callHeartbeat } from './calls.js';
import { canPay, waitForMoney } from './funds.js';
import { populationOf, scheduleAt, scheduleHeartbeatAtBeat } from './schedule.js';

const CAP_REACHED = outcomeOf('SPONSOR_CAP_REACHED');
/** Refusals of a child without a wallet when no sponsorship holds (4.5, D-28). */
const UNSPONSORED = new Set(
  ['WALLET_REQUIRED', 'SPONSOR_PARENT_FROZEN', 'PAYMENT_SENDER_MISMATCH'].map((code) => outcomeOf(code)),
);

/** Sends a heartbeat that the parent pays. Returns the outcome; null if the reaction is scheduled already. */
export function sendSponsoredHeartbeat(world: World, agent: number): number | null {
  const { agents, registry, features } = world;
  if (features === null) throw new Error(`agent ${agent} is a child in a world without features`);
  const parent = features.parent[agent]!;
  const nth = agents.epochBeats(agent) + 1;
  const tier = heartbeatTier(registry.protocol, nth);
  const feeLamports = heartbeatFee(registry, agents.row(agent), tier, world.nowMs);
  if (!canPay(world, parent, feeLamports)) {
    waitForMoney(world, agent, DUE_SPONSORED_HEARTBEAT, parent);
    return null;
  }
  const outcome = callHeartbeat(world, agent, nth, feeLamports, parent);
  if (outcome === CAP_REACHED) {
    scheduleHeartbeatAtBeat(world, agent, (world.epoch + 1) * registry.protocol.heartbeat.epochBeats);
    return null;
  }
  if (!UNSPONSORED.has(outcome)) return outcome;
  askParent(world, features, agent, parent);
  return null;
}

/**
 * Asks for a new sponsorship and tries again after the answer, if the parent renews; otherwise the child stops for
 * good.
 */
function askParent(world: World, { agenda }: Features, agent: number, parent: number): void {
  const sponsor = populationOf(world, parent).spawning?.sponsor ?? null;
  if (sponsor === null || !sponsor.renew) return;
  const answerSec = world.second + sponsor.answerSec;
  addToAgenda(agenda, answerSec, DUE_SPONSORSHIP, parent, agent);
  scheduleAt(world, agent, answerSec + 1, DUE_SPONSORED_HEARTBEAT);
}
