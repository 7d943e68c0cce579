/** Plays the entries of the agenda that are due. Agents' own next events are in agents/agent-events.ts. */

import { complain, resolve, review } from '../agents/complaints.js';
import { endEntryPeriod } from '../agents/entry.js';
import { depart, markPlayed } from '../agents/lifecycle.js';
import { reissuePassport } from '../agents/reissue.js';
import { revise } from '../agents/revision.js';
import { isDown, returnSec } from '../agents/schedule.js';
import { askChildPrice, makeChild } from '../agents/spawning.js';
import { grantSponsorship } from '../agents/sponsorships.js';
import { addToAgenda, takeFromAgenda } from '../world/agenda.js';
import {
  DUE_CHILD,
  DUE_COMPLAINT,
  DUE_DEPARTURE,
  DUE_ENTRY_PERIOD,
  DUE_FAULT,
  DUE_FAULT_END,
  DUE_INTERVENTION,
  DUE_PROBE,
  DUE_REISSUE,
  DUE_RESOLUTION,
  DUE_REVIEW,
  DUE_REVISION,
  DUE_SPONSORSHIP,
} from '../world/due-kinds.js';
import { DEPARTED, type Features, REVOKED } from '../world/features.js';
import type { World } from '../world/world.js';
import { applyIntervention, beginFault, endFault } from './disturbances.js';

/** Actions of an agent: they wait while it is down, and lapse when it has left. */
const AGENT_KINDS: ReadonlySet<number> = new Set([
  ...[DUE_PROBE, DUE_CHILD, DUE_SPONSORSHIP, DUE_COMPLAINT, DUE_REISSUE],
]);

/** Plays every agenda entry that is due in this second. */
export function playAgenda(world: World, features: Features): void {
  const { agenda, marks } = features;
  for (;;) {
    const entry = takeFromAgenda(agenda, world.second);
    if (entry === null) return;
    const { kind, agent, argument } = entry;
    if (AGENT_KINDS.has(kind)) {
      if ((marks[agent]! & (DEPARTED | REVOKED)) !== 0) continue;
      if (isDown(world, agent)) {
        addToAgenda(agenda, returnSec(world, agent), kind, agent, argument);
        continue;
      }
    }
    if (AGENT_KINDS.has(kind)) markPlayed(features, agent, kind);
    playEntry(world, features, kind, agent, argument);
  }
}

function playEntry(world: World, features: Features, kind: number, agent: number, argument: number): void {
  if (kind === DUE_DEPARTURE) depart(world, features, agent);
  else if (kind === DUE_PROBE) askChildPrice(world, features, agent);
  else if (kind === DUE_CHILD) makeChild(world, features, agent, argument);
  else if (kind === DUE_SPONSORSHIP) grantSponsorship(world, agent, argument);
  else if (kind === DUE_REISSUE) reissuePassport(world, agent);
  else if (kind === DUE_COMPLAINT) complain(world, features, agent);
  else if (kind === DUE_REVIEW) review(world, features, agent, argument);
  else if (kind === DUE_RESOLUTION) resolve(world, features, argument);
  else if (kind === DUE_FAULT) beginFault(world, features, argument);
  else if (kind === DUE_FAULT_END) endFault(world, features, argument);
  else if (kind === DUE_INTERVENTION) applyIntervention(world, features, argument);
  else if (kind === DUE_ENTRY_PERIOD) endEntryPeriod(world, features, argument);
  else if (kind === DUE_REVISION) revise(world, features, argument);
  else throw new Error(`the agenda has no kind ${kind}`);
}
