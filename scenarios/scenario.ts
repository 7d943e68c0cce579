import type { Protocol } from '../spec/protocol.js';
import type { ArrivalPattern } from './behaviours/arrival.js';
import type { ClassMix } from './behaviours/class-mix.js';
import type { HeartbeatPolicy } from './behaviours/heartbeat-policy.js';
import type { OutagePattern } from './behaviours/outage.js';
import type { Budget } from './behaviours/top-up.js';
import type { Expectation } from './expectation.js';
import type { GoalName } from './goals.js';
import type { MeasureName } from './measures.js';

/** Agents that are alike but for their luck. */
export interface Population {
  readonly name: string;
  readonly count: number;
  readonly classes: ClassMix;
  readonly arrivals: ArrivalPattern;
  readonly heartbeat: HeartbeatPolicy;
  readonly budget: Budget;
  readonly hashesPerSec: number;
  /** Null: its agents are never gone. */
  readonly outages: OutagePattern | null;
  /** Whether an agent that finds itself frozen computes the penalty and resyncs. */
  readonly resync: boolean;
}

/** The version of the scenario file that this code reads. */
export const SCENARIO_FORMAT = 1;

/** One question about the protocol, and who has to live for how long to answer it. */
export interface Scenario {
  readonly format: typeof SCENARIO_FORMAT;
  readonly name: string;
  readonly question: string;
  readonly description: string;
  /** Used unless the caller gives another. */
  readonly seed: number;
  readonly durationSec: number;
  /** The specification's numbers, with the overlay of the scenario. */
  readonly protocol: Protocol;
  readonly populations: readonly Population[];
  readonly measures: { readonly everySec: number; readonly names: readonly MeasureName[] };
  readonly expectations: readonly Expectation[];
  /** What must happen at least once. */
  readonly sometimes: readonly GoalName[];
}
