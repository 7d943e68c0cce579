/** `aips simulate fork`: plays a scenario once up to a moment, and several futures from there. */

import { join } from 'node:path';
import type { SimulationResult } from '../../results/simulation-result.js';
import { checkpointOf, readCheckpoint, restoreRun } from '../../simulator/modes/checkpoint.js';
import { changeWorldProtocol } from '../../simulator/play/change-protocol.js';
import { startRun } from '../../simulator/run/run.js';
import { type RunCost, resultOf, type Settings } from '../../simulator/run/simulate.js';
import { unchangeable } from '../../spec/overlay-changes.js';
import { Failure } from '../host/failure.js';
import { ensureFolder } from '../host/files.js';
import { type Interrupt, interruptOf } from '../host/interrupt.js';
import { deliver, deliverLine, exitStatusOf, type Output, warnOfNoEffects } from './outputs.js';
import { type Played, playRun } from './play.js';
import { checkpointSourceOf, runSourceOf, type ScenarioSource } from './scenario-source.js';
import { overlayOfSettings, scenarioUnder, settingsText, variantNames } from './settings.js';

/** A moment of a run, and the futures that begin there, each with other numbers of the protocol. */
interface Fork {
  readonly atSec: number;
  /** The moment as the user wrote it, for the command in the results. */
  readonly at: string;
  readonly futures: readonly Settings[];
}

/** Plays the scenario once up to the fork, and each future from there. Returns the exit status. */
export async function simulateForks(source: ScenarioSource, fork: Fork, output: Output): Promise<number> {
  const { scenario } = source;
  if (fork.atSec > scenario.durationSec) throw new Failure(`--at ${fork.at} is after the end of the scenario.`);
  for (const future of fork.futures) refuseFuture(source, future);
  const names = variantNames(fork.futures.length === 0 ? [{}] : fork.futures);
  const interrupt = interruptOf();
  try {
    const results = await playForks(source, { ...fork, names }, output, interrupt);
    warnOfNoEffects(results.map(({ manifest }) => manifest));
    return exitStatusOf(results);
  } finally {
    interrupt.forget();
  }
}

/** The results of all futures, or of those played until an interrupt. */
async function playForks(
  source: ScenarioSource,
  fork: Fork & { readonly names: readonly string[] },
  output: Output,
  interrupt: Interrupt,
): Promise<readonly SimulationResult[]> {
  const { scenario, seed } = source;
  const prefix = startRun(scenario, seed);
  const playedPrefix = await playRun(prefix, { untilSec: fork.atSec, interrupt });
  if (playedPrefix.interrupted) {
    const result = resultOf(prefix, runSourceOf(source), playedPrefix);
    deliver(result, output);
    console.error('interrupted before the fork: these are the numbers of its prefix');
    return [result];
  }
  const read = readCheckpoint(checkpointOf(prefix, checkpointSourceOf(source)));
  if (!read.ok) throw new Error(`the prefix cannot be read back: ${read.reason}`);
  const results: SimulationResult[] = [];
  const futures = fork.futures.length === 0 ? [{}] : fork.futures;
  const one = futures.length === 1;
  for (const [i, set] of futures.entries()) {
    const name = fork.names[i] as string;
    const run = restoreRun(scenario, seed, read.state);
    if (Object.keys(set).length > 0) changeWorldProtocol(run.world, overlayOfSettings(set));
    const played = await playRun(run, { interrupt });
    const result = resultOf(run, forkSource(source, fork, { name, set }), cost(playedPrefix, played));
    results.push(result);
    const out = output.out === undefined ? undefined : join(output.out, one ? '' : folderName(name, i));
    if (out !== undefined) ensureFolder(out);
    (one ? deliver : deliverLine)(result, { ...output, out });
    if (played.interrupted) break;
  }
  return results;
}

/** Throws a Failure for a future whose numbers contradict each other, or cannot change during a run. */
function refuseFuture(source: ScenarioSource, set: Settings): void {
  const overlay = overlayOfSettings(set);
  const [fixed] = unchangeable(overlay);
  if (fixed !== undefined) throw new Failure(`--set protocol.${fixed}: cannot change in the middle of a run.`);
  scenarioUnder(source.text, source.file, { overlay: source.overlay, set });
}

/** The most characters of a folder's name that file systems take, less room for what users append. */
const FOLDER_CHARS_MAX = 200;

/** The folder of a future: its name, which holds no separator, or a number where the name is too long. */
function folderName(name: string, index: number): string {
  return name.length > FOLDER_CHARS_MAX ? `future-${index + 1}` : name;
}

function forkSource(
  source: ScenarioSource,
  { at, atSec }: Fork,
  { name, set }: { readonly name: string; readonly set: Settings },
) {
  const changed = Object.keys(set).length > 0;
  const from = runSourceOf(source);
  return {
    ...from,
    command: `${from.command.replace('aips simulate', 'aips simulate fork')} --at ${at}${changed ? ` --set ${settingsText(set)}` : ''}`,
    ...(changed ? { fork: { name, at_ms: atSec * 1_000, set } } : {}),
  };
}

/** The cost of a future, with that of its prefix. */
function cost(prefix: Played, future: Played): RunCost {
  return {
    wallSec: prefix.wallSec + future.wallSec,
    peakRssMb: Math.max(prefix.peakRssMb, future.peakRssMb),
  };
}
