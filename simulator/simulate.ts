import type { SimulationResult } from '../reports/simulation-result.js';
import type { Scenario } from '../scenarios/scenario.js';
import { judge } from './expectations.js';
import { checkAll } from './invariants.js';
import { play } from './kernel.js';
import { manifestOf, totalsOf } from './manifest.js';
import { totalOperations } from './operations.js';
import { createSamples, seriesOf, takeSample } from './samples.js';
import { createWorld } from './world.js';

/** How far a run is. */
export interface SimulationProgress {
  readonly simulatedMs: number;
  readonly totalMs: number;
  readonly operations: number;
}

/** What a simulation is told about the world outside: none of it shows in the result but under `manifest.run`. */
export interface SimulationOptions {
  readonly seed: number;
  readonly source: { readonly file: string; readonly sha256: string };
  readonly versions: { readonly aips_lab: string; readonly node: string };
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
export function simulate(scenario: Scenario, options: SimulationOptions): SimulationResult {
  const startedMs = options.nowWallMs();
  const world = createWorld(scenario, options.seed);
  const samples = createSamples(world);
  let peakRssMb = options.rssMb();
  const { everySec } = scenario.measures;
  for (let second = 0; ; second = Math.min(second + everySec, scenario.durationSec)) {
    play(world, second);
    checkAll(world);
    takeSample(world, samples);
    peakRssMb = Math.max(peakRssMb, options.rssMb());
    options.onProgress?.({
      simulatedMs: second * 1_000,
      totalMs: scenario.durationSec * 1_000,
      operations: totalOperations(world.counts),
    });
    if (second === scenario.durationSec) break;
  }
  const wallSec = (options.nowWallMs() - startedMs) / 1_000;
  return {
    manifest: manifestOf(world, options, { wallSec, peakRssMb }),
    question: scenario.question,
    description: scenario.description,
    times_ms: samples.timesSec.map((sec) => sec * 1_000),
    series: seriesOf(scenario, samples),
    totals: totalsOf(world, samples),
    expectations: scenario.expectations.map((expectation) => judge(expectation, samples)),
    command: `aips simulate ${options.source.file} --seed ${options.seed}`,
  };
}
