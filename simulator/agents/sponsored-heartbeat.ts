/**
 * A child's heartbeat that an ancestor pays, and what the child does when the sponsorship fails. Sponsoring is in
 * spawning.ts.
 */

import { heartbeatFee } from '../../reference/registry/fee-resolution.js';
import { heartbeatTier } from '../../reference/registry/fees.js';
import { sponsorshipBetween, sponsorshipStatus } from '../../reference/registry/sponsor.js';
import { addToAgenda } from '../world/agenda.js';
import { secondOfBeat } from '../world/agent-view.js';
import { NEVER } from '../world/agents.js';
import { DUE_SPONSORED_HEARTBEAT, DUE_SPONSORSHIP } from '../world/due-kinds.js';
import { countSpawningEffect, type Features } from '../world/features.js';
import { outcomeOf } from '../world/operations.js';
import { populationOf, type World } from '../world/world.js';
import { callHeartbeat } from './calls.js';
import { canPay, waitForMoney } from './funds.js';
import { scheduleAt, scheduleHeartbeatAtBeat } from './schedule.js';
import { renewerOf, sponsorsOf } from './sponsors.js';

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
  const lapsed: number[] = [];
  let capped = false;
  for (const sponsor of sponsors) {
    if (!canPay(world, sponsor, feeLamports)) {
      dry.push(sponsor);
      continue;
    }
    const outcome = callHeartbeat(world, agent, nth, feeLamports, sponsor);
    if (outcome === CAP_REACHED) {
      capped = true;
      countSpawningEffect(world, features, sponsor, 'sponsor.cap');
    } else if (UNSPONSORED.has(outcome)) {
      lapsed.push(sponsor);
      countLapse(world, features, sponsor, agent);
    } else return outcome;
  }
  if (askForSponsorship(world, features, agent, lapsed)) return null;
  const nextEpochBeat = (world.epoch + 1) * registry.protocol.heartbeat.epochBeats;
  const payer = firstPaid(world, dry);
  if (capped && (payer === undefined || !isPaidBefore(world, payer, secondOfBeat(world, nextEpochBeat)))) {
    scheduleHeartbeatAtBeat(world, agent, nextEpochBeat);
  } else if (payer !== undefined) waitForMoney(world, agent, DUE_SPONSORED_HEARTBEAT, payer);
  return null;
}

/** Counts the keys of a sponsor's policy that matter once its sponsorship of an agent has ended. */
function countLapse(world: World, features: Features, sponsor: number, agent: number): void {
  const { agents, registry, nowMs } = world;
  const ended = sponsorshipBetween(registry, agents.row(sponsor), agents.row(agent));
  if (ended === undefined) return;
  if (sponsorshipStatus(ended, nowMs) === 'expired') countSpawningEffect(world, features, sponsor, 'sponsor.expires');
  if (populationOf(world, sponsor).spawning?.sponsor?.renew === false)
    countSpawningEffect(world, features, sponsor, 'sponsor.renew');
}

/**
 * Asks one of the sponsors whose sponsorship has ended for a new one, and schedules another try after the answer. False if none renews: the child
 * stops for good, unless it waits for a cap or for money.
 */
function askForSponsorship(world: World, features: Features, agent: number, lapsed: readonly number[]): boolean {
  const ancestor = renewerOf(world, features, lapsed);
  if (ancestor === undefined) return false;
  const policy = populationOf(world, ancestor).spawning?.sponsor ?? null;
  if (policy === null) throw new Error(`agent ${ancestor} has no sponsorship policy`);
  countSpawningEffect(world, features, ancestor, 'sponsor.answer');
  const answerSec = world.second + policy.answerSec;
  addToAgenda(features.agenda, answerSec, DUE_SPONSORSHIP, ancestor, agent);
  scheduleAt(world, agent, answerSec + 1, DUE_SPONSORED_HEARTBEAT);
  return true;
}

/** Of sponsors without money, the one whose top-up arrives first; the nearest if none is on its way. */
function firstPaid({ agents }: World, dry: readonly number[]): number | undefined {
  const due = (sponsor: number): number => {
    const sec = agents.topUpDue(sponsor);
    return sec === NEVER ? Number.POSITIVE_INFINITY : sec;
  };
  return dry.toSorted((a, b) => due(a) - due(b) || 0)[0];
}

function isPaidBefore({ agents }: World, sponsor: number, second: number): boolean {
  const due = agents.topUpDue(sponsor);
  return due !== NEVER && due < second;
}
