import type { Argv, CommandModule, InferredOptionTypes } from 'yargs';
import { chartFile } from '../reports/chart-file.js';
import type { SimulationResult } from '../reports/simulation-result.js';
import { parseDurationSec } from '../scenarios/units.js';
import { type Run, startRun } from '../simulator/run.js';
import { resultOf } from '../simulator/simulate.js';
import { loadCheckpoint, saveCheckpoint } from './checkpoint-file.js';
import { eventTrace } from './event-trace.js';
import { Failure } from './failure.js';
import { ensureFolder, writeFiles } from './files.js';
import { playRun } from './play.js';
import { parseSettings, runSourceOf, type ScenarioSource, scenarioSource, seedOf } from './scenario-source.js';
import { simulateAgainst } from './simulate-against.js';
import { simulateBisect } from './simulate-bisect.js';
import { simulateForks } from './simulate-forks.js';
import { deliver, exitStatusOf, type Output } from './simulate-outputs.js';
import { simulateReplicates } from './simulate-replicates.js';
import { simulateSwarm } from './simulate-swarm.js';

const options = {
  seed: { type: 'number', describe: "Seed of the run; absent: the scenario's own" },
  out: { type: 'string', describe: 'Folder of the results; absent: nothing is written' },
  json: { type: 'boolean', default: false, describe: 'Print the manifest as JSON in place of the summary' },
  set: {
    type: 'string',
    array: true,
    describe: 'protocol.x=y: another number of the protocol; commas between several',
  },
  chart: { type: 'string', describe: 'Write this measure over time to MEASURE.svg in --out too' },
  trace: { type: 'boolean', default: false, describe: 'Write every event to events.ndjson' },
  checkpoint: { type: 'string', describe: 'Save the state so often, in protocol time such as 1d' },
  resume: { type: 'string', describe: 'Go on from the checkpoint in this folder' },
  'fork-at': { type: 'string', describe: 'Play up to here once, then one future for each --set' },
  replicates: { type: 'number', describe: 'Play so many seeds, from --seed on' },
  workers: { type: 'number', default: 1, describe: 'Threads for replicates' },
  against: { type: 'string', describe: 'Play it against the server of this target file too, and compare' },
  'allow-writes': { type: 'boolean', default: false, describe: 'Let --against write to another host' },
  swarm: { type: 'number', describe: 'Play so many small random scenarios of --seed, and shrink one that fails' },
  bisect: {
    type: 'string',
    array: true,
    describe: 'Two runs FILE[@SEED][,protocol.x=y]: find the first event that differs',
  },
} as const;

type SimulateFlags = InferredOptionTypes<typeof options> & { file?: string | undefined };

/** `aips simulate FILE`: runs a scenario in process. */
export const simulateCommand: CommandModule<object, SimulateFlags> = {
  command: 'simulate [file]',
  describe: 'Run a scenario: exit 0 if its expectations hold, 1 if not, 2 if it could not be run or was broken off',
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', describe: 'The scenario, a YAML file' })
      .options(options)
      .example('$0 simulate scenarios/library/quickstart.yaml --seed 7 --out out/quickstart', 'with all results')
      .example('$0 simulate big.yaml --out out/big --checkpoint 1d', 'Ctrl-C, then --resume out/big')
      .example('$0 simulate a.yaml --fork-at 7d --set protocol.dms.missedAnchorsMax=30', 'another rule from then on')
      .example('$0 simulate a.yaml --replicates 8 --workers 2 --out out/a', 'eight seeds in two threads')
      .example('$0 simulate a.yaml --against target.yaml', 'in-process and over HTTP, compared')
      .example('$0 simulate --swarm 200 --seed 1', 'random scenarios, all invariants on')
      .example('$0 simulate --bisect a.yaml@7 a.yaml@8', 'the first event that differs'),
  handler: async (flags) => {
    process.exitCode = await statusOf(flags);
  },
};

/** Does what the flags ask for, and answers the exit status. */
async function statusOf(flags: SimulateFlags): Promise<number> {
  const { file, out, json, bisect, resume, replicates, workers } = flags;
  const mode = refuseMixed(flags);
  if (mode === 'bisect') return simulateBisect([...(bisect ?? []), ...(file === undefined ? [] : [file])], json);
  if (out !== undefined) ensureFolder(out);
  const output: Output = { out: out ?? resume, json };
  if (flags.swarm !== undefined) {
    requireCount('--swarm', flags.swarm);
    return simulateSwarm(flags.swarm, seedOf(flags.seed ?? 1), output);
  }
  if (resume !== undefined) {
    const { run, source } = loadCheckpoint(resume);
    return exitStatusOf([await playAndDeliver(run, source, { ...output, flags })]);
  }
  if (file === undefined)
    throw new Failure('An argument is missing. Name the scenario file.\nTry: aips simulate --help');
  const set = (flags.set ?? []).map(parseSettings);
  const forkAt = flags['fork-at'];
  if (forkAt !== undefined) {
    const source = scenarioSource(file, { seed: flags.seed });
    return simulateForks(source, { atSec: seconds('--fork-at', forkAt), at: forkAt, futures: set }, output);
  }
  const source = scenarioSource(file, { seed: flags.seed, set: Object.assign({}, ...set) });
  if (flags.against !== undefined) {
    return simulateAgainst(source, flags.against, { json, allowWrites: flags['allow-writes'] });
  }
  if (replicates !== undefined) {
    requireCount('--replicates', replicates);
    requireCount('--workers', workers);
    return simulateReplicates(source, { replicates, workers }, output);
  }
  const run = startRun(source.scenario, source.seed);
  return exitStatusOf([await playAndDeliver(run, source, { ...output, flags })]);
}

const MODES = ['bisect', 'swarm', 'resume', 'fork-at', 'replicates', 'against'] as const;

/** These are runs of different kinds: at most one of them. */
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
  if (flags.chart !== undefined && (flags.out === undefined || (mode !== undefined && mode !== 'resume'))) {
    throw new Failure('--chart needs --out, and draws one run.');
  }
  const given = [
    flags.file !== undefined && 'a scenario file',
    flags.seed !== undefined && '--seed',
    flags.set && '--set',
  ];
  const [needless] = given.filter((name) => typeof name === 'string');
  if (mode === 'swarm' && (flags.file !== undefined || flags.set !== undefined)) {
    throw new Failure('--swarm makes its own scenarios: leave out the scenario file and --set.');
  }
  if (mode === 'resume' && needless !== undefined) {
    throw new Failure(
      `--resume takes the scenario, the seed and the settings from the checkpoint: leave out ${needless}.`,
    );
  }
  return mode;
}

function chartFiles(result: SimulationResult, measure: string): Readonly<Record<string, string>> {
  const svg = chartFile(result, measure);
  if (svg !== undefined) return { [`${measure}.svg`]: svg };
  const known = [...new Set(result.series.map(({ name }) => name))];
  throw new Failure(`--chart ${measure}: is not measured here; known: ${known.join(', ')}.`);
}

function seconds(name: string, text: string): number {
  const sec = parseDurationSec(text);
  if (sec === undefined || sec === 0) throw new Failure(`${name} ${text}: must be a duration such as 30d, 12h or 90m.`);
  return sec;
}

function requireCount(name: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) throw new Failure(`${name} must be a whole number, 1 or more.`);
}

interface Delivery extends Output {
  readonly flags: Pick<SimulateFlags, 'checkpoint' | 'trace' | 'chart'>;
}

/** Plays one run on, with what the flags ask for, and hands out its result. */
async function playAndDeliver(run: Run, source: ScenarioSource, delivery: Delivery): Promise<SimulationResult> {
  const { out, flags } = delivery;
  const everySec = flags.checkpoint === undefined ? undefined : seconds('--checkpoint', flags.checkpoint);
  const trace = flags.trace && out !== undefined ? eventTrace(out) : undefined;
  if (trace !== undefined) run.world.observer = trace.observer;
  const save = (at: Run): void => saveCheckpoint(out as string, at, source);
  const played = await playRun(run, {
    ...(everySec === undefined ? {} : { checkpoint: { everySec, save } }),
    ...(trace === undefined ? {} : { afterPiece: trace.flush }),
  });
  trace?.close();
  const result = resultOf(run, runSourceOf(source), played);
  deliver(result, delivery);
  if (flags.chart !== undefined && out !== undefined) writeFiles(out, chartFiles(result, flags.chart));
  if (played.interrupted && everySec !== undefined) console.error(`broken off: aips simulate --resume ${out} goes on`);
  return result;
}

/** Reads and runs a scenario. `label` is the file's name in the results. */
export async function simulateFile(
  path: string,
  { seed, label }: { readonly seed?: number | undefined; readonly label: string },
): Promise<SimulationResult> {
  const source = scenarioSource(path, { seed, label });
  const run = startRun(source.scenario, source.seed);
  return resultOf(run, runSourceOf(source), await playRun(run));
}
