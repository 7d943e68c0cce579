import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { BodyOf, Bucket, Endpoint, Facts } from '../../spec/endpoint.js';
import type { RateLimit } from '../../spec/protocol.js';
import { type Refusal, refuse } from '../registry/refusal.js';
import type { Registry } from '../registry/state.js';
import type { Service } from '../service.js';
import type { Command } from '../store/journal.js';
import { type Admission, type Arrival, authenticator, NOBODY } from './authentication.js';
import { readBody } from './body.js';
import { arrive, type Host } from './host.js';
import { fullForMs, takeToken } from './rate-limit.js';

/** One request on its way to a rule: everything that a handler may look at. */
export interface Call<E extends Endpoint> {
  readonly service: Service;
  readonly registry: Registry;
  readonly nowMs: number;
  /** The authenticated agent's row, for a child's registration its parent's; -1 where no agent key is taken. */
  readonly agent: number;
  /** The authenticated partner's number; -1 on endpoints without partner auth. */
  readonly partner: number;
  readonly body: BodyOf<E>;
  /** The `:hash` of the path, or the empty string. */
  readonly hash: string;
  /** A header by its lower-case name; the first one of a repeated header. */
  readonly header: (name: string) => string | undefined;
}

/** What a handler answers: a reply with its status, or a refusal. */
export type Answer = { readonly ok: true; readonly status: number; readonly body: object } | Refusal;

/** An endpoint with the handler that shapes its reply. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call<Endpoint>) => Answer;
  /** Takes the place of the endpoint's own authentication. */
  readonly admit?: (arrival: Arrival) => Admission;
}

/** Ties a handler to its endpoint, so that it sees the body's own type. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Answer,
  admit?: (arrival: Arrival) => Admission,
): Route {
  // The body is parsed by the endpoint's own schema before the handler is called.
  const typed = handle as unknown as (call: Call<Endpoint>) => Answer;
  return admit === undefined ? { endpoint, handle: typed } : { endpoint, handle: typed, admit };
}

/** An accepted reply with status 200. */
export function reply(body: object): Answer {
  return { ok: true, status: 200, body };
}

/**
 * Serves one request in the order of D-26: authentication, rate limits, body, rule. The body is read first, since a
 * bucket may depend on the form of the call, but judged in its place. Who calls decides the bucket; a call that proves no
 * identity counts in the bucket of its address and, once that is full, gets 429 instead of its 401 (D-34).
 */
export async function serve(
  host: Host,
  { endpoint, handle, admit }: Route,
  req: Request,
  res: Response,
): Promise<void> {
  const { protocol } = host.service.registry;
  const bytesMax = takesProofs(endpoint) ? protocol.body.proofBytesMax : protocol.body.bytesMax;
  const raw = endpoint.body === null ? null : await readBody(req, res, bytesMax);
  const nowMs = arrive(host);
  const { service } = host;
  const { registry } = service;
  const header = (name: string): string | undefined => [req.headers[name]].flat()[0];
  const body = raw?.ok ? raw.value : undefined;
  const admitted = (admit ?? authenticator(endpoint.auth))({ registry, nowMs, header, body });
  const { agent, partner } = admitted.ok ? admitted : NOBODY;
  const buckets = bucketsOf(host, endpoint, { ip: clientIp(host, req), agent, partner, body });
  const limited = refuseRate(host, buckets, nowMs);
  if (limited !== null) return send(res, limited);
  if (!admitted.ok) return send(res, admitted);
  if (raw !== null && !raw.ok) return send(res, raw);
  const facts = factsOf(registry);
  const parsed = raw === null ? undefined : parse(endpoint, facts, raw.value);
  if (parsed !== undefined && !parsed.ok) return send(res, parsed);
  const hash = typeof req.params['hash'] === 'string' ? req.params['hash'] : '';
  const sent = parsed?.value as never;
  const given = handle({ service, registry, nowMs, agent, partner, body: sent, hash, header });
  const answer = given.ok ? given : withTrueWait(host, buckets, given, nowMs);
  // A refused call changes nothing (D-27).
  if (answer.ok && changesState(endpoint)) {
    const headers = givenHeaders(header);
    host.record?.({ at: nowMs, name: endpoint.id, agent, partner, body: parsed?.value ?? null, given: headers });
  }
  send(res, answer);
}

/** What asks and changes nothing, although it is no GET. */
const ASKS_ONLY: ReadonlySet<string> = new Set(['verify-batch', 'beat-verify', 'checkin', 'work-proof']);

function changesState({ method, stem }: Endpoint): boolean {
  return method !== 'GET' && !ASKS_ONLY.has(stem);
}

/** Headers that a handler may act on, and that a journal therefore keeps. */
const ACTED_ON = ['x-registration-token'] as const;

function givenHeaders(header: (name: string) => string | undefined): Record<string, string> {
  const pairs = ACTED_ON.map((name) => [name, header(name)] as const);
  return Object.fromEntries(
    pairs.filter((pair): pair is readonly [(typeof ACTED_ON)[number], string] => pair[1] !== undefined),
  );
}

/** Applies a recorded command again, past the checks that it has passed. */
export function replayCall(host: Host, { handle }: Route, command: Command): void {
  const { service } = host;
  const { registry } = service;
  const { at: nowMs, agent, partner = -1, body, given } = command;
  const header = (name: string): string | undefined => given[name];
  const answer = handle({ service, registry, nowMs, agent, partner, body: body as never, hash: '', header });
  if (!answer.ok)
    throw new Error(`${command.name} at ${nowMs} was accepted once and is refused now: ${answer.row.code}`);
}

function takesProofs({ stem }: Endpoint): boolean {
  return stem === 'beat-verify' || stem === 'work-proof';
}

function clientIp(host: Host, req: Request): string {
  const forwarded = host.trustForwardedFor ? [req.headers['x-forwarded-for']].flat()[0] : undefined;
  const first = forwarded?.split(',')[0]?.trim() ?? '';
  // A text that is no address would be a bucket of its own, as long and as many as a client likes.
  return isIP(first) === 0 ? (req.socket.remoteAddress ?? '') : first;
}

interface Caller {
  readonly ip: string;
  readonly agent: number;
  readonly partner: number;
  readonly body: unknown;
}

/** 4.16: the hash of the agent that a body is about, in lower case. */
function targetOf(body: unknown): string | undefined {
  const hash = typeof body === 'object' && body !== null && 'target_hash' in body ? body.target_hash : undefined;
  return typeof hash === 'string' ? hash.toLowerCase() : undefined;
}

function bucketKey(id: string, bucket: Bucket, caller: Caller): string {
  const byIp = `${id}|${bucket.limit}|ip|${caller.ip}`;
  switch (bucket.by) {
    case 'ip':
      return byIp;
    // D-34: without a valid identity a request counts by IP, so that nobody fills another's bucket.
    case 'partner':
      return caller.partner < 0 ? byIp : `${id}|${bucket.limit}|partner|${caller.partner}`;
    case 'target': {
      const target = targetOf(caller.body);
      return caller.agent < 0 || target === undefined ? byIp : `${id}|${bucket.limit}|target|${target}`;
    }
    case 'service':
      return `${id}|${bucket.limit}`;
    // 5, rule 3: by agent, and by IP while there is none.
    case 'subject':
    case 'agent':
      return caller.agent < 0 ? byIp : `${id}|${bucket.limit}|agent|${caller.agent}`;
    default:
      return bucket.by satisfies never;
  }
}

/** A bucket that a request counts in. */
interface Counted {
  readonly key: string;
  readonly limit: RateLimit;
}

function bucketsOf(host: Host, { id, buckets }: Endpoint, caller: Caller): readonly Counted[] {
  const { limits } = host.service.registry.protocol;
  return buckets
    .filter(({ when }) => when === undefined || when.test(caller.body))
    .map((bucket) => ({ key: bucketKey(id, bucket, caller), limit: limits[bucket.limit] }));
}

function refuseRate(host: Host, buckets: readonly Counted[], nowMs: number): Refusal | null {
  // Every bucket counts the request, also after one that is full.
  const refused = buckets.filter(({ key, limit }) => takeToken(host.limiter, key, limit, nowMs) > 0);
  if (refused.length === 0) return null;
  return withTrueWait(host, buckets, refuse('any/RATE_LIMITED', undefined, { retry_after_ms: 0 }), nowMs);
}

/**
 * Section 8: a request at the moment that a 429 names is admitted. So it waits for every bucket that has no room, also
 * one whose last place the refused request has taken; a refusal by the rule itself, such as the breaker's, as well.
 */
function withTrueWait(host: Host, buckets: readonly Counted[], refusal: Refusal, nowMs: number): Refusal {
  const own = refusal.fields?.['retry_after_ms'];
  if (typeof own !== 'number') return refusal;
  const waits = buckets.map(({ key, limit }) => fullForMs(host.limiter, key, limit, nowMs));
  return { ...refusal, fields: { ...refusal.fields, retry_after_ms: Math.max(own, ...waits) } };
}

function parse(
  endpoint: Endpoint,
  facts: Facts,
  value: unknown,
): { readonly ok: true; readonly value: unknown } | Refusal {
  const schema = schemaOf(endpoint, facts);
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  return refuse(endpoint.invalid ?? 'any/INVALID_JSON', `${at}${issue?.message ?? 'the body is invalid'}`);
}

const factsByRegistry = new WeakMap<Registry, Facts>();

/** What the schemas of a registry depend on: one object for each registry. */
function factsOf(registry: Registry): Facts {
  const known = factsByRegistry.get(registry);
  if (known !== undefined) return known;
  const { protocol, dialect, policy } = registry;
  const facts: Facts = { protocol, dialect, loopbackWebhooks: policy.allowLoopbackWebhooks ?? false };
  factsByRegistry.set(registry, facts);
  return facts;
}

/** Schemas are made once for each set of facts. */
const schemas = new WeakMap<Endpoint, { readonly facts: Facts; readonly schema: z.ZodType }>();

function schemaOf(endpoint: Endpoint, facts: Facts): z.ZodType {
  const known = schemas.get(endpoint);
  if (known?.facts === facts) return known.schema;
  const schema = (endpoint.body as NonNullable<Endpoint['body']>)(facts);
  schemas.set(endpoint, { facts, schema });
  return schema;
}

/** Writes an answer: JSON, and for a refusal the body {error, code, …} of section 7. */
export function send(res: Response, answer: Answer): void {
  const body = answer.ok ? answer.body : refusalBody(answer);
  const status = answer.ok ? answer.status : answer.row.status;
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  const waitMs = answer.ok ? undefined : answer.fields?.['retry_after_ms'];
  if (typeof waitMs === 'number') res.setHeader('Retry-After', String(Math.ceil(waitMs / 1_000)));
  res.end(JSON.stringify(body));
}

function refusalBody({ row, detail, fields }: Refusal): object {
  return { error: detail ?? row.cause, code: row.code, ...fields };
}
