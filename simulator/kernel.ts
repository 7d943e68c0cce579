import { anchorIssued } from '../reference/registry/anchor.js';
import { billingEpoch } from '../reference/registry/fees.js';
import { currentBeat } from '../reference/registry/state.js';
import { noteFreeze } from './calls.js';
import { foldEvents } from './event-chain.js';
import { agentOf, kindOf, takeDue } from './event-wheel.js';
import { live } from './life.js';
import { warm } from './warm.js';
import { START_MS, type World } from './world.js';

const DAY_SEC = 86_400;
/** Fewer events than this are played sooner than warmed up for. */
const WARM_MIN = 4;

/**
 * Plays the seconds from where the world stands up to, and not including, `untilSec`. In a second the anchor comes first, if
 * one is due, with the DMS; then the events of agents in the order in which they were planned.
 */
export function play(world: World, untilSec: number): void {
  const { wheel, due } = world;
  const { intervalSec } = world.registry.protocol.anchor;
  for (let second = world.second; second < untilSec; second++) {
    world.second = second;
    world.nowMs = START_MS + second * 1_000;
    // At fixed moments of protocol time, so that what is measured, and when, does not show in the hash.
    if (second % DAY_SEC === 0) foldEvents(world.chain);
    if (second % intervalSec === 0) nextAnchor(world);
    for (let count = takeDue(wheel, second, due); count > 0; count = takeDue(wheel, second, due)) {
      if (count >= WARM_MIN) warm(world, count);
      for (let i = 0; i < count; i++) live(world, agentOf(due[i]!), kindOf(due[i]!));
    }
  }
  world.second = untilSec;
  world.nowMs = START_MS + untilSec * 1_000;
}

function nextAnchor(world: World): void {
  const { agents, registry, agentOfRow } = world;
  const frozen = anchorIssued(registry, world.nowMs);
  const epoch = billingEpoch(registry.protocol, currentBeat(registry));
  if (epoch !== world.epoch) {
    world.epoch = epoch;
    for (let agent = 0; agent < agents.size; agent++) agents.setEpochBeats(agent, 0);
  }
  for (const row of frozen) noteFreeze(world, agentOfRow[row]!);
}
