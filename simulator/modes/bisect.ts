/** Finds the first event in which two runs differ. It plays both; the command line prints what it finds. */

import type { Scenario } from '../../scenarios/scenario.js';
import { play } from '../play/kernel.js';
import { EVENT_NAMES, outcomeName } from '../world/operations.js';
import { trailOf } from '../world/trail.js';
import { createWorld, type World } from '../world/world.js';

/** One of the two runs that are compared. */
export interface BisectRun {
  readonly scenario: Scenario;
  readonly seed: number;
}

/** An event with names in place of numbers. */
export interface ReadableEvent {
  readonly second: number;
  readonly agent: number;
  readonly event: string;
  readonly outcome: string;
  readonly lamports: number;
}

/** The first difference of two runs, after the same events on both sides. */
export interface FirstDifference {
  /** The number of events in common. */
  readonly common: number;
  /** The first event that differs, of each run; null if a run has no more. */
  readonly a: ReadableEvent | null;
  readonly b: ReadableEvent | null;
  /** Earlier events of the agents of the two events, the oldest first. */
  readonly trailA: readonly string[];
  readonly trailB: readonly string[];
}

const WIDTH = 5;
const TRAIL_EVENTS = 6;

/** Plays two runs second by second up to the first event in which they differ; null if there is none. */
export function firstDifference(a: BisectRun, b: BisectRun): FirstDifference | null {
  const [left, right] = [observedWorld(a), observedWorld(b)];
  const endSec = Math.max(a.scenario.durationSec, b.scenario.durationSec);
  let common = 0;
  for (let second = 0; second < endSec; second += 1) {
    for (const { world, events } of [left, right]) {
      events.length = 0;
      play(world, Math.min(second + 1, world.scenario.durationSec));
    }
    const at = firstUnlike(left.events, right.events);
    if (at < 0) {
      common += left.events.length / WIDTH;
      continue;
    }
    const [eventA, eventB] = [eventAt(left.events, at), eventAt(right.events, at)];
    const trail = (world: World, seen: ReadableEvent | null): string[] =>
      seen === null ? [] : trailOf(world.trail, seen.agent, TRAIL_EVENTS);
    return {
      common: common + at,
      a: eventA,
      b: eventB,
      trailA: trail(left.world, eventA ?? eventB),
      trailB: trail(right.world, eventB ?? eventA),
    };
  }
  return null;
}

interface ObservedWorld {
  readonly world: World;
  /** The events of the last second, five numbers each. */
  readonly events: number[];
}

function observedWorld({ scenario, seed }: BisectRun): ObservedWorld {
  const world = createWorld(scenario, seed);
  const events: number[] = [];
  world.observer = (...event) => events.push(...event);
  return { world, events };
}

/** The index of the first event in which two lists differ, or -1. */
function firstUnlike(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) if (a[i] !== b[i]) return Math.floor(i / WIDTH);
  return a.length === b.length ? -1 : length / WIDTH;
}

function eventAt(events: readonly number[], index: number): ReadableEvent | null {
  const [second, agent, what, outcome, lamports] = events.slice(index * WIDTH, (index + 1) * WIDTH);
  if (second === undefined) return null;
  return {
    second,
    agent: agent as number,
    event: EVENT_NAMES[what as number] as string,
    outcome: outcomeName(outcome as number),
    lamports: lamports as number,
  };
}
