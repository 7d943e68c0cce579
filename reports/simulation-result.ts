/** The type of a simulation's result, which every writer of it takes. It is made in simulator/run. */

/** The version of the shape of `manifest.json` and `summary.json`. */
export const SIMULATION_SCHEMA = 'aips-lab/simulation/1';

/** How often something was tried and what came of it, by kind of operation (accepted and refused calls of rules). */
export interface OperationCount {
  readonly kind: string;
  readonly accepted: number;
  /** Refusals by code of spec/errors. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Where a run left the protocol that it began with. */
export interface SimulationFork {
  readonly at_ms: number;
  /** The numbers that changed then, by their path in the protocol. */
  readonly set: Readonly<Record<string, number>>;
}

/** Growth that ended because all agents of a population had been made, not by a decision in the model. */
export interface CensoredGrowth {
  readonly population: string;
  readonly count: number;
  readonly at_ms: number;
  readonly births_prevented: number;
  /** Whether the scenario allows it (`count_ends_growth`). */
  readonly allowed: boolean;
}

/** `manifest.json`: what was run, and what of it can be reproduced to the byte. What varies stands under `run`. */
export interface SimulationManifest {
  readonly schema: typeof SIMULATION_SCHEMA;
  readonly scenario: { readonly name: string; readonly file: string; readonly sha256: string };
  readonly seed: number;
  readonly protocol_digest: string;
  readonly versions: { readonly aips_lab: string; readonly scenario_format: number };
  /** Absent: the protocol was the same all the time. */
  readonly fork?: SimulationFork;
  readonly event_hash: string;
  readonly operations: {
    readonly total: number;
    readonly accepted: number;
    readonly refused: number;
    readonly by_kind: readonly OperationCount[];
  };
  readonly agents: number;
  readonly simulated_ms: number;
  /** Populations of children whose `count` ended their growth: when it first prevented a birth, and how many. */
  readonly censored: readonly CensoredGrowth[];
  readonly invariants: readonly { readonly name: string; readonly text: string; readonly checked: number }[];
  /** Simplifications against a live server, in sentences. */
  readonly model: readonly string[];
  readonly partial: boolean;
  readonly run: {
    readonly wall_s: number;
    readonly operations_per_s: number;
    readonly peak_rss_mb: number;
    readonly node: string;
  };
}

/** A measure sampled over protocol time: `series.csv` has one column for each. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly label: string;
  /** The class or population it speaks of; absent: all. */
  readonly group?: string;
  readonly values: readonly number[];
}

/** One expectation of the scenario and what came of it. */
export interface ExpectationResult {
  readonly text: string;
  readonly holds: boolean;
  readonly measured: number;
}

/** Everything that one simulation found: what the writers take. `summary.json` is this without `manifest.run`. */
export interface SimulationResult {
  readonly manifest: SimulationManifest;
  readonly question: string;
  readonly description: string;
  /** Protocol time of each sample, in ms since the start. */
  readonly times_ms: readonly number[];
  readonly series: readonly Series[];
  readonly totals: Readonly<Record<string, number>>;
  readonly expectations: readonly ExpectationResult[];
  /** The command that reproduces every number. */
  readonly command: string;
}
