/** Plays runs of a sweep in a worker thread or in the main one. sweep-run.ts chooses the runs and starts the threads. */

import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import {
  type MeasureFormula,
  measuresOf,
  type SweptSubject,
  withFormulas,
} from '../../experiments/sweep/measure-formula.js';
import { noEffectText } from '../../reports/simulation/simulation-view.js';
import type { ModuleOrigin } from '../../results/simulation-result.js';
import type { SweepRun } from '../../results/sweep-result.js';
import type { Behaviours } from '../../scenarios/behaviours/own-behaviour.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { packedRows } from '../../simulator/run/agent-rows.js';
import { subjectReader } from '../../simulator/run/expectations.js';
import { livesOf } from '../../simulator/run/first-freeze.js';
import { startRun } from '../../simulator/run/run.js';
import { resultOf } from '../../simulator/run/simulate.js';
import { loadBehaviours, requireSameModule } from '../behaviours/behaviours-file.js';
import { parsedOrFail } from '../host/files.js';
import type { Interrupt } from '../host/interrupt.js';
import { packageVersion } from '../host/package.js';
import { playRun } from '../simulation/play.js';

/** An arm as threads receive it. */
export interface SharedArm {
  readonly text: string;
  readonly name: string;
  readonly subjects: readonly SweptSubject[];
  readonly series: readonly SweptSubject[];
  /** The groups whose times until the first freeze are kept, null for all agents. */
  readonly survival: readonly (string | null)[];
  readonly formulas: readonly MeasureFormula[];
}

/** The parts of an arm that threads and queues need. */
export function sharedArm({ text, name, subjects, series, survival, formulas }: SharedArm): SharedArm {
  return { text, name, subjects, series, survival, formulas };
}

/** One run to play. */
export interface SweepTask {
  readonly arm: number;
  readonly replicate: number;
  readonly seed: number;
}

/** The input that all threads share. */
export interface SweepShare {
  readonly arms: readonly SharedArm[];
  readonly tasks: readonly SweepTask[];
  /** Numbers of 32 bits for all threads: the next task, 1 when all are to stop, then the task of each thread plus one. */
  readonly state: SharedArrayBuffer;
  /** The place of this thread, from 0. */
  readonly thread: number;
  /** The module of the user's own behaviours, which each thread loads for itself. */
  readonly behaviours?: ModuleOrigin | undefined;
  /** Whether runs come with their agents. */
  readonly agents: boolean;
}

/** A run that is over, and its agents at the end (agent-rows.ts), where they are asked for and it has not failed. */
interface PlayedTask {
  readonly run: SweepRun;
  readonly agents?: Float64Array;
}

/** The message of a thread: one run that is over. */
export interface SweepMessage extends PlayedTask {
  readonly task: number;
}

/**
 * A digest that two runs share if they are the same: of the same scenario, measured for the same subjects, of the same seed, with the same
 * behaviours.
 */
export function runDigest(
  { text, subjects, series, survival, formulas }: SharedArm,
  seed: number,
  behaviours?: ModuleOrigin,
): string {
  return createHash('sha256')
    .update(
      JSON.stringify([
        text,
        subjects,
        series,
        survival,
        formulas,
        seed,
        ...(behaviours === undefined ? [] : [behaviours.sha256]),
      ]),
    )
    .digest('hex');
}

const NEXT = 0;
const STOP = 1;
const OWN = 2;

/** The initial state that `threads` threads share. */
export function sharedSweepState(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer((OWN + threads) * Int32Array.BYTES_PER_ELEMENT);
}

/** Asks all threads to stop. */
export function stopSweep(state: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(state), STOP, 1);
}

/** The task that a thread was playing when it ended; undefined if it had none. */
export function taskOfThread(state: SharedArrayBuffer, thread: number): number | undefined {
  const task = Atomics.load(new Int32Array(state), OWN + thread) - 1;
  return task < 0 ? undefined : task;
}

/** Plays tasks until all are taken or the threads are asked to stop. It is the same in every thread. */
export async function playTasks(
  share: SweepShare,
  onRun: (message: SweepMessage) => void,
  behaviours?: Behaviours,
): Promise<void> {
  const words = new Int32Array(share.state);
  const interrupt = { isRequested: () => Atomics.load(words, STOP) !== 0 };
  const scenarios = new Map<number, Scenario>();
  while (!interrupt.isRequested()) {
    const index = Atomics.add(words, NEXT, 1);
    const task = share.tasks[index];
    if (task === undefined) break;
    Atomics.store(words, OWN + share.thread, index + 1);
    const arm = share.arms[task.arm];
    if (arm === undefined) throw new Error(`there is no arm ${task.arm}`);
    const scenario = scenarios.get(task.arm) ?? scenarioOf(arm);
    // Tasks of an arm follow each other or come in turns; a few arms at a time are enough.
    if (scenarios.size > 100) scenarios.clear();
    scenarios.set(task.arm, scenario);
    const played = await playTask(arm, { scenario, behaviours, agents: share.agents }, task, interrupt);
    if (played !== null) onRun({ task: index, ...played });
  }
  Atomics.store(words, OWN + share.thread, 0);
}

/** The scenario of an arm, sampled for its subjects. */
function scenarioOf({ text, name, subjects, series, formulas }: SharedArm): Scenario {
  const scenario = parsedOrFail(parseScenario(text, name));
  const names = [...new Set([...subjects, ...series].flatMap((subject) => measuresOf(subject, formulas)))];
  return { ...scenario, measures: { ...scenario.measures, names } };
}

/** Plays one run. Null if it was interrupted; a run that fails is a result that says why. */
async function playTask(
  { name, subjects, series, survival, formulas }: SharedArm,
  {
    scenario,
    behaviours,
    agents,
  }: Pick<SweepShare, 'agents'> & {
    readonly scenario: Scenario;
    readonly behaviours: Behaviours | undefined;
  },
  { arm, replicate, seed }: SweepTask,
  interrupt: Pick<Interrupt, 'isRequested'>,
): Promise<PlayedTask | null> {
  try {
    const run = startRun(scenario, seed, behaviours);
    const played = await playRun(run, { interrupt, quiet: true });
    if (played.interrupted && interrupt.isRequested()) return null;
    if (played.interrupted) return { run: failedRun({ arm, replicate, seed }, 'the ledger holds no more money') };
    const origin = { source: { file: name, sha256: '' }, versions: { aips_lab: packageVersion(), node: '' } };
    const { manifest, expectations } = resultOf(run, origin, played);
    const valueIn = withFormulas(formulas, subjectReader(run.samples));
    const values = subjects.map(valueIn);
    const shown = (value: number): number | null => (Number.isNaN(value) ? null : value);
    const overTime = series.map((subject) =>
      run.samples.timesSec.map((atSec) => shown(valueIn({ ...subject, atSec }))),
    );
    const without = values.flatMap((value, place) => (Number.isNaN(value) ? [place] : []));
    const done: SweepRun = {
      ...{ arm, replicate, seed, event_hash: manifest.event_hash },
      values: values.map((value) => (Number.isNaN(value) ? 0 : value)),
      ...(without.length === 0 ? {} : { no_value: without }),
      ...(series.length === 0 ? {} : { series: overTime }),
      ...(survival.length === 0 ? {} : { lives: livesOf(run.world, survival) }),
      not_held: expectations.filter(({ holds }) => !holds).map(({ text }) => text),
      ...(manifest.no_effect === undefined ? {} : { no_effect: manifest.no_effect.map(noEffectText) }),
    };
    return { run: done, ...(agents ? { agents: packedRows(run.world) } : {}) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { run: failedRun({ arm, replicate, seed }, error.message) };
  }
}

/** The result of a run that failed. The first line of the reason is enough to find it again by its seed. */
export function failedRun(task: SweepTask, reason: string): SweepRun {
  return { ...task, event_hash: '', values: [], not_held: [], error: reason.split('\n')[0] ?? '' };
}

const given = workerData as SweepShare | null;
if (parentPort !== null && given?.tasks !== undefined && given.state instanceof SharedArrayBuffer) {
  const port = parentPort;
  const own = given.behaviours === undefined ? undefined : await loadBehaviours(given.behaviours.file);
  requireSameModule(given.behaviours, own, 'the sweep');
  await playTasks(given, (message) => port.postMessage(message), own?.byName);
}
