/** The type of a simulation's result, which every writer of it takes. It is made in simulator/run. */

import type { Json } from './json-text.js';

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
  /** The settings in which it differs from the other futures, or `unchanged`. */
  readonly name: string;
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

/** A key of the scenario that had no effect on the run, such as `interventions.0`, and why. */
export interface NoEffect {
  readonly key: string;
  readonly text: string;
}

/** All inputs of a run besides its seed. */
export interface ResolvedInputs {
  readonly scenario: Readonly<Record<string, Json>>;
  /** Every number of the protocol at the start. */
  readonly protocol: Readonly<Record<string, Json>>;
  /** The overlay file of `--protocol`; null for none. */
  readonly overlay: { readonly file: string; readonly numbers: Readonly<Record<string, number>> } | null;
  /** The numbers of `--set`, by their path. */
  readonly set: Readonly<Record<string, number>>;
}

/** A module of the user's own, by its path and the digest of its text. */
export interface ModuleOrigin {
  readonly file: string;
  readonly sha256: string;
}

/** `manifest.json`: what was run, and what of it can be reproduced to the byte. What varies is under `run`. */
export interface SimulationManifest {
  readonly schema: typeof SIMULATION_SCHEMA;
  /** `text` is the scenario file as it was, from which `aips simulate --from` plays the run again. */
  readonly scenario: {
    readonly name: string;
    readonly file: string;
    readonly sha256: string;
    readonly text?: string;
  };
  readonly seed: number;
  readonly protocol_digest: string;
  /** The scenario as it was played, with every default filled in and durations in seconds, but for its protocol. */
  readonly resolved: ResolvedInputs;
  readonly versions: { readonly aips_lab: string; readonly scenario_format: number };
  /** The module of the user's own behaviours; absent: none. */
  readonly behaviours?: ModuleOrigin;
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
  /** Absent: no key is known to have had none, or the run did not come to its end. */
  readonly no_effect?: readonly NoEffect[];
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

/** Refused calls of one operation with one code, of the agents of a population and class. */
export interface RefusalCount {
  readonly population: string;
  readonly class: string;
  readonly operation: string;
  readonly code: string;
  readonly count: number;
}

/** Heartbeats of one group of agents that another paid. */
export interface SponsoredFees {
  readonly sponsor: { readonly population: string; readonly class: string };
  readonly sponsored: { readonly population: string; readonly class: string };
  readonly heartbeats: number;
  readonly lamports: number;
}

/** Time from registration to the first freeze of a group; agents that never froze are censored (Kaplan-Meier). */
export interface FirstFreeze {
  /** The class or population; absent: all agents. */
  readonly group?: string;
  readonly agents: number;
  readonly frozen: number;
  readonly censored: number;
  /** When this share of agents has frozen, in ms after registration; null if the run shows no such time. */
  readonly quantiles_ms: {
    readonly p10: number | null;
    readonly p25: number | null;
    readonly p50: number | null;
    readonly p75: number | null;
    readonly p90: number | null;
  };
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
  readonly first_freeze: readonly FirstFreeze[];
  readonly refusals: readonly RefusalCount[];
  readonly sponsored_fees: readonly SponsoredFees[];
  readonly expectations: readonly ExpectationResult[];
  /** The command that reproduces every number. */
  readonly command: string;
}

/** One agent at the end of a run. */
export interface AgentRow {
  readonly agent: number;
  readonly population: string;
  /** The class that the scenario gave it. */
  readonly class: string;
  /** The class of its SIGIL; null without one. */
  readonly sigil: string | null;
  /** The number of its parent; null for a root. */
  readonly parent: number | null;
  readonly depth: number;
  readonly children: number;
  readonly registered_ms: number;
  /** Null: it was never frozen. */
  readonly first_freeze_ms: number | null;
  /** Null: it has not departed. */
  readonly departed_ms: number | null;
  readonly departed: boolean;
  readonly frozen: boolean;
  readonly heartbeats: number;
  readonly wallet_lamports: number;
}
