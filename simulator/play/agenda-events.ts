import { complain, resolve, review } from '../agents/complaints.js';
import { depart } from '../agents/lifecycle.js';
import { isDown, returnsSec } from '../agents/schedule.js';
import { hatch, probe, sponsor } from '../agents/spawning.js';
import { planAct, takeAct } from '../world/agenda.js';
import {
  ANSWER,
  COMPLAIN,
  DEPART,
  FAULT,
  FAULT_OVER,
  HATCH,
  INTERVENE,
  PROBE,
  RESOLVED,
  REVIEWED,
} from '../world/due-kinds.js';
import { type Features, LEFT, REVOKED } from '../world/features.js';
import type { World } from '../world/world.js';
import { beginFault, endFault, intervene } from './disturbances.js';

/** What an agent does itself, and so not while it is down or when it is gone. */
const OWN: ReadonlySet<number> = new Set([PROBE, HATCH, ANSWER, COMPLAIN]);

/** Plays what is due in this second besides the events of agents. */
export function playActs(world: World, features: Features): void {
  const { agenda, marks } = features;
  for (;;) {
    const act = takeAct(agenda, world.second);
    if (act === null) return;
    const { kind, agent, argument } = act;
    if (OWN.has(kind)) {
      if ((marks[agent]! & (LEFT | REVOKED)) !== 0) continue;
      if (isDown(world, agent)) {
        planAct(agenda, returnsSec(world, agent), kind, agent, argument);
        continue;
      }
    }
    playAct(world, features, kind, agent, argument);
  }
}

function playAct(world: World, features: Features, kind: number, agent: number, argument: number): void {
  if (kind === DEPART) depart(world, features, agent);
  else if (kind === PROBE) probe(world, features, agent);
  else if (kind === HATCH) hatch(world, features, agent, argument);
  else if (kind === ANSWER) sponsor(world, agent, argument);
  else if (kind === COMPLAIN) complain(world, features, agent);
  else if (kind === REVIEWED) review(world, features, agent, argument);
  else if (kind === RESOLVED) resolve(world, features, argument);
  else if (kind === FAULT) beginFault(world, features, argument);
  else if (kind === FAULT_OVER) endFault(world, features, argument);
  else if (kind === INTERVENE) intervene(world, features, argument);
  else throw new Error(`there is no act ${kind}`);
}
