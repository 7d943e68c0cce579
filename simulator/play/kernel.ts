import { live } from '../agents/agent-events.js';
import { nextActSec } from '../world/agenda.js';
import { foldEvents } from '../world/event-chain.js';
import { agentOf, kindOf, takeDue } from '../world/event-wheel.js';
import { warm } from '../world/prefetch.js';
import { START_MS, type World } from '../world/world.js';
import { playActs } from './agenda-events.js';
import { anchorDue } from './issue-anchor.js';

const DAY_SEC = 86_400;
/** Fewer events than this are played sooner than warmed up for. */
const WARM_MIN = 4;

/**
 * Plays the seconds from where the world stands up to, and not including, `untilSec`. In a second the anchor comes first, if
 * one is due, with the DMS; then what else is due, such as faults and departures; then the events of agents in the order in which they were planned.
 */
export function play(world: World, untilSec: number): void {
  const { wheel, due, features } = world;
  const { intervalSec } = world.registry.protocol.anchor;
  for (let second = world.second; second < untilSec; second++) {
    world.second = second;
    world.nowMs = START_MS + second * 1_000;
    // At fixed moments of protocol time, so that what is measured, and when, does not show in the hash.
    if (second % DAY_SEC === 0) foldEvents(world.chain);
    if (second % intervalSec === 0) anchorDue(world);
    if (features !== null && nextActSec(features.agenda) <= second) playActs(world, features);
    for (let count = takeDue(wheel, second, due); count > 0; count = takeDue(wheel, second, due)) {
      if (count >= WARM_MIN) warm(world, count);
      for (let i = 0; i < count; i++) live(world, agentOf(due[i]!), kindOf(due[i]!));
    }
  }
  world.second = untilSec;
  world.nowMs = START_MS + untilSec * 1_000;
}
