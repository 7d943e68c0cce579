import { fund } from '../reference/ledger/ledger.js';
import { heartbeatFeeLamports, heartbeatTier, sigilFeeLamports } from '../reference/registry/fees.js';
import { firstHeartbeatSec, nextHeartbeatSec } from '../scenarios/behaviours/heartbeat-policy.js';
import { drawSpanSec, SPAN_SEC_MAX } from '../scenarios/behaviours/outage.js';
import { planResync } from '../scenarios/behaviours/resync-policy.js';
import { asksForTopUp } from '../scenarios/behaviours/top-up.js';
import type { Population } from '../scenarios/scenario.js';
import { NEVER } from './agents.js';
import { callHeartbeat, callRegister, callResync, callSigil, noteEvent } from './calls.js';
import { scheduleEvent } from './event-wheel.js';
import { ACCEPTED, outcomeName, outcomeOf, SKIP, TOP_UP } from './operations.js';
import { PURPOSES } from './stream.js';
import { ARRIVE, accountOf, BEAT, BUY_SIGIL, WORK, type World } from './world.js';

const TOO_SOON = outcomeOf('HEARTBEAT_TOO_SOON');
const CAP_REACHED = outcomeOf('VOLUME_CAP_REACHED');
const AGENT_FROZEN = outcomeOf('AGENT_FROZEN');
/** Later than every second that an Int32 column is asked about. */
const FAR = 2_000_000_000;

/**
 * An agent's event has come. Whoever is in an outage does what was due on its return. Agents know what a client knows: that
 * they are frozen, too early or over their cap they learn from a refusal.
 */
export function live(world: World, agent: number, kind: number): void {
  if (kind === ARRIVE) arrive(world, agent);
  else if (isDown(world, agent)) plan(world, agent, world.agents.downUntil(agent), kind);
  else if (kind === BEAT) beat(world, agent);
  else if (kind === WORK) work(world, agent);
  else buySigil(world, agent);
}

function populationOf(world: World, agent: number): Population {
  return world.cells.populations[world.agents.cell(agent)]!;
}

/** Sets an agent's next event; none if it lies beyond the end of the run. */
function plan(world: World, agent: number, second: number, kind: number): void {
  if (second <= world.second) throw new Error(`agent ${agent} plans for ${second} s at ${world.second} s`);
  if (second < world.scenario.durationSec) scheduleEvent(world.wheel, agent, second, kind);
}

function arrive(world: World, agent: number): void {
  const population = populationOf(world, agent);
  world.agents.setOutage(agent, FAR, FAR);
  if (population.outages !== null) drawOutage(world, agent, world.second);
  callRegister(world, agent, `${population.name}-${agent}`, population.budget.walletLamports);
  buySigil(world, agent);
}

function drawOutage(world: World, agent: number, upFrom: number): void {
  const { outages } = populationOf(world, agent);
  if (outages === null) return;
  const luck = world.luck.of(agent, PURPOSES.outage);
  const from = upFrom + drawSpanSec(outages.up, luck);
  world.agents.setOutage(agent, from, from + drawSpanSec(outages.down, luck));
}

/** Whether an agent is in an outage now. Its outages follow from its luck alone, and are drawn when somebody looks. */
export function isDown(world: World, agent: number): boolean {
  const { agents, second } = world;
  if (second < agents.downFrom(agent)) return false;
  while (second >= agents.downUntil(agent)) drawOutage(world, agent, agents.downUntil(agent));
  return second >= agents.downFrom(agent);
}

function buySigil(world: World, agent: number): void {
  const identityClass = world.cells.classes[world.agents.cell(agent)]!;
  const feeLamports = sigilFeeLamports(world.registry.protocol, identityClass);
  if (!canPay(world, agent, feeLamports)) {
    runDry(world, agent, BUY_SIGIL);
    return;
  }
  callSigil(world, agent, identityClass, feeLamports);
  const { heartbeat } = populationOf(world, agent);
  const luck = world.luck.of(agent, PURPOSES.heartbeat);
  plan(world, agent, firstHeartbeatSec(heartbeat, world.second, freezesAtSec(world, agent), luck), BEAT);
}

/** When the anchor comes that freezes an agent unless it shows a sign of life (3.1). */
function freezesAtSec({ agents, registry }: World, agent: number): number {
  const { dms, anchor } = registry.protocol;
  return (agents.syncAnchor(agent) + dms.missedAnchorsMax + 1) * anchor.intervalSec;
}

function planBeat(world: World, agent: number): void {
  const luck = world.luck.of(agent, PURPOSES.heartbeat);
  const { heartbeat } = populationOf(world, agent);
  plan(world, agent, nextHeartbeatSec(heartbeat, world.second, freezesAtSec(world, agent), luck), BEAT);
}

function beat(world: World, agent: number): void {
  const { agents, registry } = world;
  const { heartbeat } = registry.protocol;
  const nth = agents.epochBeats(agent) + 1;
  const feeLamports = heartbeatFeeLamports(registry.protocol, heartbeatTier(registry.protocol, nth));
  if (!canPay(world, agent, feeLamports)) {
    runDry(world, agent, BEAT);
    return;
  }
  const outcome = callHeartbeat(world, agent, nth, feeLamports);
  if (outcome === ACCEPTED) planBeat(world, agent);
  else if (outcome === AGENT_FROZEN) startResync(world, agent);
  else if (outcome === TOO_SOON) planAtBeat(world, agent, nextEligibleBeat(world, agent));
  else if (outcome === CAP_REACHED) planAtBeat(world, agent, (world.epoch + 1) * heartbeat.epochBeats);
  else throw new Error(`agent ${agent} sent a heartbeat that no agent here should: ${outcomeName(outcome)}`);
}

/** 4.5: what HEARTBEAT_TOO_SOON names. */
function nextEligibleBeat({ agents, registry }: World, agent: number): number {
  const { anchor, heartbeat } = registry.protocol;
  return agents.beatAnchor(agent) * anchor.beatsPerAnchor + heartbeat.intervalBeatsMin;
}

/** Plans a heartbeat for the anchor that brings a global beat (D-04). */
function planAtBeat(world: World, agent: number, beat: number): void {
  const { beatsPerAnchor, intervalSec } = world.registry.protocol.anchor;
  plan(world, agent, Math.ceil(beat / beatsPerAnchor) * intervalSec, BEAT);
}

/** Sets out to prove the penalty, or gives up: an agent that does not resync is never heard of again. */
function startResync(world: World, agent: number): void {
  const population = populationOf(world, agent);
  if (!population.resync) return;
  const { agents, registry, second } = world;
  const { intervalSec } = registry.protocol.anchor;
  const { beats, workSec } = planResync(registry.protocol, {
    gapAnchors: registry.anchorIndex - agents.syncAnchor(agent),
    secToNextAnchor: intervalSec - (second % intervalSec),
    hashesPerSec: population.hashesPerSec,
  });
  agents.workBeats[agent] = beats;
  agents.workLeft[agent] = Math.min(Math.max(1, workSec), SPAN_SEC_MAX);
  planWork(world, agent);
}

/** Works on until it is done or the next outage begins; what is left waits for the return. */
function planWork(world: World, agent: number): void {
  const { workLeft } = world.agents;
  const upSec = world.agents.downFrom(agent) - world.second;
  const left = workLeft[agent]!;
  if (left < upSec) {
    workLeft[agent] = 0;
    plan(world, agent, world.second + left, WORK);
  } else {
    workLeft[agent] = left - upSec;
    plan(world, agent, world.agents.downUntil(agent), WORK);
  }
}

function work(world: World, agent: number): void {
  const { workLeft, workBeats } = world.agents;
  if (workLeft[agent]! > 0) planWork(world, agent);
  else if (callResync(world, agent, workBeats[agent]!) === ACCEPTED) planBeat(world, agent);
  // An outage has made the gap larger than what was aimed at; the work starts anew.
  else startResync(world, agent);
}

/** Whether an agent can pay, once money that is due has arrived. Asks for more where its wallet runs low. */
function canPay(world: World, agent: number, lamports: number): boolean {
  const { agents, ledger } = world;
  const { topUp } = populationOf(world, agent).budget;
  const account = accountOf(world, agent);
  if (topUp !== null) {
    collectTopUp(world, agent, topUp.amountLamports);
    const balance = ledger.lamports[account]!;
    if (agents.topUpDue(agent) === NEVER && asksForTopUp(topUp, balance, lamports, agents.topUps(agent))) {
      agents.setTopUpDue(agent, world.second + topUp.afterSec);
      agents.setTopUps(agent, agents.topUps(agent) + 1);
      collectTopUp(world, agent, topUp.amountLamports);
    }
  }
  const enough = ledger.lamports[account]! >= lamports;
  if (enough && agents.dry(agent)) {
    agents.setDry(agent, false);
    world.cells.dry[agents.cell(agent)]! -= 1;
  }
  return enough;
}

function collectTopUp(world: World, agent: number, lamports: number): void {
  const { agents, cells, ledger } = world;
  const due = agents.topUpDue(agent);
  if (due === NEVER || due > world.second) return;
  agents.setTopUpDue(agent, NEVER);
  fund(ledger, accountOf(world, agent), lamports);
  noteEvent(world, agent, TOP_UP, ACCEPTED, lamports);
  cells.topUpsLamports[agents.cell(agent)]! += lamports;
  world.topUps[0]! += 1;
}

/** An agent cannot pay: it sends nothing, and waits for the money that is on its way; without any it is never heard of again. */
function runDry(world: World, agent: number, kind: number): void {
  const { agents, cells } = world;
  const cell = agents.cell(agent);
  noteEvent(world, agent, SKIP, ACCEPTED, 0);
  if (kind === BEAT) cells.heartbeatsSkipped[cell]! += 1;
  if (!agents.dry(agent)) {
    agents.setDry(agent, true);
    cells.dry[cell]! += 1;
  }
  const due = agents.topUpDue(agent);
  if (due !== NEVER) plan(world, agent, Math.max(due, world.second + 1), kind);
}
