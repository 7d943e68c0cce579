/**
 * The optional parts of the model, and which of them a scenario uses. Their state is in the simulator's
 * world/features.ts.
 */

import { variantsOf } from './adaptation.js';
import type { Population, Scenario } from './scenario.js';

/** Every optional part. A part that a scenario does not use has neither state nor measures. */
export const features = [
  'churn',
  'spawning',
  'reissuance',
  'complaints',
  'faults',
  'interventions',
  'economics',
  'late SIGILs',
  'forgery',
  'adaptation',
  'held measures',
  'entry',
  'deposits',
] as const;
export type Feature = (typeof features)[number];

type Parts = Pick<Scenario, 'populations' | 'faults' | 'interventions' | 'reviews' | 'protocol'>;

/** The optional parts that a scenario uses. */
export function featuresOf({ populations, faults, interventions, reviews, protocol }: Parts): ReadonlySet<Feature> {
  const some = (holds: (population: Population) => boolean): boolean =>
    variantsOf(populations).some(({ population }) => holds(population));
  const used: Readonly<Record<Feature, boolean>> = {
    churn: some(({ lifetime }) => lifetime !== null),
    reissuance: some(({ reissue }) => reissue !== null),
    spawning: some(({ spawning }) => spawning !== null),
    complaints: reviews !== null || some(({ flagging }) => flagging !== null),
    faults: faults.length > 0,
    interventions: interventions.length > 0,
    economics: some(
      ({ economics: { liveDayLamports, heartbeatLamports, gigahashLamports, sharedDayLamports } }) =>
        sharedDayLamports !== undefined || liveDayLamports + heartbeatLamports + gigahashLamports > 0,
    ),
    'late SIGILs': some(({ sigil }) => sigil !== 'at_birth'),
    forgery: some(({ forges }) => forges),
    adaptation: populations.some(({ adapts }) => adapts !== undefined),
    entry: populations.some(({ arrivals }) => arrivals.pattern === 'entry'),
    deposits:
      protocol.deposit.lamports > 0 ||
      interventions.some((each) => each.kind === 'protocol' && (each.set.deposit?.lamports ?? 0) > 0),
    'held measures': interventions.some(({ kind }) => kind === 'hold'),
  };
  return new Set(features.filter((feature) => used[feature]));
}
