/**
 * The result of a simulation, which every writer of it takes, as schemas and the types that follow from them. It is made in
 * simulator/run.
 */

import { z } from 'zod';
import type { Json } from './json-text.js';

/** The version of the shape of `manifest.json` and `summary.json`. */
export const SIMULATION_SCHEMA = 'aips-lab/simulation/1';

const count = z.int().nonnegative();
const texts = z.array(z.string()).readonly();
const numbersByPath = z.record(z.string(), z.number());
const formulasByName = z.record(
  z.string(),
  z.union([z.string(), z.object({ module: z.string(), sha256: z.string() })]),
);
const jsonObject = z.record(z.string(), z.unknown() as z.ZodType<Json>);

const operationCount = z.object({
  kind: z.string(),
  accepted: count,
  /** Refusals by code of spec/errors. */
  refused: z.record(z.string(), count),
});

/** How often something was tried and what came of it, by kind of operation (accepted and refused calls of rules). */
export type OperationCount = z.output<typeof operationCount>;

const fork = z.object({
  /** The settings in which it differs from the other futures, or `unchanged`. */
  name: z.string(),
  at_ms: count,
  /** The numbers that changed then, by their path in the protocol. */
  set: numbersByPath,
});

/** Where a run left the protocol that it began with. */
export type SimulationFork = z.output<typeof fork>;

const censoredGrowth = z.object({
  population: z.string(),
  count,
  at_ms: count,
  births_prevented: count,
  /** Whether the scenario allows it (`count_ends_growth`). */
  allowed: z.boolean(),
});

/** Growth that ended because all agents of a population had been made, not by a decision in the model. */
export type CensoredGrowth = z.output<typeof censoredGrowth>;

const noEffect = z.object({ key: z.string(), text: z.string() });

/** A key of the scenario that had no effect on the run, such as `interventions.0`, and why. */
export type NoEffect = z.output<typeof noEffect>;

const resolvedInputs = z.object({
  /** The scenario as it was played, with every default filled in and durations in seconds, except its protocol. */
  scenario: jsonObject,
  /** Every number of the protocol at the start. */
  protocol: jsonObject,
  /** The overlay file of `--protocol`; null for none. */
  overlay: z.object({ file: z.string(), numbers: numbersByPath, formulas: formulasByName.optional() }).nullable(),
  /** The numbers of `--set`, by their path. */
  set: numbersByPath,
});

/** All inputs of a run besides its seed. */
export type ResolvedInputs = z.output<typeof resolvedInputs>;

/** The schema of a module of the user's own. */
export const moduleOrigin = z.object({ file: z.string(), sha256: z.string() });

/** A module of the user's own, by its path and the digest of its text. */
export type ModuleOrigin = z.output<typeof moduleOrigin>;

/** `manifest.json`. `run` comes last: everything before it is the same on every run of the same seed. */
export const simulationManifestSchema = z.object({
  schema: z.literal(SIMULATION_SCHEMA),
  scenario: z.object({
    name: z.string(),
    file: z.string(),
    sha256: z.string(),
    /** The scenario file as it was, from which `aips simulate again` plays the run again. */
    text: z.string().exactOptional(),
  }),
  seed: z.number(),
  protocol_digest: z.string(),
  resolved: resolvedInputs,
  versions: z.object({ aips_lab: z.string(), scenario_format: z.number() }),
  /** The module of the user's own behaviours; absent: none. */
  behaviours: moduleOrigin.exactOptional(),
  /** Absent: the protocol was the same all the time. */
  fork: fork.exactOptional(),
  event_hash: z.string(),
  operations: z.object({
    total: count,
    accepted: count,
    refused: count,
    by_kind: z.array(operationCount).readonly(),
  }),
  agents: count,
  simulated_ms: count,
  /** Populations of children whose `count` ended their growth: when it first prevented a birth, and how many. */
  censored: z.array(censoredGrowth).readonly(),
  /** Absent: no key is known to have had none, or the run did not finish. */
  no_effect: z.array(noEffect).readonly().exactOptional(),
  invariants: z.array(z.object({ name: z.string(), text: z.string(), checked: count })).readonly(),
  /** Simplifications against a live server, in sentences. */
  model: texts,
  partial: z.boolean(),
  run: z.object({
    wall_s: z.number().nonnegative(),
    operations_per_s: z.number().nonnegative(),
    peak_rss_mb: z.number().nonnegative(),
    node: z.string(),
  }),
});

/** The inputs of a run, and all of it that can be reproduced to the byte. */
export type SimulationManifest = z.output<typeof simulationManifestSchema>;

const series = z.object({
  name: z.string(),
  unit: z.string(),
  label: z.string(),
  /** The class or population it speaks of; absent: all. */
  group: z.string().exactOptional(),
  values: z.array(z.number()).readonly(),
});

/** A measure sampled over protocol time: `series.csv` has one column for each. */
export type Series = z.output<typeof series>;

/** When this share of agents has frozen, in ms after registration; null if the run shows no such time. */
const quantileMs = z.number().nonnegative().nullable();
const firstFreeze = z.object({
  /** The class or population; absent: all agents. */
  group: z.string().exactOptional(),
  agents: count,
  frozen: count,
  censored: count,
  quantiles_ms: z.object({ p10: quantileMs, p25: quantileMs, p50: quantileMs, p75: quantileMs, p90: quantileMs }),
});

/** Time from registration to the first freeze of a group; agents that never froze are censored (Kaplan-Meier). */
export type FirstFreeze = z.output<typeof firstFreeze>;

const refusalCount = z.object({
  population: z.string(),
  class: z.string(),
  operation: z.string(),
  code: z.string(),
  count,
});

/** Refused calls of one operation with one code, of the agents of a population and class. */
export type RefusalCount = z.output<typeof refusalCount>;

const agentsOf = z.object({ population: z.string(), class: z.string() });
const sponsoredFees = z.object({ sponsor: agentsOf, sponsored: agentsOf, heartbeats: count, lamports: count });

/** Heartbeats of one group of agents that another paid. */
export type SponsoredFees = z.output<typeof sponsoredFees>;

const heldNumbers = z.object({
  /** The name of the intervention. */
  intervention: z.string(),
  at_ms: count,
  /** Lamports a day, or a share, over the period that ended then. */
  measured: z.number(),
  /** The factor of the first values of its numbers. */
  factor: z.number(),
  /** The numbers from then on, by their path. */
  set: numbersByPath,
});

/** One answer of an intervention that holds a measure at its target. */
export type HeldNumbers = z.output<typeof heldNumbers>;

const expectation = z.object({
  text: z.string(),
  holds: z.boolean(),
  /** 0 where there is no value. */
  measured: z.number(),
  /** The measure is a ratio whose divisor is 0: the expectation fails. */
  no_value: z.literal(true).exactOptional(),
});

/** One expectation of the scenario and what came of it. */
export type ExpectationResult = z.output<typeof expectation>;

/** Everything that one simulation found. */
export const simulationResultSchema = z.object({
  manifest: simulationManifestSchema,
  question: z.string(),
  description: z.string(),
  /** Protocol time of each sample, in ms since the start. */
  times_ms: z.array(z.number()).readonly(),
  series: z.array(series).readonly(),
  totals: z.record(z.string(), z.number()),
  first_freeze: z.array(firstFreeze).readonly(),
  refusals: z.array(refusalCount).readonly(),
  sponsored_fees: z.array(sponsoredFees).readonly(),
  /** Absent: no intervention holds a measure. */
  held_numbers: z.array(heldNumbers).readonly().exactOptional(),
  expectations: z.array(expectation).readonly(),
  /** The command that reproduces every number. */
  command: z.string(),
});

/** The result as the writers take it. */
export type SimulationResult = z.output<typeof simulationResultSchema>;

/** `summary.json`: the result without what varies between runs of the same seed. */
export const simulationSummarySchema = simulationResultSchema.extend({
  manifest: simulationManifestSchema.omit({ run: true }),
});

/** One agent at the end of a run. */
export interface AgentRow {
  readonly agent: number;
  readonly population: string;
  /** The option that it has at the end; absent: its population has none. */
  readonly option?: string;
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
