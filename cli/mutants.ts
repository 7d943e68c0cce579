/** `aips mutants`: plants mistakes in the reference and reports which of them the suite finds. It judges no other server. */

import { availableParallelism } from 'node:os';
import type { Argv, InferredOptionTypes } from 'yargs';

import { allMutants } from '../conformance/mutants/index.js';
import { matrixOf } from '../conformance/mutants/matrix.js';
import { judgeMutants, type MutantsJudged } from '../conformance/mutants/run.js';
import { glob } from '../conformance/run/select.js';
import { Draws } from '../conformance/trial/random.js';
import { jsonText } from '../reports/json-text.js';
import { mutantsHeadline, mutantsMarkdown } from '../reports/mutants-markdown.js';
import type { Command } from './commands.js';
import { EXIT, Failure } from './failure.js';
import { ensureFolder, readText, writeFiles } from './files.js';
import { judgeAssertionsOfSuite } from './mutants-assertions.js';
import { judgeChaosServers } from './mutants-chaos.js';
import { refuseBeside, requireWhole } from './option-values.js';
import { packageVersion } from './package.js';
import { progressBar } from './progress.js';
import { readSeed } from './server-flags.js';

const options = {
  only: { type: 'string', array: true, describe: 'Globs over ids and clauses of mutants' },
  share: { type: 'number', default: 1, describe: 'Share of the mutants to judge, drawn by the seed' },
  seed: { type: 'number', default: 1, describe: 'Seed of the draw; with --chaos that of the first server' },
  threads: { type: 'number', describe: 'Worker threads; as many as there are cores without it' },
  report: { type: 'string', describe: 'Folder of mutants.json and kill-matrix.md' },
  chaos: {
    type: 'number',
    describe:
      'In place of mistakes, so many servers that differ only where the specification is silent, from the seed on',
  },
  assertions: {
    type: 'boolean',
    default: false,
    describe:
      'Instead of the matrix: whether each assertion, alone, finds a mistake, and a clause fails by assertions only',
  },
  known: { type: 'string', describe: 'File of the ids of mutants that are known to survive, one per line' },
  json: { type: 'boolean', default: false, describe: 'Print mutants.json instead of the summary' },
} as const;

/** So many missed mutants are judged again; more are no matter of a slow machine. */
const AGAIN_AT_MOST = 20;

type Flags = InferredOptionTypes<typeof options>;

/**
 * Exit status 0 where every mutant was killed by its own clause, or is known not to be, and with --chaos where no server has a
 * must failure; 1 otherwise.
 */
export const mutantsCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example("$0 mutants --only 'heartbeat/*'", 'the mistakes of one endpoint')
      .example('$0 mutants --share 0.05 --seed 7', 'a random twentieth of them')
      .example('$0 mutants --report out', 'all of them, with mutants.json and kill-matrix.md')
      .example('$0 mutants --known known.txt', 'fails only for those that are not in the list')
      .example('$0 mutants --assertions --share 0.1', 'the assertions of a tenth of the checks, each alone')
      .example('$0 mutants --chaos 20', 'verifies that the suite fails no permitted server')
      .epilogue(
        'Exit status: 0 where every mutant was found by its own clause or stands in --known (of this repository: conformance/mutants/known-survivors.txt), 1 where one was not, 2 where nothing could be judged.',
      ),
  handler: async (flags) => {
    const { only = [], share, seed, threads = availableParallelism(), report, known, json, chaos } = flags;
    readSeed(seed);
    requireWhole(threads, '--threads');
    if (chaos !== undefined) {
      refuseBeside('--chaos', flags, ['only', 'assertions', 'known', 'report']);
      if (share !== 1) throw new Failure('--chaos takes no --share.');
      return judgeChaosServers({ chaos, seed, threads, json });
    }
    if (!(share > 0 && share <= 1)) throw new Failure('--share must be more than 0 and at most 1.');
    if (flags.assertions) {
      refuseBeside('--assertions', flags, ['only', 'report']);
      return judgeAssertionsOfSuite({ share, seed, threads, json, known });
    }
    if (report !== undefined) ensureFolder(report);
    const listed = known === undefined ? new Set<string>() : knownIn(known);
    const places = chosen(only, share, seed);
    if (places.length === 0) throw new Failure(`A share of ${share} draws no mutant: give a larger --share.`);
    const bar = progressBar('mutants', places.length);
    const judged = await judgeMutants(places, threads, ({ id }) => bar.step(id));
    bar.stop();
    const result = matrixOf(await missedAgain(judged, listed), packageVersion());
    if (report !== undefined) {
      writeFiles(report, { 'mutants.json': jsonText(result as never), 'kill-matrix.md': mutantsMarkdown(result) });
    }
    if (json) console.log(jsonText(result as never).trimEnd());
    else {
      for (const { id, fate, clause } of result.mutants) {
        if (fate === 'killed' && listed.has(id)) console.log(`killed now, take it off ${known}: ${id}`);
        if (fate !== 'killed' && !listed.has(id)) console.log(`${fate}  ${id}  (${clause})`);
      }
      for (const { id, error } of result.broken) console.log(`broken  ${id}: ${error.split('\n')[0]}`);
      console.log(mutantsHeadline(result));
    }
    const news = result.mutants.filter(({ id, fate }) => fate !== 'killed' && !listed.has(id));
    const faults = news.length + result.broken.length + (result.idle?.length ?? 0);
    process.exitCode = faults === 0 ? EXIT.clean : EXIT.unclean;
  },
};

/**
 * Judges the mutants that were missed and are not listed a second time, with nothing beside them: on a busy machine a
 * delivery or an overlap that a kill rests on can come too late, and is then not judged.
 */
async function missedAgain(judged: MutantsJudged, listed: ReadonlySet<string>): Promise<MutantsJudged> {
  const missed = judged.results.filter(({ id, fate }) => fate !== 'killed' && !listed.has(id));
  if (missed.length === 0 || missed.length > AGAIN_AT_MOST) return judged;
  const places = missed.map(({ id }) => allMutants.findIndex((mutant) => mutant.id === id));
  const again = new Map((await judgeMutants(places, 1)).results.map((result) => [result.id, result]));
  return { ...judged, results: judged.results.map((result) => again.get(result.id) ?? result) };
}

/** The ids in a file of known survivors; a line may end in a comment after #. Throws a Failure where no mutant has an id. */
function knownIn(path: string): ReadonlySet<string> {
  const ids = new Set(allMutants.map(({ id }) => id));
  const lines = readText(path, 'list of mutants').split('\n');
  const named = lines.map((line) => line.replace(/#.*/, '').trim());
  for (const [at, id] of named.entries()) {
    if (id !== '' && !ids.has(id)) throw new Failure(`${path}:${at + 1}: there is no mutant ${id}.`);
  }
  return new Set(named.filter((id) => id !== ''));
}

/** The places of the mutants that are meant, in their order. */
function chosen(only: readonly string[], share: number, seed: number): readonly number[] {
  const tests = only.map(glob);
  for (const [at, test] of tests.entries()) {
    if (allMutants.some(({ id, clause }) => test(id) || test(clause))) continue;
    throw new Failure(`No mutant has an id or a clause like ${only[at]}: mutants.json of --report lists them all.`);
  }
  const named = allMutants.flatMap(({ id, clause }, place) =>
    tests.length === 0 || tests.some((test) => test(id) || test(clause)) ? [place] : [],
  );
  if (share >= 1) return named;
  const draws = new Draws(`mutants:${seed}`);
  return named.filter(() => Number.parseInt(draws.hex(4), 16) / 2 ** 32 < share);
}
