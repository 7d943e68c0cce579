import { complain, resolve, review } from '../agents/complaints.js';
import { depart } from '../agents/lifecycle.js';
import { isDown, returnSec } from '../agents/schedule.js';
import { askChildPrice, grantSponsorship, makeChild } from '../agents/spawning.js';
import { addToAgenda, takeFromAgenda } from '../world/agenda.js';
import {
  DUE_CHILD,
  DUE_COMPLAINT,
  DUE_DEPARTURE,
  DUE_FAULT,
  DUE_FAULT_END,
  DUE_INTERVENTION,
  DUE_PROBE,
  DUE_RESOLUTION,
  DUE_REVIEW,
  DUE_SPONSORSHIP,
} from '../world/due-kinds.js';
import { type Features, LEFT, REVOKED } from '../world/features.js';
import type { World } from '../world/world.js';
import { applyIntervention, beginFault, endFault } from './disturbances.js';

/** What an agent does itself, and so not while it is down or when it is gone. */
const AGENT_KINDS: ReadonlySet<number> = new Set([DUE_PROBE, DUE_CHILD, DUE_SPONSORSHIP, DUE_COMPLAINT]);

/** Plays what is due in this second besides the events of agents. */
export function playAgenda(world: World, features: Features): void {
  const { agenda, marks } = features;
  for (;;) {
    const act = takeFromAgenda(agenda, world.second);
    if (act === null) return;
    const { kind, agent, argument } = act;
    if (AGENT_KINDS.has(kind)) {
      if ((marks[agent]! & (LEFT | REVOKED)) !== 0) continue;
      if (isDown(world, agent)) {
        addToAgenda(agenda, returnSec(world, agent), kind, agent, argument);
        continue;
      }
    }
    playEntry(world, features, kind, agent, argument);
  }
}

function playEntry(world: World, features: Features, kind: number, agent: number, argument: number): void {
  if (kind === DUE_DEPARTURE) depart(world, features, agent);
  else if (kind === DUE_PROBE) askChildPrice(world, features, agent);
  else if (kind === DUE_CHILD) makeChild(world, features, agent, argument);
  else if (kind === DUE_SPONSORSHIP) grantSponsorship(world, agent, argument);
  else if (kind === DUE_COMPLAINT) complain(world, features, agent);
  else if (kind === DUE_REVIEW) review(world, features, agent, argument);
  else if (kind === DUE_RESOLUTION) resolve(world, features, argument);
  else if (kind === DUE_FAULT) beginFault(world, features, argument);
  else if (kind === DUE_FAULT_END) endFault(world, features, argument);
  else if (kind === DUE_INTERVENTION) applyIntervention(world, features, argument);
  else throw new Error(`there is no act ${kind}`);
}
