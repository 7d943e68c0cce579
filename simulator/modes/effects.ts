/**
 * The effects of a change of the specification on people: which measures of the standard scenarios show them. The runs are
 * played, and compared in pairs, by the caller.
 */

import type { SimulationResult } from '../../results/simulation-result.js';
import type { MeasureName } from '../../scenarios/measures.js';
import { identityClasses } from '../../spec/vocabulary.js';

/** The standard scenarios, by their file in scenarios/standard/. */
export const standardScenarios = ['epoch-of-life', 'frozen-on-purpose', 'sybil-family', 'complaints'] as const;
export type StandardScenario = (typeof standardScenarios)[number];

/** One effect: a number that a run of a standard scenario gives. */
interface Effect {
  readonly id: string;
  readonly label: string;
  /** As measures have them: `lamports`, `share`; empty for a plain number. */
  readonly unit: string;
  readonly scenario: StandardScenario;
  readonly value: (run: SimulationResult) => number;
}

/** The last sample of a measure, of all agents or of a group. */
function last({ series }: SimulationResult, name: MeasureName, group?: string): number {
  const found = series.find((each) => each.name === name && each.group === group);
  if (found === undefined) throw new Error(`the run has no measure ${name}${group === undefined ? '' : `.${group}`}`);
  return found.values.at(-1) ?? Number.NaN;
}

const life = 'epoch-of-life';

/** Every effect that is measured, in the order of reports. */
export const effects: readonly Effect[] = [
  ...identityClasses.map(
    (each): Effect => ({
      id: `uptime.${each}`,
      label: `Uptime of ${each} over an epoch`,
      unit: 'share',
      scenario: life,
      value: (run) => last(run, 'uptime_share', each),
    }),
  ),
  ...identityClasses.map(
    (each): Effect => ({
      id: `live-day-cost.${each}`,
      label: `Fees of ${each} for a live day`,
      unit: 'lamports',
      scenario: life,
      value: (run) => last(run, 'live_day_cost_lamports', each),
    }),
  ),
  {
    id: 'revenue',
    label: 'Revenue of an epoch, 24 agents',
    unit: 'lamports',
    scenario: life,
    value: (run) => last(run, 'fees_lamports'),
  },
  ...(['operations', 'contributors', 'development', 'treasury', 'referral'] as const).map(
    (part): Effect => ({
      id: `revenue.${part}`,
      label: `Revenue: part of ${part}`,
      unit: 'lamports',
      scenario: life,
      value: (run) => last(run, `fees_to_${part}_lamports`),
    }),
  ),
  {
    id: 'freezes',
    label: 'Freezes in an epoch, 24 agents',
    unit: '',
    scenario: life,
    value: (run) => last(run, 'freezes'),
  },
  {
    id: 'resync-work',
    label: 'Work of 20 freeloaders for resyncs in 14 days, 10^9 hashes',
    unit: '',
    scenario: 'frozen-on-purpose',
    value: (run) => last(run, 'gigahashes', 'freeloaders'),
  },
  {
    id: 'uptime.freeloaders',
    label: 'Uptime of freeloaders, who come by every 65 minutes',
    unit: 'share',
    scenario: 'frozen-on-purpose',
    value: (run) => last(run, 'uptime_share', 'freeloaders'),
  },
  {
    id: 'sybil-cost',
    label: 'Cost of a live day of a sponsored Sybil identity',
    unit: 'lamports',
    scenario: 'sybil-family',
    value: (run) => last(run, 'fees_lamports') / Math.max(last(run, 'live_days', 'sybils'), Number.MIN_VALUE),
  },
  {
    id: 'sybil-uptime',
    label: 'Uptime of sponsored Sybil identities',
    unit: 'share',
    scenario: 'sybil-family',
    value: (run) => last(run, 'uptime_share', 'sybils'),
  },
  {
    id: 'complaint-power',
    label: 'Life that five complainers take from 25 others',
    unit: 'share',
    scenario: 'complaints',
    value: (run) => 1 - last(run, 'uptime_share', 'victims'),
  },
  {
    id: 'complaints.filed',
    label: 'Complaints that five complainers file in 14 days, all of them false',
    unit: '',
    scenario: 'complaints',
    value: (run) => last(run, 'flags'),
  },
  {
    id: 'complaints.sustained',
    label: 'False complaints that are sustained',
    unit: '',
    scenario: 'complaints',
    value: (run) => last(run, 'flags_sustained'),
  },
  {
    id: 'complaints.refused-heartbeats',
    label: 'Heartbeats refused for a complaint that was sustained',
    unit: '',
    scenario: 'complaints',
    value: ({ refusals }) =>
      refusals.filter(({ code }) => code === 'HEARTBEAT_REFUSED').reduce((sum, { count }) => sum + count, 0),
  },
];
