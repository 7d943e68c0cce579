/**
 * The event loop: plays second after second of protocol time. The effects of events are in agents/ and in the rest of
 * play/.
 */

import { DAY_SEC } from '../../spec/time.js';
import { playAgentEvent } from '../agents/agent-events.js';
import { nextAgendaSec } from '../world/agenda.js';
import { foldEvents } from '../world/event-chain.js';
import { agentOf, kindOf, nextEventSec, takeDueEvents } from '../world/event-wheel.js';
import { prefetchEvents } from '../world/prefetch.js';
import { GENESIS_MS, type World } from '../world/world.js';
import { playAgenda } from './agenda-events.js';
import { issueOrStallAnchor } from './issue-anchor.js';

/** For fewer events prefetching costs more than it saves. */
const PREFETCH_EVENTS_MIN = 4;

/**
 * Plays from the world's current second up to, not including, `untilSec`. In each second the anchor comes first, with the DMS,
 * then agenda entries such as faults and departures, then agents' events; the latter two in the order of scheduling.
 */
export function play(world: World, untilSec: number): void {
  const { wheel, dueEntries, features } = world;
  const { intervalSec } = world.registry.protocol.anchor;
  for (let second = world.second; second < untilSec; second = nextSecond(world, second, untilSec)) {
    world.second = second;
    world.nowMs = GENESIS_MS + second * 1_000;
    // Folding at fixed moments keeps the hash independent of what is measured, and when.
    if (second % DAY_SEC === 0) foldEvents(world.eventChains);
    if (second % intervalSec === 0) issueOrStallAnchor(world);
    if (features !== null && nextAgendaSec(features.agenda) <= second) playAgenda(world, features);
    for (
      let count = takeDueEvents(wheel, second, dueEntries);
      count > 0;
      count = takeDueEvents(wheel, second, dueEntries)
    ) {
      if (count >= PREFETCH_EVENTS_MIN) prefetchEvents(world, count);
      for (let i = 0; i < count; i += 1) playAgentEvent(world, agentOf(dueEntries[i]!), kindOf(dueEntries[i]!));
    }
  }
  world.second = untilSec;
  world.nowMs = GENESIS_MS + untilSec * 1_000;
}

/** The next second in which something may be due: an anchor, a fold, an agenda entry or an event; with few agents most seconds are empty. */
function nextSecond({ wheel, features, registry }: World, second: number, untilSec: number): number {
  const { intervalSec } = registry.protocol.anchor;
  const after = (every: number): number => second + every - (second % every);
  const agendaSec = features === null ? untilSec : Math.max(second + 1, nextAgendaSec(features.agenda));
  return nextEventSec(wheel, second + 1, Math.min(after(intervalSec), after(DAY_SEC), agendaSec, untilSec));
}
