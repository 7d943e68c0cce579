/**
 * The way of a request from Express to its handler: authentication, rate limits, body, beats to recompute, rule,
 * journal, reply (D-26). Which handlers there are is listed in server/routes.ts.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyOf, changesState, type Endpoint } from '../../../spec/endpoint.js';
import { errorRow } from '../../../spec/parts.js';
import type { Protocol } from '../../../spec/protocol.js';
import { type BeatCheck, checkBeatInline } from '../../beats/beat.js';
import type { NamedPayment } from '../../registry/payment.js';
import { type Refusal, refuse } from '../../registry/refusal.js';
import type { Registry } from '../../registry/state.js';
import type { Service } from '../../service.js';
import type { Command } from '../../store/command.js';
import {
  ANONYMOUS,
  type Authentication,
  authenticator,
  type Identity,
  type UnauthenticatedRequest,
} from './authentication.js';
import { claimsOf, isCheap } from './beat-pool.js';
import { readBody } from './body.js';
import { bucketsOf, type CountedBucket, clientIp, refuseRate, uncountRequest, withFullWait } from './buckets.js';
import { advanceToNow } from './global-time.js';
import type { Host } from './host.js';
import { isDurable, storeUnavailable } from './keeper.js';
import { memoWriter, type WriteMemo } from './memo-writer.js';
import { namedPayment, type ObservedPayment } from './payment.js';
import type { SignedMemo } from './remote-memos.js';
import { factsOf, parse } from './request-schema.js';

/** An authenticated, valid request: everything that a handler may use. */
export interface EndpointCall<E extends Endpoint> {
  readonly service: Service;
  readonly registry: Registry;
  readonly nowMs: number;
  /** The row of the authenticated agent (the parent, when a child registers); -1 on endpoints without an agent key. */
  readonly agent: number;
  /** The number of the authenticated partner; -1 on endpoints without a partner key. */
  readonly partner: number;
  readonly body: BodyOf<E>;
  /** The `:hash` of the path, or the empty string. */
  readonly hash: string;
  /** The payment with this signature. */
  readonly payment: (signature: string | undefined) => NamedPayment;
  /** Writes a memo to the ledger, one a call. */
  readonly writeMemo: WriteMemo;
  /** A header by its lower-case name; the first value of a repeated header. */
  readonly header: (name: string) => string | undefined;
  /** Checks the hash of a beat, which is recomputed or already known. */
  readonly checkBeat: BeatCheck;
}

/** The result of a handler: a reply with its status, or a refusal. */
export type HandlerResult = { readonly ok: true; readonly status: number; readonly body: object } | Refusal;

/** The optional parts of a route. */
interface RouteParts<C> {
  /** Replaces the endpoint's usual authentication. */
  readonly authenticate?: (arrival: UnauthenticatedRequest) => Authentication;
  /** The refusal that an agent in some state gets whatever its body says; null for an agent in any other state. */
  readonly closed?: (caller: Pick<C & EndpointCall<Endpoint>, 'registry' | 'agent'>) => Refusal | null;
  /**
   * Calls `call.checkBeat` for every beat that the handler may check, and changes nothing. If they are costly, they are
   * recomputed on threads before the handler is called.
   */
  readonly recomputes?: (call: C) => unknown;
  /** Whether the handler may write a memo. */
  readonly writesMemo?: true;
}

/** An endpoint with its handler. */
export interface Route extends RouteParts<EndpointCall<Endpoint>> {
  readonly endpoint: Endpoint;
  readonly handle: (call: EndpointCall<Endpoint>) => HandlerResult;
}

/** Joins an endpoint and its handler, so that the handler sees the body's own type. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (call: EndpointCall<E>) => HandlerResult,
  parts: RouteParts<EndpointCall<E>> = {},
): Route {
  // The body is parsed by the endpoint's own schema before the handler is called.
  return { endpoint, handle, ...parts } as unknown as Route;
}

/** An accepted reply with status 200. */
export function reply(body: object): HandlerResult {
  return { ok: true, status: 200, body };
}

/**
 * Serves one request in the order of D-26: authentication, rate limits, body, rule. The body is read first, since a
 * bucket may depend on it, but is refused in its place. A caller without a valid identity counts in the bucket of its
 * address and, once that is full, gets 429 instead of 401 (D-34).
 */
export async function serve(host: Host, route: Route, req: RoutedRequest, res: ServerResponse): Promise<void> {
  const answered = await answerRequest(host, route, req, res);
  if (answered !== 'cancelled') await sendDurable(host, res, answered);
}

async function answerRequest(
  host: Host,
  route: Route,
  req: RoutedRequest,
  res: ServerResponse,
): Promise<HandlerResult | 'cancelled'> {
  const { endpoint } = route;
  const facts = factsOf(host.service.registry);
  const bytesMax = endpoint.bodyBytesMax?.(facts) ?? facts.protocol.body.bytesMax;
  const raw = endpoint.body === null ? null : await readBody(req, res, bytesMax);
  const ledgerReady = !route.writesMemo || host.memos === undefined || (await host.memos.ready());
  const header = (name: string): string | undefined => [req.headers[name]].flat()[0];
  const body = raw?.ok ? raw.value : undefined;
  const admitted = authenticate(host, route, { header, body });
  const { agent, partner } = admitted.ok ? admitted : ANONYMOUS;
  const buckets = bucketsOf(host, endpoint, { ip: clientIp(host, req), agent, partner, body });
  const limited = refuseRate(host, buckets, admitted.nowMs);
  if (limited !== null) return limited;
  if (!admitted.ok) return admitted;
  if (raw !== null && !raw.ok) return raw;
  const closed = route.closed?.({ registry: host.service.registry, agent }) ?? null;
  if (closed !== null) return closed;
  const parsed = raw === null ? undefined : parse(endpoint, factsOf(host.service.registry), raw.value);
  if (parsed !== undefined && !parsed.ok) return parsed;
  if (!ledgerReady) {
    uncountRequest(host.limiter, buckets, admitted.nowMs);
    return refuse('any/LEDGER_UNAVAILABLE', 'the ledger gave no block hash for the memo');
  }
  const hash = req.params?.['hash'] ?? '';
  const countedAtMs = admitted.nowMs;
  const request: AdmittedRequest = {
    route,
    buckets,
    countedAtMs,
    body,
    sent: { header, hash, body: parsed?.value as never },
  };
  const call = callOf(host, request, admitted);
  const claims = claimsOf((checkBeat) => route.recomputes?.({ ...call, checkBeat }));
  if (isCheap(claims)) return finish(host, request, call);
  const checkBeat = await host.beatPool.recompute(claims, abortedBy(res));
  if (checkBeat === 'cancelled') return checkBeat;
  if (checkBeat === 'overloaded') return withFullWait(host, buckets, tooManyProofs, admitted.nowMs);
  const renewed = authenticateAgain(host, request);
  return renewed.ok ? finish(host, request, callOf(host, request, renewed, { checkBeat })) : renewed;
}

/** A request, with the parameters of its path if it has any. */
type RoutedRequest = IncomingMessage & { readonly params?: Readonly<Record<string, string>> };

/** A request that has passed every check before its rule. */
interface AdmittedRequest {
  readonly route: Route;
  readonly buckets: readonly CountedBucket[];
  /** When it was counted in its buckets. */
  readonly countedAtMs: number;
  /** The body as it was sent; `sent` has it as parsed. */
  readonly body: UnauthenticatedRequest['body'];
  readonly sent: Pick<EndpointCall<Endpoint>, 'header' | 'hash' | 'body'>;
}

type Caller = Authentication & { readonly nowMs: number };

/** Issues the anchors that are due, and authenticates the caller at that time. */
function authenticate(
  host: Host,
  { endpoint, authenticate: own }: Route,
  given: Pick<UnauthenticatedRequest, 'header' | 'body'>,
): Caller {
  const nowMs = advanceToNow(host);
  const { registry } = host.service;
  return { ...(own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given }), nowMs };
}

/** Authenticates again after a wait: the key may be revoked by now, and the anchors have moved on. */
function authenticateAgain(host: Host, { route, body, sent: { header } }: AdmittedRequest): Caller {
  return authenticate(host, route, { header, body });
}

/** Results that took time: recomputed beats, and the payment on another ledger. */
interface SlowResults {
  readonly checkBeat?: BeatCheck | undefined;
  readonly observed?: ObservedPayment | undefined;
}

function callOf(
  { service }: Host,
  { sent }: AdmittedRequest,
  { nowMs, agent, partner }: { readonly nowMs: number } & Identity,
  { checkBeat = checkBeatInline, observed }: SlowResults = {},
): EndpointCall<Endpoint> {
  const payment = (signature: string | undefined) => namedPayment(service, signature, nowMs, observed);
  const { write: writeMemo } = memoWriter(service, nowMs);
  return { ...sent, service, registry: service.registry, nowMs, agent, partner, checkBeat, payment, writeMemo };
}

/** Aborts when the connection closes before the reply is sent, since the result is no longer needed. */
function abortedBy(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once('close', () => gone.abort());
  return gone.signal;
}

const BUSY_RETRY_MS = 1_000;
const tooManyProofs = refuse(
  'any/RATE_LIMITED',
  'too many proofs are waiting to be checked; send this one again later',
  {
    retry_after_ms: BUSY_RETRY_MS,
  },
);

/** Calls the rule. If a payment must be looked up on another ledger, calls it again afterwards. */
async function finish(host: Host, request: AdmittedRequest, call: EndpointCall<Endpoint>): Promise<HandlerResult> {
  const answered = answer(host, request, call);
  return answered.ok || answered.lookUp === undefined ? answered : answerPaid(host, request, answered);
}

/** Calls the rule, and journals what it accepted at once. A refused call changes nothing (D-27). */
function answer(
  host: Host,
  { route: { endpoint, handle }, buckets }: AdmittedRequest,
  call: EndpointCall<Endpoint>,
  observed?: ObservedPayment,
): HandlerResult {
  const { signed, write: writeMemo } = memoWriter(host.service, call.nowMs, host.memos);
  const given = handle({ ...call, writeMemo });
  const answered = given.ok ? given : withFullWait(host, buckets, given, call.nowMs);
  if (answered.ok && changesState(endpoint)) {
    const { nowMs: at, agent, partner, header } = call;
    host.keeper?.record({
      ...{ at, name: endpoint.id, agent, partner, body: call.body ?? null, given: givenHeaders(endpoint, header) },
      ...(observed === undefined ? {} : { observed }),
      ...(signed[0] === undefined ? {} : { memo: signed[0].signature }),
    });
    for (const memo of signed) sendMemo(host, memo);
  }
  return answered;
}

/** Sends a memo on, for which no reply waits: its signature is known. */
function sendMemo({ memos }: Host, memo: SignedMemo): void {
  void memos?.send(memo).then((landed) => {
    if (!landed) console.error(`the memo ${memo.signature} has not landed on the ledger`);
  });
}

/**
 * Looks the payment up and calls the rule again, at the time and with the authentication of that moment. If the ledger does not answer, the request
 * is removed from its buckets; until then it counts, so that lookups at the ledger stay within the limits.
 */
async function answerPaid(host: Host, request: AdmittedRequest, unpaid: Refusal): Promise<HandlerResult> {
  // A reset may replace the limiter meanwhile; the new one has not counted this request.
  const { limiter, lookUpPayment } = host;
  if (lookUpPayment === undefined || unpaid.lookUp === undefined) return unpaid;
  const observed = await lookUpPayment(unpaid.lookUp);
  if (observed === 'unknown') return unpaid;
  if ('unavailable' in observed) {
    uncountRequest(limiter, request.buckets, request.countedAtMs);
    return refuse('any/LEDGER_UNAVAILABLE', observed.unavailable);
  }
  const renewed = authenticateAgain(host, request);
  return renewed.ok ? answer(host, request, callOf(host, request, renewed, { observed }), observed) : renewed;
}

function givenHeaders(
  { decidingHeaders = [] }: Endpoint,
  header: (name: string) => string | undefined,
): Record<string, string> {
  return Object.fromEntries(
    decidingHeaders.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Applies a journaled command again, without the checks that it has passed. */
export function replayCall(host: Host, { handle }: Route, command: Command): void {
  const { service } = host;
  const { registry } = service;
  const { at: nowMs, agent, partner = -1, body, given } = command;
  const observed = command.observed as ObservedPayment | undefined;
  const header = (name: string): string | undefined => given[name];
  const payment = (signature: string | undefined) => namedPayment(service, signature, nowMs, observed);
  const { write: writeMemo } = memoWriter(service, nowMs, undefined, command.memo);
  const sent = { body: body as never, hash: '', header, checkBeat: checkBeatInline, payment, writeMemo };
  const answered = handle({ service, registry, nowMs, agent, partner, ...sent });
  if (!answered.ok)
    throw new Error(`${command.name} at ${nowMs} was accepted once and is refused now: ${answered.row.code}`);
}

/** A reply in the form in which it is sent. */
interface RenderedReply {
  readonly status: number;
  readonly retryAfterSec: number | undefined;
  readonly text: string;
}

/** JSON, and for a refusal the body {error, code, …} of section 7. */
function render(answer: HandlerResult, held?: Protocol): RenderedReply {
  if (!answer.ok && held !== undefined) answer = { ...answer, row: errorRow(answer.row, held) };
  const waitMs = answer.ok ? undefined : answer.fields?.['retry_after_ms'];
  return {
    status: answer.ok ? answer.status : answer.row.status,
    retryAfterSec: typeof waitMs === 'number' ? Math.ceil(waitMs / 1_000) : undefined,
    text: JSON.stringify(answer.ok ? answer.body : refusalBody(answer)),
  };
}

function write(res: ServerResponse, { status, retryAfterSec, text }: RenderedReply): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (retryAfterSec !== undefined) res.setHeader('Retry-After', String(retryAfterSec));
  res.end(text);
}

/** Sends an answer that depends on no state. */
export function send(res: ServerResponse, answer: HandlerResult): void {
  write(res, render(answer));
}

/** Sends an answer, as it is now, once everything that it may have seen is on the disk. */
async function sendDurable(host: Host, res: ServerResponse, answer: HandlerResult): Promise<void> {
  const rendered = render(answer, host.service.registry.protocol);
  if (host.keeper === undefined || (await isDurable(host))) write(res, rendered);
  else send(res, storeUnavailable);
}

function refusalBody({ row, detail, fields }: Refusal): object {
  return { error: detail ?? row.cause, code: row.code, ...fields };
}
