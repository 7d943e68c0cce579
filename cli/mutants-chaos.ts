/**
 * `aips mutants --chaos N`: judges servers that differ from the reference only where the specification is silent, and reports
 * the must failures of the suite there, each a false alarm. Mistakes are judged by mutants.ts.
 */

import { median } from 'simple-statistics';
import { judgeChaosSeeds } from '../conformance/mutants/run.js';
import { EXIT, Failure } from './failure.js';
import { progressBar } from './progress.js';

interface ChaosFlags {
  readonly chaos: number;
  readonly seed: number;
  readonly threads: number;
  readonly json: boolean;
}

/** Below this share of must clauses a server is so different that the suite's silence about it says little. */
const JUDGED_SHARE_MIN = 0.5;

/** Exit status 0 where no server has a must failure, 1 where one has. Throws a Failure where there is nothing to judge. */
export async function judgeChaosServers({ chaos, seed, threads, json }: ChaosFlags): Promise<void> {
  if (!Number.isInteger(chaos) || chaos < 1) throw new Failure('--chaos must be a whole number of servers, 1 or more.');
  const seeds = Array.from({ length: chaos }, (_, place) => seed + place);
  const bar = progressBar('servers', chaos);
  const results = await judgeChaosSeeds(seeds, threads, (result) => bar.step(`seed ${result.seed}`));
  bar.stop();
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
      `${results.length} permitted servers, seeds ${seed} to ${seed + chaos - 1}: ${alarmed.length} with a must failure; ` +
        `${Math.floor(judged)} of ${first?.total ?? 0} must clauses judged on the median`,
    );
  }
  process.exitCode = alarmed.length + little.length === 0 ? EXIT.clean : EXIT.unclean;
}
