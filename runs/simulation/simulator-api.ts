/**
 * `aips-lab/simulator`: the simulator as a library. It reads no flags, writes no files, prints nothing and never ends the process:
 * the command line does that.
 */

import { createHash } from 'node:crypto';
import type { AgentRow, SimulationResult } from '../../results/simulation-result.js';
import type { HeartbeatBehaviour } from '../../scenarios/behaviours/own-behaviour.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario as parse } from '../../scenarios/schema.js';
import { agentRows } from '../../simulator/run/agent-rows.js';
import { advance, isOver, type Run, startRun } from '../../simulator/run/run.js';
import { resultOf } from '../../simulator/run/simulate.js';
import type { Parsed } from '../../spec/document.js';
import type { Overlay } from '../../spec/overlay.js';
import { guarded } from '../behaviours/behaviours-file.js';
import { packageVersion } from '../host/package.js';

export { seriesCsv } from '../../reports/simulation/series-csv.js';
export { manifestJson, summaryJson } from '../../reports/simulation/summary-json.js';
export type { AgentRow, ExpectationResult, Series, SimulationResult } from '../../results/simulation-result.js';
export { useRules } from '../../rules/rule-module.js';
export {
  BehaviourFault,
  type BehaviourOptions,
  type Decision,
  type HeartbeatBehaviour,
} from '../../scenarios/behaviours/own-behaviour.js';
export type { RandomStream } from '../../scenarios/behaviours/random-stream.js';
export type { Scenario } from '../../scenarios/scenario.js';
export { InvariantViolation } from '../../simulator/invariants/violation.js';
export { describeProblem, type Parsed, type Problem } from '../../spec/document.js';
export type { Overlay };

/** Parses the text of a scenario file; `overlay` replaces numbers of its protocol. Every mistake is a problem with its line. */
export function parseScenario(text: string, file = 'scenario.yaml', overlay: Overlay = {}): Parsed<Scenario> {
  return parse(text, file, overlay);
}

/** The options of a run, all optional. */
export interface SimulateOptions {
  /** A safe integer from 0; absent: the scenario's own. */
  readonly seed?: number;
  /** Heartbeat behaviours that the scenario names (`heartbeat: { policy: own, behaviour: NAME }`). */
  readonly behaviours?: Readonly<Record<string, HeartbeatBehaviour>>;
  /** Called about a hundred times, with the share of protocol time that has been played. */
  readonly onProgress?: (share: number) => void;
}

/** A run that was played to its end. */
export interface SimulatedRun {
  /** The content of `summary.json`, and `manifest.run`, where wall time and memory are 0. */
  readonly result: SimulationResult;
  /** The agents, in the order of their registration. */
  readonly agents: () => Iterable<AgentRow>;
}

/**
 * Plays a scenario in process. The same scenario, seed, behaviours and version give the same result. Throws RangeError for an invalid seed,
 * BehaviourFault for a behaviour that is missing or returns an invalid value, and InvariantViolation when a rule or the simulator is broken.
 */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): SimulatedRun {
  const { seed = scenario.seed, behaviours = {}, onProgress } = options;
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError('seed must be a safe integer, 0 or more');
  const run: Run = startRun(scenario, seed, guarded(behaviours, 'behaviours'));
  const stepSec = Math.max(1, Math.floor(scenario.durationSec / 100));
  while (!isOver(run)) {
    advance(run, run.world.second + stepSec);
    onProgress?.(run.world.second / scenario.durationSec);
  }
  const source = {
    file: `${scenario.name}.yaml`,
    sha256: createHash('sha256').update(JSON.stringify(scenario)).digest('hex'),
  };
  const versions = { aips_lab: packageVersion(), node: process.versions.node };
  const result = resultOf(run, { source, versions }, { wallSec: 0, peakRssMb: 0 });
  return { result, agents: () => agentRows(run.world) };
}
