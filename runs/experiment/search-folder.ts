/**
 * The folder of an unfinished search, of numbers, policies, equilibria or rules: its inputs, and its runs line by line as they end. Its
 * results are written by search.ts, design.ts and searched-points.ts, and by equilibrium-plays.ts.
 */

import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SearchSource } from '../../experiments/search/numbers-search.js';
import type { SweepPlan } from '../../experiments/sweep/plan.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { SEARCH_SCHEMA } from '../../results/search-result.js';
import { type SweepRun, sweepRunSchema } from '../../results/sweep-result.js';
import { Failure } from '../host/failure.js';
import { appendText, jsonOrFail, readLines, writeFiles, writePieces } from '../host/files.js';
import { readOwnFile } from '../host/own-file.js';
import { packageVersion } from '../host/package.js';
import { tasksOf } from './sweep-run.js';
import { runDigest } from './sweep-worker.js';

const INPUTS = 'begun.json';
const RUNS = 'runs.ndjson';
/** Sweeps of a search, which are written when it knows them. */
const SWEEPS = ['points', 'confirmed', 'without-cap', 'game', 'held-out', 'equilibrium-before', 'equilibrium-after'];
/** The result of each kind of search, and the name of the kind in messages. */
const KINDS = {
  search: { result: 'search.json', name: 'search' },
  equilibrium: { result: 'equilibrium.json', name: 'search for equilibria' },
  design: { result: 'design.json', name: 'design' },
} as const;

/** Numbers and policies are one kind of search, equilibria another, and rules a third. */
type SearchKind = keyof typeof KINDS;

const texts = { file: z.string(), text: z.string(), scenario_file: z.string(), scenario_text: z.string() };
const inputsSchema = z.object({
  schema: z.literal(SEARCH_SCHEMA),
  version: z.string(),
  ...texts,
  digest: z.string(),
  kind: z.enum(['search', 'equilibrium', 'design']).default('search'),
  /** The game of a design. */
  game: z.object(texts).optional(),
});
/** The beginning of a search. */
const INPUTS_FILE = {
  kind: 'search',
  what: `the ${INPUTS} of a search`,
  format: ['schema', SEARCH_SCHEMA],
  schema: inputsSchema,
  by: 'aips experiment search --out',
} as const;
const lineSchema = z.object({ digest: z.string(), run: sweepRunSchema });

/** The runs of a search, by the digest of their arm and seed, so that a continued search plays none again. */
export interface SearchMemory {
  readonly folder: string;
  /** Those runs of a sweep that are known. */
  readonly runsOf: (plan: SweepPlan) => readonly SweepRun[];
  /** Keeps a run of a sweep. A failed run is not kept, because its cause may be gone. */
  readonly keep: (plan: SweepPlan, run: SweepRun) => void;
  /** Whether no run is kept yet. */
  readonly isEmpty: () => boolean;
}

/** The texts of a search; of a design with those of the game that it names. */
export interface BegunSource extends SearchSource {
  readonly game?: SearchSource | undefined;
}

/** SHA-256 of everything that a search follows from. */
export function digestOf({ text, scenarioText, game }: BegunSource): string {
  const all = [packageVersion(), text, scenarioText, ...(game === undefined ? [] : [game.text, game.scenarioText])];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

/** Begins a folder: its inputs, and no runs. Failure if it holds a search. */
export function beginSearchFolder(folder: string, source: BegunSource, kind: SearchKind = 'search'): SearchMemory {
  const { name } = KINDS[kind];
  if (existsSync(join(folder, INPUTS))) {
    throw new Failure(
      `${folder}: holds a ${name} that was broken off. Continue it with aips experiment resume ${folder}, or choose another folder.`,
    );
  }
  const used = [...Object.values(KINDS).map(({ result }) => result), ...SWEEPS].find((each) =>
    existsSync(join(folder, each)),
  );
  if (used !== undefined) throw new Failure(`${folder}: holds a ${name} already (${used}). Choose another folder.`);
  const { game } = source;
  const inputs: z.infer<typeof inputsSchema> = {
    ...{ schema: SEARCH_SCHEMA, version: packageVersion(), ...written(source), digest: digestOf(source), kind },
    ...(game === undefined ? {} : { game: written(game) }),
  };
  writeFiles(folder, { [RUNS]: '', [INPUTS]: jsonText(inputs as Json) });
  return memoryOf(folder, new Map());
}

function written({ file, text, scenarioFile, scenarioText }: SearchSource) {
  return { file, text, scenario_file: scenarioFile, scenario_text: scenarioText };
}

function read({ file, text, ...scenario }: ReturnType<typeof written>): SearchSource {
  return { file, text, scenarioFile: scenario.scenario_file, scenarioText: scenario.scenario_text };
}

/**
 * Reads the folder of a search that was broken off. Its results, which may be half written, are removed; they are made again from the
 * runs. Failure if there is none, or if it was changed.
 */
export function resumeSearchFolder(folder: string): {
  readonly kind: SearchKind;
  readonly source: BegunSource;
  readonly memory: SearchMemory;
} {
  const path = join(folder, INPUTS);
  const finished = Object.values(KINDS).find(({ result }) => existsSync(join(folder, result)));
  if (!existsSync(path) && finished !== undefined) {
    throw new Failure(`${folder}: its ${finished.name} is finished: see ${finished.result}.`);
  }
  const inputs = readOwnFile(path, INPUTS_FILE);
  const { version, digest, game } = inputs;
  const source: BegunSource = { ...read(inputs), ...(game === undefined ? {} : { game: read(game) }) };
  if (digestOf(source) !== digest) {
    throw new Failure(
      `${path}: was changed, or is of another version of aips-lab (${version}): its digest does not match.`,
    );
  }
  const runs = readRuns(join(folder, RUNS));
  for (const name of SWEEPS) rmSync(join(folder, name), { recursive: true, force: true });
  // Without the line that was cut off, which the next would be written behind.
  writePieces(
    folder,
    RUNS,
    [...runs].map(([key, run]) => lineOf(key, run)),
  );
  return { kind: inputs.kind, source, memory: memoryOf(folder, runs) };
}

/** Ends a search whose results are written: they hold its runs. */
export function endSearchFolder(folder: string): void {
  // First what says that it was begun: the runs without it are no search.
  for (const name of [INPUTS, RUNS]) rmSync(join(folder, name), { force: true });
}

const lineOf = (digest: string, run: SweepRun): string => `${JSON.stringify({ digest, run })}\n`;

/** Runs by their digest. A last line without an end was cut off; any other line that is no run is a Failure. */
function readRuns(path: string): Map<string, SweepRun> {
  const lines = readLines(path, 'list of runs');
  return new Map(
    lines.map((line, i) => {
      const parsed = lineSchema.safeParse(jsonOrFail(line, path, i + 1));
      if (!parsed.success) throw new Failure(`${path}:${i + 1}: is not a run of this search.`);
      return [parsed.data.digest, parsed.data.run] as const;
    }),
  );
}

function memoryOf(folder: string, runs: ReadonlyMap<string, SweepRun>): SearchMemory {
  const digestIn = ({ arms }: SweepPlan, { arm, seed }: Pick<SweepRun, 'arm' | 'seed'>): string => {
    const played = arms[arm];
    if (played === undefined) throw new Error(`there is no arm ${arm}`);
    return runDigest(played, seed);
  };
  let kept = runs.size;
  return {
    folder,
    isEmpty: () => kept === 0,
    runsOf: (plan) =>
      tasksOf(plan, plan.inputs.replicates, null).flatMap((task) => {
        const run = runs.get(digestIn(plan, task));
        if (run === undefined) return [];
        if (run.values.length !== plan.arms[task.arm]?.subjects.length) {
          throw new Failure(`${join(folder, RUNS)}: the run of seed ${task.seed} is not one of this search.`);
        }
        return [{ ...run, ...task }];
      }),
    keep: (plan, run) => {
      if (run.error !== undefined) return;
      appendText(folder, RUNS, lineOf(digestIn(plan, run), run));
      kept += 1;
    },
  };
}
