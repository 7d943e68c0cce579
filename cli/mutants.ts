/** `aips mutants`: plants mistakes in the reference and tells which of them the suite finds. It judges no other server. */

import { availableParallelism } from 'node:os';
import type { Argv, InferredOptionTypes } from 'yargs';

import { allMutants } from '../conformance/mutants/index.js';
import { matrixOf } from '../conformance/mutants/matrix.js';
import { judgeMutants } from '../conformance/mutants/run.js';
import { glob } from '../conformance/run/select.js';
import { Draws } from '../conformance/trial/random.js';
import { jsonText } from '../reports/json-text.js';
import { mutantsHeadline, mutantsMarkdown } from '../reports/mutants-markdown.js';
import type { Command } from './commands.js';
import { EXIT, Failure } from './failure.js';
import { writeFiles } from './files.js';
import { packageVersion } from './package.js';
import { progressBar } from './progress.js';

const options = {
  only: { type: 'string', array: true, describe: 'Globs over ids and clauses of mutants' },
  share: { type: 'number', default: 1, describe: 'Share of the mutants to judge, drawn by the seed' },
  seed: { type: 'number', default: 1, describe: 'Seed of the draw' },
  threads: { type: 'number', describe: 'Worker threads; as many as there are cores without it' },
  report: { type: 'string', describe: 'Folder of mutants.json and kill-matrix.md' },
  json: { type: 'boolean', default: false, describe: 'Print mutants.json in place of the summary' },
} as const;

type Flags = InferredOptionTypes<typeof options>;

/** Exit status 0 where every mutant was killed by its own clause, 1 where one was not. */
export const mutantsCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example("$0 mutants --only 'heartbeat/*'", 'the mistakes of one endpoint')
      .example('$0 mutants --share 0.05 --seed 7', 'a twentieth of them, by chance')
      .example('$0 mutants --report out', 'all of them, with mutants.json and kill-matrix.md'),
  handler: async ({ only = [], share, seed, threads, report, json }) => {
    if (!(share > 0 && share <= 1)) throw new Failure('--share must be more than 0 and at most 1.');
    const places = chosen(only, share, seed);
    if (places.length === 0) throw new Failure('No mutant has such an id or clause.');
    const bar = progressBar('mutants', places.length);
    const judged = await judgeMutants(places, threads ?? availableParallelism(), ({ id }) => bar.step(id));
    bar.stop();
    const result = matrixOf(judged, packageVersion());
    if (report !== undefined) {
      writeFiles(report, { 'mutants.json': jsonText(result as never), 'kill-matrix.md': mutantsMarkdown(result) });
    }
    if (json) console.log(jsonText(result as never).trimEnd());
    else {
      for (const { id, fate, clause } of result.mutants)
        if (fate !== 'killed') console.log(`${fate}  ${id}  (${clause})`);
      for (const { id, error } of result.broken) console.log(`broken  ${id}: ${error.split('\n')[0]}`);
      console.log(mutantsHeadline(result));
    }
    process.exitCode = result.summary.killed === result.summary.mutants ? EXIT.clean : EXIT.unclean;
  },
};

/** The places of the mutants that are meant, in their order. */
function chosen(only: readonly string[], share: number, seed: number): readonly number[] {
  const tests = only.map(glob);
  const named = allMutants.flatMap(({ id, clause }, place) =>
    tests.length === 0 || tests.some((test) => test(id) || test(clause)) ? [place] : [],
  );
  if (share >= 1) return named;
  const draws = new Draws(`mutants:${seed}`);
  return named.filter(() => (draws.bytes(1)[0] ?? 0) / 256 < share);
}
