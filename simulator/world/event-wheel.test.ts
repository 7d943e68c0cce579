import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Agents } from './agents.js';
import { agentOf, createEventWheel, type EventWheel, kindOf, scheduleEvent, takeDueEvents } from './event-wheel.js';

const wheelOf = (agents: number, slots: number): EventWheel => createEventWheel(new Agents(agents), slots);

function entriesAt(wheel: EventWheel, second: number): number[] {
  const taken = new Int32Array(wheel.agents.size);
  return [...taken.subarray(0, takeDueEvents(wheel, second, taken))];
}

const dueAt = (wheel: EventWheel, second: number): number[] => entriesAt(wheel, second).map(agentOf);

describe('the event wheel', () => {
  it('gives the events of a second in the order in which they were scheduled', () => {
    const wheel = wheelOf(5, 8);
    scheduleEvent(wheel, 3, 5, 1);
    scheduleEvent(wheel, 0, 4, 2);
    scheduleEvent(wheel, 4, 5, 3);
    scheduleEvent(wheel, 1, 5, 4);
    expect(dueAt(wheel, 4)).toEqual([0]);
    const entries = entriesAt(wheel, 5);
    expect(entries.map(agentOf)).toEqual([3, 4, 1]);
    expect(entries.map(kindOf)).toEqual([1, 3, 4]);
    expect(dueAt(wheel, 5)).toEqual([]);
  });

  it('passes over events that are turns ahead', () => {
    const wheel = wheelOf(3, 8);
    scheduleEvent(wheel, 0, 18, 0);
    scheduleEvent(wheel, 1, 2, 0);
    scheduleEvent(wheel, 2, 10, 0);
    const seen = Array.from({ length: 20 }, (_, second) => [second, dueAt(wheel, second)] as const);
    expect(seen.filter(([, agents]) => agents.length > 0)).toEqual([
      [2, [1]],
      [10, [2]],
      [18, [0]],
    ]);
  });

  it('takes a new event of an agent in the very second, with the next call', () => {
    const wheel = wheelOf(2, 8);
    scheduleEvent(wheel, 0, 3, 0);
    expect(dueAt(wheel, 3)).toEqual([0]);
    scheduleEvent(wheel, 0, 3, 1);
    scheduleEvent(wheel, 1, 11, 1);
    expect(dueAt(wheel, 3)).toEqual([0]);
    expect(dueAt(wheel, 11)).toEqual([1]);
  });

  it('refuses a second event of an agent, and a ring that is no power of two', () => {
    const wheel = wheelOf(1, 8);
    scheduleEvent(wheel, 0, 3, 0);
    expect(() => scheduleEvent(wheel, 0, 4, 0)).toThrow('agent 0 has an event at 3 s already');
    expect(() => wheelOf(1, 12)).toThrow(RangeError);
  });

  it('plays every schedule as a sorted list would, whatever the size of the ring', () => {
    const gaps = fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(gaps, (plans) => {
        const sorted = playSorted(plans);
        for (const slots of [1, 4, 32, 512]) expect(playWheel(plans, slots)).toEqual(sorted);
      }),
      { seed: 20_260_101, numRuns: 300 },
    );
  });
});

type Played = [second: number, agent: number][];

/** Each agent's events follow one another after its gaps, on a wheel. */
function playWheel(plans: readonly (readonly number[])[], slots: number): Played {
  const wheel = wheelOf(plans.length, slots);
  const step = plans.map(() => 0);
  const plan = (agent: number, now: number): void => {
    const gap = plans[agent]![step[agent]!++];
    if (gap !== undefined) scheduleEvent(wheel, agent, now + gap, 0);
  };
  plans.forEach((_, agent) => {
    plan(agent, 0);
  });
  const played: Played = [];
  for (let second = 0; second <= 500; second += 1) {
    for (const agent of dueAt(wheel, second)) {
      played.push([second, agent]);
      plan(agent, second);
    }
  }
  return played;
}

/**
 * The same with a list that is searched for the earliest event, and among these for the one that was scheduled first.
 */
function playSorted(plans: readonly (readonly number[])[]): Played {
  const step = plans.map(() => 0);
  let order = 0;
  const waiting: { second: number; order: number; agent: number }[] = [];
  const plan = (agent: number, now: number): void => {
    const gap = plans[agent]![step[agent]!++];
    if (gap !== undefined) waiting.push({ second: now + gap, order: order++, agent });
  };
  plans.forEach((_, agent) => {
    plan(agent, 0);
  });
  const played: Played = [];
  while (waiting.length > 0) {
    waiting.sort((a, b) => a.second - b.second || a.order - b.order);
    const { second, agent } = waiting.shift()!;
    played.push([second, agent]);
    plan(agent, second);
  }
  return played;
}
