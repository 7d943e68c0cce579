/** Plays faults and interventions of the scenario. Their types are in scenarios/disturbance.ts. */

import { isDeepStrictEqual } from 'node:util';
import { flatFeeLamports, laterHeartbeatFee } from '../../reference/registry/fee-resolution.js';
import { revokeKey } from '../../reference/registry/keys.js';
import { grantSubsidy } from '../../reference/registry/subsidy.js';
import { drawDurationSec } from '../../scenarios/behaviours/duration.js';
import { LOOKING_AHEAD } from '../../scenarios/behaviours/heartbeat-policy.js';
import { type AffectedAgents, type Intervention, lastMsOf, type ScenarioFault } from '../../scenarios/disturbance.js';
import { feeTypes } from '../../spec/vocabulary.js';
import { recordCall, recordEvent } from '../agents/calls.js';
import { retryWaiting } from '../agents/retry.js';
import { countOffline, isDown, returnSec } from '../agents/schedule.js';
import { CountedStream } from '../chance/counted-stream.js';
import { namedPurpose, streamKey } from '../chance/counter-random.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_FAULT, DUE_FAULT_END } from '../world/due-kinds.js';
import { type Features, hasDeparted, NONE, REVOKED } from '../world/features.js';
import { ACCEPTED, CUT_OFF, outcomeOf, REVOKE_KEY, RULES_CHANGED, SUBSIDY } from '../world/operations.js';
import { populationOf, type World } from '../world/world.js';
import { changeWorldProtocol } from './change-protocol.js';
import { answerHold } from './hold.js';
import { issueNextAnchor } from './issue-anchor.js';

/** The random stream of a fault, keyed by its name. No population can have the name of its key. */
function faultStream(world: World, features: Features, index: number): CountedStream {
  const { name } = world.scenario.faults[index] as ScenarioFault;
  const key = streamKey(world.seed, '~faults', 0);
  return new CountedStream(key, namedPurpose('fault', name), features.faultDraws, index);
}

/** Begins a fault. A recurring one begins with an up time. */
export function beginFault(world: World, features: Features, index: number): void {
  const fault = world.scenario.faults[index] as ScenarioFault;
  const { agenda } = features;
  switch (fault.kind) {
    case 'outage':
      cutOff(world, features, index, fault, 0, world.second + fault.forSec);
      return;
    case 'outages': {
      const random = faultStream(world, features, index);
      const onset = features.faultOnsets[index]!;
      features.faultOnsets[index]! += 1;
      const untilSec = onset > 0 ? world.second + drawDurationSec(fault.down, random) : world.second;
      if (onset > 0) cutOff(world, features, index, fault, onset, untilSec);
      addToAgenda(agenda, untilSec + drawDurationSec(fault.up, random), DUE_FAULT, NONE, index);
      return;
    }
    case 'anchor_stall':
      features.stallFault = activeFault(world, 'anchor_stall');
      addToAgenda(agenda, world.second + fault.forSec, DUE_FAULT_END, NONE, index);
      return;
    case 'payments':
      features.paymentFault = activeFault(world, 'payments');
      addToAgenda(agenda, world.second + fault.forSec, DUE_FAULT_END, NONE, index);
      return;
    default:
      fault satisfies never;
  }
}

/** Ends a fault. If others of its kind are active, the one that began last takes over. */
export function endFault(world: World, features: Features, index: number): void {
  const fault = world.scenario.faults[index] as ScenarioFault;
  if (fault.kind === 'payments') features.paymentFault = activeFault(world, 'payments');
  if (fault.kind !== 'anchor_stall') return;
  features.stallFault = activeFault(world, 'anchor_stall');
  if (features.stallFault !== NONE) return;
  const owed = features.owedAnchors;
  features.owedAnchors = 0;
  if (!fault.catchUp) return;
  world.anchorShiftSec -= owed * world.registry.protocol.anchor.intervalSec;
  for (let i = 0; i < owed; i += 1) issueNextAnchor(world);
}

/** The active fault of a kind that began last, or NONE. */
function activeFault({ scenario, second }: World, kind: 'anchor_stall' | 'payments'): number {
  let latest = NONE;
  let begunSec = NONE;
  scenario.faults.forEach((fault, i) => {
    if (fault.kind !== kind || second < fault.atSec || second >= fault.atSec + fault.forSec) return;
    if (fault.atSec < begunSec) return;
    latest = i;
    begunSec = fault.atSec;
  });
  return latest;
}

type OutageFault = Extract<ScenarioFault, { readonly affected: AffectedAgents }>;

/** Cuts the affected agents off. `occurrence`: another number for each outage of the fault. */
function cutOff(
  world: World,
  features: Features,
  index: number,
  fault: OutageFault,
  occurrence: number,
  untilSec: number,
): void {
  const purpose = namedPurpose('fault', fault.name);
  for (const agent of affectedAgents(world, features, fault.affected, purpose, occurrence)) {
    countOffline(world, agent);
    features.cutOffUntilSec[agent] = Math.max(features.cutOffUntilSec[agent]!, untilSec);
    features.eventCounts[CUT_OFF]! += 1;
    features.faultEffects[index]! += 1;
    recordEvent(world, agent, CUT_OFF, ACCEPTED, 0);
  }
}

/** The agents that a disturbance affects, in order: a random share of those that are registered and have not left. */
function* affectedAgents(
  world: World,
  features: Features,
  { populations, share }: AffectedAgents,
  purpose: number,
  occurrence: number,
): Generator<number> {
  const { firstAgent } = features;
  for (const index of populations) {
    for (let agent = firstAgent[index]!; agent < firstAgent[index + 1]!; agent += 1) {
      if (world.agents.row(agent) < 0 || hasDeparted(features, agent)) continue;
      if (share === 1 || world.streams.uniformAt(agent, purpose, occurrence) < share) yield agent;
    }
  }
}

/** Applies an intervention. */
export function applyIntervention(world: World, features: Features, index: number): void {
  const intervention = world.scenario.interventions[index] as Intervention;
  const purpose = namedPurpose('intervention', intervention.name);
  const { protocol } = world.registry;
  switch (intervention.kind) {
    case 'protocol':
      changeWorldProtocol(world, intervention.set);
      if (!isDeepStrictEqual(protocol, world.registry.protocol)) features.interventionEffects[index]! += 1;
      features.eventCounts[RULES_CHANGED]! += 1;
      recordEvent(world, NONE, RULES_CHANGED, ACCEPTED, 0);
      return;
    case 'revoke_keys':
      for (const agent of affectedAgents(world, features, intervention.affected, purpose, 0)) {
        if ((features.marks[agent]! & REVOKED) !== 0) continue;
        revoke(world, features, agent);
        features.interventionEffects[index]! += 1;
      }
      return;
    case 'subsidy':
      for (const agent of affectedAgents(world, features, intervention.affected, purpose, 0)) {
        world.subject = index;
        grant(world, agent, intervention);
        features.subsidyGranted[agent * feeTypes.length + feeTypes.indexOf(intervention.feeType)] = index;
        if (mayPlanBy(world, agent, intervention)) features.interventionEffects[index]! += 1;
      }
      return;
    case 'hold':
      answerHold(world, features, index, intervention);
      return;
    default:
      intervention satisfies never;
  }
}

type Subsidy = Extract<Intervention, { kind: 'subsidy' }>;

function revoke(world: World, features: Features, agent: number): void {
  revokeKey(world.registry, world.agents.row(agent), world.nowMs);
  features.marks[agent]! |= REVOKED;
  world.cells.keysRevoked[world.agents.cell(agent)]! += 1;
  recordCall(world, agent, REVOKE_KEY, ACCEPTED, 0);
}

function grant(world: World, agent: number, subsidy: Subsidy): void {
  const { feeType, discountBps, floorLamports, forSec } = subsidy;
  const reply = grantSubsidy(
    world.registry,
    {
      agent: world.agents.row(agent),
      feeType,
      discountBps,
      floorLamports: floorLamports ?? undefined,
      reason: 'simulated',
      validUntilMs: forSec === null ? null : lastMsOf(world.nowMs, forSec),
    },
    world.nowMs,
  );
  recordCall(world, agent, SUBSIDY, reply.ok ? ACCEPTED : outcomeOf(reply.row.code), 0);
  retryWaiting(world, agent);
}

/** Whether an agent may look at the lower fee before it pays one: then it may change a plan. Fees that are paid are counted by calls.ts. */
function mayPlanBy(world: World, agent: number, { feeType, forSec }: Subsidy): boolean {
  const { registry, agents, nowMs, second } = world;
  if (feeType !== 'heartbeat' || !LOOKING_AHEAD.has(populationOf(world, agent).heartbeat.policy)) return false;
  if (forSec !== null && isDown(world, agent) && returnSec(world, agent) >= second + forSec) return false;
  const row = agents.row(agent);
  return ([1, 2, 3] as const).some(
    (tier) => laterHeartbeatFee(registry, row, tier, nowMs) < flatFeeLamports(registry, tier),
  );
}
