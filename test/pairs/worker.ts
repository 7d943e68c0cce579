/** The program of a worker of `npm run pairs`: it finds the pairs of one clause after the other. */

import { workerData } from 'node:worker_threads';
import { answerJobs } from '../../conformance/mutants/threads.js';
import { allMutants } from '../../planted/all-mutants.js';
import type { Candidate } from '../../planted/pairs/candidates.js';
import { Finder, type Open, type Shown } from '../../planted/pairs/find.js';
import { plantMutants, startPlanted } from '../../planted/plant.js';
import { later, permitted, reference, reused, second } from './servers.js';

/** The clauses, each with its candidates. */
export type Work = readonly (readonly [clause: string, candidates: readonly Candidate[]])[];

/** The pairs of a clause, of how many of its mistakes, and why others are missed. */
export interface Found {
  readonly clause: string;
  readonly shown: readonly Shown[];
  readonly mistakes: number;
  readonly missed: readonly (readonly [mistake: string, why: string])[];
}

const work = workerData as Work;
plantMutants();
const rights: readonly Open[] = [later, ...permitted, second];
const finder = new Finder(reference, rights);

answerJobs(async (job): Promise<Found> => {
  const [clause = '', candidates = []] = work[job] ?? [];
  const mutants = allMutants.flatMap((mutant, place) => {
    if (mutant.clause !== clause || (mutant.deployment ?? 'devnet') !== 'devnet') return [];
    return [{ mutant, ...reused(() => startPlanted(place, 'devnet', mutant.overlay ?? {})) }];
  });
  const shown = await finder.find(candidates, mutants);
  return {
    clause,
    shown,
    mistakes: mutants.length,
    missed: [...finder.missed].filter(([id]) => mutants.some(({ mutant }) => mutant.id === id)),
  };
});
