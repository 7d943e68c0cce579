/**
 * A proxy between a client and a server: it forwards and records each request, and alters some replies to see how the client
 * reacts. It does not judge the client; judge.ts does.
 */

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonOf } from '../spec/formats.js';
import { type Alteration, accepted, type Exchange, fieldsOf } from './exchange.js';

/** The servers behind the proxy, and the clocks that it needs. */
interface ProxyOptions {
  readonly registryUrl: string;
  readonly beatsUrl: string;
  /** Lets anchors pass. */
  readonly passAnchors: (anchors: number) => Promise<void>;
  /** The machine's clock, in milliseconds. */
  readonly nowMs: () => number;
}

/** A running proxy. */
export interface RecordingProxy {
  readonly registryUrl: string;
  readonly beatsUrl: string;
  readonly exchanges: readonly Exchange[];
  readonly close: () => Promise<void>;
}

/** Anchors that pass before the client starts, so that the proxy can show it an old one. */
const OLD_ANCHORS = 30;
const ANCHOR_LIMITED = 1;
const ANCHOR_STALE = 3;
const RETRY_AFTER_MS = 2_000;
/** Anchors that pass after a heartbeat: after the first fewer than the minimum interval, after the second enough for a freeze. */
const ANCHORS_AFTER = { first: 4, second: 61, other: 10 } as const;
/** The real time between two anchors while a client waits for its next heartbeat. */
const ANCHOR_EVERY_MS = 150;
const ANCHORS_TO_WAIT = 6;

/** Starts the proxy. Which replies it alters follows from the requests alone. */
export async function startProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const oldAnchor = await (await fetch(`${options.registryUrl}/api/v1/beat/anchor`)).text();
  await options.passAnchors(OLD_ANCHORS);
  const state: State = {
    exchanges: [],
    anchors: 0,
    heartbeats: 0,
    due: 0,
    oldAnchor,
    options,
    startMs: options.nowMs(),
  };
  const servers = [serve(state, 'registry', options.registryUrl), serve(state, 'beats', options.beatsUrl)];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done).closeAllConnections())));
  };
  const [registryUrl, beatsUrl] = (await Promise.all(servers.map(listen)).catch(async (error: unknown) => {
    await close();
    throw error;
  })) as [string, string];
  return { registryUrl, beatsUrl, exchanges: state.exchanges, close };
}

interface State {
  readonly exchanges: Exchange[];
  /** Answers to GET /beat/anchor so far. */
  anchors: number;
  /** Heartbeats that were accepted so far. */
  heartbeats: number;
  /** Anchors that have yet to pass before the next heartbeat is due, after the client got HEARTBEAT_TOO_SOON. */
  due: number;
  readonly oldAnchor: string;
  readonly options: ProxyOptions;
  readonly startMs: number;
}

function listen(server: Server): Promise<string> {
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly alteration?: Alteration | undefined;
}

function serve(state: State, service: Exchange['service'], behind: string): Server {
  const server = createServer(async (req, res) => {
    const { nowMs } = state.options;
    const n = state.exchanges.length + 1;
    const url = urlBehind(behind, req.url ?? '/');
    const arrived = {
      n,
      service,
      method: req.method ?? '',
      path: url.pathname,
      query: url.search.slice(1),
      cameMs: nowMs() - state.startMs,
    };
    // Requests are numbered in the order in which they arrive, so the number is taken before any await.
    const place =
      state.exchanges.push({ ...arrived, headers: {}, text: '', body: {}, status: 0, reply: {}, answeredMs: 0 }) - 1;
    const text = await bodyOf(req);
    // The client disconnected before its request was complete: there is nothing to pass on or answer.
    if (text === undefined) return void res.destroy();
    const headers = Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    );
    const answer = await answerTo(state, arrived, () => passOn(url, req, text));
    const noted = {
      ...arrived,
      headers,
      text,
      body: fieldsOf(jsonOf(text)),
      status: answer.status,
      reply: fieldsOf(jsonOf(answer.text)),
    };
    state.exchanges[place] = { ...noted, alteration: answer.alteration, answeredMs: nowMs() - state.startMs };
    res.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...answer.headers });
    res.end(answer.text);
  });
  // A client may compute for minutes between two requests.
  server.keepAliveTimeout = 120_000;
  return server;
}

/** The URL behind the proxy for what a request asks for: a path, or a whole URL, of which the path counts (RFC 9112, 3.2). */
function urlBehind(behind: string, asked: string): URL {
  if (!asked.startsWith('/') && URL.canParse(asked))
    return urlBehind(behind, new URL(asked).pathname + new URL(asked).search);
  return new URL(behind + (asked.startsWith('/') ? asked : `/${asked}`));
}

/** More than any request of the protocol: the server behind refuses a body that is cut here for its length. */
const BODY_BYTES_MAX = 1_048_576;

/** The body of a request, or the beginning of a very long one; undefined when the client leaves before its end. */
async function bodyOf(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      if (bytes < BODY_BYTES_MAX) chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (req.complete) throw error;
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Hop-by-hop headers. */
const OWN = [
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'accept-encoding', 'expect'],
  ...['upgrade', 'te', 'trailer', 'proxy-connection'],
];
/** Methods with which a body means nothing (RFC 9110, 9.3). */
const BODILESS = ['GET', 'HEAD'];

async function passOn(url: URL, req: IncomingMessage, text: string): Promise<Answer> {
  const headers = Object.entries(req.headers).flatMap(([name, value]): [string, string][] =>
    OWN.includes(name) || value === undefined ? [] : [[name, [value].flat().join(', ')]],
  );
  const { method = 'GET' } = req;
  const withBody = text === '' || BODILESS.includes(method) ? {} : { body: text };
  let reply: Response;
  try {
    reply = await fetch(url, { method, headers, ...withBody, redirect: 'manual' });
  } catch (error) {
    // Requests that no client sends, such as a TRACE.
    if (!(error instanceof TypeError)) throw error;
    return { status: 400, headers: {}, text: JSON.stringify({ error: error.message, code: 'BAD_REQUEST' }) };
  }
  const wait = reply.headers.get('retry-after');
  return { status: reply.status, headers: wait === null ? {} : { 'retry-after': wait }, text: await reply.text() };
}

type Arrived = Pick<Exchange, 'method' | 'path'>;

async function answerTo(state: State, { method, path }: Arrived, passed: () => Promise<Answer>): Promise<Answer> {
  if (method === 'GET' && path === '/api/v1/beat/anchor') {
    state.anchors += 1;
    if (state.anchors === ANCHOR_LIMITED) return limited();
    if (state.anchors === ANCHOR_STALE)
      return { status: 200, headers: {}, text: state.oldAnchor, alteration: 'stale-anchor' };
  }
  const heartbeat = method === 'POST' && path === '/api/v1/agent/heartbeat';
  if (state.due > 0 && !heartbeat) await passDue(state, state.due);
  const answer = widened(await passed());
  return heartbeat ? afterHeartbeat(state, answer) : answer;
}

function limited(): Answer {
  const body = { error: 'more requests than the bucket holds', code: 'RATE_LIMITED', retry_after_ms: RETRY_AFTER_MS };
  const headers = { 'retry-after': String(RETRY_AFTER_MS / 1_000) };
  return { status: 429, headers, text: JSON.stringify(body), alteration: 'rate-limited' };
}

/** The reply with an additional field, another order of fields, and without the alias that section 9 allows to end. */
function widened(answer: Answer): Answer {
  const fields = fieldsOf(jsonOf(answer.text));
  if (answer.status >= 300 || Object.keys(fields).length === 0) return answer;
  const { lineage_proof: _alias, ...kept } = fields;
  const turned = Object.fromEntries(Object.entries(kept).toReversed());
  return { ...answer, text: JSON.stringify({ _further: { of: ['a', 'later', 'version'] }, ...turned }) };
}

async function afterHeartbeat(state: State, answer: Answer): Promise<Answer> {
  const fields = fieldsOf(jsonOf(answer.text));
  if (fields['code'] === 'HEARTBEAT_TOO_SOON') void passWhileWaiting(state);
  if (!accepted(answer as Pick<Exchange, 'status'> as Exchange)) return answer;
  state.heartbeats += 1;
  const { first, second, other } = ANCHORS_AFTER;
  await state.options.passAnchors(state.heartbeats === 1 ? first : state.heartbeats === 2 ? second : other);
  if (state.heartbeats !== 1) return answer;
  const passport = fieldsOf(fields['passport']);
  const altered = { ...passport, registered_at_beat: Number(passport['registered_at_beat']) + 1 };
  return { ...answer, text: JSON.stringify({ ...fields, passport: altered }), alteration: 'altered-passport' };
}

/** Lets the anchors pass that the client has to wait for: one after another, or all at its next request of another kind. */
async function passWhileWaiting(state: State): Promise<void> {
  if (state.due > 0) return;
  for (state.due = ANCHORS_TO_WAIT; state.due > 0; ) {
    await new Promise((done) => setTimeout(done, ANCHOR_EVERY_MS));
    if (state.due > 0) await passDue(state, 1);
  }
}

async function passDue(state: State, anchors: number): Promise<void> {
  state.due -= anchors;
  await state.options.passAnchors(anchors);
}
