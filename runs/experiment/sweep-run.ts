/** Plays the runs of a sweep in rounds and threads, and shows progress. Files are written by sweep-folder.ts. */

import { type SweepPlan, seedOfRun } from '../../experiments/sweep/plan.js';
import { isNarrow } from '../../experiments/sweep/summary.js';
import type { SweepRun } from '../../results/sweep-result.js';
import { type OwnBehaviours, originOf } from '../behaviours/behaviours-file.js';
import { type Interrupt, interruptOf } from '../host/interrupt.js';
import { startOwnThread } from '../host/own-program.js';
import { progressBar } from '../host/progress.js';
import {
  failedRun,
  playTasks,
  type SweepMessage,
  type SweepShare,
  type SweepTask,
  sharedArm,
  sharedSweepState,
  stopSweep,
  taskOfThread,
} from './sweep-worker.js';

/** Milliseconds between two tests for an interrupt. */
const LOOK_MS = 50;
/** While intervals are too wide, each round has this share more replicates. */
const GROWTH = 1.5;

/** One of several parts of a sweep, from 1. */
export interface Shard {
  readonly part: number;
  readonly of: number;
}

/** Options of playing a sweep. */
interface SweepPlaying {
  readonly workers: number;
  /** The Redis whose workers play the runs; absent: threads of this process do. */
  readonly redis?: string | undefined;
  readonly shard: Shard | null;
  /** Runs that are over already. */
  readonly known: readonly SweepRun[];
  /** The user's own behaviours, where the scenario asks for any. */
  readonly behaviours?: OwnBehaviours | undefined;
  /** Interrupts the sweep, and shows progress elsewhere; absent: Ctrl-C, and a bar. */
  readonly interrupt?: Interrupt;
  /** Called with each run as it ends, in any order, and with its agents if the sweep asks for them. */
  readonly onRun: (run: SweepRun, agents?: Float64Array) => void;
}

/** Runs in the order of arms and replicates. */
export function inOrder(runs: readonly SweepRun[]): SweepRun[] {
  return runs.toSorted((a, b) => a.arm - b.arm || a.replicate - b.replicate);
}

/** The runs of a sweep, or of one shard of it: `replicates` of each arm. */
export function tasksOf(plan: SweepPlan, replicates: number, shard: Shard | null): SweepTask[] {
  const tasks: SweepTask[] = [];
  for (const { arm } of plan.arms) {
    for (let replicate = 0; replicate < replicates; replicate += 1) {
      const place = arm * replicates + replicate;
      if (shard !== null && place % shard.of !== shard.part - 1) continue;
      tasks.push({ arm, replicate, seed: seedOfRun(plan, arm, replicate) });
    }
  }
  return tasks;
}

/**
 * Plays all runs of a sweep, in rounds of more and more replicates while intervals are wider than asked for. Returns the runs in
 * order, and whether it was interrupted. The runs do not depend on the number of threads.
 */
export async function playSweep(
  plan: SweepPlan,
  playing: SweepPlaying,
): Promise<{ readonly runs: readonly SweepRun[]; readonly interrupted: boolean }> {
  const { inputs } = plan;
  const interrupt = playing.interrupt ?? interruptOf();
  let runs = [...playing.known];
  let { replicates } = inputs;
  try {
    for (;;) {
      const done = new Set(runs.map(({ arm, replicate }) => `${arm} ${replicate}`));
      const tasks = tasksOf(plan, replicates, playing.shard).filter(
        ({ arm, replicate }) => !done.has(`${arm} ${replicate}`),
      );
      await playRound(plan, tasks, playing, interrupt, (run, agents) => {
        runs.push(run);
        playing.onRun(run, agents);
      });
      runs = inOrder(runs);
      if (interrupt.isRequested()) return { runs, interrupted: true };
      const wide =
        inputs.until.length > 0 &&
        !isNarrow(
          plan,
          runs.filter((run) => run.replicate < replicates),
        );
      if (!wide || replicates >= inputs.replicates_max) return { runs, interrupted: false };
      replicates = Math.min(inputs.replicates_max, Math.ceil(replicates * GROWTH));
    }
  } finally {
    interrupt.forget();
  }
}

async function playRound(
  { arms, file }: SweepPlan,
  tasks: readonly SweepTask[],
  { workers, redis, behaviours, interrupt: other }: SweepPlaying,
  interrupt: Interrupt,
  onRun: SweepPlaying['onRun'],
): Promise<void> {
  if (tasks.length === 0) return;
  const threads = Math.min(workers, tasks.length);
  const shared = arms.map(sharedArm);
  const origin = behaviours === undefined ? undefined : originOf(behaviours);
  const share = { arms: shared, tasks, state: sharedSweepState(threads), behaviours: origin, agents: file.agents };
  const show =
    other === undefined ? progressBar('runs', tasks.length) : { step: () => undefined, stop: () => undefined };
  if (redis !== undefined) {
    const { playOverQueue } = await import('./sweep-queue.js');
    const onQueued = (run: SweepRun): void => {
      onRun(run);
      show.step('');
    };
    await playOverQueue(redis, { arms: shared, tasks, behaviours: origin }, interrupt, onQueued).finally(() =>
      show.stop(),
    );
    return;
  }
  const onMessage = ({ run, agents }: SweepMessage): void => {
    onRun(run, agents);
    show.step('');
    // If the interrupt came during this run, no other run is begun.
    if (interrupt.isRequested()) stopSweep(share.state);
  };
  const looking = setInterval(() => {
    if (interrupt.isRequested()) stopSweep(share.state);
  }, LOOK_MS);
  const others = Array.from({ length: threads - 1 }, (_, i) => inThread({ ...share, thread: i + 1 }, onMessage));
  const here = playTasks({ ...share, thread: 0 }, onMessage, behaviours?.byName);
  try {
    await Promise.all([here, ...others]);
  } catch (error) {
    stopSweep(share.state);
    await Promise.allSettled([here, ...others]);
    throw error;
  } finally {
    clearInterval(looking);
    show.stop();
  }
}

/** Plays tasks in a new thread until none are left. A thread that dies leaves a failed run, and another takes its place. */
async function inThread(share: SweepShare, onMessage: (message: SweepMessage) => void): Promise<void> {
  for (;;) {
    const died = await threadEnd(share, onMessage);
    const task = died === null ? undefined : taskOfThread(share.state, share.thread);
    if (died === null) return;
    const lost = task === undefined ? undefined : share.tasks[task];
    if (task === undefined || lost === undefined) throw died;
    onMessage({ task, run: failedRun(lost, died.message) });
  }
}

function threadEnd(share: SweepShare, onMessage: (message: SweepMessage) => void): Promise<Error | null> {
  return new Promise((done) => {
    const thread = startOwnThread('runs/experiment/sweep-worker.js', { workerData: share });
    thread.on('message', onMessage);
    thread.on('error', (error: Error) => done(error));
    thread.on('exit', () => done(null));
  });
}
