/**
 * `aips simulate`: reads the flags, refuses those that do not go together, and plays one run. Each further mode has a
 * file of its own, simulate-MODE.ts.
 */

import type { Argv, InferredOptionTypes } from 'yargs';
import type { SimulationResult } from '../../reports/simulation-result.js';
import { loadBehaviours } from '../../runs/behaviours/behaviours-file.js';
import { Failure } from '../../runs/host/failure.js';
import { ensureFolder } from '../../runs/host/files.js';
import { loadCheckpoint, saveCheckpoint } from '../../runs/simulation/checkpoint-file.js';
import { eventTrace } from '../../runs/simulation/event-trace.js';
import { simulateForks } from '../../runs/simulation/forks.js';
import { deliver, exitStatusOf, type Output, warnOfNoEffects, writeBeside } from '../../runs/simulation/outputs.js';
import { type Played, playRun } from '../../runs/simulation/play.js';
import { playThreads, threadsFor } from '../../runs/simulation/play-threads.js';
import { simulateReplicates } from '../../runs/simulation/replicates.js';
import { runSourceOf, type ScenarioSource, scenarioSource, seedOf } from '../../runs/simulation/scenario-source.js';
import { overlayFile, parseSettings } from '../../runs/simulation/settings.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseDurationSec } from '../../scenarios/units.js';
import { agentRows } from '../../simulator/run/agent-rows.js';
import { type Run, startRun } from '../../simulator/run/run.js';
import { resultOf } from '../../simulator/run/simulate.js';
import type { Command } from '../flags/command.js';
import { simulateAgainst } from './against.js';
import { simulateBisect } from './bisect.js';
import { simulateFrom } from './from.js';
import { simulateSwarm } from './swarm.js';

const options = {
  seed: { type: 'number', describe: "Seed of the run; absent: the scenario's own" },
  out: { type: 'string', describe: 'Folder of the results; absent: nothing is written' },
  json: { type: 'boolean', default: false, describe: 'Print the manifest as JSON instead of the summary' },
  set: {
    type: 'string',
    array: true,
    describe: 'protocol.x=y: replaces a number of the protocol; separate several with commas',
  },
  protocol: {
    type: 'string',
    describe: 'YAML overlay that replaces numbers of the protocol; --set overrides it',
  },
  chart: { type: 'string', describe: 'Write this measure over time to MEASURE.svg in --out too' },
  trace: { type: 'boolean', default: false, describe: 'Write every event to events.ndjson' },
  gzip: { type: 'boolean', default: false, describe: 'With --trace: write events.ndjson.gz instead' },
  checkpoint: { type: 'string', describe: 'Save the state at this interval of protocol time, such as 1d' },
  resume: { type: 'string', describe: 'Continue from the checkpoint in this folder' },
  'fork-at': { type: 'string', describe: 'Play up to here once, then one future for each --set' },
  replicates: { type: 'number', describe: 'Play this many seeds, from --seed on' },
  workers: { type: 'number', describe: 'Threads for replicates; absent: one' },
  threads: { type: 'number', describe: 'Threads for one run, each with a share of the agents; absent: one' },
  against: { type: 'string', describe: 'Play it against the server of this target file too, and compare' },
  'allow-writes': { type: 'boolean', default: false, describe: 'Let --against write to another host' },
  behaviours: { type: 'string', describe: 'Module with your own heartbeat behaviours, for policy: own' },
  agents: { type: 'boolean', default: false, describe: 'Write a row for each agent to agents.csv and agents.parquet' },
  tidy: {
    type: 'boolean',
    default: false,
    describe: 'Write a row for each sample of each measure to measures.csv and measures.parquet',
  },
  from: { type: 'string', describe: 'Play the run of this manifest.json again, and compare its events' },
  swarm: { type: 'number', describe: 'Play this many small random scenarios of --seed, and shrink one that fails' },
  bisect: {
    type: 'string',
    array: true,
    describe: 'Two runs FILE[@SEED][,protocol.x=y]: find the first event that differs',
  },
} as const;

type SimulateFlags = InferredOptionTypes<typeof options> & { file?: string | undefined };

/** `aips simulate FILE`: runs a scenario in process. */
export const simulateCommand: Command<SimulateFlags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', describe: 'The scenario, a YAML file' })
      .options(options)
      .example('$0 simulate scenarios/library/quickstart.yaml --seed 7 --out out/quickstart', 'with all results')
      .example('$0 simulate big.yaml --out out/big --checkpoint 1d', 'Ctrl-C, then --resume out/big')
      .example('$0 simulate a.yaml --fork-at 7d --set protocol.dms.missedAnchorsMax=90', 'changes a rule from then on')
      .example('$0 simulate a.yaml --replicates 8 --workers 2 --out out/a', 'eight seeds in two threads')
      .example('$0 simulate big.yaml --threads 2', 'the same run in two threads: the same result, sooner')
      .example('$0 simulate a.yaml --against target.yaml', 'in-process and over HTTP, compared')
      .example('$0 simulate a.yaml --behaviours my.js', 'with your own heartbeat behaviours')
      .example('$0 simulate --from out/a/manifest.json', 'whether a published run can be reproduced')
      .example('$0 simulate --swarm 200 --seed 1', 'random scenarios, all invariants on')
      .example('$0 simulate --bisect a.yaml@7 a.yaml@8', 'the first event that differs'),
  handler: async (flags) => {
    process.exitCode = await statusOf(flags);
  },
};

/** Does what the flags ask for, and returns the exit status. */
async function statusOf(flags: SimulateFlags): Promise<number> {
  const { file, out, json, bisect, resume, replicates, workers = 1, threads: wanted = 1 } = flags;
  const mode = refuseMixed(flags);
  if (mode === 'bisect') return simulateBisect([...(bisect ?? []), ...(file === undefined ? [] : [file])], json);
  if (out !== undefined) ensureFolder(out);
  const output: Output = { out: out ?? resume, json };
  const behaviours = flags.behaviours === undefined ? undefined : await loadBehaviours(flags.behaviours);
  if (flags.swarm !== undefined) {
    requireCount('--swarm', flags.swarm);
    return simulateSwarm(flags.swarm, seedOf(flags.seed ?? 1), output);
  }
  if (flags.from !== undefined) return simulateFrom(flags.from, output, behaviours);
  if (resume !== undefined) {
    const { run, source } = loadCheckpoint(resume, behaviours);
    refuseUnmeasured(source.scenario, flags.chart);
    return exitStatusOf([await playAndDeliver(run, source, { ...output, flags })]);
  }
  if (file === undefined)
    throw new Failure('An argument is missing. Name the scenario file.\nTry: aips simulate --help');
  const set = (flags.set ?? []).map(parseSettings);
  const overlay = flags.protocol === undefined ? null : overlayFile(flags.protocol);
  const forkAt = flags['fork-at'];
  if (forkAt !== undefined) {
    const source = await scenarioSource(file, { seed: flags.seed, overlay });
    return simulateForks(source, { atSec: seconds('--fork-at', forkAt), at: forkAt, futures: set }, output);
  }
  if (set.length > 1) {
    throw new Failure('--set is given more than once: put commas between numbers, or play futures with --fork-at.');
  }
  const source = await scenarioSource(file, { seed: flags.seed, overlay, set: set[0], behaviours });
  refuseUnmeasured(source.scenario, flags.chart);
  if (flags.against !== undefined) {
    return simulateAgainst(source, flags.against, { json, allowWrites: flags['allow-writes'] });
  }
  requireCount('--threads', wanted);
  const threadsOf = (workers?: number): number => {
    return threadsFor(source.scenario, { threads: wanted, workers }, (why) => console.error(why));
  };
  if (replicates !== undefined) {
    requireCount('--replicates', replicates, REPLICATES_MAX);
    requireCount('--workers', workers);
    return simulateReplicates(source, { replicates, workers, threads: threadsOf(workers) }, output);
  }
  const threads = threadsOf();
  if (threads > 1) return exitStatusOf([await playThreadsAndDeliver(source, threads, { ...output, flags })]);
  const run = startRun(source.scenario, source.seed, behaviours?.byName);
  return exitStatusOf([await playAndDeliver(run, source, { ...output, flags })]);
}

const MODES = ['bisect', 'swarm', 'resume', 'fork-at', 'replicates', 'against', 'from'] as const;

/** The mode of the run, of which there is at most one. Throws a Failure for flags that exclude each other. */
function refuseMixed(flags: SimulateFlags): (typeof MODES)[number] | undefined {
  const modes = MODES.filter((name) => flags[name] !== undefined);
  if (modes.length > 1) throw new Failure(`--${modes[0]} and --${modes[1]} cannot go together.`);
  const [mode] = modes;
  const plain = mode === undefined || mode === 'resume';
  if (flags.checkpoint !== undefined && !plain) throw new Failure(`--checkpoint and --${mode} cannot go together.`);
  if (flags.checkpoint !== undefined && flags.out === undefined && mode !== 'resume') {
    throw new Failure('--checkpoint needs --out, the folder that it is saved in.');
  }
  if (flags.trace && (mode !== undefined || flags.out === undefined)) {
    throw new Failure('--trace needs --out, and writes the events of one run from its start.');
  }
  if (flags.gzip && !flags.trace) throw new Failure('--gzip is for --trace.');
  if (flags.chart !== undefined && (flags.out === undefined || (mode !== undefined && mode !== 'resume'))) {
    throw new Failure('--chart needs --out, and draws one run.');
  }
  refuseNeedless(flags, mode);
  return mode;
}

/** Throws a Failure for flags that the mode would silently ignore. */
function refuseNeedless(flags: SimulateFlags, mode: (typeof MODES)[number] | undefined): void {
  const given = (
    ...names: readonly ('file' | 'seed' | 'set' | 'protocol' | 'out' | 'threads')[]
  ): string | undefined => {
    const [needless] = names.filter((name) => flags[name] !== undefined);
    return needless === 'file' ? 'a scenario file' : needless && `--${needless}`;
  };
  const refuse = (needless: string | undefined, why: string): void => {
    if (needless !== undefined) throw new Failure(`${why}: leave out ${needless}.`);
  };
  if (mode === 'swarm') refuse(given('file', 'set', 'protocol'), '--swarm makes its own scenarios');
  if (mode === 'from') {
    refuse(given('file', 'seed', 'set', 'protocol'), '--from takes everything from the manifest');
  }
  if (mode === 'resume') {
    const why = '--resume takes the scenario, the seed and the settings from the checkpoint';
    refuse(given('file', 'seed', 'set', 'protocol'), why);
  }
  if (mode === 'bisect') {
    refuse(given('seed', 'set', 'protocol'), '--bisect takes FILE@SEED,protocol.x=y for each of the two');
    refuse(given('out'), '--bisect prints what it finds');
  }
  const takesBehaviours = mode === undefined || mode === 'resume' || mode === 'from' || mode === 'replicates';
  if (flags.behaviours !== undefined && !takesBehaviours) {
    throw new Failure(`--behaviours and --${mode} cannot go together.`);
  }
  const several = mode !== undefined && mode !== 'resume';
  if (flags.tidy && (flags.out === undefined || several)) {
    throw new Failure('--tidy needs --out, and writes the measures of one run; for several see aips sweep.');
  }
  if (flags.agents && (flags.out === undefined || several)) {
    throw new Failure('--agents needs --out, and writes the agents of one run.');
  }
  if (mode === 'against') refuse(given('out'), '--against prints what it finds');
  if (mode !== 'replicates')
    refuse(flags.workers === undefined ? undefined : '--workers', '--workers is for --replicates');
  if (flags.threads !== undefined && mode !== undefined && mode !== 'replicates') {
    refuse(given('threads'), `--${mode} plays in one thread`);
  }
  if (flags.checkpoint !== undefined) refuse(given('threads'), '--checkpoint saves the state of one thread');
  if (flags.trace) refuse(given('threads'), '--trace writes the events of one thread');
  if (mode !== 'against')
    refuse(flags['allow-writes'] ? '--allow-writes' : undefined, 'only --against writes to a host');
}

/** Throws a Failure for a chart of an unknown measure, before a run that may take hours. */
function refuseUnmeasured({ measures }: Scenario, measure: string | undefined): void {
  if (measure === undefined || measures.names.some((name) => name === measure)) return;
  throw new Failure(`--chart ${measure}: is not measured here; known: ${measures.names.join(', ')}.`);
}

function seconds(name: string, text: string): number {
  const sec = parseDurationSec(text);
  if (sec === undefined || sec === 0) throw new Failure(`${name} ${text}: must be a duration such as 30d, 12h or 90m.`);
  return sec;
}

const REPLICATES_MAX = 1_000_000_000;

function requireCount(name: string, count: number, most = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(count) || count < 1) throw new Failure(`${name} must be a whole number, 1 or more.`);
  if (count > most) throw new Failure(`${name} must be at most ${most}.`);
}

interface Delivery extends Output {
  readonly flags: Pick<SimulateFlags, 'checkpoint' | 'resume' | 'trace' | 'gzip' | 'chart' | 'agents' | 'tidy'>;
}

/** Plays a run to its end, with checkpoints, trace and chart, and delivers its result. */
async function playAndDeliver(run: Run, source: ScenarioSource, delivery: Delivery): Promise<SimulationResult> {
  const { out, flags } = delivery;
  const everySec = flags.checkpoint === undefined ? undefined : seconds('--checkpoint', flags.checkpoint);
  // A resumed run is saved when it is interrupted, whatever the interval of its checkpoints.
  const savedSec = everySec ?? (flags.resume === undefined ? undefined : Number.POSITIVE_INFINITY);
  const trace = flags.trace && out !== undefined ? eventTrace(out, run.world, flags.gzip) : undefined;
  if (trace !== undefined) run.world.observer = trace.observer;
  const save = (at: Run): void => saveCheckpoint(out as string, at, source);
  let played: Played;
  try {
    played = await playRun(run, {
      ...(savedSec === undefined ? {} : { checkpoint: { everySec: savedSec, save } }),
      ...(trace === undefined ? {} : { afterPiece: trace.flush }),
    });
  } finally {
    trace?.close();
  }
  const result = resultOf(run, runSourceOf(source), played);
  writeBeside(result, () => agentRows(run.world), out, flags);
  deliver(result, delivery);
  warnOfNoEffects([result.manifest]);
  if (played.interrupted && savedSec !== undefined)
    console.error(`interrupted: continue with aips simulate --resume ${out}`);
  return result;
}

/** Plays a run in threads, and delivers its result. */
async function playThreadsAndDeliver(
  source: ScenarioSource,
  threads: number,
  delivery: Delivery,
): Promise<SimulationResult> {
  const { out, flags } = delivery;
  const { result, agents } = await playThreads(source, { threads, agents: flags.agents });
  writeBeside(result, agents, out, flags);
  deliver(result, delivery);
  warnOfNoEffects([result.manifest]);
  return result;
}
