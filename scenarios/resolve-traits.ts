/** Turns numbers of a population that may be drawn for each agent from a scenario file into the model's. */

import type { TraitDistribution, Traits } from './behaviours/trait.js';
import type { ScenarioFile } from './file-schema.js';
import type { ReportProblem } from './resolve-population.js';

type PopulationFile = ScenarioFile['populations'][number];
type TraitFile = PopulationFile['hash_rate'];

/** The mean of a number over the agents: where it is the same for all, the number itself. */
export function meanOf(file: TraitFile): number {
  return typeof file === 'number' ? file : file.mean;
}

/** The numbers that are drawn, under `traits`; nothing where none is. Reports distributions with a mean of zero. */
export function resolveTraits(
  { hash_rate, budget, heartbeat }: PopulationFile,
  report: ReportProblem,
): { readonly traits?: Traits } {
  const worth = heartbeat.policy === 'thrifty' ? heartbeat.worth : 0;
  const rows = [
    ['hashesPerSec', hash_rate, ['hash_rate']],
    ['walletLamports', budget.wallet, ['budget', 'wallet']],
    ['worthLamports', worth, ['heartbeat', 'worth']],
  ] as const;
  const drawn = rows.flatMap(([name, file, path]): (readonly [string, TraitDistribution])[] => {
    if (typeof file === 'number' || file.distribution === 'fixed') return [];
    if (file.mean === 0) report([...path, 'mean'], 'must be above zero');
    return [[name, file]];
  });
  return drawn.length === 0 ? {} : { traits: Object.fromEntries(drawn) };
}
