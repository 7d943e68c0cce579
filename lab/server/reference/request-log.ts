/**
 * The log of the requests that the lab's reference answers: each with its outcome and, where it was refused, the clause that decided.
 * It changes nothing of a request or a reply. Its memory is bounded.
 */

import type { RequestListener, ServerResponse } from 'node:http';
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
/** Moments with requests whose counts are kept. */
const MOMENTS_KEPT = 100_000;

/** The latest requests, and how many there were. */
export class RequestLog {
  readonly #listen: (entry: LoggedRequest) => void;
  #entries: LoggedRequest[] = [];
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

  /** An app that notes what another one answers. */
  around(app: RequestListener, host: () => Host): RequestListener {
    return (req, res) => {
      const end = res.end;
      res.end = ((...args: readonly unknown[]) => {
        this.#note(
          req.method ?? '',
          (req.url ?? '').replace(/\?.*/, ''),
          req.headers.authorization,
          res,
          args[0],
          host(),
        );
        return Reflect.apply(end, res, args as []);
      }) as typeof res.end;
      app(req, res);
    };
  }

  #note(method: string, path: string, key: string | undefined, res: ServerResponse, body: unknown, host: Host): void {
    const { registry } = host.service;
    const known = authenticate(registry, key?.replace(/^Bearer +/i, ''));
    const refused = res.statusCode < 400 ? undefined : becauseOf(method, path, String(body));
    this.#count += 1;
    if (refused !== undefined) this.#refused += 1;
    const entry: LoggedRequest = {
      ...{
        n: this.#count,
        atMs: host.clock.nowMs(),
        beat: currentBeat(registry),
        method,
        path,
        status: res.statusCode,
      },
      agent: known.ok ? known.agent : -1,
      ...(refused === undefined ? {} : { refused }),
    };
    this.#noteCounts(entry.atMs);
    this.#entries.push(entry);
    if (this.#entries.length > KEPT * 1.25) this.#entries = this.#entries.slice(-KEPT);
    this.#listen(entry);
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
