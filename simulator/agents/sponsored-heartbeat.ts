/**
 * A child's heartbeat that an ancestor pays, and what the child does when the sponsorship fails. Sponsoring is in
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
import { sponsorsOf } from './sponsors.js';

const CAP_REACHED = outcomeOf('SPONSOR_CAP_REACHED');
/** Refusals of a child without a wallet when no sponsorship holds (4.5, D-28). */
const UNSPONSORED = new Set(
  ['WALLET_REQUIRED', 'SPONSOR_PARENT_FROZEN', 'PAYMENT_SENDER_MISMATCH'].map((code) => outcomeOf(code)),
);

/**
 * Sends a heartbeat that a sponsor pays: the nearest one that can and may. Returns the outcome; null if the reaction is
 * scheduled already.
 */
export function sendSponsoredHeartbeat(world: World, agent: number): number | null {
  const { agents, registry, features } = world;
  if (features === null) throw new Error(`agent ${agent} is a child in a world without features`);
  const nth = agents.epochBeats(agent) + 1;
  const tier = heartbeatTier(registry.protocol, nth);
  const feeLamports = heartbeatFee(registry, agents.row(agent), tier, world.nowMs);
  const sponsors = sponsorsOf(world, features, agent);
  const dry: number[] = [];
  let capped = false;
  let unsponsored = false;
  for (const sponsor of sponsors) {
    if (!canPay(world, sponsor, feeLamports)) {
      dry.push(sponsor);
      continue;
    }
    const outcome = callHeartbeat(world, agent, nth, feeLamports, sponsor);
    if (outcome === CAP_REACHED) capped = true;
    else if (UNSPONSORED.has(outcome)) unsponsored = true;
    else return outcome;
  }
  const [payer] = dry;
  if (unsponsored && askSponsors(world, features, agent, sponsors)) return null;
  if (capped) scheduleHeartbeatAtBeat(world, agent, (world.epoch + 1) * registry.protocol.heartbeat.epochBeats);
  else if (payer !== undefined) waitForMoney(world, agent, DUE_SPONSORED_HEARTBEAT, payer);
  return null;
}

/**
 * Asks the nearest sponsor that renews for a new sponsorship, and schedules another try after the answer. False if none renews:
 * the child stops for good unless a cap or money is what it waits for.
 */
function askSponsors(world: World, { agenda }: Features, agent: number, sponsors: readonly number[]): boolean {
  for (const ancestor of sponsors) {
    const sponsor = populationOf(world, ancestor).spawning?.sponsor ?? null;
    if (sponsor === null || !sponsor.renew) continue;
    const answerSec = world.second + sponsor.answerSec;
    addToAgenda(agenda, answerSec, DUE_SPONSORSHIP, ancestor, agent);
    scheduleAt(world, agent, answerSec + 1, DUE_SPONSORED_HEARTBEAT);
    return true;
  }
  return false;
}
