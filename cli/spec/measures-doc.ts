/** Writes docs/measures.md, the dictionary of the measures of simulations and sweeps. The measures are those of scenarios/measures.ts. */

import type { Feature } from '../../scenarios/features.js';
import { type Measure, measureNames, measures } from '../../scenarios/measures.js';

/** The keys of a scenario file that use an optional part. */
const KEYS: Readonly<Record<Feature, string>> = {
  churn: '`lifetime`',
  spawning: '`spawning`',
  reissuance: '`reissue`',
  complaints: '`flagging` or `reviews`',
  faults: '`faults`',
  interventions: '`interventions`',
  economics: '`economics`',
  'late SIGILs': '`sigil`',
  forgery: '`forges`',
  adaptation: '`adapts`',
  entry: '`arrivals` with pattern `entry`',
  deposits: '`protocol.deposit`',
  'held measures': 'an intervention of kind `hold`',
};

function kindOf({ cumulative, ratio }: Measure): string {
  if (ratio) return 'ratio of two sums since the start';
  return cumulative ? 'sum since the start' : 'state at the sample';
}

function rowOf(name: string, measure: Measure): string {
  const needs = measure.features.map((feature) => KEYS[feature]).join(' or ');
  return `| \`${name}\` | ${measure.unit} | ${measure.label} | ${kindOf(measure)} | ${needs} |`;
}

/** The text of docs/measures.md. */
export function measuresMarkdown(): string {
  return `# Measures

The numbers that \`aips simulate\` samples and \`aips experiment sweep\` estimates. This page is generated from \`scenarios/measures.ts\`.

Each measure is taken for all agents, and under \`MEASURE.GROUP\` for each population and each identity class, as columns of \`series.csv\`, in
\`measures.csv\` of \`--tables\`, in \`rows.csv\` of a sweep, in \`measures\` and in expectations. In CSV and Parquet money is in lamports and shares are from 0
to 1; a ratio is 0 while what it divides by is 0, and no expectation about it passes then: there is no value. A measure of an optional part exists only in scenarios that use one of the keys under *needs*.
Experiments make further measures of these by [formulas](experiments.md#formulas-of-measures), such as the profit of a live day; a formula that divides by zero has no value, not 0.

| measure | unit | meaning | kind | needs |
|---|---|---|---|---|
${measureNames.map((name) => rowOf(name, measures[name])).join('\n')}

\`availability_share\` divides the time in which agents are active and online by their time from registration to departure, both exact to the
second. Online is in no outage, neither one of its own nor one of a fault; active is not frozen. \`uptime_share\` counts time offline as uptime,
and goes on after a departure. Neither asks for a passport: \`passport_share\` does. \`live_days\` and \`live_day_cost_lamports\` go on after a
departure too, until the switch freezes the agent; income and the states \`dry\` and \`offline\` end with it.

\`fees_to_operations_lamports\` to \`fees_to_referral_lamports\` split \`fees_lamports\`, the fees that these agents paid, as the registry splits
each of them: rounded down to the lamport, the rest for treasury.
`;
}
