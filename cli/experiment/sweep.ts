/** `aips sweep`: reads the flags and plays a sweep, a part of one, or the rest of one. The runs are played by sweep-run.ts. */

import { dirname, join, relative } from 'node:path';
import type { Argv, CommandModule, InferredOptionTypes } from 'yargs';
import { planSweep, type SweepPlan } from '../../experiments/sweep/plan.js';
import { summarize, unknownMeasures } from '../../experiments/sweep/summary.js';
import { parseSweep } from '../../experiments/sweep/sweep-file.js';
import { jsonText } from '../../reports/json-text.js';
import type { SweepInputs, SweepRun } from '../../reports/sweep-result.js';
import {
  loadBehaviours,
  type OwnBehaviours,
  originOf,
  requireSameModule,
} from '../../runs/behaviours/behaviours-file.js';
import {
  addRun,
  beginSweepFolder,
  keepRuns,
  readSweepFolder,
  writeResults,
} from '../../runs/experiment/sweep-folder.js';
import { mergeShards } from '../../runs/experiment/sweep-merge.js';
import { deliver, refuseUnmeasured, sweepChart, warnOfNoEffects } from '../../runs/experiment/sweep-outputs.js';
import { playSweep, type Shard } from '../../runs/experiment/sweep-run.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { packageVersion } from '../../runs/host/package.js';
import { refuseMissingBehaviours, refuseUnusedBehaviours } from '../../runs/simulation/scenario-source.js';
import { readScenarioText } from '../../runs/simulation/scenario-text.js';
import type { Command } from '../flags/command.js';

const REPLICATES_MAX = 1_000;
const CHART_OF_SHARD = '--chart draws a whole sweep: leave out --shard.';

const options = {
  out: { type: 'string', describe: 'Folder of the results; absent: nothing is written' },
  workers: { type: 'number', default: 1, describe: 'Threads' },
  engine: {
    choices: ['threads', 'bullmq'] as const,
    default: 'threads' as const,
    describe: 'What plays the runs: threads here, or aips worker on any machine, over a queue in --redis',
  },
  redis: { type: 'string', describe: 'Redis of the queue of --engine bullmq, such as redis://127.0.0.1:6379' },
  replicates: { type: 'number', describe: "Runs of each arm; absent: the file's own" },
  'until-half-width': {
    type: 'string',
    array: true,
    describe:
      'MEASURE=WIDTH: play more replicates until the 95 % interval of its mean reaches no further, in every arm',
  },
  'replicates-max': {
    type: 'number',
    describe: `Number of runs at which --until-half-width gives up; absent: ${REPLICATES_MAX}`,
  },
  shard: { type: 'string', describe: 'i/n: play the i-th of n parts, for aips sweep merge' },
  resume: { type: 'string', describe: 'Continue the sweep in this folder' },
  from: { type: 'string', describe: 'Play the sweep of this folder again, and compare the events of every run' },
  behaviours: { type: 'string', describe: 'Module with your own heartbeat behaviours, for policy: own' },
  chart: { type: 'string', describe: 'Draw these measures, with commas between, to chart.svg in --out' },
  json: { type: 'boolean', default: false, describe: 'Print summary.json instead of the summary' },
} as const;

type SweepFlags = InferredOptionTypes<typeof options> & { file?: string | undefined };

const mergeCommand: CommandModule<object, { folders: readonly string[]; out: string; json: boolean }> = {
  command: 'merge <folders..>',
  describe: 'Merge the shards of a sweep into one result',
  builder: (args: Argv) =>
    args
      .positional('folders', { type: 'string', array: true, demandOption: true, describe: 'The folders of all shards' })
      .option('out', { type: 'string', demandOption: true, describe: 'Folder of the results' })
      .option('json', { type: 'boolean', default: false, describe: 'Print summary.json instead of the summary' })
      .example('$0 sweep merge out/1 out/2 out/3 --out out/all', 'the same bytes as one uninterrupted sweep'),
  handler: ({ folders, out, json }) => {
    process.exitCode = deliver(mergeShards(folders, out), out, json);
  },
};

/** `aips sweep FILE`: plays every arm of an experiment several times. */
export const sweepCommand: Command<SweepFlags> = {
  builder: (args: Argv) =>
    args
      .command(mergeCommand)
      .positional('file', { type: 'string', describe: 'The sweep, a YAML file' })
      .options(options)
      .example('$0 sweep scenarios/experiments/flat-fees.yaml --workers 2 --out out/fees', 'all arms, in two threads')
      .example('$0 sweep --resume out/fees --workers 2', 'after Ctrl-C, a crash or SIGKILL')
      .example('$0 sweep big.yaml --shard 1/3 --out out/1', 'one of three parts; then aips sweep merge')
      .example('$0 sweep big.yaml --engine bullmq --redis redis://queue:6379 --out out/big', 'by workers: aips worker')
      .example('$0 sweep own.yaml --behaviours my.js --out out/own', 'with your own heartbeat behaviours')
      .example('$0 sweep --from out/fees', 'whether a published sweep can be reproduced')
      .example('$0 sweep a.yaml --until-half-width frozen_share=0.005', 'as many replicates as that needs'),
  handler: async (flags) => {
    process.exitCode = await statusOf(flags);
  },
};

async function statusOf(flags: SweepFlags): Promise<number> {
  const { file, resume, from, out, workers, json } = flags;
  const ways = [
    file === undefined ? [] : ['FILE'],
    resume === undefined ? [] : ['--resume'],
    from === undefined ? [] : ['--from'],
  ].flat();
  if (ways.length !== 1) {
    throw new Failure(
      ways.length === 0 ? 'Name the sweep file.\nTry: aips sweep --help' : `${ways.join(' and ')} cannot go together.`,
    );
  }
  requireCount('--workers', workers);
  if (file === undefined) refuseForBegun(flags, resume === undefined ? '--from' : '--resume');
  const redis = redisOf(flags);
  const behaviours = flags.behaviours === undefined ? undefined : await loadBehaviours(flags.behaviours);
  if (from !== undefined) return playAgain(from, { workers, json, behaviours });
  if (resume !== undefined) {
    return resumeSweep(resume, { workers, redis, json, behaviours, shard: shardOf(flags.shard), chart: flags.chart });
  }
  const plan = await planOfFile(file as string, flags, behaviours);
  const shard = shardOf(flags.shard);
  if (flags.chart !== undefined) {
    if (out === undefined) throw new Failure('--chart needs --out, and draws a whole sweep.');
    if (shard !== null) throw new Failure(CHART_OF_SHARD);
    refuseUnmeasured(plan, flags.chart.split(','));
  }
  if (shard !== null && out === undefined) throw new Failure('--shard needs --out, the folder that is merged later.');
  if (shard !== null && plan.inputs.until.length > 0) {
    throw new Failure('--until-half-width needs the runs of all arms: leave out --shard.');
  }
  if (out !== undefined) {
    ensureFolder(out);
    beginSweepFolder(out, plan.inputs);
  }
  return play(plan, { known: [], folder: out, workers, redis, behaviours, shard, json, chart: flags.chart });
}

/** The Redis whose workers play the runs; undefined where threads do. */
function redisOf({ engine, redis }: Pick<SweepFlags, 'engine' | 'redis'>): string | undefined {
  if (engine === 'bullmq' && redis === undefined) throw new Failure('--engine bullmq needs --redis URL.');
  if (engine === 'threads' && redis !== undefined) throw new Failure('--redis is for --engine bullmq.');
  return redis;
}

/** Flags that a sweep takes from its folder when it is continued or played again. */
function refuseForBegun(flags: SweepFlags, mode: '--resume' | '--from'): void {
  const given = (['out', 'replicates', 'until-half-width', 'replicates-max'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (given !== undefined) throw new Failure(`${mode} takes its sweep from the folder: leave out --${given}.`);
  if (mode === '--from' && flags.shard !== undefined)
    throw new Failure('--from plays the whole sweep: leave out --shard.');
  if (mode === '--from' && flags.chart !== undefined)
    throw new Failure('--from compares and draws nothing: leave out --chart, or add it to --resume.');
  if (mode === '--from' && flags.engine === 'bullmq')
    throw new Failure('--from plays every run anew, and a queue may know it: leave out --engine and --redis.');
}

/** The plan of a sweep file, with what the flags say. */
export async function planOfFile(
  file: string,
  flags: Partial<Pick<SweepFlags, 'replicates' | 'until-half-width' | 'replicates-max'>> = {},
  behaviours?: OwnBehaviours,
): Promise<SweepPlan> {
  const text = withReplicates(readText(file, 'sweep file'), file, flags.replicates);
  const parsed = parsedOrFail(parseSweep(text, file));
  const scenarioPath = join(dirname(file), parsed.scenario);
  const until = (flags['until-half-width'] ?? []).map(parseHalfWidth);
  const plan = parsedOrFail(
    planSweep({
      ...{ file, text, until, version: packageVersion() },
      scenarioFile: relative('.', scenarioPath),
      scenarioText: await readScenarioText(scenarioPath, { file, text }),
      ...(until.length === 0 ? {} : { replicatesMax: flags['replicates-max'] ?? REPLICATES_MAX }),
      ...(behaviours === undefined ? {} : { behaviours: originOf(behaviours) }),
    }),
  );
  const { scenario_file: scenarioFile, scenario_text: scenarioText } = plan.inputs;
  for (const { scenario } of plan.arms) {
    refuseMissingBehaviours(scenario, { file: scenarioFile, text: scenarioText }, behaviours);
  }
  refuseUnusedBehaviours(
    plan.arms.map(({ scenario }) => scenario),
    scenarioFile,
    behaviours,
  );
  const [unknown] = unknownMeasures(plan);
  if (unknown !== undefined) {
    throw new Failure(
      `--until-half-width ${unknown}: is not measured in every arm; list it under measures in ${file}.`,
    );
  }
  if (until.length === 0 && flags['replicates-max'] !== undefined) {
    throw new Failure('--replicates-max is for --until-half-width.');
  }
  if (until.length > 0 && plan.inputs.replicates_max < plan.inputs.replicates) {
    throw new Failure(`--replicates-max must be at least the ${plan.inputs.replicates} replicates of the file.`);
  }
  return plan;
}

/** The text of a sweep file with another number of replicates, so that the number is one of its inputs. */
function withReplicates(text: string, file: string, replicates: number | undefined): string {
  if (replicates === undefined) return text;
  requireCount('--replicates', replicates);
  parsedOrFail(parseSweep(text, file));
  const line = /^replicates:.*$/m;
  return line.test(text)
    ? text.replace(line, `replicates: ${replicates}`)
    : `${text.trimEnd()}\nreplicates: ${replicates}\n`;
}

function parseHalfWidth(text: string): SweepInputs['until'][number] {
  const [, measure, width, percent] = /^([^=]+)=(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const halfWidth = Number(width) / (percent === '%' ? 100 : 1);
  if (measure === undefined || !(halfWidth > 0)) {
    throw new Failure(`--until-half-width ${text}: must have the form frozen_share=0.005, with a width above zero.`);
  }
  return { measure, half_width: halfWidth };
}

function shardOf(text: string | undefined): Shard | null {
  if (text === undefined) return null;
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { part: Number(part), of: Number(of) };
  if (part !== undefined && shard.part >= 1 && shard.part <= shard.of && shard.of <= 1_000_000) return shard;
  throw new Failure(`--shard ${text}: must have the form i/n, with i from 1 to n.`);
}

function requireCount(name: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) throw new Failure(`${name} must be a whole number, 1 or more.`);
}

interface Playing {
  readonly known: readonly SweepRun[];
  readonly folder: string | undefined;
  readonly workers: number;
  readonly redis: string | undefined;
  readonly behaviours: OwnBehaviours | undefined;
  readonly shard: Shard | null;
  readonly json: boolean;
  /** Measures to draw, with commas between. */
  readonly chart: string | undefined;
}

/** Plays what is left of a sweep, and delivers what it found. */
async function play(plan: SweepPlan, { folder, json, chart, ...playing }: Playing): Promise<number> {
  const { shard } = playing;
  if (chart !== undefined && shard !== null) throw new Failure(CHART_OF_SHARD);
  const onRun = (run: SweepRun): void => {
    if (folder !== undefined) addRun(folder, run);
  };
  const { runs, interrupted } = await playSweep(plan, { ...playing, onRun });
  if (interrupted) {
    const how =
      folder === undefined
        ? ''
        : `: continue with aips sweep --resume ${folder}${shard === null ? '' : ` --shard ${shard.part}/${shard.of}`}`;
    console.error(`interrupted after ${runs.length} runs${how}`);
    return EXIT.unable;
  }
  if (shard !== null && folder !== undefined) {
    keepRuns(folder, runs);
    console.log(
      `shard ${shard.part} of ${shard.of}: ${runs.length} runs in ${folder}. When all are there: aips sweep merge DIR… --out DIR`,
    );
    return runs.some(({ error }) => error !== undefined) ? EXIT.unclean : EXIT.clean;
  }
  const summary = folder === undefined ? summarize(plan, runs) : writeResults(folder, plan, runs);
  if (chart !== undefined && folder !== undefined) writeFiles(folder, { 'chart.svg': sweepChart(plan, runs, chart) });
  const status = deliver(summary, folder, json);
  warnOfNoEffects(plan, runs);
  return status;
}

/** Continues a sweep. Runs that failed are played again: what stopped them may be gone. */
function resumeSweep(folder: string, rest: Omit<Playing, 'known' | 'folder'>): Promise<number> {
  const { plan, runs } = readSweepFolder(folder);
  requireSameModule(plan.inputs.behaviours, rest.behaviours, `the sweep in ${folder}`);
  if (rest.chart !== undefined) refuseUnmeasured(plan, rest.chart.split(','));
  const known = runs.filter(({ error }) => error === undefined);
  keepRuns(folder, known);
  return play(plan, { ...rest, known, folder });
}

/** Plays a sweep again and compares the events of each run with those in its folder. */
async function playAgain(
  folder: string,
  { workers, json, behaviours }: Pick<Playing, 'workers' | 'json' | 'behaviours'>,
): Promise<number> {
  const { plan, runs: published } = readSweepFolder(folder);
  requireSameModule(plan.inputs.behaviours, behaviours, `the sweep in ${folder}`);
  const playing = { workers, behaviours, shard: null, known: [], onRun: () => undefined };
  const { runs, interrupted } = await playSweep(plan, playing);
  if (interrupted) throw new Failure('Interrupted: the sweep was not played to its end.');
  const hashes = new Map(published.map(({ arm, replicate, event_hash }) => [`${arm} ${replicate}`, event_hash]));
  const different = runs.filter(({ arm, replicate, event_hash }) => hashes.get(`${arm} ${replicate}`) !== event_hash);
  const same = different.length === 0 && published.length === runs.length;
  if (json)
    process.stdout.write(
      jsonText({ runs: runs.length, published: published.length, different: different.length, same }),
    );
  else if (same) console.log(`reproduced: all ${runs.length} runs have the events that were published`);
  else
    console.log(
      `not reproduced: ${different.length} of ${runs.length} runs differ, ${published.length} were published`,
    );
  for (const { arm, replicate, seed } of different.slice(0, 5)) {
    console.error(`differs: ${plan.arms[arm]?.name}, replicate ${replicate}, seed ${seed}`);
  }
  return same ? EXIT.clean : EXIT.unclean;
}
