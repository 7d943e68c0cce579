const NOBODY = -1;
const SLOTS_DEFAULT = 16_384;

/**
 * The coming event of each agent, by the second in which it is due: a ring of first-in-first-out lists that are linked
 * through columns, so that an event costs no object. An agent has one coming event at most. An event more than a turn of
 * the ring ahead waits in the list of its second, and is passed over once a turn.
 *
 * Events of one second come in the order in which they were scheduled, whatever the size of the ring.
 */
export interface EventWheel {
  readonly heads: Int32Array;
  readonly tails: Int32Array;
  /** By agent: the next one in its list. */
  readonly next: Int32Array;
  /** By agent: the second of its event, or -1. */
  readonly due: Int32Array;
  /** By agent: what its event is. */
  readonly kind: Uint8Array;
}

/** A wheel without events. `slots`, a power of two, is the seconds of a turn. */
export function createEventWheel(agents: number, slots = SLOTS_DEFAULT): EventWheel {
  if ((slots & (slots - 1)) !== 0 || slots < 1) throw new RangeError(`${slots} slots are not a power of two`);
  return {
    heads: new Int32Array(slots).fill(NOBODY),
    tails: new Int32Array(slots).fill(NOBODY),
    next: new Int32Array(agents).fill(NOBODY),
    due: new Int32Array(agents).fill(NOBODY),
    kind: new Uint8Array(agents),
  };
}

/** Sets the coming event of an agent that has none. The second is not in the past; the caller sees to that. */
export function scheduleEvent(wheel: EventWheel, agent: number, second: number, kind: number): void {
  if (wheel.due[agent] !== NOBODY) throw new Error(`agent ${agent} has an event at ${wheel.due[agent]} s already`);
  wheel.due[agent] = second;
  wheel.kind[agent] = kind;
  append(wheel, agent, second & (wheel.heads.length - 1));
}

function append(wheel: EventWheel, agent: number, slot: number): void {
  wheel.next[agent] = NOBODY;
  const tail = wheel.tails[slot]!;
  if (tail === NOBODY) wheel.heads[slot] = agent;
  else wheel.next[tail] = agent;
  wheel.tails[slot] = agent;
}

/**
 * Takes the events of a second off the ring: writes their agents into `taken`, in order, and returns how many. The agents are
 * free for a new event; those that are scheduled for the same second come with the next call.
 */
export function takeDue(wheel: EventWheel, second: number, taken: Int32Array): number {
  const { heads, tails, next, due } = wheel;
  const slot = second & (heads.length - 1);
  let agent = heads[slot]!;
  if (agent === NOBODY) return 0;
  heads[slot] = NOBODY;
  tails[slot] = NOBODY;
  let count = 0;
  while (agent !== NOBODY) {
    const following = next[agent]!;
    if (due[agent] === second) {
      due[agent] = NOBODY;
      taken[count++] = agent;
    } else append(wheel, agent, slot);
    agent = following;
  }
  return count;
}
