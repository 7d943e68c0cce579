/** Ancestors make, renew and end sponsorships by their policies, which an option may have changed. The heartbeats that they pay are in sponsored-heartbeat.ts. */

import { isActive, sponsorshipBetween } from '../../reference/registry/sponsor.js';
import type { SponsorPolicy } from '../../scenarios/behaviours/spawn-policy.js';
import type { Population } from '../../scenarios/scenario.js';
import { addToAgenda } from '../world/agenda.js';
import { NEVER } from '../world/agents.js';
import { DUE_SPONSORSHIP } from '../world/due-kinds.js';
import { countSpawningEffect, type Features, NONE } from '../world/features.js';
import { populationOf, type World } from '../world/world.js';
import { callSponsor, callUnsponsor } from './parent-calls.js';
import { retryWaiting } from './retry.js';
import { isDown, returnSec, scheduleFirstHeartbeat } from './schedule.js';
import { isGone, sponsorsOf } from './sponsors.js';

const policyOf = ({ spawning }: Population): SponsorPolicy | null => spawning?.sponsor ?? null;

/** Sponsors a descendant (4.13), for the first time or again, if the ancestor's policy says so; else ends the sponsorship that an earlier option gave. */
export function grantSponsorship(world: World, parent: number, child: number): void {
  const policy = policyOf(populationOf(world, parent));
  if (policy === null) {
    endSponsorship(world, parent, child);
    return;
  }
  const { features } = world;
  if (features !== null && features.parent[child] !== parent)
    countSpawningEffect(world, features, parent, 'sponsor.generations');
  callSponsor(world, parent, child, policy);
}

function endSponsorship(world: World, parent: number, child: number): void {
  const { agents, registry, nowMs } = world;
  const known = sponsorshipBetween(registry, agents.row(parent), agents.row(child));
  if (known !== undefined && isActive(known, nowMs)) callUnsponsor(world, parent, child);
}

/** Every ancestor whose policy covers a child sponsors it, one that is down when it is back. */
export function askSponsors(world: World, features: Features, child: number): void {
  for (const sponsor of sponsorsOf(world, features, child)) settle(world, features, sponsor, child);
}

function settle(world: World, features: Features, ancestor: number, child: number): void {
  if (isGone(features, ancestor)) return;
  if (!isDown(world, ancestor)) grantSponsorship(world, ancestor, child);
  else addToAgenda(features.agenda, returnSec(world, ancestor), DUE_SPONSORSHIP, ancestor, child);
}

/** By agent: the population that it had until it took another option. */
type Switched = ReadonlyMap<number, Population>;

/**
 * Lets agents that took options act on them: one with another policy sponsors its descendants, or ends that, and one that is sponsored from now on
 * asks for it. A descendant that had stopped sends its next heartbeat as a new agent does. Descendants are in the order of agents.
 */
export function settleSponsorships(world: World, features: Features, switched: Switched): void {
  const isOther = new Set<number>();
  for (const [agent, before] of switched) {
    const now = populationOf(world, agent);
    if (JSON.stringify(policyOf(before)) !== JSON.stringify(policyOf(now))) isOther.add(agent);
    if (before.sponsored || !now.sponsored || isGone(features, agent)) continue;
    askSponsors(world, features, agent);
    wake(world, agent);
  }
  if (isOther.size === 0) return;
  for (let child = 0; child < world.agents.size; child += 1) {
    if (features.parent[child] === NONE || isGone(features, child) || !populationOf(world, child).sponsored) continue;
    const sponsors = sponsorsOf(world, features, child);
    for (let ancestor = features.parent[child]!; ancestor !== NONE; ancestor = features.parent[ancestor]!) {
      if (!isOther.has(ancestor)) continue;
      const ends = policyOf(populationOf(world, ancestor)) === null;
      if (ends || sponsors.includes(ancestor)) settle(world, features, ancestor, child);
      if (!ends) wake(world, child);
    }
  }
}

/** A sponsored agent that has stopped, or waits for a sponsor's money, tries again. */
function wake(world: World, agent: number): void {
  const { agents } = world;
  if (agents.waitingKind[agent] !== 0) retryWaiting(world, agent);
  else if (agents.due(agent) === NEVER) scheduleFirstHeartbeat(world, agent);
}
