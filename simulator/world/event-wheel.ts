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
 * The coming event of each agent, by the second in which it is due: a ring of first-in-first-out lists, one for each second
 * of a turn. An agent has one coming event at most; an entry is its number and what the event is, in one word. An event more
 * than a turn of the ring ahead waits in the list of its second, and is passed over once a turn.
 *
 * Events of one second come in the order in which they were scheduled, whatever the size of the ring.
 */
export interface EventWheel {
  readonly lists: ChunkLists;
  /** Holds the second of each agent's event. */
  readonly agents: Agents;
}

/** A wheel without events. `slots`, a power of two, is the seconds of a turn. */
export function createEventWheel(agents: Agents, slots = SLOTS_DEFAULT): EventWheel {
  if ((slots & (slots - 1)) !== 0 || slots < 1) throw new RangeError(`${slots} slots are not a power of two`);
  return { lists: createChunkLists(slots), agents };
}

/** Sets the coming event of an agent that has none. The second is not in the past; the caller sees to that. */
export function scheduleEvent({ lists, agents }: EventWheel, agent: number, second: number, kind: number): void {
  if (agents.due(agent) !== NEVER) throw new Error(`agent ${agent} has an event at ${agents.due(agent)} s already`);
  agents.setDue(agent, second);
  append(lists, second & (lists.heads.length - 1), (agent << KIND_BITS) | kind);
}

/** The agent of an entry that was taken off the wheel. */
export function agentOf(entry: number): number {
  return entry >> KIND_BITS;
}

/** What the event of an entry is. */
export function kindOf(entry: number): number {
  return entry & KIND_MASK;
}

/**
 * Takes the events of a second off the ring: writes their entries into `taken`, in order, and returns how many. The agents
 * are free for a new event; those that are scheduled for the same second come with the next call.
 */
export function takeDueEvents({ lists, agents }: EventWheel, second: number, taken: Int32Array): number {
  const slot = second & (lists.heads.length - 1);
  let count = 0;
  for (let chunk = takeList(lists, slot); chunk >= 0; chunk = releaseChunk(lists, chunk)) {
    const size = chunkSize(lists, chunk);
    for (let i = 0; i < size; i++) {
      const entry = chunkValue(lists, chunk, i);
      const agent = agentOf(entry);
      if (agents.due(agent) === second) {
        agents.setDue(agent, NEVER);
        taken[count++] = entry;
      } else append(lists, slot, entry);
    }
  }
  return count;
}
