/** The result of a simulation, from a run that was played here or by the caller. Writers of results are in reports/. */

import type { HeldNumbers, ModuleOrigin, SimulationFork, SimulationResult } from '../../results/simulation-result.js';
import type { Scenario } from '../../scenarios/scenario.js';
import type { Formulas } from '../../spec/formula/formulas.js';
import { totalOperations } from '../world/operations.js';
import { refusalsOf, sponsoredFees } from './breakdowns.js';
import { censoredExpectations } from './censored.js';
import { judgeExpectation } from './expectations.js';
import { firstFreezes } from './first-freeze.js';
import { judgeGoal } from './goals.js';
import { manifestOf, simulationTotals } from './manifest.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { advance, isOver, type Run, startRun } from './run.js';
import { type Samples, seriesOf } from './samples.js';

/** The progress of a run. */
interface SimulationProgress {
  readonly simulatedMs: number;
  readonly totalMs: number;
  readonly operations: number;
}

/** Numbers of the protocol by their path, such as `dms.missedAnchorsMax`. */
export type Settings = Readonly<Record<string, number>>;

/** An overlay file, and the numbers and formulas in it. */
export interface OverlayNumbers {
  readonly file: string;
  readonly numbers: Settings;
  readonly formulas?: Formulas | undefined;
}

/** The origin of a run, for its results. Only `fork` has an effect on events. */
export interface RunSource {
  readonly source: { readonly file: string; readonly sha256: string; readonly text?: string };
  readonly versions: { readonly aips_lab: string; readonly node: string };
  /** The numbers that replaced those of the scenario file, from the start; absent: none. */
  readonly settings?: { readonly overlay: OverlayNumbers | null; readonly set: Settings };
  /** The module of the user's own behaviours; absent: none. */
  readonly behaviours?: ModuleOrigin;
  /** The command that reproduces the run; absent: the one with file and seed. */
  readonly command?: string;
  /** The moment and the numbers of a fork. */
  readonly fork?: SimulationFork | undefined;
}

/** The cost of a run, which varies from one time to the next. */
export interface RunCost {
  readonly wallSec: number;
  readonly peakRssMb: number;
  /** The operations during `wallSec`; absent: all operations of the run. */
  readonly operations?: number;
}

/** Surroundings of a simulation. They show in the result under `manifest.run` only. */
interface SimulationOptions extends RunSource {
  readonly seed: number;
  readonly nowWallMs: () => number;
  /** Resident memory of the process, in megabytes. */
  readonly rssMb: () => number;
  /** Called at every sample. */
  readonly onProgress?: (progress: SimulationProgress) => void;
}

/**
 * Plays a scenario in-process against the registry's own rules. The same scenario, seed and version give the same result
 * except for `manifest.run`. Throws InvariantViolation when a rule or the simulator is broken.
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

/** The progress of a run. */
export function progressOf({ world }: Run): SimulationProgress {
  return {
    simulatedMs: world.second * 1_000,
    totalMs: world.scenario.durationSec * 1_000,
    operations: totalOperations(world.counts),
  };
}

/** The result of a run so far. Before its end it is marked as partial, and no expectation is judged. */
export function resultOf(run: Run, source: RunSource, cost: RunCost): SimulationResult {
  return resultOfOutcome(outcomeOf(run.world), run.samples, { ...source, partial: !isOver(run) }, cost);
}

/** The answers of interventions that hold a measure; nothing where there are none. */
function heldNumbers({ scenario, features }: Outcome): { readonly held_numbers?: readonly HeldNumbers[] } {
  if (features === null || scenario.interventions.every(({ kind }) => kind !== 'hold')) return {};
  const held = features.heldNumbers.map(({ intervention, second, measured, factor, numbers }) => {
    const hold = scenario.interventions[intervention];
    if (hold?.kind !== 'hold') throw new Error(`intervention ${intervention} holds no measure`);
    const set = Object.fromEntries(hold.numbers.map((path, i) => [path, numbers[i] as number]));
    return { intervention: hold.name, at_ms: second * 1_000, measured, factor, set };
  });
  return { held_numbers: held };
}

/** The same for an outcome and its samples, wherever they come from. */
export function resultOfOutcome(
  outcome: Outcome,
  samples: Samples,
  source: RunSource & { readonly partial: boolean },
  cost: RunCost,
): SimulationResult {
  const { scenario, seed } = outcome;
  const freezes = firstFreezes(scenario, outcome.freezeTimes);
  return {
    manifest: manifestOf(outcome, source, cost),
    question: scenario.question,
    description: scenario.description,
    times_ms: samples.timesSec.map((sec) => sec * 1_000),
    series: seriesOf(scenario, samples),
    totals: simulationTotals(outcome, samples, freezes),
    first_freeze: freezes,
    refusals: refusalsOf(outcome),
    sponsored_fees: sponsoredFees(outcome),
    ...heldNumbers(outcome),
    expectations: source.partial
      ? []
      : [
          ...scenario.expectations.map((expectation) => judgeExpectation(expectation, samples)),
          ...scenario.sometimes.map((goal) => judgeGoal(outcome, goal)),
          ...censoredExpectations(outcome),
        ],
    command: source.command ?? `aips simulate ${source.source.file} --seed ${seed}`,
  };
}
