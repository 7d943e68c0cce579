/**
 * Sends the requests of a run: pace, retries, budget, stop and transcripts. transport.ts sends single requests.
 */
import type { Asked, Reason, Signed } from '../../results/conformance-result.js';
import type { withOwnHeaders } from '../target/access.js';
import type { Budget } from '../target/target.js';
import { type Transport, TransportFailure, type WireReply, type WireRequest } from './transport.js';

/** One exchange with its secrets, only for use inside a run. */
export interface RawExchange {
  readonly request: Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>;
  readonly response?: WireReply;
  readonly failure?: string;
  /** Protocol time, ISO 8601; absent if no clock can be moved. */
  readonly at?: string;
  /** The unaltered signatures of the suite in the request. */
  readonly signed?: readonly Signed[];
  /** The values in the request that came from earlier replies. */
  readonly asked?: readonly Asked[];
  /** The number of exchanges that this note replaces. */
  readonly left_out?: number;
}

/** Adds to an exchange the signatures of the suite and the values of earlier replies in its request. */
export function withSources(
  exchange: RawExchange,
  { made, answers }: { readonly made: readonly Signed[]; readonly answers: readonly Asked[] },
): RawExchange {
  const sends = (text: string): boolean => exchange.request.body?.includes(text) === true;
  const signed = made.filter(({ signature }) => sends(signature));
  const asked = answers.filter(({ value }) => sends(value));
  return {
    ...exchange,
    ...(signed.length === 0 ? {} : { signed }),
    ...(asked.length === 0 ? {} : { asked }),
  };
}

/** The run is stopped; running checks end. */
export class Stopped extends Error {
  constructor(readonly stop: Stop) {
    super(stop.reason);
    this.name = 'Stopped';
  }
}

/** A payment exceeds the remaining budget. The run continues without it. */
export class Unaffordable extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'Unaffordable';
  }
}

/** The time-out of a target that has answered before; before the first reply it is shorter, since the target may be down. */
const TIMEOUT_MS = 60_000;
const FIRST_TIMEOUT_MS = 15_000;
/** A longer reply is not read to its end. Usual replies have some kilobytes. */
export const REPLY_BYTES_MAX = 1_048_576;
const FAILURES_IN_A_ROW_MAX = 3;
const BUDGET = { why: { kind: 'budget' } } as const;
/** The reasons of a run that stops without a reply from the target, or by an interruption. */
export const NO_REPLY = { unjudgeable: true, why: { kind: 'no-reply' } } as const;
export const INTERRUPTED = { unjudgeable: true, why: { kind: 'interrupted' } } as const;

/** The early stop of a run. `unjudgeable`: the target could no longer be judged. */
interface Stop extends Reason {
  readonly unjudgeable: boolean;
}

/** The pace of requests, and the time-out of replies. */
interface Pace {
  readonly timeoutMs?: number;
  /** The largest number of requests a second; absent for no limit. */
  readonly perSec?: number | undefined;
  readonly waitMs?: (ms: number) => Promise<void>;
}

/** The options for sending a request. */
export interface Sending {
  /** Whether the request counts in the budget; requests to other servers do not. */
  readonly counted?: boolean;
  /** The run needs the reply, so the request is sent again if the reply cannot be read. */
  readonly again?: boolean;
  /** Whether the model judges the exchange; true by default. */
  readonly watched?: boolean;
  /** The request goes to the control API, so a missing reply says nothing about the target. */
  readonly apart?: boolean;
}

/** The name of a request in reasons: `POST /api/v1/sigil of sigil/once`. */
function nameOfRequest({ method, url, owner }: Pick<WireRequest, 'method' | 'url' | 'owner'>): string {
  return `${method} ${new URL(url).pathname}${owner === undefined ? '' : ` of ${owner}`}`;
}

/** Sends all requests of a run, within the budget of requests and lamports. Stops the run if the target does not answer. */
export class Wire {
  requests = 0;
  lamports = 0;
  /** The ms of waiting for protocol time, which the budget does not count. */
  waitedMs = 0;
  #failuresInARow = 0;
  /** The endpoints that did not answer in time since the last reply. If it is only one, the target may still be up. */
  readonly #hanging = new Set<string>();
  /** The latest request with a cut connection since the last reply: it may have crashed the target. */
  #brokenOff: string | undefined;
  /** The earliest time of the next request, by the wall clock. */
  #nextMs = 0;
  #answered = false;
  #stop: Stop | undefined;
  /** The smallest payment that exceeded the budget. */
  #leastRefused: number | undefined;
  #lacking: string | undefined;
  readonly #startedMs: number;
  /** Whether replies are missing, as in a recording with gaps, so that effects are unknown. */
  hasGaps = false;
  /** The time of each reply, in ms of the wall clock. */
  readonly tookMs: number[] = [];
  /** The numbers of replies in the transcripts of their checks, from 1. */
  readonly places = new WeakMap<WireReply, number>();
  /** Called for every request; the returned function is called with its reply, if one comes. */
  watch: ((request: Omit<WireRequest, 'timeoutMs' | 'replyBytesMax'>) => (reply?: WireReply) => void) | undefined;

  constructor(
    readonly transport: Transport,
    readonly budget: Budget,
    readonly wallMs: () => number,
    readonly pace: Pace = {},
    /** Adds the headers of the target file to a request. */
    readonly headersOf: ReturnType<typeof withOwnHeaders> = (_, headers) => headers,
  ) {
    this.#startedMs = wallMs();
  }

  /** Why the run stopped; undefined while it runs. */
  get stopped(): Stop | undefined {
    return this.#stop;
  }

  /** Stops the run: later requests throw `Stopped`. The first reason is kept. */
  stop(reason: string, more: Partial<Omit<Stop, 'reason'>> = {}): void {
    this.#stop ??= { reason, unjudgeable: false, ...more };
  }

  /** Why the run left out payments; undefined if it left out none. */
  get unpaid(): string | undefined {
    return this.#lacking ?? this.#budgetSpent();
  }

  /** Notes that a part of the run lacks money. The first reason is kept. */
  lack(reason: string): void {
    this.#lacking ??= reason;
  }

  /** Counts fees before they are paid. Throws `Unaffordable` if they exceed the budget. */
  spend(lamports: number): void {
    this.#throwIfStopped();
    const { lamports: budget = Number.POSITIVE_INFINITY } = this.budget;
    const left = budget - this.lamports;
    if (lamports > left) {
      this.#leastRefused = Math.min(lamports, this.#leastRefused ?? lamports);
      throw new Unaffordable(`a payment needs ${lamports} lamports, and ${left} of the budget of ${budget} are left`);
    }
    this.lamports += lamports;
  }

  #budgetSpent(): string | undefined {
    if (this.#leastRefused === undefined) return undefined;
    const budget = `the budget of ${this.budget.lamports} lamports`;
    const left = (this.budget.lamports ?? 0) - this.lamports;
    if (left === 0) return `${budget} is used up`;
    const payments = this.lamports > 0 ? 'only some payments' : 'no payment';
    return `${budget} allows ${payments}: ${left} are left, and the smallest one left out needs ${this.#leastRefused}`;
  }

  /** Subtracts an amount that was counted but not paid. */
  unspend(lamports: number): void {
    this.lamports -= lamports;
  }

  /** Sends one request, and passes the exchange to `record` (twice if it was sent twice). Throws `Stopped` or `TransportFailure`. */
  async send(
    asked: Pick<WireRequest, 'method' | 'url' | 'headers' | 'body' | 'owner' | 'once'> & {
      readonly timeoutMs?: number;
    },
    record: (exchange: RawExchange) => void = () => {},
    { counted = true, again = false, watched = true, apart = false }: Sending = {},
  ): Promise<WireReply> {
    this.#throwIfSpent();
    if (counted) this.requests += 1;
    await this.#inTurn();
    const usualMs = this.#answered ? TIMEOUT_MS : FIRST_TIMEOUT_MS;
    const timeoutMs = asked.timeoutMs ?? this.pace.timeoutMs ?? usualMs;
    const request = { ...asked, headers: this.headersOf(asked.url, asked.headers) };
    const sentMs = this.wallMs();
    const answered = watched ? this.watch?.(asked) : undefined;
    try {
      const response = await this.transport({ ...request, timeoutMs, replyBytesMax: REPLY_BYTES_MAX });
      this.tookMs.push(this.wallMs() - sentMs);
      answered?.(response);
      if (!apart) {
        this.#answered = true;
        this.#failuresInARow = 0;
        this.#hanging.clear();
        this.#brokenOff = undefined;
      }
      if (response.resent !== undefined) record({ request, failure: `${response.resent}; sent again` });
      record({ request, response });
      return response;
    } catch (error) {
      answered?.();
      if (!(error instanceof TransportFailure)) {
        this.hasGaps = true;
        throw error;
      }
      if (error.kind === 'aborted') this.#throwIfStopped();
      record({ request, failure: error.message });
      if (error.kind === 'broken') {
        if (!apart) this.#brokenOff = nameOfRequest(asked);
        if (again) return this.send(asked, record, { counted, watched, apart });
      } else if (!apart) this.#countFailure(error, asked);
      throw error;
    }
  }

  /** Sends requests one after the other, at the pace of the target file. */
  async #inTurn(): Promise<void> {
    const { perSec, waitMs } = this.pace;
    if (perSec === undefined || waitMs === undefined) return;
    const nowMs = this.wallMs();
    this.#nextMs = Math.max(this.#nextMs, nowMs) + 1_000 / perSec;
    const leftMs = this.#nextMs - 1_000 / perSec - nowMs;
    if (leftMs > 0) await waitMs(leftMs);
  }

  #countFailure(error: TransportFailure, { method, url }: Pick<WireRequest, 'method' | 'url'>): void {
    this.#failuresInARow += 1;
    if (error.kind === 'hang') this.#hanging.add(`${method} ${new URL(url).pathname.replace(/0x[0-9a-f]+/i, '')}`);
    const isOneEndpoint = error.kind === 'hang' && this.#hanging.size === 1;
    if (this.#failuresInARow < FAILURES_IN_A_ROW_MAX || isOneEndpoint) return;
    const last = this.#brokenOff === undefined ? '' : `; the last request with a cut connection is ${this.#brokenOff}`;
    this.stop(`${FAILURES_IN_A_ROW_MAX} requests in a row got no reply: ${error.message}${last}`, NO_REPLY);
  }

  #throwIfSpent(): void {
    const { requests = Number.POSITIVE_INFINITY, minutes = Number.POSITIVE_INFINITY } = this.budget;
    if (this.requests >= requests) this.stop(`the budget of ${requests} requests is used up`, BUDGET);
    if (this.wallMs() - this.#startedMs - this.waitedMs > minutes * 60_000)
      this.stop(`the budget of ${minutes} minutes is used up`, BUDGET);
    this.#throwIfStopped();
  }

  #throwIfStopped(): void {
    if (this.#stop !== undefined) throw new Stopped(this.#stop);
  }
}
