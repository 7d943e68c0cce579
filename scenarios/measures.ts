/**
 * Every measure by name: unit, label, whether it accumulates. How it is computed is in the simulator's
 * run/samples.ts.
 */

import type { Feature } from './features.js';

/** The unit of a measure in reports; empty for a plain count. */
export const measureUnits = ['', 'agents', 'lamports', 'share', 'agent-days'] as const;
export type MeasureUnit = (typeof measureUnits)[number];

export interface Measure {
  readonly unit: MeasureUnit;
  readonly label: string;
  /** Whether it accumulates from the start of the run; otherwise it is the state at the sample. */
  readonly cumulative: boolean;
  /** Whether it is a sum divided by another, so that it does not grow with time. */
  readonly ratio: boolean;
  /** The optional parts of which it needs one; empty if it needs none. */
  readonly features: readonly Feature[];
}

type Row = (unit: MeasureUnit, label: string, ...features: readonly Feature[]) => Measure;
const now: Row = (unit, label, ...features) => ({ unit, label, cumulative: false, ratio: false, features });
const sum: Row = (unit, label, ...features) => ({ unit, label, cumulative: true, ratio: false, features });
const ratio: Row = (unit, label, ...features) => ({ unit, label, cumulative: true, ratio: true, features });

const plainMeasures = {
  registered: now('agents', 'Agents registered'),
  active: now('agents', 'Agents active'),
  warning: now('agents', 'Agents with a warning'),
  frozen: now('agents', 'Agents frozen'),
  never_frozen: now('agents', 'Agents that were never frozen'),
  offline: now('agents', 'Agents in an outage'),
  dry: now('agents', 'Agents that cannot pay'),
  frozen_share: now('share', 'Share of agents frozen'),
  live_share: now('share', 'Share of agents not frozen'),
  never_frozen_share: now('share', 'Share of agents that were never frozen'),
  passports_valid: now('agents', 'Agents with a valid passport'),
  passport_share: now('share', 'Share of agents with a valid passport'),
  frozen_passports_valid: now('agents', 'Frozen agents with a valid passport'),
  wallet_lamports: now('lamports', 'Money in wallets'),
  heartbeats: sum('', 'Heartbeats accepted'),
  heartbeats_refused: sum('', 'Heartbeats refused'),
  heartbeats_skipped: sum('', 'Heartbeats not sent for want of money'),
  freezes: sum('', 'Freezes'),
  resyncs: sum('', 'Resyncs'),
  resyncs_refused: sum('', 'Resyncs refused'),
  fees_lamports: sum('lamports', 'Fees paid'),
  fees_to_operations_lamports: sum('lamports', 'Fees that go to operations'),
  fees_to_contributors_lamports: sum('lamports', 'Fees that go to contributors'),
  fees_to_development_lamports: sum('lamports', 'Fees that go to development'),
  fees_to_treasury_lamports: sum('lamports', 'Fees that go to treasury'),
  fees_to_referral_lamports: sum('lamports', 'Fees that go to referral'),
  top_ups_lamports: sum('lamports', 'Money sent to wallets that ran low'),
  frozen_days: sum('agent-days', 'Time frozen until departure, over all agents'),
  live_days: sum('agent-days', 'Time not frozen, over all agents'),
  uptime_share: ratio('share', 'Share of registered time not frozen'),
  availability_share: ratio('share', 'Share of time until departure neither frozen nor in an outage'),
  live_day_cost_lamports: ratio('lamports', 'Fees for each day not frozen'),
  heartbeat_cost_lamports: ratio('lamports', 'Mean fee of a heartbeat'),
} as const satisfies Record<string, Measure>;

/** Measures that need an optional part of the model. */
const featureMeasures = {
  present: now('agents', 'Agents that have not departed', 'churn', 'interventions', 'adaptation'),
  departed: now('agents', 'Agents that have departed', 'churn', 'interventions', 'adaptation'),
  frozen_present: now('agents', 'Agents frozen that have not departed', 'churn', 'interventions', 'adaptation'),
  frozen_share_of_present: now('share', 'Share of present agents frozen', 'churn', 'interventions', 'adaptation'),
  life_uptime_share: ratio('share', 'Share of time until departure not frozen', 'churn', 'interventions', 'adaptation'),
  reissues: sum('', 'Passports reissued', 'reissuance'),
  spawns: sum('', 'Children made', 'spawning'),
  depth_max: now('', 'Greatest depth', 'spawning'),
  heartbeats_sponsored: sum('', 'Heartbeats paid by a sponsor', 'spawning'),
  fees_by_sponsors_lamports: sum('lamports', 'Fees that sponsors paid for these agents', 'spawning'),
  fees_for_others_lamports: sum('lamports', 'Fees that these agents paid for others', 'spawning'),
  flags: sum('', 'Complaints filed', 'complaints'),
  flags_sustained: sum('', 'Complaints against agents that were sustained', 'complaints'),
  refused_share: now('share', 'Share of agents refused for a complaint', 'complaints'),
  payments_troubled: sum('', 'Payments late or dropped', 'faults'),
  keys_revoked: sum('', 'Keys revoked', 'interventions'),
  subsidies_lamports: sum('lamports', 'Fees remitted by subsidies', 'interventions'),
  gigahashes: sum('', 'Work computed, in 10^9 hashes', 'economics'),
  income_lamports: sum('lamports', 'Income outside the ledger, until departure', 'economics'),
  profit_lamports: sum('lamports', 'Income less fees and work', 'economics'),
  profit_day_lamports: ratio('lamports', 'Income less fees and work for each day until departure', 'adaptation'),
  present_share: now('share', 'Share of present agents of the population, or of all', 'adaptation'),
  switches: sum('', 'Options taken in place of another', 'adaptation'),
  deposits_paid_lamports: sum('lamports', 'Deposits paid', 'deposits'),
  deposits_forfeited_lamports: sum('lamports', 'Deposits that freezes have taken', 'deposits'),
  stayed_out: sum('', 'Potential entrants that stayed out', 'entry'),
  tier1_fee_lamports: now('lamports', 'Fee of a heartbeat in tier 1, before subsidies', 'held measures'),
  tier2_fee_lamports: now('lamports', 'Fee of a heartbeat in tier 2, before subsidies', 'held measures'),
  tier3_fee_lamports: now('lamports', 'Fee of a heartbeat in tier 3, before subsidies', 'held measures'),
} as const satisfies Record<string, Measure>;
export type FeatureMeasureName = keyof typeof featureMeasures;

/**
 * Every measure; each is taken for all agents, each class, each population and each of its options. A ratio is 0 while its denominator is 0.
 */
export const measures = { ...plainMeasures, ...featureMeasures };

export type MeasureName = keyof typeof measures;

/** Every measure, in the order in which series are written. */
export const measureNames = Object.keys(measures) as readonly MeasureName[];

/** The measures that apply when these optional parts are used. */
export function measuresFor(used: ReadonlySet<Feature>): readonly MeasureName[] {
  return measureNames.filter((name) => {
    const { features } = measures[name];
    return features.length === 0 || features.some((feature) => used.has(feature));
  });
}
