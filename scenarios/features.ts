import type { Population, Scenario } from './scenario.js';

/**
 * Parts of the model that most scenarios do without. What a scenario does not use is not set up, and has neither measures
 * nor state.
 */
export const features = [
  'churn',
  'spawning',
  'complaints',
  'faults',
  'interventions',
  'economics',
  'late SIGILs',
  'forgery',
] as const;
export type Feature = (typeof features)[number];

type Parts = Pick<Scenario, 'populations' | 'faults' | 'interventions' | 'reviews'>;

/** What a scenario uses of them. */
export function featuresOf({ populations, faults, interventions, reviews }: Parts): ReadonlySet<Feature> {
  const some = (holds: (population: Population) => boolean): boolean => populations.some(holds);
  const used: Readonly<Record<Feature, boolean>> = {
    churn: some(({ lifetime }) => lifetime !== null),
    spawning: some(({ spawning }) => spawning !== null),
    complaints: reviews !== null || some(({ flagging }) => flagging !== null),
    faults: faults.length > 0,
    interventions: interventions.length > 0,
    economics: some(
      ({ economics: { liveDayLamports, heartbeatLamports, gigahashLamports } }) =>
        liveDayLamports + heartbeatLamports + gigahashLamports > 0,
    ),
    'late SIGILs': some(({ sigil }) => sigil !== 'at_birth'),
    forgery: some(({ forges }) => forges),
  };
  return new Set(features.filter((feature) => used[feature]));
}
