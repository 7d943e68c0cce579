/** `aips conform [URL]`: judges a server, clause by clause. conformance/ decides what to judge, and how. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { Failure } from '../../runs/host/failure.js';
import { judge, repeated } from '../../runs/suite/judge.js';
import { isKept, judgeAndRecord } from '../../runs/suite/record.js';
import { checksToRepeat } from '../../runs/suite/report-files.js';
import type { Command } from '../flags/command.js';
import { judged } from './judged.js';
import { commandOf, repeatOf, suiteFlags, suiteOptions, type TargetFlags, targetOf, targetOptions } from './options.js';
import { Changes } from './rerun.js';

const options = {
  ...targetOptions,
  ...suiteFlags,
  record: {
    type: 'string',
    describe:
      'File that keeps all requests and replies, without secrets, for conform replay; a folder gets a file of its own',
  },
  rerun: {
    type: 'boolean',
    default: false,
    describe: 'Stay, and run again what failed or was not judged each time the server comes back',
  },
  watch: { type: 'string', array: true, describe: 'Files or folders: --rerun when one of them changes, too' },
} as const;

type Flags = InferredOptionTypes<typeof options> & TargetFlags;

/** `aips conform [URL]`: judges a server. */
export const conformCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('url', { type: 'string', describe: 'Base URL of the target, when there is no target file' })
      .options(options)
      .example('$0 conform http://127.0.0.1:8787', 'all checks that need only the URL')
      .example('$0 conform --target target.yaml --out out', 'with reports')
      .example("$0 conform --target target.yaml --only 'heartbeat/*' 4.6", 'some checks by id, clause or section')
      .example('$0 conform --target target.yaml --quick', 'judges each clause once, in seconds')
      .example('$0 conform --target target.yaml --profile paid', 'the checks that need no clock and no control API')
      .example(
        '$0 conform http://127.0.0.1:8787 --wait 10m',
        'also the checks that wait up to ten minutes of real time',
      )
      .example('$0 conform --target target.yaml --baseline out/baseline.yaml', 'exits 1 only for new failures')
      .example(
        '$0 conform --target target.yaml --failed out/conformance.json',
        'only the checks that failed or were not judged',
      )
      .example('$0 conform --target target.yaml --repeat 5', 'finds flaky checks'),
  handler: async (flags) => {
    const target = targetOf(flags);
    const options = suiteOptions(flags);
    const runs = repeatOf(flags);
    const { record: path, watch = [] } = flags;
    const stays = flags.rerun || watch.length > 0;
    if (stays && (path !== undefined || runs > 1 || flags.json))
      throw new Failure('--rerun shows one run after the other: give no --record, --repeat or --json with it.');
    if (path !== undefined) requireRecordable(flags, target.payments.kind);
    const command = commandOf(flags);
    const changes = stays ? new Changes(target.baseUrl, watch) : undefined;
    try {
      let last = await judged(flags, {
        command,
        only: flags.only,
        judge: (signal) =>
          repeated(runs, { ...options, signal }, async (suite) => [
            await (path === undefined ? judge(target, suite) : judgeAndRecord({ path, command }, target, suite)),
          ]),
      });
      while (changes !== undefined && last.stopped_why?.kind !== 'interrupted') {
        console.log(`waits for ${[target.baseUrl, ...watch].join(', ')} to come back or to change; Ctrl-C ends it`);
        const cause = await changes.next();
        if (cause === undefined) return;
        console.log(`\n--- ${cause}`);
        const only = checksToRepeat(last);
        const chosen = only.length === 0 ? options : { ...options, only, quick: false };
        const again = async (signal: AbortSignal) => [await judge(target, { ...chosen, signal })];
        last = await judged(flags, { command, judge: again }, last);
      }
    } finally {
      changes?.close();
    }
  },
};

/** Throws a Failure for options that a recording cannot keep. */
function requireRecordable({ wait, repeat }: Flags, payments: Parameters<typeof isKept>[0]): void {
  if (wait !== undefined || repeat > 1) {
    throw new Failure(
      '--record keeps a single run without waits in real time: give no --repeat and no --wait with it.',
    );
  }
  if (!isKept(payments)) {
    throw new Failure(
      `--record cannot keep payments by ${payments}, which a replay would make again: use control or none.`,
    );
  }
}
