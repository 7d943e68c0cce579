import type { SimulationFork, SimulationResult } from '../../reports/simulation-result.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { totalOperations } from '../world/operations.js';
import { judgeExpectation } from './expectations.js';
import { judgeGoal } from './goals.js';
import { manifestOf, simulationTotals } from './manifest.js';
import { advance, isOver, type Run, startRun } from './run.js';
import { seriesOf } from './samples.js';

/** How far a run is. */
export interface SimulationProgress {
  readonly simulatedMs: number;
  readonly totalMs: number;
  readonly operations: number;
}

/** What the results say of where a run comes from. None but `fork` bears on what happens in it. */
export interface RunSource {
  readonly source: { readonly file: string; readonly sha256: string };
  readonly versions: { readonly aips_lab: string; readonly node: string };
  /** The command that gives the same run again; absent: the one with the file and the seed. */
  readonly command?: string;
  /** Where the run left the scenario's protocol. */
  readonly fork?: SimulationFork | undefined;
}

/** What of a run varies from one time to the next. */
export interface RunCost {
  readonly wallSec: number;
  readonly peakRssMb: number;
  /** Operations that were played in this time; absent: all of the run. */
  readonly operations?: number;
}

/** What a simulation is told about the world outside: none of it shows in the result but under `manifest.run`. */
export interface SimulationOptions extends RunSource {
  readonly seed: number;
  readonly nowWallMs: () => number;
  /** Resident memory of the process, in megabytes. */
  readonly rssMb: () => number;
  /** Called at every sample. */
  readonly onProgress?: (progress: SimulationProgress) => void;
}

/**
 * Plays a scenario in-process against the registry's own rules. The same scenario, seed and version give the same result
 * but for `manifest.run`. Throws InvariantViolation when a rule or the simulator is broken.
 */
export function simulateScenario(scenario: Scenario, options: SimulationOptions): SimulationResult {
  const startedMs = options.nowWallMs();
  const run = startRun(scenario, options.seed);
  let peakRssMb = options.rssMb();
  while (!isOver(run)) {
    advance(run, run.nextSampleSec);
    peakRssMb = Math.max(peakRssMb, options.rssMb());
    options.onProgress?.(progressOf(run));
  }
  return resultOf(run, options, { wallSec: (options.nowWallMs() - startedMs) / 1_000, peakRssMb });
}

/** How far a run is. */
export function progressOf({ world }: Run): SimulationProgress {
  return {
    simulatedMs: world.second * 1_000,
    totalMs: world.scenario.durationSec * 1_000,
    operations: totalOperations(world.counts),
  };
}

/** What a run has found so far. Before its end the result is marked as partial, and no expectation is judged. */
export function resultOf(run: Run, source: RunSource, cost: RunCost): SimulationResult {
  const { world, samples } = run;
  const { scenario, seed } = world;
  const judged = isOver(run);
  return {
    manifest: manifestOf(world, { ...source, partial: !judged }, cost),
    question: scenario.question,
    description: scenario.description,
    times_ms: samples.timesSec.map((sec) => sec * 1_000),
    series: seriesOf(scenario, samples),
    totals: simulationTotals(world, samples),
    expectations: judged
      ? [
          ...scenario.expectations.map((expectation) => judgeExpectation(expectation, samples)),
          ...scenario.sometimes.map((goal) => judgeGoal(world, goal)),
        ]
      : [],
    command: source.command ?? `aips simulate ${source.source.file} --seed ${seed}`,
  };
}
