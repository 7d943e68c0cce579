/** The unit of a measure, as reports print it; empty for a plain count. */
export type MeasureUnit = '' | 'agents' | 'lamports' | 'share' | 'agent-days';

export interface Measure {
  readonly unit: MeasureUnit;
  readonly label: string;
  /** Whether it counts from the start of the run, rather than telling how things are at the moment of the sample. */
  readonly cumulative: boolean;
}

const now = (unit: MeasureUnit, label: string): Measure => ({ unit, label, cumulative: false });
const sum = (unit: MeasureUnit, label: string): Measure => ({ unit, label, cumulative: true });

/**
 * What a simulation can measure, each for all agents, for each class and for each population. A share or a price of nothing
 * (nobody has registered, nobody was alive) is 0.
 */
export const measures = {
  registered: now('agents', 'Agents registered'),
  active: now('agents', 'Agents active'),
  warning: now('agents', 'Agents with a warning'),
  frozen: now('agents', 'Agents frozen'),
  offline: now('agents', 'Agents in an outage'),
  dry: now('agents', 'Agents that cannot pay'),
  frozen_share: now('share', 'Share of agents frozen'),
  live_share: now('share', 'Share of agents not frozen'),
  wallet_lamports: now('lamports', 'Money in wallets'),
  heartbeats: sum('', 'Heartbeats accepted'),
  heartbeats_refused: sum('', 'Heartbeats refused'),
  heartbeats_skipped: sum('', 'Heartbeats not sent for want of money'),
  freezes: sum('', 'Freezes'),
  resyncs: sum('', 'Resyncs'),
  resyncs_refused: sum('', 'Resyncs refused'),
  fees_lamports: sum('lamports', 'Fees paid'),
  top_ups_lamports: sum('lamports', 'Money sent to wallets that ran low'),
  live_days: sum('agent-days', 'Time not frozen, over all agents'),
  uptime_share: sum('share', 'Share of registered time not frozen'),
  live_day_cost_lamports: sum('lamports', 'Fees for each day not frozen'),
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;

/** Every measure, in the order in which series are written. */
export const measureNames = Object.keys(measures) as readonly MeasureName[];
