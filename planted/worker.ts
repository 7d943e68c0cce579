/** The program of the workers of this room: it judges mutants or permitted servers, one after the other. */
import { workerData } from 'node:worker_threads';
import { judgeMutant } from '../conformance/mutants/judge-mutant.js';
import { judgeWatched } from '../conformance/mutants/judge-watched.js';
import { judgeKills } from '../conformance/mutants/kills.js';
import { answerJobs } from '../conformance/mutants/threads.js';
import { judgeChaos } from './judge-chaos.js';
import { oldList } from './old-list.js';
import { mutantAt, plantMutants, startPlanted } from './plant.js';

/** The task of a worker. */
export type Work =
  | { readonly kind: 'mutants' }
  /** The mutants of another build of the reference, in a folder of its own. */
  | { readonly kind: 'old-mutants'; readonly folder: string }
  | { readonly kind: 'chaos' | 'watched' | 'kills' };

const work = workerData as Work;

answerJobs(await judging());

async function judging(): Promise<(job: number) => Promise<unknown>> {
  if (work.kind === 'chaos') return judgeChaos;
  if (work.kind === 'old-mutants') {
    const { mutants, start } = await oldList(work.folder, { plant: true });
    return (job) => judgeMutant(mutants[job] as never, (deployment) => start(job, deployment));
  }
  plantMutants();
  if (work.kind === 'watched')
    return (job) => judgeWatched(mutantAt(job), (deployment) => startPlanted(job, deployment));
  if (work.kind === 'kills') return (job) => judgeKills(mutantAt(job), (deployment) => startPlanted(job, deployment));
  return (job) => judgeMutant(mutantAt(job), (deployment) => startPlanted(job, deployment));
}
