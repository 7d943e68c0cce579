/**
 * The effects of a change of the specification on people: which measures of the standard scenarios show them, and the mean
 * difference of paired runs with its interval. The runs are played by the caller.
 */

import type { SimulationResult } from '../../reports/simulation-result.js';
import type { MeasureName } from '../../scenarios/measures.js';
import type { Protocol } from '../../spec/protocol.js';
import { identityClasses } from '../../spec/vocabulary.js';

/** The standard scenarios, by their file in scenarios/standard/. */
export const standardScenarios = ['epoch-of-life', 'frozen-on-purpose', 'sybil-family', 'complaints'] as const;
export type StandardScenario = (typeof standardScenarios)[number];

/** One effect: a number that a run of a standard scenario gives. */
export interface Effect {
  readonly id: string;
  readonly label: string;
  /** As measures have them: `lamports`, `share`; empty for a plain number. */
  readonly unit: string;
  readonly scenario: StandardScenario;
  readonly value: (run: SimulationResult, protocol: Protocol) => number;
}

/** The last sample of a measure, of all agents or of a group. */
function last({ series }: SimulationResult, name: MeasureName, group?: string): number {
  const found = series.find((each) => each.name === name && each.group === group);
  if (found === undefined) throw new Error(`the run has no measure ${name}${group === undefined ? '' : `.${group}`}`);
  return found.values.at(-1) ?? Number.NaN;
}

const BPS = 10_000;

/** 4.5: the parts of a fee in a service's first year; treasury has what is left. */
function shares({ feeSplit }: Protocol): Readonly<Record<string, number>> {
  const { operationsBps, contributorsBps, referralBps, developmentStartBps } = feeSplit;
  const treasury = BPS - operationsBps - contributorsBps - referralBps - developmentStartBps;
  return {
    operations: operationsBps,
    contributors: contributorsBps,
    development: developmentStartBps,
    treasury,
    referral: referralBps,
  };
}

const life = 'epoch-of-life';

/** Every effect that is measured, in the order in which it is told. */
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
  ...['operations', 'contributors', 'development', 'treasury', 'referral'].map(
    (part): Effect => ({
      id: `revenue.${part}`,
      label: `Revenue: part of ${part}`,
      unit: 'lamports',
      scenario: life,
      value: (run, protocol) => (last(run, 'fees_lamports') * (shares(protocol)[part] ?? 0)) / BPS,
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
    label: 'Uptime of freeloaders, who pay no heartbeat',
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
];

/** Student's t: between minus and plus this lie 95 %, by degrees of freedom from 1. */
const T_95 = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604, 2.1448, 2.1314,
  2.1199, 2.1098, 2.1009, 2.093, 2.086, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
];

/** The largest number of replicates for which the interval is known. */
export const REPLICATES_MAX = T_95.length + 1;

/** Two arms of paired runs: their means, the mean difference, and the half-width of its 95 % interval. */
export interface PairedDifference {
  readonly from: number;
  readonly to: number;
  readonly difference: number;
  readonly halfWidth: number;
}

/** The mean difference of pairs with its 95 % interval by Student's t. Throws RangeError for fewer than two pairs, or too many. */
export function pairedDifference(pairs: readonly (readonly [from: number, to: number])[]): PairedDifference {
  const t = T_95[pairs.length - 2];
  if (t === undefined) throw new RangeError(`an interval takes 2 to ${REPLICATES_MAX} pairs, not ${pairs.length}`);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const differences = pairs.map(([from, to]) => to - from);
  const difference = mean(differences);
  const spread = differences.reduce((sum, each) => sum + (each - difference) * (each - difference), 0);
  return {
    from: mean(pairs.map(([from]) => from)),
    to: mean(pairs.map(([, to]) => to)),
    difference,
    halfWidth: t * Math.sqrt(spread / (pairs.length - 1) / pairs.length),
  };
}
