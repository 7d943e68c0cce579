import { type FlagOutcome, flag, reviewFlag } from '../../reference/registry/flag.js';
import { drawTarget, type ReviewPolicy, sustains } from '../../scenarios/behaviours/flag-policy.js';
import { drawSpanSec, type Span } from '../../scenarios/behaviours/outage.js';
import { PURPOSES } from '../chance/counter-random.js';
import { planAct } from '../world/agenda.js';
import { COMPLAIN, RESOLVED, REVIEWED } from '../world/due-kinds.js';
import type { Features } from '../world/features.js';
import { ACCEPTED, FLAG, outcomeOf, REVIEW } from '../world/operations.js';
import type { World } from '../world/world.js';
import { noteCall, noteRefused } from './calls.js';
import { planActAfter } from './lifecycle.js';
import { populationOf } from './schedule.js';
import { populationIndex } from './spawning.js';

/** 4.16: an agent complains about one of the population that it complains about, if that one has registered. */
export function complain(world: World, features: Features, agent: number): void {
  const policy = populationOf(world, agent).flagging;
  if (policy === null) throw new Error(`agent ${agent} files no complaints`);
  const index = populationIndex(world, policy.targets);
  const luck = world.luck.of(agent, PURPOSES.flag);
  const target = features.first[index]! + drawTarget(world.scenario.populations[index]!.count, luck);
  if (world.agents.row(target) >= 0) file(world, features, agent, target);
  planActAfter(world, agent, COMPLAIN, policy.every, PURPOSES.flag);
}

function file(world: World, features: Features, agent: number, target: number): void {
  const { agents, registry, scenario, cells } = world;
  const input = {
    agent: agents.row(agent),
    target: agents.row(target),
    assertedClass: populationOf(world, agent).flagging?.assertedClass ?? 'narrow_task',
    reason: 'simulated',
  };
  const reply = flag(registry, input, world.nowMs);
  world.about = target;
  if (!reply.ok) {
    noteRefused(world, agent, FLAG, outcomeOf(reply.row.code));
    return;
  }
  noteCall(world, agent, FLAG, ACCEPTED, 0);
  cells.flags[agents.cell(agent)]! += 1;
  const { reviews } = scenario;
  if (reviews !== null) planReview(world, features, agent, REVIEWED, reviews.delay, registry.flags.list.length - 1);
}

function planReview(world: World, features: Features, agent: number, kind: number, span: Span, index: number): void {
  const second = world.second + drawSpanSec(span, world.luck.of(agent, PURPOSES.review));
  planAct(features.agenda, second, kind, agent, index);
}

/** 3.5: somebody reviews a complaint of an agent, the `index`-th of all. */
export function review(world: World, features: Features, agent: number, index: number): void {
  const { reviews } = world.scenario;
  if (reviews === null) throw new Error('a complaint is reviewed where nobody reviews');
  const target = targetOf(world, index);
  const misbehaves = populationOf(world, target).misbehaves;
  const sustained = sustains(reviews, misbehaves, world.luck.of(agent, PURPOSES.review));
  decide(world, target, index, sustained ? 'sustain' : 'dismiss');
  if (sustained) features.complaints[target]! += 1;
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
  if (reviews.resolve !== null) planReview(world, features, agent, RESOLVED, reviews.resolve, index);
}

/** A sustained complaint has been settled. */
export function resolve(world: World, features: Features, index: number): void {
  const target = targetOf(world, index);
  decide(world, target, index, 'resolve');
  features.complaints[target]! -= 1;
}

function targetOf(world: World, index: number): number {
  return world.agentOfRow[world.registry.flags.list[index]!.target]!;
}

function decide(world: World, target: number, index: number, outcome: FlagOutcome): void {
  const { registry } = world;
  const reviewed = reviewFlag(registry, registry.flags.list[index]!.id, outcome);
  if (!reviewed.ok) throw new Error(`complaint ${index} cannot be reviewed: ${reviewed.why}`);
  world.about = index;
  noteCall(world, target, REVIEW, ACCEPTED, 0);
}
