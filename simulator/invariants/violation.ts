/** The error that stops a run when an invariant fails. Which invariants there are is in world/invariant-list.ts. */

import { INVARIANTS } from '../world/invariant-list.js';
import { scenarioNumberOf } from '../world/share.js';
import { trailOf } from '../world/trail.js';
import type { World } from '../world/world.js';

const TRAIL_EVENTS = 12;
export const NO_AGENT = -1;

/** An invariant does not hold: a mistake in the rules or the simulator, never in the scenario. */
export class InvariantViolation extends Error {
  constructor(
    readonly invariant: string,
    readonly seed: number,
    readonly second: number,
    detail: string,
    /** The latest events of the agent in question, the oldest first. */
    readonly trail: readonly string[],
  ) {
    const lines = trail.map((line) => `\n  ${line}`).join('');
    super(`invariant ${invariant} does not hold at ${second} s with seed ${seed}: ${detail}${lines}`);
    this.name = 'InvariantViolation';
  }
}

/** Throws InvariantViolation. `agent`: the agent in question, or NO_AGENT. */
export function violated(world: World, invariant: number, agent: number, detail: string): never {
  const { name } = INVARIANTS[invariant] as (typeof INVARIANTS)[number];
  const number = scenarioNumberOf(world.share, agent);
  const trail = agent === NO_AGENT ? [] : trailOf(world.trail, number, TRAIL_EVENTS);
  const who = agent === NO_AGENT ? '' : `agent ${number}: `;
  throw new InvariantViolation(name, world.seed, world.second, who + detail, trail);
}
