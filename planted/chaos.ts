/**
 * `--chaos N`: judges servers that differ from the reference only where the specification is silent, and reports the must
 * failures of the suite there, each a false alarm. Mistakes are judged by mutants.ts.
 */
import { median } from 'simple-statistics';
import { onThreads } from '../conformance/mutants/threads.js';
import type { ChaosResult } from './judge-chaos.js';
import type { Work } from './worker.js';

interface ChaosOptions {
  readonly count: number;
  readonly seed: number;
  readonly threads: number;
  readonly json: boolean;
}

/** Below this share of must clauses a server is so different that the suite's silence about it says little. */
const JUDGED_SHARE_MIN = 0.15;

/** Whether no server has a must failure, and each is judged enough. */
export async function reportChaos({ count, seed, threads, json }: ChaosOptions): Promise<boolean> {
  const results = await judgedSeeds(
    Array.from({ length: count }, (_, place) => seed + place),
    threads,
  );
  const little = results.filter(({ judged, total }) => judged < total * JUDGED_SHARE_MIN);
  const alarmed = results.filter(({ alarms }) => alarms.length > 0);
  if (json) console.log(JSON.stringify(results, null, 2));
  else {
    for (const { seed: of, deployment, rateWindow, forms, alarms } of alarmed) {
      console.log(`seed ${of} (${deployment}, windows ${rateWindow}): ${forms.join(' ')}`);
      for (const { id, checks, expected, actual } of alarms) {
        console.log(`  false alarm: ${id} (${checks.join(', ')})\n    expected ${expected}\n    actual   ${actual}`);
      }
    }
    for (const { seed: of, judged, total } of little)
      console.log(`seed ${of}: only ${judged} of ${total} must clauses judged`);
    const [first] = results;
    const judged = median(results.map((result) => result.judged));
    console.log(
      `${results.length} permitted servers, seeds ${seed} to ${seed + count - 1}: ${alarmed.length} with a must failure; ` +
        `${Math.floor(judged)} of ${first?.total ?? 0} must clauses judged on the median`,
    );
  }
  return alarmed.length + little.length === 0;
}

/** Judges the servers of these seeds, in their order. Throws where one could not be judged at all. */
async function judgedSeeds(seeds: readonly number[], threads: number): Promise<readonly ChaosResult[]> {
  const results = new Map<number, ChaosResult>();
  const errors: string[] = [];
  await onThreads<ChaosResult>(seeds, {
    program: new URL('./worker.js', import.meta.url),
    workerData: { kind: 'chaos' } satisfies Work,
    threads,
    jobsAWorker: seeds.length,
    onMessage: ({ job: seed, result, error }) => {
      if (result === undefined) errors.push(`seed ${seed}: ${error ?? 'no answer'}`);
      else results.set(seed, result);
    },
  });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return seeds.flatMap((seed) => results.get(seed) ?? []);
}
