/**
 * Keeps the exchanges of one check; of a long series, only the start and the end. It holds secrets: reports get redacted
 * copies.
 */
import type { RawExchange } from './wire.js';

const KEPT_AT_EACH_END = 40;
/**
 * Twice the number of shown characters of a reply (redact.ts), so that a secret at the cut of a report is still complete here, and
 * is found.
 */
const BODY_CHARS_MAX = 131_072;

/** The exchanges of a check. If there are many, a note replaces those in the middle. */
export class Transcript {
  readonly #start: RawExchange[] = [];
  #end: RawExchange[] = [];
  #omitted = 0;

  add(full: RawExchange): void {
    const exchange = withShortBody(full);
    if (this.#start.length < KEPT_AT_EACH_END) this.#start.push(exchange);
    else this.#end.push(exchange);
    // Omit in batches, since a check may send thousands of requests.
    if (this.#end.length <= 4 * KEPT_AT_EACH_END) return;
    this.#omitted += this.#end.length - KEPT_AT_EACH_END;
    this.#end = this.#end.slice(-KEPT_AT_EACH_END);
  }

  /** The n-th exchange, from 1; undefined if it was omitted. */
  at(n: number): RawExchange | undefined {
    if (n <= KEPT_AT_EACH_END) return this.#start[n - 1];
    return this.#end[n - 1 - KEPT_AT_EACH_END - this.#omitted];
  }

  /** The exchanges to show, at most 81. */
  kept(): readonly RawExchange[] {
    const omitted = this.#omitted + Math.max(0, this.#end.length - KEPT_AT_EACH_END);
    if (omitted === 0) return [...this.#start, ...this.#end];
    const note: RawExchange = {
      request: { method: 'NOTE', url: '', headers: {} },
      failure: `${omitted} exchanges are left out here`,
      left_out: omitted,
    };
    return [...this.#start, note, ...this.#end.slice(-KEPT_AT_EACH_END)];
  }
}

/** The exchange with its reply's body cut to BODY_CHARS_MAX. */
function withShortBody(exchange: RawExchange): RawExchange {
  const { response } = exchange;
  if (response === undefined || response.body.length <= BODY_CHARS_MAX) return exchange;
  // A copy, since a substring would keep the whole string in memory.
  const body = Buffer.from(response.body.slice(0, BODY_CHARS_MAX), 'utf8').toString('utf8');
  return { ...exchange, response: { ...response, body } };
}
