/** Gives jobs to worker threads, one at a time to each. Their program knows the jobs. */
import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';

/** A message of a worker about a job. */
type WorkerMessage<R> = { readonly job: number; readonly result?: R; readonly error?: string };

interface Work<R> {
  /** The program of a worker: it posts a `WorkerMessage` for each number that it gets. */
  readonly program: URL;
  readonly workerData?: unknown;
  readonly threads: number;
  /** A worker keeps what it has loaded: it is replaced after this many jobs. */
  readonly jobsAWorker: number;
  readonly onMessage: (told: WorkerMessage<R>) => void;
  /** Ends all workers, and with them the jobs that are not done. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs all jobs. If a worker dies, only its current job has failed. */
export async function onThreads<R>(jobs: readonly number[], work: Work<R>): Promise<void> {
  const queue = [...jobs];
  const { program, workerData, threads, jobsAWorker, onMessage, signal } = work;
  const isOver = (): boolean => signal?.aborted === true;
  const thread = async (): Promise<void> => {
    while (queue.length > 0 && !isOver()) {
      const worker = new Worker(fileURLToPath(program), { workerData, execArgv: [] });
      const stop = (): void => void worker.terminate();
      signal?.addEventListener('abort', stop);
      try {
        for (let done = 0; done < jobsAWorker && !isOver(); done += 1) {
          const job = queue.shift();
          if (job === undefined) break;
          const told = await messageOf<R>(worker, job);
          if (!isOver()) onMessage(told);
        }
      } finally {
        signal?.removeEventListener('abort', stop);
        await worker.terminate();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, threads) }, thread));
}

function messageOf<R>(worker: Worker, job: number): Promise<WorkerMessage<R>> {
  return new Promise((resolve) => {
    const end = (told: WorkerMessage<R>): void => {
      worker.off('message', end);
      worker.off('error', failed);
      worker.off('exit', left);
      resolve(told);
    };
    const failed = (error: Error): void => end({ job, error: error.message });
    const left = (code: number): void => end({ job, error: `the worker ended with exit code ${code}` });
    worker.on('message', end);
    worker.on('error', failed);
    worker.on('exit', left);
    worker.postMessage(job);
  });
}

/** The side of the worker: answers each job with its result or its error. */
export function answerJobs(resultOf: (job: number) => Promise<unknown>): void {
  parentPort?.on('message', (job: number) => {
    resultOf(job).then(
      (result) => parentPort?.postMessage({ job, result }),
      (error: unknown) => parentPort?.postMessage({ job, error: error instanceof Error ? error.stack : String(error) }),
    );
  });
}
