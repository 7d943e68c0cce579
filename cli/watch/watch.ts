/**
 * `aips watch`: judges traffic by the specification, without a request of its own: files of it, or what passes through a proxy. watch/ judges,
 * runs/watch reads and passes on.
 */

import { existsSync, realpathSync } from 'node:fs';
import type { Argv, InferredOptionTypes } from 'yargs';
import { glob } from '../../conformance/run/select.js';
import { curlScript } from '../../reports/conformance/curl.js';
import { watchMarkdown, watchText } from '../../reports/watch/watch-text.js';
import { type Json, jsonText } from '../../results/json-text.js';
import type { WatchResult } from '../../results/watch-result.js';
import { Failure } from '../../runs/host/failure.js';
import { ensureFile, ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { watchFiles } from '../../runs/watch/watch-files.js';
import { watchProxy } from '../../runs/watch/watch-proxy.js';
import { clauses } from '../../spec/clauses/index.js';
import { didYouMean } from '../../spec/nearest-name.js';
import { type Demanded, holding } from '../../watch/conclude.js';
import { lockText, parseLock } from '../../watch/ratchet.js';
import type { Command } from '../flags/command.js';
import { json, protocolFile } from '../flags/common-options.js';
import { requiredOf, requirePower } from '../flags/required.js';

const options = {
  listen: { type: 'string', describe: 'Be a proxy at host:port, until Ctrl-C (0: any free port)' },
  to: { type: 'string', describe: 'URL of the server behind the proxy; absent: that of --target' },
  'beats-to': { type: 'string', describe: 'URL of the beats service, behind a second port' },
  target: { type: 'string', describe: 'YAML file that says what the server offers, as for aips conform' },
  ...protocolFile,
  expect: { type: 'string', array: true, describe: 'Clauses that the traffic has to show, by id or glob' },
  only: {
    type: 'string',
    array: true,
    describe: 'Judge a part: endpoint:heartbeat, section:4.5, profile:core',
  },
  ...requirePower,
  lock: { type: 'string', describe: 'File of clauses that the traffic has to show, such as watch.lock' },
  'update-lock': { type: 'boolean', default: false, describe: 'Add the clauses that the traffic shows to --lock' },
  report: { type: 'string', describe: 'Folder of the reports: JSON, Markdown, a curl script for each deviation' },
  out: { type: 'string', describe: 'File for the traffic without secrets (NDJSON), which aips watch reads again' },
  ...json,
} as const;

type Flags = InferredOptionTypes<typeof options> & { readonly files?: readonly string[] | undefined };

const REPORTS = { json: 'watch.json', markdown: 'watch.md' } as const;

/** `aips watch`: exit status 0 if nothing deviates, 1 if something does or a clause is not shown, 2 if nothing was judged. */
export const watchCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('files', {
        type: 'string',
        array: true,
        describe: 'HAR files, NDJSON of exchanges, recordings of conform --record, or folders of those',
      })
      .options(options)
      .example('$0 watch tests.har', 'judges what somebody else has sent')
      .example('$0 watch --listen 127.0.0.1:8080 --to http://127.0.0.1:8787', 'judges what passes through a proxy')
      .example('$0 watch tests.har --lock watch.lock', 'fails if the tests no longer show what they have shown')
      .epilogue(
        'Exit status: 0 if nothing deviates, 1 if a clause is broken or not shown, 2 if nothing was judged or too little would be noticed.',
      ) as never,
  handler: async (flags) => {
    const { files = [], report, out, lock } = flags;
    const isProxy = flags.listen !== undefined || flags.to !== undefined;
    if (isProxy === files.length > 0)
      throw new Failure('Say what to watch: aips watch FILE…, or aips watch --listen 127.0.0.1:0 --to URL');
    refuseInput(files, flags);
    const demanded = demandedBy(flags);
    if (report !== undefined) ensureFolder(report, Object.values(REPORTS));
    for (const file of [out, flags['update-lock'] ? lock : undefined]) if (file !== undefined) ensureFile(file);
    deliver(await (isProxy ? passOn(flags, demanded) : watchFiles(files, { ...flags, demanded })), flags, demanded);
  },
};

/** Runs the proxy until Ctrl-C or SIGTERM. */
async function passOn(flags: Flags, demanded: Demanded): Promise<WatchResult> {
  const interrupt = interruptOf();
  try {
    return await watchProxy({ ...flags, demanded }, interrupt.signal, (all) => {
      for (const { url, to } of all) console.error(`${url} passes on to ${to}`);
      console.error('Ctrl-C ends it, and shows the result.');
    });
  } finally {
    interrupt.forget();
  }
}

/** The clauses that have to be shown. Throws a Failure for one that does not exist, or a lock file that cannot be read. */
function demandedBy(flags: Flags): Demanded {
  const { expect = [], lock, 'update-lock': updates } = flags;
  const expected = expect.map((text) => ({ text, test: glob(text) }));
  for (const { text, test } of expected) {
    if (clauses.some(({ id }) => test(id))) continue;
    const near = didYouMean(
      text,
      clauses.map(({ id }) => id),
    );
    throw new Failure(`--expect ${text}: there is no such clause${near === '' ? '.' : near}`);
  }
  if (lock === undefined && updates) throw new Failure('--update-lock needs --lock FILE, such as watch.lock.');
  const { requirePower: power = 0 } = requiredOf(flags);
  return { expected, locked: lock === undefined ? [] : readLock(lock, updates), power };
}

/** The clauses of a lock file. One that is not there yet has none, where it is to be written. */
function readLock(file: string, updates: boolean): readonly string[] {
  if (updates && !existsSync(file)) return [];
  return parsedOrFail(parseLock(readText(file, 'lock file'), file));
}

/** Refuses to write a file of traffic that is read. */
function refuseInput(files: readonly string[], { out, lock }: Flags): void {
  const isInput = (path: string): boolean =>
    existsSync(path) && files.some((file) => existsSync(file) && realpathSync(file) === realpathSync(path));
  for (const [flag, path] of Object.entries({ '--out': out, '--lock': lock }))
    if (path !== undefined && isInput(path)) throw new Failure(`${flag} ${path}: is a file of the traffic to watch.`);
}

/** Writes and prints a result, and sets the exit status. */
function deliver(result: WatchResult, flags: Flags, { locked }: Demanded): void {
  const { report, lock, json } = flags;
  const text = jsonText(result as unknown as Json);
  if (report !== undefined)
    writeFiles(report, { [REPORTS.json]: text, [REPORTS.markdown]: watchMarkdown(result), ...scriptsOf(result) });
  if (json) process.stdout.write(text);
  else process.stdout.write(watchText(result));
  if (lock !== undefined && flags['update-lock'])
    writeFiles('.', { [lock]: lockText([...locked, ...holding(result.clauses)]) });
  process.exitCode = result.exit_status;
}

/** A curl script for each deviation that an excerpt shows. */
function scriptsOf({ breaks }: WatchResult): Readonly<Record<string, string>> {
  const shown = breaks.filter(({ is_complete }) => is_complete);
  return Object.fromEntries(
    shown.map(({ excerpt, about, expected }, at) => {
      const marks = new Map([[excerpt.length - 1, [`${about}: expected ${expected}`]]]);
      return [
        `deviation-${at + 1}.sh`,
        curlScript(
          excerpt.map(({ exchange }) => exchange),
          marks,
        ),
      ];
    }),
  );
}
