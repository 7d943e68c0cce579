/**
 * Plays the next event of an agent: arrival, SIGIL, heartbeat or work, and its reaction to the outcome. Agenda events
 * are in play/agenda-events.ts.
 */

import { depositWithSigil } from '../../reference/registry/deposit.js';
import { heartbeatFee, sigilFee } from '../../reference/registry/fee-resolution.js';
import { heartbeatTier } from '../../reference/registry/fees.js';
import { HOUR_SEC } from '../../spec/time.js';
import {
  DUE_ARRIVAL,
  DUE_HEARTBEAT,
  DUE_LATE_HEARTBEAT,
  DUE_LATE_SIGIL,
  DUE_RESYNC,
  DUE_SIGIL,
  DUE_SPONSORED_HEARTBEAT,
} from '../world/due-kinds.js';
import { ACCEPTED, outcomeName, outcomeOf } from '../world/operations.js';
import { scenarioNumberOf } from '../world/share.js';
import { walletLamportsOf } from '../world/traits.js';
import { populationOf, type World } from '../world/world.js';
import { callHeartbeat, callRegister, callSigil } from './calls.js';
import { enters } from './entry.js';
import { canPay, waitForMoney } from './funds.js';
import { planLifecycle } from './lifecycle.js';
import { isPaymentDelayed, isPrevented } from './payment-delay.js';
import { continueResync, startResync } from './resync.js';
import {
  drawOutage,
  FAR_FUTURE_SEC,
  isDown,
  returnSec,
  scheduleAt,
  scheduleFirstHeartbeat,
  scheduleHeartbeat,
  scheduleHeartbeatAtBeat,
} from './schedule.js';
import { sendSponsoredHeartbeat } from './sponsored-heartbeat.js';

const TOO_SOON = outcomeOf('HEARTBEAT_TOO_SOON');
const CAP_REACHED = outcomeOf('VOLUME_CAP_REACHED');
const AGENT_FROZEN = outcomeOf('AGENT_FROZEN');
const REFUSED = outcomeOf('HEARTBEAT_REFUSED');
/** The wait after HEARTBEAT_REFUSED before the next try. */
const REFUSED_RETRY_SEC = HOUR_SEC;

/**
 * Plays the event of an agent that is due now. An agent in an outage acts on its return. Agents know only as much as a client: they learn
 * from a refusal that they are frozen, too early or over their cap.
 */
export function playAgentEvent(world: World, agent: number, kind: number): void {
  if (kind === DUE_ARRIVAL) arrive(world, agent);
  else if (isDown(world, agent)) scheduleAt(world, agent, returnSec(world, agent), kind);
  else if (world.features !== null && isPrevented(world, agent, kind)) return;
  else if (kind === DUE_HEARTBEAT) sendHeartbeat(world, agent);
  else if (kind === DUE_RESYNC) continueResync(world, agent);
  else if (kind === DUE_SIGIL || kind === DUE_LATE_SIGIL) buySigil(world, agent, kind === DUE_LATE_SIGIL);
  else if (kind === DUE_SPONSORED_HEARTBEAT || populationOf(world, agent).sponsored)
    reactToHeartbeat(world, agent, sendSponsoredHeartbeat(world, agent));
  else sendHeartbeat(world, agent);
}

function arrive(world: World, agent: number): void {
  const population = populationOf(world, agent);
  if (world.features !== null && !enters(world, agent)) return;
  world.agents.setOutage(agent, FAR_FUTURE_SEC, FAR_FUTURE_SEC);
  if (population.outages !== null) drawOutage(world, agent, world.second);
  callRegister(
    world,
    agent,
    `${population.name}-${scenarioNumberOf(world.share, agent)}`,
    walletLamportsOf(world, agent),
  );
  if (world.features !== null) planLifecycle(world, agent);
  buySigil(world, agent);
}

/**
 * Buys the SIGIL of an agent that has none, and schedules its first heartbeat. Waits for money if the wallet holds too little,
 * and for confirmation if the ledger delays the payment. `confirmed`: a late payment is confirmed by now.
 */
export function buySigil(world: World, agent: number, confirmed = false): void {
  const identityClass = world.cells.classes[world.agents.cell(agent)]!;
  const row = world.agents.row(agent);
  const feeLamports = sigilFee(world.registry, row, identityClass, world.nowMs);
  if (!canPay(world, agent, feeLamports + depositWithSigil(world.registry, row))) {
    waitForMoney(world, agent, DUE_SIGIL, agent);
    return;
  }
  if (!confirmed && isPaymentDelayed(world, agent, DUE_SIGIL)) return;
  callSigil(world, agent, identityClass, feeLamports);
  scheduleFirstHeartbeat(world, agent);
}

function sendHeartbeat(world: World, agent: number): void {
  const { agents, registry } = world;
  const nth = agents.epochBeats(agent) + 1;
  const tier = heartbeatTier(registry.protocol, nth);
  const feeLamports = heartbeatFee(registry, agents.row(agent), tier, world.nowMs);
  if (canPay(world, agent, feeLamports))
    reactToHeartbeat(world, agent, callHeartbeat(world, agent, nth, feeLamports, agent));
  else waitForMoney(world, agent, DUE_HEARTBEAT, agent);
}

/** Reacts to the outcome of a heartbeat; null: the reaction is scheduled already. */
function reactToHeartbeat(world: World, agent: number, outcome: number | null): void {
  if (outcome === ACCEPTED) scheduleHeartbeat(world, agent);
  else if (outcome === null) return;
  else if (outcome === AGENT_FROZEN) startResync(world, agent);
  else if (outcome === TOO_SOON) afterTooSoon(world, agent);
  else if (outcome === CAP_REACHED) afterCap(world, agent);
  else if (outcome === REFUSED) scheduleAt(world, agent, world.second + REFUSED_RETRY_SEC, DUE_LATE_HEARTBEAT);
  else throw new Error(`agent ${agent}: no reaction to a heartbeat refused with ${outcomeName(outcome)}`);
}

/** Waits for the beat that the reply names (4.5); spammers ignore it. */
function afterTooSoon(world: World, agent: number): void {
  const { agents, registry } = world;
  if (populationOf(world, agent).heartbeat.policy === 'spam') {
    scheduleHeartbeat(world, agent);
    return;
  }
  const { anchor, heartbeat } = registry.protocol;
  scheduleHeartbeatAtBeat(world, agent, agents.beatAnchor(agent) * anchor.beatsPerAnchor + heartbeat.intervalBeatsMin);
}

/** Waits for the next epoch, or buys a SIGIL whose class has a larger cap. */
function afterCap(world: World, agent: number): void {
  const { agents, registry, epoch } = world;
  const unnamed = registry.agents.line.identityClass(agents.row(agent)) === 0;
  if (unnamed && populationOf(world, agent).sigil === 'at_cap') buySigil(world, agent);
  else scheduleHeartbeatAtBeat(world, agent, (epoch + 1) * registry.protocol.heartbeat.epochBeats);
}
