import { playAgentEvent } from '../agents/agent-events.js';
import { nextAgendaSec } from '../world/agenda.js';
import { foldEvents } from '../world/event-chain.js';
import { agentOf, kindOf, takeDueEvents } from '../world/event-wheel.js';
import { prefetchEvents } from '../world/prefetch.js';
import { GENESIS_MS, type World } from '../world/world.js';
import { playAgenda } from './agenda-events.js';
import { issueOrStallAnchor } from './issue-anchor.js';

const DAY_SEC = 86_400;
/** Fewer events than this are played sooner than warmed up for. */
const PREFETCH_EVENTS_MIN = 4;

/**
 * Plays the seconds from where the world stands up to, and not including, `untilSec`. In a second the anchor comes first, if
 * one is due, with the DMS; then what else is due, such as faults and departures; then the events of agents in the order in which they were planned.
 */
export function play(world: World, untilSec: number): void {
  const { wheel, dueEntries, features } = world;
  const { intervalSec } = world.registry.protocol.anchor;
  for (let second = world.second; second < untilSec; second++) {
    world.second = second;
    world.nowMs = GENESIS_MS + second * 1_000;
    // At fixed moments of protocol time, so that what is measured, and when, does not show in the hash.
    if (second % DAY_SEC === 0) foldEvents(world.eventChain);
    if (second % intervalSec === 0) issueOrStallAnchor(world);
    if (features !== null && nextAgendaSec(features.agenda) <= second) playAgenda(world, features);
    for (
      let count = takeDueEvents(wheel, second, dueEntries);
      count > 0;
      count = takeDueEvents(wheel, second, dueEntries)
    ) {
      if (count >= PREFETCH_EVENTS_MIN) prefetchEvents(world, count);
      for (let i = 0; i < count; i++) playAgentEvent(world, agentOf(dueEntries[i]!), kindOf(dueEntries[i]!));
    }
  }
  world.second = untilSec;
  world.nowMs = GENESIS_MS + untilSec * 1_000;
}
