/**
 * `aips conform fuzz`: plays random sequences of operations against a server, and judges every reply by the model of the
 * specification's text. conformance/fuzz draws and sends the requests, model/ judges the replies.
 */

import type { Argv, InferredOptionTypes } from 'yargs';
import { type FuzzFailure, type FuzzResult, fuzz, type Open, replay } from '../../conformance/fuzz/fuzz.js';
import { Unplayable } from '../../conformance/fuzz/requests.js';
import { curlScript } from '../../reports/conformance/curl.js';
import { oneLine, quietJson } from '../../results/visible.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { progressBar } from '../../runs/host/progress.js';
import { readSequence, referenceSubjects, type Subjects, targetSubjects } from '../../runs/suite/fuzz-subject.js';
import { readOverlay, readTarget } from '../../runs/suite/target-file.js';
import { clauseById } from '../../spec/clauses/index.js';
import type { Overlay } from '../../spec/overlay.js';
import type { Command } from '../flags/command.js';
import { json, out, protocolFile, runs, seed } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { readSeed } from '../flags/server-flags.js';

const options = {
  target: {
    type: 'string',
    describe:
      'Target file of the server, with a control API that moves the clock and pays; absent: the reference, in this process',
  },
  ...protocolFile,
  ...runs,
  ...seed,
  ...out,
  ...json,
} as const;

/** The files of a failure, in the folder of `--out`. */
const FILES = { failure: 'fuzz-failure.json', script: 'fuzz-failure.sh' } as const;

type Flags = InferredOptionTypes<typeof options> & { readonly failure?: string | undefined };

/** Exit status: 0 if every reply agrees with the text, 1 if one does not, 2 if nothing could be played. */
export const fuzzCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('failure', { type: 'string', describe: 'A fuzz-failure.json, to play its sequence again' })
      .options(options)
      .example('$0 conform fuzz --runs 300 --seed 7', 'the reference')
      .example('$0 conform fuzz --target target.yaml --runs 50 --out out', 'your own server')
      .example('$0 conform fuzz out/fuzz-failure.json', 'a failure again')
      .example('$0 conform fuzz --protocol change.yaml', 'the reference under a change of the specification')
      .epilogue('Exit status: 0 if every reply agrees with the text, 1 if one does not, 2 if nothing could be played.'),
  handler: async (flags) => {
    readSeed(flags.seed);
    requireWhole(flags.runs, '--runs');
    if (flags.out !== undefined) ensureFolder(flags.out, Object.values(FILES));
    try {
      await againstServer(flags);
    } catch (error) {
      if (error instanceof Unplayable) throw new Failure(`Nothing could be played: ${error.message}.`);
      throw error;
    }
  },
};

async function againstServer(flags: Flags): Promise<void> {
  const { open, close } = await subjectOf(flags);
  try {
    const found = flags.failure === undefined ? await played(flags, open) : await replayed(flags, open, flags.failure);
    process.exitCode = found === null ? EXIT.clean : EXIT.unclean;
  } finally {
    await close();
  }
}

async function subjectOf({ target: file, protocol }: Flags): Promise<Subjects> {
  if (file === undefined) return referenceSubjects(overlayIn(protocol));
  return targetSubjects(readTarget({ target: file, protocol }), file);
}

/** The overlay in a file; without a file, one that changes nothing. */
function overlayIn(file: string | undefined): Overlay {
  return file === undefined ? {} : readOverlay(file);
}

async function played({ runs, seed, out, json }: Flags, open: Open): Promise<FuzzFailure | null> {
  const bar = progressBar('sequences', runs);
  const interrupt = interruptOf();
  const result = await fuzz(open, {
    runs,
    seed,
    shrink: true,
    onRun: () => bar.step(''),
    isStopped: interrupt.isRequested,
  }).finally(() => {
    interrupt.forget();
    bar.stop();
  });
  if (json) console.log(JSON.stringify(result, null, 2));
  else printResult(result);
  if (result.failure === null) {
    if (interrupt.isRequested()) throw new Failure(`Interrupted: ${result.runs} of ${runs} sequences were played.`);
    return null;
  }
  if (!json) printFailure(result.failure);
  const { exchanges, exchange: _, ...failure } = result.failure;
  if (out === undefined) return result.failure;
  writeFiles(out, {
    [FILES.failure]: quietJson(`${JSON.stringify({ version: 1, ...failure }, null, 2)}\n`),
    [FILES.script]: curlScript(exchanges),
  });
  if (!json) console.log(`wrote ${out}/${FILES.failure}, for aips conform fuzz, and ${out}/${FILES.script}`);
  return result.failure;
}

/** Prints how much was played and judged, and which replies were not. */
function printResult({ runs, requests, seed, ...told }: FuzzResult): void {
  console.log(`${runs} sequences, ${requests} requests, seed ${seed}`);
  console.log(`${told.judged} of ${told.replies} replies judged, with evidence of ${told.clauses_judged} clauses`);
  if (told.calls_not_judged.length > 0) console.log(`no reply judged of ${told.calls_not_judged.join(', ')}`);
  if (told.clauses_open.length > 0)
    console.log(`not judged, since each reply left it open: ${told.clauses_open.join(', ')}`);
  for (const reply of told.other_than_decided)
    console.log(`deviates from a decision, which the text allows: ${oneLine(reply)}`);
}

function printFailure({ message, clauses, sequence, exchange, exchanges }: FuzzFailure): void {
  console.log(`FAIL  ${oneLine(message)}`);
  for (const { id, section, text } of clauses.map(clauseById)) console.log(`      ${section}: ${text} (${id})`);
  const request = exchanges[exchange]?.request;
  if (request !== undefined)
    console.log(
      `      in reply to ${oneLine(`${request.method} ${request.url} ${JSON.stringify(request.body ?? null)}`)}`,
    );
  console.log(`      after ${sequence.start_anchors} anchors (${sequence.set_up}), two agents, and:`);
  for (const action of sequence.actions) console.log(`      ${JSON.stringify(action)}`);
}

async function replayed({ json }: Flags, open: Open, file: string): Promise<FuzzFailure | null> {
  const failure = await replay(open, readSequence(file).sequence);
  if (json) console.log(JSON.stringify(failure, null, 2));
  else if (failure === null) console.log('Every reply is as the text has it now.');
  else printFailure(failure);
  return failure;
}
