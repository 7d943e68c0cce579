/** `aips experiment worker`: plays runs of sweeps that others put into a queue (`aips experiment sweep --redis`). The queue is in sweep-queue.ts. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { loadBehaviours } from '../../runs/behaviours/behaviours-file.js';
import { workOnQueue } from '../../runs/experiment/sweep-queue.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import type { Command } from '../flags/command.js';
import { behavioursFile } from '../flags/common-options.js';

const options = {
  redis: { type: 'string', default: 'redis://127.0.0.1:6379', describe: 'Redis of the queue' },
  ...behavioursFile,
  lease: {
    type: 'number',
    default: 30,
    describe: 'Seconds after which the run of a worker that died goes to another',
  },
} as const;

type WorkerFlags = InferredOptionTypes<typeof options>;

/** `aips experiment worker`: plays runs until Ctrl-C. */
export const workerCommand: Command<WorkerFlags> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example('$0 experiment worker --redis redis://queue:6379', 'one run at a time; start as many as there are cores')
      .example('$0 experiment worker --behaviours my.js', 'for aips experiment sweep FILE --redis --behaviours my.js'),
  handler: async ({ redis: url, lease: leaseSec, behaviours: module }) => {
    if (!(leaseSec >= 1)) throw new Failure('--lease must be 1 second or more.');
    const behaviours = module === undefined ? undefined : await loadBehaviours(module);
    const interrupt = interruptOf();
    const onReady = (): void =>
      console.error(
        `waits for runs at ${url.replace(/\/\/[^@/]*@/, '//…@')}; Ctrl-C ends it after the run that it plays`,
      );
    const onRun = (
      name: string,
      { replicate, seed, error }: { replicate: number; seed: number; error?: string },
    ): void => console.log(`${name}, replicate ${replicate}, seed ${seed}${error === undefined ? '' : `: ${error}`}`);
    try {
      await workOnQueue({ url, leaseSec, behaviours, onReady, onRun }, interrupt);
    } finally {
      interrupt.forget();
    }
    process.exitCode = EXIT.clean;
  },
};
