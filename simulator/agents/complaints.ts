import { type FlagOutcome, flag, reviewFlag } from '../../reference/registry/flag.js';
import { drawTarget, type ReviewPolicy, sustains } from '../../scenarios/behaviours/flag-policy.js';
import { type DurationDistribution, drawDurationSec } from '../../scenarios/behaviours/outage.js';
import { PURPOSES } from '../chance/counter-random.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_COMPLAINT, DUE_RESOLUTION, DUE_REVIEW } from '../world/due-kinds.js';
import type { Features } from '../world/features.js';
import { ACCEPTED, FLAG, outcomeOf, REVIEW } from '../world/operations.js';
import type { World } from '../world/world.js';
import { recordCall, recordRefusal } from './calls.js';
import { addToAgendaAfter } from './lifecycle.js';
import { populationOf } from './schedule.js';
import { populationIndex } from './spawning.js';

/** 4.16: an agent complains about one of the population that it complains about, if that one has registered. */
export function complain(world: World, features: Features, agent: number): void {
  const policy = populationOf(world, agent).flagging;
  if (policy === null) throw new Error(`agent ${agent} files no complaints`);
  const index = populationIndex(world, policy.targets);
  const random = world.streams.of(agent, PURPOSES.flag);
  const target = features.firstAgent[index]! + drawTarget(world.scenario.populations[index]!.count, random);
  if (world.agents.row(target) >= 0) fileComplaint(world, features, agent, target);
  addToAgendaAfter(world, agent, DUE_COMPLAINT, policy.every, PURPOSES.flag);
}

function fileComplaint(world: World, features: Features, agent: number, target: number): void {
  const { agents, registry, scenario, cells } = world;
  const input = {
    agent: agents.row(agent),
    target: agents.row(target),
    assertedClass: populationOf(world, agent).flagging?.assertedClass ?? 'narrow_task',
    reason: 'simulated',
  };
  const reply = flag(registry, input, world.nowMs);
  world.subject = target;
  if (!reply.ok) {
    recordRefusal(world, agent, FLAG, outcomeOf(reply.row.code));
    return;
  }
  recordCall(world, agent, FLAG, ACCEPTED, 0);
  cells.flags[agents.cell(agent)]! += 1;
  const { reviews } = scenario;
  if (reviews !== null) planReview(world, features, agent, DUE_REVIEW, reviews.delay, registry.flags.list.length - 1);
}

function planReview(
  world: World,
  features: Features,
  agent: number,
  kind: number,
  span: DurationDistribution,
  index: number,
): void {
  const second = world.second + drawDurationSec(span, world.streams.of(agent, PURPOSES.review));
  addToAgenda(features.agenda, second, kind, agent, index);
}

/** 3.5: somebody reviews a complaint of an agent, the `index`-th of all. */
export function review(world: World, features: Features, agent: number, index: number): void {
  const { reviews } = world.scenario;
  if (reviews === null) throw new Error('a complaint is reviewed where nobody reviews');
  const target = targetOf(world, index);
  const misbehaves = populationOf(world, target).misbehaves;
  const sustained = sustains(reviews, misbehaves, world.streams.of(agent, PURPOSES.review));
  decide(world, target, index, sustained ? 'sustain' : 'dismiss');
  if (sustained) features.sustainedComplaints[target]! += 1;
  if (sustained) afterSustained(world, features, reviews, agent, index, target);
}

function afterSustained(
  world: World,
  features: Features,
  reviews: ReviewPolicy,
  agent: number,
  index: number,
  target: number,
): void {
  world.cells.flagsSustained[world.agents.cell(target)]! += 1;
  if (reviews.resolve !== null) planReview(world, features, agent, DUE_RESOLUTION, reviews.resolve, index);
}

/** A sustained complaint has been settled. */
export function resolve(world: World, features: Features, index: number): void {
  const target = targetOf(world, index);
  decide(world, target, index, 'resolve');
  features.sustainedComplaints[target]! -= 1;
}

function targetOf(world: World, index: number): number {
  return world.agentOfRow[world.registry.flags.list[index]!.target]!;
}

function decide(world: World, target: number, index: number, outcome: FlagOutcome): void {
  const { registry } = world;
  const reviewed = reviewFlag(registry, registry.flags.list[index]!.id, outcome);
  if (!reviewed.ok) throw new Error(`complaint ${index} cannot be reviewed: ${reviewed.why}`);
  world.subject = index;
  recordCall(world, target, REVIEW, ACCEPTED, 0);
}
