/** Growth that a population's `count` ended, for manifest and expectations. Where it is recorded is agents/spawning.ts. */

import type { CensoredGrowth, ExpectationResult } from '../../results/simulation-result.js';
import type { Outcome } from './outcome.js';

type CensoredInput = Pick<Outcome, 'features' | 'scenario'>;

/** Every population of children that has reached its count while a parent wanted another child. */
export function censoredGrowth({ features, scenario }: CensoredInput): CensoredGrowth[] {
  if (features === null) return [];
  const { censoredBirths, censoredSec } = features;
  return scenario.populations.flatMap(({ name, count, countEndsGrowth }, i) => {
    const births = censoredBirths[i]!;
    if (births === 0) return [];
    const at_ms = censoredSec[i]! * 1_000;
    return [{ population: name, count, at_ms, births_prevented: births, allowed: countEndsGrowth }];
  });
}

/** A failed expectation for each of these that the scenario does not allow. */
export function censoredExpectations(outcome: CensoredInput): ExpectationResult[] {
  return censoredGrowth(outcome)
    .filter(({ allowed }) => !allowed)
    .map(({ population, births_prevented }) => ({
      text: birthsText(population),
      measured: births_prevented,
      holds: false,
    }));
}

/** How an expectation is named that fails where the count of a population prevented births. */
export const birthsText = (population: string): string => `births prevented by the count of ${population} = 0`;
