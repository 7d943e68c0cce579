/**
 * Complaints of agents (4.16), their reviews and their resolution (3.5). Refusals that follow are in agent-events.ts.
 */

import { type FlagOutcome, flag, reviewFlag } from '../../reference/registry/flag.js';
import { type DurationDistribution, drawDurationSec } from '../../scenarios/behaviours/duration.js';
import { drawTarget, type ReviewPolicy, sustains } from '../../scenarios/behaviours/flag-policy.js';
import { PURPOSES } from '../chance/counter-random.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_COMPLAINT, DUE_RESOLUTION, DUE_REVIEW } from '../world/due-kinds.js';
import type { Features } from '../world/features.js';
import { ACCEPTED, FLAG, outcomeOf, REVIEW } from '../world/operations.js';
import { populationOf, type World } from '../world/world.js';
import { recordCall, recordRefusal } from './calls.js';
import { addToAgendaAfter } from './lifecycle.js';
import { populationIndex } from './spawning.js';

/** Files a complaint about a random member of the target population, if that one has registered (4.16). */
export function complain(world: World, features: Features, agent: number): void {
  const policy = populationOf(world, agent).flagging;
  // The agent has taken an option without complaints.
  if (policy === null) return;
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
  if (reviews !== null)
    scheduleReview(world, features, agent, DUE_REVIEW, reviews.delay, registry.flags.list.length - 1);
}

function scheduleReview(
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

/** Reviews an agent's complaint, the `index`-th of all (3.5). */
export function review(world: World, features: Features, agent: number, index: number): void {
  const { reviews } = world.scenario;
  if (reviews === null) throw new Error('a review needs a scenario with reviews');
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
  if (reviews.resolve !== null) scheduleReview(world, features, agent, DUE_RESOLUTION, reviews.resolve, index);
}

/** Resolves a sustained complaint. */
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
