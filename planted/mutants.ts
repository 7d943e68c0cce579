/**
 * The entry of `npm run mutants`: plants mistakes in the reference, one by one, and reports which of them the suite finds. With
 * --chaos, --fuzz or --watched it asks another question of the same room. It judges no other server.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mutant } from '../conformance/mutants/mutant.js';
import { judgeMutants, type MutantsJudged } from '../conformance/mutants/run.js';
import { glob } from '../conformance/run/select.js';
import { Draws } from '../conformance/trial/random.js';
import { allMutants } from './all-mutants.js';
import { reportChaos } from './chaos.js';
import { reportFuzz } from './fuzz.js';
import { reportHeldOut } from './held-out.js';
import { measureKills } from './kills.js';
import { matrixOf, mutantsHeadline } from './matrix.js';
import { oldList } from './old-list.js';
import { reportWatched } from './watched.js';
import { writeKillData } from './witnesses.js';
import type { Work } from './worker.js';

/** The questions, and the options that each takes. */
const QUESTIONS = {
  chaos: ['seed', 'threads', 'json'],
  fuzz: ['runs', 'seed', 'json'],
  watched: ['seed', 'threads', 'json'],
  kills: ['only', 'seed', 'threads'],
  'kill-data': [],
  'held-out': ['seed'],
  matrix: ['only', 'share', 'seed', 'threads', 'report', 'json', 'reference'],
} as const;

const USAGE = `npm run mutants -- [--only GLOB…] [--share S] [--seed N] [--threads N] [--report DIR] [--json] [--reference DIR]
npm run mutants -- --chaos N | --fuzz N [--runs N] | --watched N | --kills FILE | --kill-data FILE | --held-out FILE`;

const { values } = given();
const only = values.only ?? [];

/** Mutants that are known to be missed. */
const known = new Set(allMutants.filter(({ missed }) => missed !== undefined).map(({ id }) => id));
/** A larger number of missed mutants is not judged again, since a busy machine does not explain it. */
const AGAIN_MAX = 20;

try {
  process.exitCode = (await answered()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

/** The options of the command line; it ends with exit status 2 where one is not known. */
function given() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        share: { type: 'string' },
        seed: { type: 'string' },
        threads: { type: 'string' },
        report: { type: 'string' },
        json: { type: 'boolean' },
        reference: { type: 'string' },
        chaos: { type: 'string' },
        fuzz: { type: 'string' },
        watched: { type: 'string' },
        kills: { type: 'string' },
        'kill-data': { type: 'string' },
        'held-out': { type: 'string' },
        runs: { type: 'string' },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

/** Whether no failure was found. */
async function answered(): Promise<boolean> {
  const question =
    (['chaos', 'fuzz', 'watched', 'kills', 'kill-data', 'held-out'] as const).find(
      (each) => values[each] !== undefined,
    ) ?? 'matrix';
  const taken: readonly string[] = QUESTIONS[question];
  const ignored = Object.keys(values).find((name) => name !== question && !taken.includes(name));
  if (ignored !== undefined) {
    const asked = question === 'matrix' ? 'A run over mutants' : `--${question}`;
    throw new RangeError(`${asked} takes no --${ignored}.`);
  }
  const { json = false } = values;
  const [seed, threads, share] = [
    whole('seed', 1),
    whole('threads', availableParallelism()),
    Number(values.share ?? 1),
  ];
  if (!(share > 0 && share <= 1)) throw new RangeError('--share must be more than 0 and at most 1.');
  if (question === 'chaos') return reportChaos({ count: whole('chaos'), seed, threads, json });
  if (question === 'fuzz') return reportFuzz({ count: whole('fuzz'), runs: whole('runs', 100), seed, json });
  if (question === 'held-out') return reportHeldOut(values['held-out'] as string, seed);
  if (question === 'kill-data') {
    writeKillData(values['kill-data'] as string);
    return true;
  }
  if (question === 'kills')
    return measureKills({ file: values.kills as string, among: chosen(allMutants, 1, seed), seed, threads });
  if (question === 'watched') return reportWatched({ count: whole('watched'), seed, threads, json });
  return reportMatrix({ share, seed, threads, json });
}

function whole(name: 'seed' | 'threads' | 'chaos' | 'fuzz' | 'watched' | 'runs', otherwise?: number): number {
  const value = Number(values[name] ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} must be a whole number, 1 or more.`);
  return value;
}

interface MatrixOptions {
  readonly share: number;
  readonly seed: number;
  readonly threads: number;
  readonly json: boolean;
}

async function reportMatrix({ share, seed, threads, json }: MatrixOptions): Promise<boolean> {
  const { report, reference } = values;
  const mutants = reference === undefined ? allMutants : (await oldList(reference)).mutants;
  const work: Work = reference === undefined ? { kind: 'mutants' } : { kind: 'old-mutants', folder: reference };
  const options = { mutants, program: new URL('./worker.js', import.meta.url), workerData: work };
  const places = chosen(mutants, share, seed);
  const judged = await judgeMutants(places, { ...options, threads, onResult: progress(places.length) });
  const result = matrixOf(await againAlone(judged, mutants, options), mutants.length);
  if (report !== undefined) {
    mkdirSync(report, { recursive: true });
    writeFileSync(join(report, 'mutants.json'), `${JSON.stringify(result, null, 2)}\n`);
  }
  const news = result.mutants.filter(({ id, outcome }) => outcome !== 'killed' && !known.has(id));
  if (json) console.log(JSON.stringify(result, null, 2));
  else {
    const found = result.mutants.filter(({ id, outcome }) => outcome === 'killed' && known.has(id));
    for (const { id } of found) console.log(`killed now, take its "missed" away: ${id}`);
    for (const { id, outcome, clause, collateral } of news) {
      const by = outcome === 'killed-elsewhere' ? `, but ${collateral.slice(0, 3).join(', ')}` : '';
      console.log(`${outcome}  ${id}  (${clause}${by})`);
    }
    for (const { id, error } of result.broken) console.log(`broken  ${id}: ${error.split('\n')[0]}`);
    console.log(mutantsHeadline(result));
  }
  return news.length + result.broken.length + (result.idle?.length ?? 0) === 0;
}

/** The places of the mutants that are meant, in their order. */
function chosen(mutants: readonly Mutant<object>[], share: number, seed: number): readonly number[] {
  const tests = only.map(glob);
  const isNamed = (test: (text: string) => boolean) => (mutant: Mutant<object>) =>
    test(mutant.id) || test(mutant.clause);
  const unknown = only.find((_, nth) => !mutants.some(isNamed(tests[nth] as (text: string) => boolean)));
  if (unknown !== undefined) throw new RangeError(`No mutant has an id or a clause like ${unknown}.`);
  const named = mutants.flatMap((mutant, place) =>
    tests.length === 0 || tests.some((test) => isNamed(test)(mutant)) ? [place] : [],
  );
  if (share >= 1) return named;
  const draws = new Draws(`mutants:${seed}`);
  const drawn = named.filter(() => Number.parseInt(draws.hex(4), 16) / 2 ** 32 < share);
  if (drawn.length === 0) throw new RangeError(`A share of ${share} draws no mutant: give a larger --share.`);
  return drawn;
}

/**
 * Judges the mutants that were missed a second time, one after the other: on a busy machine a delivery or an overlap that a
 * kill rests on can come too late, and is then not judged.
 */
async function againAlone(
  judged: MutantsJudged,
  mutants: readonly Mutant<object>[],
  options: Omit<Parameters<typeof judgeMutants>[1], 'threads'>,
): Promise<MutantsJudged> {
  const missed = judged.results.filter(({ id, outcome }) => outcome !== 'killed' && !known.has(id));
  if (missed.length === 0 || missed.length > AGAIN_MAX) return judged;
  const places = missed.map(({ id }) => mutants.findIndex((mutant) => mutant.id === id));
  const { results } = await judgeMutants(places, { ...options, threads: 1 });
  const again = new Map(results.map((result) => [result.id, result]));
  return { ...judged, results: judged.results.map((result) => again.get(result.id) ?? result) };
}

/** Counts on standard error. */
function progress(total: number): (judged: { readonly id: string }) => void {
  let done = 0;
  return ({ id }) => {
    done += 1;
    if (process.stderr.isTTY || done % 100 === 0) process.stderr.write(`${done} of ${total}  ${id}\n`);
  };
}
