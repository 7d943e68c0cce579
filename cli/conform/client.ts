/**
 * `aips conform client -- COMMAND`: starts a reference that watches, runs a client against it, and judges what the client
 * sends. The checklist and the proxy are in clients/.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { clientReport, judgeClient } from '../../clients/judge.js';
import { type RecordingProxy, startProxy } from '../../clients/recording-proxy.js';
import { type ProgramOptions, runProgram } from '../../conformance/wire/program.js';
import { visible } from '../../results/visible.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { namedInput } from '../../runs/host/input-bytes.js';
import { Started } from '../../runs/host/started.js';
import { type ReferenceProcess, startReference } from '../../runs/server/reference-process.js';
import { protocol } from '../../spec/protocol.js';
import type { Command } from '../flags/command.js';
import { dialectOption, json } from '../flags/common-options.js';

const options = { ...dialectOption, ...json } as const;

/** A client that runs longer is ended. */
const TIMEOUT_SEC = 600;

type Flags = InferredOptionTypes<typeof options> & {
  readonly command?: readonly string[];
  readonly _: readonly (string | number)[];
};

/** `aips conform client -- COMMAND …`: exit 0 if no clause fails, 1 if one does, 2 if nothing could be judged. */
export const clientCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example(
        '$0 conform client -- node client.mjs',
        'the client finds AIPS_REGISTRY_URL and AIPS_BEATS_URL in its environment',
      ) as never,
  handler: conformClient,
};

async function conformClient({ dialect, json, _: words }: Flags): Promise<void> {
  const command = words.slice(2).map(String);
  if (command.length === 0) throw new Failure('Say how to run the client: aips conform client -- COMMAND ARGUMENT …');
  const started = new Started();
  try {
    const server = await startServer(dialect);
    started.add(server.stop);
    const proxy = await startProxyFor(server);
    started.add(proxy.close);
    const exitStatus = await runClient(command, environment(server, proxy));
    const verdicts = judgeClient({ exchanges: proxy.exchanges, exitStatus });
    if (proxy.exchanges.length === 0)
      throw new Failure('The client sent no request. It finds the servers in AIPS_REGISTRY_URL and AIPS_BEATS_URL.');
    const requests = proxy.exchanges.length;
    console.log(
      json
        ? JSON.stringify({ exit_status: exitStatus, requests, verdicts }, null, 2)
        : visible(clientReport(verdicts, requests)),
    );
    if (verdicts.some(({ verdict }) => verdict === 'broken')) process.exitCode = EXIT.unclean;
  } finally {
    await started.close();
  }
}

/** A reference without rate limits of its own: a client meets only that of the proxy. */
async function startServer(dialect: string): Promise<ReferenceProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'aips-conform-client-'));
  try {
    const overlay = join(folder, 'overlay.json');
    const limits = Object.fromEntries(Object.keys(protocol.limits).map((name) => [name, { count: 1_000_000 }]));
    writeFileSync(overlay, JSON.stringify({ limits }));
    return await startReference({
      seed: 1,
      flags: ['--dialect', namedInput(dialect, 'dialect'), '--start', 'now', '--protocol', overlay],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function startProxyFor({ target }: ReferenceProcess): Promise<RecordingProxy> {
  const { baseUrl, beatsUrl, control } = target;
  if (beatsUrl === null || control === undefined) throw new Error('the reference offers all of it');
  const passAnchors = async (anchors: number): Promise<void> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${control.token}` };
    const reply = await fetch(`${control.url}/control/v1/clock/advance`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ anchors }),
    });
    if (!reply.ok) throw new Error(`the clock does not move: ${reply.status} ${await reply.text()}`);
  };
  return startProxy({ registryUrl: baseUrl, beatsUrl, passAnchors, nowMs: () => performance.now() });
}

function environment({ target: { control } }: ReferenceProcess, proxy: RecordingProxy): ProgramOptions['env'] {
  return {
    AIPS_REGISTRY_URL: proxy.registryUrl,
    AIPS_BEATS_URL: proxy.beatsUrl,
    AIPS_CONTROL_URL: control?.url,
    AIPS_CONTROL_TOKEN: control?.token,
  };
}

/** Runs the client; its output goes to standard error. The exit status, null where it was ended. */
async function runClient(command: readonly string[], env: ProgramOptions['env']): Promise<number | null> {
  const end = await runProgram(command, { env, deadlineMs: TIMEOUT_SEC * 1_000, output: 'shown' });
  if (end.kind === 'unrunnable') throw new Failure(`${command[0]} cannot be run: ${end.why}.`);
  if (end.kind === 'ended') return end.status;
  console.error(`The client was ended, with all that it had started: it ran for ${TIMEOUT_SEC} s.`);
  return null;
}
