import { revokeKey } from '../../reference/registry/keys.js';
import { grantSubsidy } from '../../reference/registry/subsidy.js';
import { drawSpanSec, type Span } from '../../scenarios/behaviours/outage.js';
import type { Luck } from '../../scenarios/behaviours/random-stream.js';
import type { Befallen, Fault, Intervention } from '../../scenarios/disturbance.js';
import { noteCall, noteEvent } from '../agents/calls.js';
import { agentKey, PURPOSES, type Purpose, uniform } from '../chance/counter-random.js';
import { SampledLuck } from '../chance/inversion-stream.js';
import { planAct } from '../world/agenda.js';
import { FAULT, FAULT_OVER } from '../world/due-kinds.js';
import { type Features, LEFT, NONE, REVOKED } from '../world/features.js';
import { ACCEPTED, CUT_OFF, outcomeOf, REVOKE_KEY, RULES_CHANGED, SUBSIDY } from '../world/operations.js';
import type { World } from '../world/world.js';
import { changeRules } from './change-protocol.js';
import { issueAnchor } from './issue-anchor.js';

/** The luck of a fault, which is nobody's. No population has its name. */
class FaultLuck extends SampledLuck implements Luck {
  constructor(
    private readonly world: World,
    private readonly features: Features,
    private readonly fault: number,
  ) {
    super();
  }

  uniform(): number {
    const { world, features, fault } = this;
    const { high, low } = agentKey(world.seed, '~faults', fault);
    const n = features.faultDraws[fault]!;
    features.faultDraws[fault] = n + 1;
    return uniform(high, low, PURPOSES.fault, n);
  }
}

/** A fault begins. One that comes again and again begins with a time in which nothing is wrong. */
export function beginFault(world: World, features: Features, index: number): void {
  const fault = world.scenario.faults[index] as Fault;
  const { agenda } = features;
  switch (fault.kind) {
    case 'outage':
      cutOff(world, features, fault.whom, world.second + fault.forSec);
      return;
    case 'outages': {
      const draw = (span: Span): number => drawSpanSec(span, new FaultLuck(world, features, index));
      const begun = features.faultDraws[index]! > 0;
      const untilSec = begun ? world.second + draw(fault.down) : world.second;
      if (begun) cutOff(world, features, fault.whom, untilSec);
      planAct(agenda, untilSec + draw(fault.up), FAULT, NONE, index);
      return;
    }
    case 'anchor_stall':
      features.stall = underWay(world, 'anchor_stall');
      planAct(agenda, world.second + fault.forSec, FAULT_OVER, NONE, index);
      return;
    case 'payments':
      features.payments = underWay(world, 'payments');
      planAct(agenda, world.second + fault.forSec, FAULT_OVER, NONE, index);
      return;
    default:
      fault satisfies never;
  }
}

/** A fault is over. Where others of its kind are under way, the one of them that began last goes on. */
export function endFault(world: World, features: Features, index: number): void {
  const fault = world.scenario.faults[index] as Fault;
  if (fault.kind === 'payments') features.payments = underWay(world, 'payments');
  if (fault.kind !== 'anchor_stall') return;
  features.stall = underWay(world, 'anchor_stall');
  if (features.stall !== NONE) return;
  const owed = features.owedAnchors;
  features.owedAnchors = 0;
  if (!fault.catchUp) return;
  world.anchorShiftSec -= owed * world.registry.protocol.anchor.intervalSec;
  for (let i = 0; i < owed; i++) issueAnchor(world);
}

/** The fault of a kind that is under way in this second, of several the one that began last; or NONE. */
function underWay({ scenario, second }: World, kind: 'anchor_stall' | 'payments'): number {
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

function cutOff(world: World, features: Features, whom: Befallen, untilSec: number): void {
  for (const agent of befallen(world, features, whom, PURPOSES.fault)) {
    features.cutUntil[agent] = Math.max(features.cutUntil[agent]!, untilSec);
    features.happened[CUT_OFF]! += 1;
    noteEvent(world, agent, CUT_OFF, ACCEPTED, 0);
  }
}

/** The agents that something befalls, in their order: those that are registered and have not left. */
function* befallen(
  world: World,
  { first, marks }: Features,
  { populations, share }: Befallen,
  purpose: Purpose,
): Generator<number> {
  for (const index of populations) {
    const from = first[index]!;
    const until = from + world.scenario.populations[index]!.count;
    for (let agent = from; agent < until; agent++) {
      if (world.agents.row(agent) < 0 || (marks[agent]! & LEFT) !== 0) continue;
      if (share === 1 || world.luck.of(agent, purpose).uniform() < share) yield agent;
    }
  }
}

/** Somebody intervenes. */
export function intervene(world: World, features: Features, index: number): void {
  const intervention = world.scenario.interventions[index] as Intervention;
  switch (intervention.kind) {
    case 'protocol':
      changeRules(world, intervention.set);
      features.happened[RULES_CHANGED]! += 1;
      noteEvent(world, NONE, RULES_CHANGED, ACCEPTED, 0);
      return;
    case 'revoke_keys':
      for (const agent of befallen(world, features, intervention.whom, PURPOSES.intervention)) {
        if ((features.marks[agent]! & REVOKED) === 0) revoke(world, features, agent);
      }
      return;
    case 'subsidy':
      for (const agent of befallen(world, features, intervention.whom, PURPOSES.intervention)) {
        world.about = index;
        grant(world, agent, intervention);
      }
      return;
    default:
      intervention satisfies never;
  }
}

function revoke(world: World, features: Features, agent: number): void {
  revokeKey(world.registry, world.agents.row(agent), world.nowMs);
  features.marks[agent]! |= REVOKED;
  world.cells.keysRevoked[world.agents.cell(agent)]! += 1;
  noteCall(world, agent, REVOKE_KEY, ACCEPTED, 0);
}

function grant(world: World, agent: number, subsidy: Extract<Intervention, { kind: 'subsidy' }>): void {
  const { feeType, discountBps, floorLamports, forSec } = subsidy;
  const reply = grantSubsidy(
    world.registry,
    {
      agent: world.agents.row(agent),
      feeType,
      discountBps,
      floorLamports: floorLamports ?? undefined,
      reason: 'simulated',
      validUntilMs: forSec === null ? null : world.nowMs + forSec * 1_000,
    },
    world.nowMs,
  );
  noteCall(world, agent, SUBSIDY, reply.ok ? ACCEPTED : outcomeOf(reply.row.code), 0);
}
