/**
 * The log of the requests that the lab's reference answers: each with its outcome and, where it was refused, the clause that decided.
 * It changes nothing of a request or a reply. Its memory is bounded.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Host } from '../../../reference/http/request/host.js';
import { authenticate } from '../../../reference/registry/keys.js';
import { currentBeat } from '../../../reference/registry/state.js';
import { clauses } from '../../../spec/clauses/index.js';
import { endpoints } from '../../../spec/endpoints/index.js';
import { type ErrorKey, errors } from '../../../spec/errors.js';

/** One request, as the log has it. */
export interface LoggedRequest {
  readonly n: number;
  readonly atMs: number;
  readonly beat: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The row of the agent that sent it; -1 for any other caller. */
  readonly agent: number;
  readonly refused?: RefusedBecause;
}

/** The texts of a request and its reply, each cut where it is long. */
export interface LoggedTexts {
  readonly authorization: string | undefined;
  /** The address in X-Forwarded-For. */
  readonly forwardedFor: string | undefined;
  /** The body; empty where it had none or was not read. */
  readonly request: string;
  readonly reply: string;
}

/** The reason of a refusal: code, what the server said, and the clause that gives it. */
export interface RefusedBecause {
  readonly code: string;
  readonly said: string;
  /** The other fields of the reply, such as `next_eligible_beat`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly clause: string;
  readonly section: string;
  readonly text: string;
}

/** How many requests there were, and how many of them were refused. */
export interface RequestCounts {
  readonly requests: number;
  readonly refused: number;
}

const KEPT = 5_000;
/** Characters of a body that are kept. */
const TEXT_MAX = 8_000;
/** Moments with requests whose counts are kept. */
const MOMENTS_KEPT = 100_000;

/** The latest requests, and how many there were. */
export class RequestLog {
  readonly #listen: (entry: LoggedRequest) => void;
  #entries: LoggedRequest[] = [];
  readonly #texts = new Map<number, LoggedTexts>();
  #count = 0;
  #refused = 0;
  /** The counts after the last request of each moment, the latest last. */
  #byMoment: (RequestCounts & { readonly atMs: number })[] = [];
  #dropsMoments = false;

  constructor(listen: (entry: LoggedRequest) => void) {
    this.#listen = listen;
  }

  get counts(): RequestCounts {
    return { requests: this.#count, refused: this.#refused };
  }

  /** The counts up to a moment of protocol time; null where they are no longer known. */
  countsAt(atMs: number): RequestCounts | null {
    const latest = this.#byMoment.findLast((each) => each.atMs <= atMs);
    if (latest !== undefined) return { requests: latest.requests, refused: latest.refused };
    return this.#dropsMoments ? null : { requests: 0, refused: 0 };
  }

  /** The latest entries, the newest last. */
  get latest(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** The entry of a request by its number, with its texts; undefined where it is no longer kept. */
  entry(n: number): { readonly entry: LoggedRequest; readonly texts: LoggedTexts } | undefined {
    const entry = this.#entries.find((each) => each.n === n);
    const texts = this.#texts.get(n);
    return entry === undefined || texts === undefined ? undefined : { entry, texts };
  }

  /** An app that notes what another one answers; `logged` gets each entry, too. */
  around(app: RequestListener, host: () => Host, logged?: (entry: LoggedRequest) => void): RequestListener {
    return (req, res) => {
      const { end } = res;
      const { emit } = req;
      let request = '';
      // The app alone reads the body: what it is given is noted on the way.
      req.emit = ((name: string, ...args: readonly unknown[]) => {
        if (name === 'data' && request.length < TEXT_MAX) request = (request + String(args[0])).slice(0, TEXT_MAX);
        return Reflect.apply(emit, req, [name, ...args]);
      }) as typeof req.emit;
      res.end = ((...args: readonly unknown[]) => {
        const reply = String(args[0] ?? '');
        const entry = this.#note(req, res, reply, host());
        const { authorization, 'x-forwarded-for': forwardedFor } = req.headers;
        const texts = { authorization, forwardedFor: forwardedFor?.toString(), request };
        this.#texts.set(entry.n, { ...texts, reply: reply.slice(0, TEXT_MAX) });
        this.#texts.delete(entry.n - KEPT * 1.25);
        logged?.(entry);
        return Reflect.apply(end, res, args as []);
      }) as typeof res.end;
      app(req, res);
    };
  }

  #note(req: IncomingMessage, res: ServerResponse, body: string, host: Host): LoggedRequest {
    const { registry } = host.service;
    const method = req.method ?? '';
    const path = (req.url ?? '').replace(/\?.*/, '');
    const known = authenticate(registry, req.headers.authorization?.replace(/^Bearer +/i, ''));
    const refused = res.statusCode < 400 ? undefined : becauseOf(method, path, body);
    this.#count += 1;
    if (refused !== undefined) this.#refused += 1;
    const entry: LoggedRequest = {
      ...{ n: this.#count, atMs: host.clock.nowMs(), beat: currentBeat(registry) },
      ...{ method, path, status: res.statusCode },
      agent: known.ok ? known.agent : -1,
      ...(refused === undefined ? {} : { refused }),
    };
    this.#noteCounts(entry.atMs);
    this.#entries.push(entry);
    if (this.#entries.length > KEPT * 1.25) this.#entries = this.#entries.slice(-KEPT);
    this.#listen(entry);
    return entry;
  }

  #noteCounts(atMs: number): void {
    if (this.#byMoment.at(-1)?.atMs === atMs) this.#byMoment.pop();
    this.#byMoment.push({ atMs, ...this.counts });
    if (this.#byMoment.length <= MOMENTS_KEPT * 1.25) return;
    this.#byMoment = this.#byMoment.slice(-MOMENTS_KEPT);
    this.#dropsMoments = true;
  }
}

const patterns = endpoints.map(({ method, path, stem }) => ({
  method,
  stem,
  path: new RegExp(`^${path.replace(/:[a-z_]+/gi, '[^/]+')}$`),
}));
const clauseOf = new Map(clauses.map((clause) => [clause.id, clause]));

function becauseOf(method: string, path: string, body: string): RefusedBecause {
  const { code = '', error = '', ...fields } = parsed(body);
  const stem = patterns.find((each) => each.method === method && each.path.test(path))?.stem ?? 'any';
  const words = String(code).toLowerCase().replaceAll('_', '-');
  const clause = [`${stem}.error.${words}`, `any.error.${words}`, `error.${words}`]
    .map((id) => clauseOf.get(id))
    .find((each) => each !== undefined);
  const row = rowOf(stem, String(code)) ?? rowOf('any', String(code));
  return {
    code: String(code),
    said: String(error),
    fields,
    clause: clause?.id ?? '',
    section: clause?.section ?? (row?.source === 'spec' ? '7' : (row?.source ?? '')),
    text: clause?.text ?? row?.cause ?? '',
  };
}

function rowOf(stem: string, code: string) {
  const key = `${stem}/${code}`;
  return Object.hasOwn(errors, key) ? errors[key as ErrorKey] : undefined;
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof SyntaxError) return { error: body.slice(0, 200) };
    throw error;
  }
}
