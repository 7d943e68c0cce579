/**
 * A run of a scenario in pieces of any size, with its samples. samples.ts and simulate.ts turn the samples into
 * results.
 */

import type { Behaviours } from '../../scenarios/behaviours/own-behaviour.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { checkAll } from '../invariants/full-check.js';
import { play } from '../play/kernel.js';
import type { Share } from '../world/share.js';
import { createWorld, type World } from '../world/world.js';
import { beginSample, countAgent, countRules, createSamples, endSample, type Samples } from './samples.js';

/** A run of a scenario. Its results do not depend on the pieces in which it is played. */
export interface Run {
  readonly world: World;
  readonly samples: Samples;
  /** The second of the next sample; after the end once the last is taken. */
  nextSampleSec: number;
  /** Called after every sample; it must not change the run. */
  onSample: ((run: Run) => void) | null;
}

/** A run at second 0, not played or sampled yet. `share`: the agents that it has; absent: all. */
export function startRun(scenario: Scenario, seed: number, behaviours?: Behaviours, share?: Share): Run {
  const world = createWorld(scenario, seed, behaviours, share);
  return { world, samples: createSamples(world), nextSampleSec: 0, onSample: null };
}

/** Whether everything has been played and sampled. */
export function isOver({ world, nextSampleSec }: Run): boolean {
  return nextSampleSec > world.scenario.durationSec;
}

/** Plays up to a second, and takes the samples that are due until then. Throws InvariantViolation. */
export function advance(run: Run, untilSec: number): void {
  const { world } = run;
  const { durationSec, measures } = world.scenario;
  const until = Math.min(untilSec, durationSec);
  while (run.nextSampleSec <= until) {
    play(world, run.nextSampleSec);
    sample(run);
    const last = run.nextSampleSec === durationSec;
    run.nextSampleSec = last ? durationSec + 1 : Math.min(run.nextSampleSec + measures.everySec, durationSec);
  }
  play(world, until);
}

/** Ends a run early: checks and samples its current state. */
export function stopRun(run: Run): void {
  if (run.samples.timesSec.at(-1) !== run.world.second) sample(run);
}

function sample(run: Run): void {
  const { world, samples } = run;
  beginSample(samples);
  checkAll(world, (agent, row) => countAgent(world, samples, agent, row));
  countRules(world, samples);
  endSample(world, samples);
  run.onSample?.(run);
}
