import type { Protocol } from '../spec/protocol.js';
import type { ArrivalPattern } from './behaviours/arrival.js';
import type { ClassMix } from './behaviours/class-mix.js';
import type { FlagPolicy, ReviewPolicy } from './behaviours/flag-policy.js';
import type { HeartbeatPolicy } from './behaviours/heartbeat-policy.js';
import type { DurationDistribution, OutagePattern } from './behaviours/outage.js';
import type { SpawnPolicy } from './behaviours/spawn-policy.js';
import type { AgentBudget } from './behaviours/top-up.js';
import type { Intervention, ScenarioFault } from './disturbance.js';
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
  readonly budget: AgentBudget;
  readonly hashesPerSec: number;
  /** Null: its agents are never gone. */
  readonly outages: OutagePattern | null;
  /** Whether an agent that finds itself frozen computes the penalty and resyncs. */
  readonly resync: boolean;
  /** Whether its agents register by themselves, or are children that an agent of some population makes. */
  readonly spawned: boolean;
  /** Children without a wallet of their own: their parent pays for their heartbeats. */
  readonly sponsored: boolean;
  /** When an agent buys a SIGIL; roots do so when they register. */
  readonly sigil: SigilChoice;
  /** How long an agent takes part before it leaves without a word; null: to the end. */
  readonly lifetime: DurationDistribution | null;
  readonly spawning: SpawnPolicy | null;
  readonly flagging: FlagPolicy | null;
  /** What a review of a complaint about one of its agents should find. */
  readonly misbehaves: boolean;
  /** Whether its agents show forged proofs of work where the protocol lets them (D-07). */
  readonly forges: boolean;
  readonly economics: Economics;
}

/** `at_cap`: when it is first refused for the cap that holds without one. */
export type SigilChoice = 'at_birth' | 'at_cap' | 'never';

/** What an agent earns and pays outside the ledger, in lamports: what its owner's profit is made of besides fees. */
export interface Economics {
  /** For each day not frozen. */
  readonly liveDayLamports: number;
  readonly heartbeatLamports: number;
  /** The price of 10^9 hashes. */
  readonly gigahashLamports: number;
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
  /** Null: nobody reviews complaints. */
  readonly reviews: ReviewPolicy | null;
  readonly faults: readonly ScenarioFault[];
  readonly interventions: readonly Intervention[];
  readonly measures: { readonly everySec: number; readonly names: readonly MeasureName[] };
  readonly expectations: readonly Expectation[];
  /** What must happen at least once. */
  readonly sometimes: readonly GoalName[];
}
