/**
 * `aips simulate against`: plays a scenario in-process and against a server, and prints where they differ. The
 * comparison is in simulator/server.
 */

import type { Argv, InferredOptionTypes } from 'yargs';
import { withOwnHeaders } from '../../conformance/target/access.js';
import { isLoopback, type Target } from '../../conformance/target/target.js';
import { hiddenOf } from '../../conformance/trial/session.js';
import { Redactor } from '../../conformance/wire/redact.js';
import { httpTransport, type Transport, TransportFailure } from '../../conformance/wire/transport.js';
import { visible } from '../../results/visible.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { progressBar } from '../../runs/host/progress.js';
import type { ScenarioSource } from '../../runs/simulation/scenario-source.js';
import { readTarget } from '../../runs/suite/target-file.js';
import { DriverError, type HttpReply, type HttpTarget, type Send } from '../../simulator/server/http-target.js';
import { playSideBySide, type SideBySide } from '../../simulator/server/side-by-side.js';
import { jsonDeeperAt, jsonOf, withoutByteOrderMark } from '../../spec/formats.js';
import type { Command } from '../flags/command.js';
import { allowWrites, json } from '../flags/common-options.js';
import { scenarioOptions, sourceOf } from './options.js';

/** More agents would mean days of requests. */
const AGENTS_MAX = 2_000;
const TIMEOUT_MS = 30_000;
/** No reply of the interface is as long, or nests as deep. */
const REPLY_BYTES_MAX = 1 << 20;
const DEPTH_MAX = 64;

const options = { ...scenarioOptions, ...allowWrites, ...json } as const;
type Flags = InferredOptionTypes<typeof options> & Readonly<Record<'file' | 'target', string>>;

/**
 * `aips simulate against FILE TARGET`: plays a scenario in-process and against a server, and compares every outcome and the
 * final state. Exit 0 if they agree, 1 if not, 2 if the server cannot be driven.
 */
export const againstCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The scenario, a YAML file' })
      .positional('target', { type: 'string', demandOption: true, describe: 'Target file of the server' })
      .options(options)
      .example('$0 simulate against a.yaml target.yaml', 'in-process and over HTTP, compared'),
  handler: async (flags) => {
    process.exitCode = await playAgainst(await sourceOf(flags), flags);
  },
};

async function playAgainst(
  { scenario, seed }: ScenarioSource,
  { target: targetFile, json, 'allow-writes': allowWrites }: Flags,
): Promise<number> {
  const target = readTarget({ target: targetFile });
  const agents = scenario.populations.reduce((sum, { count }) => sum + count, 0);
  if (agents > AGENTS_MAX)
    throw new Failure(`At most ${AGENTS_MAX} agents can be played against a server, and this file has ${agents}.`);
  if (!allowWrites && !isLoopback(target.baseUrl)) {
    throw new Failure(`${target.baseUrl} is another host, and a scenario writes to it: add --allow-writes.`);
  }
  const bar = progressBar('simulated', 100);
  const redactor = new Redactor(hiddenOf(target));
  const transport = httpTransport({ target });
  try {
    const onSecond = (second: number): void => bar.to(second / scenario.durationSec, '');
    const found = await playSideBySide(
      scenario,
      seed,
      drivable(target, sending(transport.send, target, redactor)),
      onSecond,
    );
    const text = redactor.redact(json ? JSON.stringify(found) : foundText(found));
    console.log(json ? text : visible(text));
    return found.disagreements.length === 0 ? EXIT.clean : EXIT.unclean;
  } catch (error) {
    throw error instanceof DriverError ? new Failure(redactor.redact(`${target.baseUrl}: ${error.message}.`)) : error;
  } finally {
    bar.stop();
    await transport.close();
  }
}

/** A target that has what a scenario needs. */
function drivable({ baseUrl, beatsUrl, control, clientIp, dialect, protocol }: Target, send: Send): HttpTarget {
  if (beatsUrl === null)
    throw new Failure('simulate against needs beats_url in the target file, for the receipts of resyncs.');
  if (control === undefined)
    throw new Failure('simulate against needs control in the target file: it moves the clock and pays.');
  if (clientIp === 'none') {
    throw new Failure(
      'simulate against needs client_ip: x-forwarded-for in the target file: registrations are limited by address.',
    );
  }
  return { baseUrl, beatsUrl, control, messagePrefix: dialect.messagePrefix, protocol, send };
}

/** Sends within bounds of time and size, and learns the secrets that replies issue. */
function sending(transport: Transport, target: Target, redactor: Redactor): Send {
  const headersOf = withOwnHeaders(target);
  return async ({ method, url, headers, body }) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = {
      ...{
        method,
        url,
        timeoutMs: TIMEOUT_MS,
        replyBytesMax: REPLY_BYTES_MAX,
        headers: headersOf(url, { ...headers, ...json }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(url.endsWith('/clock/advance') ? { once: true as const } : {}),
    };
    try {
      const reply = await transport(request);
      if (reply.resent !== undefined && method !== 'GET')
        console.error(`${method} ${url} was sent twice, and may have been served twice: ${reply.resent}`);
      const said = mapOf(reply.body);
      redactor.learn(said);
      return { status: reply.status, body: said };
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      throw new Failure(redactor.redact(`${url}: no answer (${error.message}). Is the server running?`));
    }
  };
}

function mapOf(text: string): HttpReply['body'] {
  const parsed = jsonDeeperAt(text, DEPTH_MAX) !== undefined ? undefined : jsonOf(withoutByteOrderMark(text));
  return typeof parsed === 'object' && parsed !== null ? (parsed as HttpReply['body']) : {};
}

function foundText({ operations, agents, disagreements }: SideBySide): string {
  const lines = disagreements.map(({ second, agent, what, inProcess, http }) => {
    const who = agent === null ? '' : `agent ${agent}: `;
    return `  ${second} s: ${who}${what}: in-process ${shown(inProcess)}, over HTTP ${shown(http)}`;
  });
  const head = `${operations} operations of ${agents} agents on both drivers`;
  return lines.length === 0
    ? `${head}: every outcome and the final state agree`
    : [`${head} disagree:`, ...lines].join('\n');
}

/** A value as a reader sees it, whatever a server has sent. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
