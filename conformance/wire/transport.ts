/** Sends one request over HTTP with bounds on time and size. Pace, retries and budgets are in wire.ts. */
import type { Agent } from 'undici';
import { decoded } from './content-coding.js';

/** One request on the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The id of the check that asks; absent: the run itself. It does not go over the wire. */
  readonly owner?: string;
  readonly timeoutMs: number;
  readonly replyBytesMax: number;
}

/** One answer on the wire; header names are in lower case, repeated headers joined with a comma. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body was longer than the request allows; this is its beginning. */
  readonly cut?: true;
}

/** How requests leave: undici over HTTP, or whatever a test puts in its place. Rejects with `TransportFailure` only. */
export type Transport = (request: WireRequest) => Promise<WireReply>;

/**
 * Why no answer came. `unreachable`: no connection; `hang`: none in time; `broken`: not one that can be read; `aborted`: nobody
 * waits for it any more.
 */
export type FailureKind = 'unreachable' | 'hang' | 'broken' | 'aborted';

export class TransportFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message);
    this.name = 'TransportFailure';
  }
}

const CONNECTIONS_MAX = 64;

/**
 * A transport over HTTP with kept-alive connections, and how to let go of them. `end`: aborts what is under way. undici is loaded
 * with the first request: a plan sends none.
 */
export function httpTransport(end?: AbortSignal): { readonly send: Transport; readonly close: () => Promise<void> } {
  let opened: Promise<Agent> | undefined;
  const agent = (): Promise<Agent> => {
    opened ??= import('undici').then((undici) => new undici.Agent({ connections: CONNECTIONS_MAX, pipelining: 1 }));
    return opened;
  };
  return { send: async (request) => send(await agent(), request, end), close: async () => (await opened)?.close() };
}

async function send(agent: Agent, request: WireRequest, end: AbortSignal | undefined): Promise<WireReply> {
  const url = new URL(request.url);
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = end === undefined ? timeout : AbortSignal.any([timeout, end]);
  try {
    const reply = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method as 'GET',
      headers: request.headers,
      body: request.body ?? null,
      signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > request.replyBytesMax) break;
      chunks.push(chunk);
    }
    const headers = flat(reply.headers);
    const head = { status: reply.statusCode, headers };
    const body = Buffer.concat(chunks);
    const { replyBytesMax } = request;
    const whole = bytes > replyBytesMax ? undefined : decoded(body, headers['content-encoding'], replyBytesMax);
    return { ...head, body: (whole ?? body).toString('utf8'), ...(whole === undefined ? { cut: true } : {}) };
  } catch (error) {
    if (end?.aborted === true) throw new TransportFailure('aborted', 'the run has ended');
    throw failureOf(error, request);
  }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return result;
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

function failureOf(error: unknown, request: WireRequest): TransportFailure {
  if (error instanceof TransportFailure) return error;
  if (!(error instanceof Error)) return new TransportFailure('broken', String(error));
  const hang = error.name === 'TimeoutError' || error.name === 'HeadersTimeoutError';
  const asked = `${request.method} ${new URL(request.url).pathname}`;
  if (hang) return new TransportFailure('hang', `no reply within ${request.timeoutMs / 1_000} s to ${asked}`);
  const code = 'code' in error ? String(error.code) : '';
  const causes = error instanceof AggregateError ? error.errors.map((inner: Error) => inner.message) : [error.message];
  const message = causes.join('; ') || code;
  const unreachable = UNREACHABLE.has(code) || error.name === 'ConnectTimeoutError';
  return new TransportFailure(unreachable ? 'unreachable' : 'broken', message);
}
