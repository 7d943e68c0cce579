/**
 * The scenario as the simulator takes it: every default filled in, units in the names. Its form as a file is in
 * file-schema.ts.
 */

import type { Protocol } from '../spec/protocol.js';
import type { Adaptation } from './adaptation.js';
import type { ArrivalPattern } from './behaviours/arrival.js';
import type { ClassMix } from './behaviours/class-mix.js';
import type { DurationDistribution } from './behaviours/duration.js';
import type { FlagPolicy, ReviewPolicy } from './behaviours/flag-policy.js';
import type { HeartbeatPolicy } from './behaviours/heartbeat-policy.js';
import type { OutagePattern } from './behaviours/outage.js';
import type { ReissuePolicy } from './behaviours/reissue-policy.js';
import type { SpawnPolicy } from './behaviours/spawn-policy.js';
import type { AgentBudget } from './behaviours/top-up.js';
import type { Traits } from './behaviours/trait.js';
import type { Intervention, ScenarioFault } from './disturbance.js';
import type { Expectation } from './expectation.js';
import type { GoalName } from './goals.js';
import type { MeasureName } from './measures.js';

/** Agents with the same parameters. */
export interface Population {
  readonly name: string;
  readonly count: number;
  readonly classes: ClassMix;
  readonly arrivals: ArrivalPattern;
  readonly heartbeat: HeartbeatPolicy;
  readonly budget: AgentBudget;
  readonly hashesPerSec: number;
  /** The difficulty that its agents work at; null: the lowest that is taken. */
  readonly difficulty: number | null;
  /** Null: no outages. */
  readonly outages: OutagePattern | null;
  /** Whether an agent resyncs when it learns that it is frozen. */
  readonly resync: boolean;
  /** Whether `count` may end the growth of a population of children; otherwise that fails the run's expectations. */
  readonly countEndsGrowth: boolean;
  /** Whether its agents are children, made by agents of some population. */
  readonly spawned: boolean;
  /** Whether ancestors pay for the heartbeats of its children: of those without a wallet, and where a population or an option wants it. */
  readonly sponsored: boolean;
  /** When an agent buys a SIGIL; roots buy one at registration. */
  readonly sigil: SigilChoice;
  /** The time from registration to departure; null: it never leaves. */
  readonly lifetime: DurationDistribution | null;
  /** Null: its agents reissue no passports. */
  readonly reissue: ReissuePolicy | null;
  readonly spawning: SpawnPolicy | null;
  readonly flagging: FlagPolicy | null;
  /** Whether complaints about its agents are justified. */
  readonly misbehaves: boolean;
  /** Whether its agents show forged proofs of work where the protocol lets them (D-07). */
  readonly forges: boolean;
  readonly economics: Economics;
  /** Absent: its agents choose nothing. */
  readonly adapts?: Adaptation;
  /** The numbers that are drawn for each agent, in place of the same number, their mean, for all; absent: none. */
  readonly traits?: Traits;
}

/** `at_cap`: at the first refusal for the cap of agents without a SIGIL. */
type SigilChoice = 'at_birth' | 'at_cap' | 'never';

/** Income and costs outside the ledger, in lamports: with fees they make up the profit of an agent's owner. */
interface Economics {
  /** For each day until departure in which the agent is not frozen. */
  readonly liveDayLamports: number;
  readonly heartbeatLamports: number;
  /** A sum for each day that the live agents of the population share alike; absent: none. */
  readonly sharedDayLamports?: number;
  /** The price of 10^9 hashes. */
  readonly gigahashLamports: number;
}

/** The version of the scenario file that this code reads. */
export const SCENARIO_FORMAT = 1;

/** One question about the protocol, and the simulation that answers it. */
export interface Scenario {
  readonly format: typeof SCENARIO_FORMAT;
  readonly name: string;
  readonly question: string;
  readonly description: string;
  /** The seed, unless the caller gives another. */
  readonly seed: number;
  readonly durationSec: number;
  /** The specification's numbers, with the overlay of the scenario. */
  readonly protocol: Protocol;
  readonly populations: readonly Population[];
  /** Null: complaints are not reviewed. */
  readonly reviews: ReviewPolicy | null;
  readonly faults: readonly ScenarioFault[];
  readonly interventions: readonly Intervention[];
  readonly measures: { readonly everySec: number; readonly names: readonly MeasureName[] };
  readonly expectations: readonly Expectation[];
  /** Goals that must be reached at least once. */
  readonly sometimes: readonly GoalName[];
}

/** True if the agents of a population have a wallet of their own: children without money have none. */
export function hasWallet({ spawned, budget }: Pick<Population, 'spawned' | 'budget'>): boolean {
  return !spawned || budget.walletLamports > 0 || budget.topUp !== null;
}
