/**
 * Judges the assertions of a share of the checks on worker threads: which mutants each finds, which it finds alone, and which clauses
 * fail without their assertions. assertions.ts judges one assertion.
 */
import { allChecks } from '../conformance/checks/index.js';
import { onThreads } from '../conformance/mutants/threads.js';
import type { Check } from '../conformance/trial/check.js';
import { allMutants } from './all-mutants.js';
import {
  type AssertionFate,
  type AssertionJob,
  type AssertionWords,
  assertionName,
  assertionSites,
  drawnShare,
  isOf,
  type KillFate,
  metBy,
} from './assertions.js';
import { mutantAt } from './plant.js';
import type { Work } from './worker.js';

/** A worker keeps the modules of every mutant that it has loaded: it is replaced after this many. */
const JOBS_A_WORKER = 60;

/** The outcomes of the drawn assertions, and of kills without the assertions of their clause. */
export interface AssertionsJudged {
  /** The checks that were drawn, whose assertions these are. */
  readonly checks: number;
  readonly outcomes: readonly AssertionFate[];
  /** Of a sample of them, each with all others switched off at the mutant that it had found: whether it finds it still. */
  readonly alone: readonly AssertionFate[];
  readonly kills: readonly KillFate[];
}

/** How many of the assertions that found a mutant are run alone as well. */
const ALONE_SHARE = 0.1;

interface AssertionsAsked {
  readonly share: number;
  readonly seed: number;
  readonly threads: number;
}

/**
 * Judges the assertions of a share of the checks: which mutants each of them finds, in one run of these checks over all
 * mutants. A tenth of those is run alone, and each that found none. And judges a mutant of each of as large a share of
 * the clauses, with the assertions of its clause and without. `onStep` gets the number of jobs, and each that is done.
 */
export async function judgeAssertions(
  { share, seed, threads }: AssertionsAsked,
  onStep: (jobs: number, done: number) => void = () => undefined,
): Promise<AssertionsJudged> {
  const checks = drawnShare(allChecks, share, seed, 'checks');
  const sites = await assertionSites(checks);
  const clauses = drawnShare([...new Set(allMutants.map(({ clause }) => clause))], share, seed, 'clauses');
  const ofClauses = clauses.map((clause) => {
    const killed = allMutants.findIndex((mutant) => mutant.clause === clause && mutant.missed === undefined);
    return killed >= 0 ? killed : allMutants.findIndex((mutant) => mutant.clause === clause);
  });
  const met = [...allMutants.keys()].filter((place) => metBy(mutantAt(place), checks).length > 0);
  const pool = { checks, threads };

  const found = await onAssertionThreads<readonly AssertionWords[]>(
    met.map((place) => ({ kind: 'found', place })),
    pool,
    onStep,
  );
  const ofCheck = new Map<string, { readonly one: AssertionWords; readonly place: number }[]>();
  for (const [nth, failing] of found.entries()) {
    for (const one of failing) {
      ofCheck.set(one.check, [...(ofCheck.get(one.check) ?? []), { one, place: met[nth] as number }]);
    }
  }
  const first = sites.map((site) => {
    const all = (ofCheck.get(site.check) ?? []).flatMap(({ one, place }) => (isOf(site, one) ? [place] : []));
    const own = all.find((place) => site.clauses.includes(mutantAt(place).clause));
    return { site, place: own ?? all[0], own: own !== undefined };
  });
  const finding = first.flatMap(({ site, place }) => (place === undefined ? [] : [{ site, places: [place] }]));
  const silent = first.flatMap(({ site, place }) => (place === undefined ? [{ site }] : []));
  const alone = drawnShare(finding, ALONE_SHARE, seed, 'alone');
  const outcomes = await onAssertionThreads<AssertionFate>(
    [...alone, ...silent].map((job) => ({ kind: 'alone', ...job })),
    pool,
    onStep,
  );
  const kills = await onAssertionThreads<KillFate>(
    ofClauses.map((place) => ({ kind: 'kill', place })),
    pool,
    onStep,
  );
  const late = new Map(outcomes.slice(alone.length).map((outcome) => [assertionName(outcome.site), outcome]));
  return {
    checks: checks.length,
    outcomes: first.map(({ site, place, own }) =>
      place === undefined
        ? (late.get(assertionName(site)) ?? { site, mutant: null, own })
        : { site, mutant: mutantAt(place).id, own },
    ),
    alone: outcomes.slice(0, alone.length),
    kills,
  };
}

/** Has jobs of workers done, and returns their results in their order. Throws where one could not be done. */
async function onAssertionThreads<R>(
  jobs: readonly AssertionJob[],
  { checks, threads }: { readonly checks: readonly Check[]; readonly threads: number },
  onStep: (jobs: number, done: number) => void,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const errors: string[] = [];
  await onThreads<R>([...jobs.keys()], {
    program: new URL('./worker.js', import.meta.url),
    workerData: { kind: 'assertions', jobs, checks: checks.map(({ id }) => id) } satisfies Work,
    threads,
    jobsAWorker: JOBS_A_WORKER,
    onMessage: ({ job, result, error }) => {
      if (result === undefined) errors.push(`${JSON.stringify(jobs[job])}: ${error ?? 'no answer'}`);
      else results.set(job, result);
      onStep(jobs.length, results.size + errors.length);
    },
  });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return jobs.map((_, nth) => results.get(nth) as R);
}
