/**
 * `aips simulate --threads`: plays one run in several threads, each with a share of the agents, and puts its outcome together. The result is
 * that of one thread.
 */

import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { AgentRow, SimulationResult } from '../../results/simulation-result.js';
import { couplingOf } from '../../scenarios/coupling.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { agentRows, mergedRows } from '../../simulator/run/agent-rows.js';
import { InexactSum, outcomeOfParts, type Part, PartSamples } from '../../simulator/run/parts.js';
import { startRun } from '../../simulator/run/run.js';
import { resultOf, resultOfOutcome } from '../../simulator/run/simulate.js';
import { HANDS } from '../../simulator/world/share.js';
import { Failure } from '../host/failure.js';
import { type Interrupt, interruptOf } from '../host/interrupt.js';
import { startOwnThread } from '../host/own-program.js';
import { progressBar, silentProgress } from '../host/progress.js';
import { type Played, peakRssMb, playRun } from './play.js';
import { runSourceOf, type ScenarioSource } from './scenario-source.js';
import {
  askToGiveUp,
  askToMeet,
  leastSecond,
  playShare,
  type ThreadFault,
  type ThreadMessage,
  type ThreadTask,
  threadState,
} from './thread-worker.js';

/** Milliseconds between two tests for an interrupt. */
const LOOK_MS = 50;

/** Options of playing in threads. */
export interface ThreadOptions {
  readonly threads: number;
  /** Interrupts the run; absent: Ctrl-C. */
  readonly interrupt?: Pick<Interrupt, 'isRequested'>;
  /** Whether no progress is shown. */
  readonly quiet?: boolean;
  /** Whether the rows of agents are wanted. */
  readonly agents?: boolean;
  /** For tests. */
  readonly fault?: ThreadFault;
}

/** A run that was played, in threads or not. */
interface ThreadedRun {
  readonly result: SimulationResult;
  readonly interrupted: boolean;
  readonly agents: () => Iterable<AgentRow>;
}

/**
 * The number of threads for a run: as many as were asked for, but no more than there are cores for `workers` runs side by side, and one
 * for a scenario whose agents are coupled. `tell` gets a sentence where it is fewer.
 */
export function threadsFor(
  scenario: Scenario,
  { threads, workers = 1 }: { readonly threads: number; readonly workers?: number | undefined },
  tell: (why: string) => void,
  cores = availableParallelism(),
): number {
  if (threads === 1) return 1;
  const coupled = couplingOf(scenario);
  if (coupled !== null) {
    tell(`--threads ${threads}: ${scenario.name} has ${coupled}, which couple its agents: played in one thread.`);
    return 1;
  }
  const most = Math.max(1, Math.min(HANDS, Math.floor(cores / workers)));
  if (threads <= most) return threads;
  const room = workers === 1 ? `${cores} cores` : `${cores} cores for ${workers} runs side by side`;
  tell(`--threads ${threads}: there are ${room}: played in ${most === 1 ? 'one thread' : `${most} threads`}.`);
  return most;
}

/**
 * Plays a run in threads, of which this is one. A run that no thread can judge alone (a violated invariant, more money than the ledger holds, sums
 * that are not exact) is played once more in one thread, and so has the same message as without threads.
 */
export async function playThreads(source: ScenarioSource, options: ThreadOptions): Promise<ThreadedRun> {
  if (options.threads === 1) return playAlone(source, options);
  const together = await playTogether(source, options);
  if (!('reason' in together)) return together;
  console.error(`Played again in one thread: ${together.reason.split('\n')[0]}`);
  const alone = await playAlone(source, options);
  if (together.violation && !alone.interrupted) {
    throw new Failure(
      `${together.reason}\nIn one thread it holds, so this is a mistake of --threads: please report it.`,
    );
  }
  return alone;
}

/** Plays a run in this thread. */
async function playAlone(source: ScenarioSource, options: ThreadOptions): Promise<ThreadedRun> {
  const { interrupt, quiet = false } = options;
  const run = startRun(source.scenario, source.seed, source.behaviours?.byName);
  const played = await playRun(run, { quiet, ...(interrupt === undefined ? {} : { interrupt }) });
  const result = resultOf(run, runSourceOf(source), played);
  return { result, interrupted: played.interrupted, agents: () => agentRows(run.world) };
}

/** Why a run has to be played in one thread. */
interface Alone {
  readonly reason: string;
  /** Whether it is a violated invariant. */
  readonly violation: boolean;
}

/** Thrown by what a thread says, to end all of them. */
class PlayAlone extends Error implements Alone {
  constructor(
    readonly reason: string,
    readonly violation: boolean,
  ) {
    super(reason);
  }
}

async function playTogether(source: ScenarioSource, options: ThreadOptions): Promise<ThreadedRun | Alone> {
  const { threads, quiet = false } = options;
  const state = threadState(threads);
  const own = options.interrupt === undefined ? interruptOf() : null;
  const interrupt = options.interrupt ?? own;
  const bar = quiet ? silentProgress : progressBar('simulated', 100);
  const looking = setInterval(() => {
    if (interrupt?.isRequested() === true) askToMeet(state);
    bar.to(leastSecond(state) / source.scenario.durationSec, '');
  }, LOOK_MS);
  const startMs = Date.now();
  const gathered = new Gathered(source.scenario, threads);
  try {
    await playAll(source, options, state, gathered);
    const outcome = outcomeOfParts(source.scenario, source.seed, gathered.parts as Part[]);
    const interrupted = outcome.second < source.scenario.durationSec;
    const wallSec = (Date.now() - startMs) / 1_000;
    const played: Played = { interrupted, wallSec, peakRssMb: peakRssMb() };
    return {
      interrupted,
      result: resultOfOutcome(
        outcome,
        gathered.samples.samples,
        { ...runSourceOf(source), partial: interrupted },
        played,
      ),
      agents: () => mergedRows(source.scenario, gathered.agents),
    };
  } catch (error) {
    if (error instanceof InexactSum) return { reason: error.message, violation: false };
    if (error instanceof PlayAlone) return error;
    throw error;
  } finally {
    clearInterval(looking);
    own?.forget();
    bar.stop();
  }
}

/** Plays all shares, the first of them here. The first failure ends every thread, and is thrown when all have ended. */
async function playAll(
  source: ScenarioSource,
  { threads, agents = false, fault }: ThreadOptions,
  state: SharedArrayBuffer,
  gathered: Gathered,
): Promise<void> {
  const { text, file: label, overlay, set, seed } = source;
  const started: Worker[] = [];
  const shares = Array.from({ length: threads }, (_, index): ThreadTask => {
    const task = { role: 'share', text, label, overlay, set, seed, index, threads, agents, state } as const;
    return fault === undefined ? task : { ...task, fault };
  });
  const all = shares.map(async (task) => {
    const gather = (message: ThreadMessage): void => gathered.add(task.index, message);
    try {
      if (task.index > 0) await inThread(task, gather, started);
      else {
        // The others start first.
        await Promise.resolve();
        await playShare(task, gather);
      }
      if (gathered.parts[task.index] === undefined) throw new Error(`thread ${task.index} ended without its part`);
    } catch (error) {
      askToGiveUp(state);
      throw error;
    }
  });
  const first = await Promise.all(all).catch((error: unknown) => ({ error }));
  if (Array.isArray(first)) return;
  await Promise.all(started.map((thread) => thread.terminate()));
  await Promise.allSettled(all);
  throw first.error;
}

/** Plays a share in a new thread. An error that it throws, or that its messages cause here, rejects. */
function inThread(task: ThreadTask, gather: (message: ThreadMessage) => void, started: Worker[]): Promise<void> {
  return new Promise((done, fail) => {
    const thread = startOwnThread('runs/simulation/thread-worker.js', { workerData: task });
    started.push(thread);
    thread.on('message', (message: ThreadMessage) => {
      try {
        gather(message);
      } catch (error) {
        fail(error);
      }
    });
    // An error crosses threads without its class.
    thread.on('error', (error) => fail(error.name === 'Failure' ? new Failure(error.message) : error));
    thread.on('exit', () => done());
  });
}

/** The messages of all threads so far, put together. */
class Gathered {
  readonly samples: PartSamples;
  readonly parts: (Part | undefined)[];
  readonly agents: Float64Array[] = [];
  readonly #minted: number[];

  constructor(scenario: Scenario, threads: number) {
    this.samples = new PartSamples(scenario, threads);
    this.parts = Array.from({ length: threads });
    this.#minted = Array.from({ length: threads }, () => 0);
  }

  /** Takes a message. Throws PlayAlone or InexactSum for a run that has to be played in one thread. */
  add(index: number, message: ThreadMessage): void {
    switch (message.kind) {
      case 'played': {
        for (const sample of message.samples) this.samples.add(index, sample);
        this.#minted[index] = message.minted;
        const minted = this.#minted.reduce((sum, each) => sum + each, 0);
        if (minted > Number.MAX_SAFE_INTEGER)
          throw new PlayAlone('the agents are sent more than 2^53 - 1 lamports', false);
        return;
      }
      case 'part':
        this.parts[index] = message.part;
        if (message.agents !== null) this.agents[index] = message.agents;
        return;
      case 'alone':
        throw new PlayAlone(message.reason, message.violation);
      default:
        message satisfies never;
    }
  }
}
