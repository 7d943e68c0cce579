/**
 * Runs of a sweep over a queue in Redis: the sweep puts a job there for each, workers on any machine play them. BullMQ keeps the jobs, and gives
 * those of a worker that died to another. sweep-run.ts chooses the runs; users of a queue install bullmq and ioredis.
 */

import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ModuleOrigin } from '../../results/simulation-result.js';
import type { SweepRun } from '../../results/sweep-result.js';
import type { OwnBehaviours } from '../behaviours/behaviours-file.js';
import { Failure } from '../host/failure.js';
import type { Interrupt } from '../host/interrupt.js';
import { packageVersion } from '../host/package.js';
import {
  failedRun,
  playTasks,
  runDigest,
  type SharedArm,
  type SweepShare,
  type SweepTask,
  sharedSweepState,
} from './sweep-worker.js';

/** The queue of runs; results are compared by version, so each has its own. */
export const QUEUE = `aips-lab-runs-${packageVersion()}`;
/** A job that its workers lost more often than this is taken for one that kills them. */
const STALLED_MAX = 5;
/** Results are kept for a day, so that a sweep that was cut off finds them. A run that failed is played again by the next sweep. */
const KEPT_SEC = 86_400;
const CONNECT_MS = 5_000;
const ADD_AT_ONCE = 500;

/** A job: one run of an arm. */
interface RunJob {
  readonly arm: SharedArm;
  readonly task: SweepTask;
  /** The module of behaviours that the worker has to have. The queue carries no code. */
  readonly behaviours?: ModuleOrigin | undefined;
}

interface Libraries {
  readonly bullmq: typeof import('bullmq');
  readonly ioredis: Pick<typeof import('ioredis'), 'Redis'>;
}

/** The libraries, which are not dependencies of the package, since few users need them. */
async function libraries(): Promise<Libraries> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, ioredis };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Failure('A queue needs two more packages: npm install bullmq ioredis');
  }
}

/** A connection to Redis. Failure if there is none at this address. */
async function connect({ ioredis }: Libraries, url: string): Promise<Redis> {
  if (!/^rediss?:\/\//.test(url)) throw new Failure(`--redis ${url}: must be a URL such as redis://127.0.0.1:6379.`);
  const redis = new ioredis.Redis(url, { lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: CONNECT_MS });
  const once = new ioredis.Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: CONNECT_MS });
  let reason = 'no answer';
  once.on('error', (error: Error) => {
    reason = error.message;
  });
  try {
    await once.connect();
  } catch {
    throw new Failure(`--redis: nothing answers there (${reason}). Start Redis, or name another URL.`);
  } finally {
    once.disconnect();
  }
  redis.on('error', (error: Error) => console.error(`redis: ${error.message}`));
  await redis.connect();
  return redis;
}

/** Plays tasks by way of a queue, and waits until workers have played them all. Their order does not change what they give. */
export async function playOverQueue(
  url: string,
  { arms, tasks, behaviours }: Pick<SweepShare, 'arms' | 'tasks' | 'behaviours'>,
  interrupt: Interrupt,
  onRun: (run: SweepRun) => void,
): Promise<void> {
  const found = await libraries();
  const connection = await connect(found, url);
  const listening = await connect(found, url);
  const queue = new found.bullmq.Queue<RunJob, SweepRun>(QUEUE, { connection });
  const events = new found.bullmq.QueueEvents(QUEUE, { connection: listening });
  // Each job that is awaited adds a listener.
  queue.setMaxListeners(0);
  events.setMaxListeners(0);
  try {
    await events.waitUntilReady();
    const stopped = new Promise<null>((stop) => {
      interrupt.signal.addEventListener('abort', () => stop(null), { once: true });
    });
    for (let from = 0; from < tasks.length && !interrupt.isRequested(); from += ADD_AT_ONCE) {
      const some = tasks.slice(from, from + ADD_AT_ONCE);
      const jobs = await addJobs(
        queue,
        some.map((task) => ({ arm: arms[task.arm] as SharedArm, task, behaviours })),
      );
      if (from === 0) await noteMissingWorkers(queue);
      const ended = jobs.map(async (job, i) => {
        const task = some[i] as SweepTask;
        const run = await Promise.race([stopped, resultOf(job, task, events)]);
        if (run !== null) onRun(run);
      });
      await Promise.all(ended);
    }
  } finally {
    await queue.close();
    await events.close();
    connection.disconnect();
    listening.disconnect();
  }
}

/** Puts runs into the queue. Those that are there already stay, except failed ones. */
async function addJobs(queue: Queue<RunJob, SweepRun>, runs: readonly RunJob[]): Promise<Job<RunJob, SweepRun>[]> {
  const jobs = runs.map((run) => ({
    name: run.arm.name,
    data: run,
    // The same run is one job, however often it is asked for.
    opts: {
      jobId: runDigest(run.arm, run.task.seed, run.behaviours),
      removeOnComplete: { age: KEPT_SEC },
      removeOnFail: { age: KEPT_SEC },
    },
  }));
  const ids = new Set<string | undefined>(jobs.map(({ opts }) => opts.jobId));
  const failed = (await queue.getFailed()).filter(({ id }) => ids.has(id));
  await Promise.all(failed.map((job) => job.remove()));
  return queue.addBulk(jobs) as Promise<Job<RunJob, SweepRun>[]>;
}

/** Without workers the runs wait, which is not an error but worth a note. */
async function noteMissingWorkers(queue: Queue<RunJob, SweepRun>): Promise<void> {
  if ((await queue.getWorkersCount()) > 0) return;
  console.error(
    `The runs wait: no worker of aips-lab ${packageVersion()} listens there yet. Start: aips experiment worker`,
  );
}

/** The run of a job. Arm and replicate are those of the task: the same run may have been played for another sweep. */
async function resultOf(
  job: Job<RunJob, SweepRun>,
  task: SweepTask,
  events: import('bullmq').QueueEvents,
): Promise<SweepRun> {
  try {
    const run: SweepRun = await job.waitUntilFinished(events);
    return { ...run, ...task };
  } catch (error) {
    return failedRun(task, error instanceof Error ? error.message : String(error));
  }
}

/** How a worker listens. */
export interface QueueWorker {
  readonly url: string;
  /** Seconds after which a job of a worker that shows no life goes to another. */
  readonly leaseSec: number;
  /** The behaviours that this worker has, for sweeps that need them. */
  readonly behaviours?: OwnBehaviours | undefined;
  /** Called once Redis has answered. */
  readonly onReady: () => void;
  readonly onRun: (name: string, run: SweepRun) => void;
}

/** Plays jobs of the queue, one at a time, until it is interrupted. The job that it plays then goes back to the queue. */
export async function workOnQueue(
  { url, leaseSec, behaviours, onReady, onRun }: QueueWorker,
  interrupt: Interrupt,
): Promise<void> {
  const found = await libraries();
  const connection = await connect(found, url);
  onReady();
  const lease = leaseSec * 1_000;
  const worker = new found.bullmq.Worker<RunJob, SweepRun>(QUEUE, async ({ data }) => playJob(data, behaviours), {
    ...{ connection, concurrency: 1, maxStalledCount: STALLED_MAX },
    ...{ lockDuration: lease, stalledInterval: lease },
  });
  worker.on('error', (error) => console.error(`worker: ${error.message}`));
  worker.on('completed', ({ data }, run) => onRun(data.arm.name, run));
  worker.on('failed', (job, error) => {
    if (job !== undefined) onRun(job.data.arm.name, failedRun(job.data.task, error.message));
  });
  try {
    await new Promise<void>((stop) => {
      if (interrupt.isRequested()) stop();
      interrupt.signal.addEventListener('abort', () => stop(), { once: true });
    });
  } finally {
    // The run goes on to its end: it takes seconds, and the sweep waits for it.
    await worker.close();
    connection.disconnect();
  }
}

/** Plays one run. A run that fails is an error here, so that the queue does not keep it as a result. */
async function playJob({ arm, task, behaviours: wanted }: RunJob, own: OwnBehaviours | undefined): Promise<SweepRun> {
  if (wanted !== undefined && wanted.sha256 !== own?.sha256) {
    const has = own === undefined ? 'no module of behaviours' : `another module of behaviours (${own.file})`;
    throw new Error(
      `the worker has ${has}: start it with aips experiment worker --behaviours, and the module whose SHA-256 is ${wanted.sha256} (${wanted.file})`,
    );
  }
  const runs: SweepRun[] = [];
  const share = { arms: [arm], tasks: [{ ...task, arm: 0 }], state: sharedSweepState(1), thread: 0, agents: false };
  await playTasks(share, ({ run }) => runs.push(run), own?.byName);
  const [run] = runs;
  if (run === undefined) throw new Error('the run was interrupted');
  if (run.error !== undefined) throw new Error(run.error);
  return { ...run, arm: task.arm };
}
