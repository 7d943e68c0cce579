/** The timing wheel of agents' next events, one list for each second. It orders events; kernel.ts plays them. */

import {
  append,
  type ChunkLists,
  chunkSize,
  chunkValue,
  createChunkLists,
  releaseChunk,
  takeList,
} from '../../reference/registry/columns/chunk-lists.js';
import { type Agents, NEVER } from './agents.js';

const SLOTS_DEFAULT = 16_384;
const KIND_BITS = 5;
const KIND_MASK = (1 << KIND_BITS) - 1;

/**
 * A ring of first-in-first-out lists, one for each second of a turn. An agent has at most one next event; an entry packs its
 * number and the kind of the event into one word. An event more than one turn ahead waits in the list of its second, and
 * is put back once a turn.
 *
 * Events of one second come in the order in which they were scheduled, whatever the size of the ring.
 */
export interface EventWheel {
  readonly lists: ChunkLists;
  /** Holds the second of each agent's event. */
  readonly agents: Agents;
}

/** A wheel without events. `slots`: the seconds of a turn, a power of two. */
export function createEventWheel(agents: Agents, slots = SLOTS_DEFAULT): EventWheel {
  if ((slots & (slots - 1)) !== 0 || slots < 1) throw new RangeError(`${slots} slots are not a power of two`);
  return { lists: createChunkLists(slots), agents };
}

/** Sets the next event of an agent that has none. The caller makes sure that the second is not in the past. */
export function scheduleEvent({ lists, agents }: EventWheel, agent: number, second: number, kind: number): void {
  if (agents.due(agent) !== NEVER) throw new Error(`agent ${agent} has an event at ${agents.due(agent)} s already`);
  agents.setDue(agent, second);
  append(lists, second & (lists.heads.length - 1), (agent << KIND_BITS) | kind);
}

/** The agent of an entry that was taken off the wheel. */
export function agentOf(entry: number): number {
  return entry >> KIND_BITS;
}

/** The kind of an entry's event. */
export function kindOf(entry: number): number {
  return entry & KIND_MASK;
}

/** The first second from `second` on whose list has entries, or `untilSec`. */
export function nextEventSec({ lists: { heads } }: EventWheel, second: number, untilSec: number): number {
  const mask = heads.length - 1;
  let at = second;
  while (at < untilSec && heads[at & mask]! < 0) at += 1;
  return at;
}

/**
 * Takes the events of a second off the ring: writes their entries into `taken`, in order, and returns their number. The agents
 * may be scheduled again; events for the same second come with the next call.
 */
export function takeDueEvents({ lists, agents }: EventWheel, second: number, taken: Int32Array): number {
  const slot = second & (lists.heads.length - 1);
  let count = 0;
  for (let chunk = takeList(lists, slot); chunk >= 0; chunk = releaseChunk(lists, chunk)) {
    const size = chunkSize(lists, chunk);
    for (let i = 0; i < size; i += 1) {
      const entry = chunkValue(lists, chunk, i);
      const agent = agentOf(entry);
      if (agents.due(agent) === second) {
        agents.setDue(agent, NEVER);
        taken[count] = entry;
        count += 1;
      } else append(lists, slot, entry);
    }
  }
  return count;
}
