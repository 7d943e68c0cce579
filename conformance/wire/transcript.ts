/**
 * Keeps the exchanges of one check, of long ones only the start and the end. It holds secrets: reports get redacted
 * copies.
 */
import type { RawExchange } from './wire.js';

const KEPT_AT_EACH_END = 40;
/**
 * Twice the characters that are shown of a reply (redact.ts), so that a secret at the place where it is cut is found
 * whole.
 */
const BODY_CHARS_MAX = 131_072;

/** The exchanges of a check. Of a long march only its start and its end are kept, with a note between them. */
export class Transcript {
  readonly #start: RawExchange[] = [];
  #end: RawExchange[] = [];
  #left = 0;

  add(whole: RawExchange): void {
    const exchange = bounded(whole);
    if (this.#start.length < KEPT_AT_EACH_END) this.#start.push(exchange);
    else this.#end.push(exchange);
    // Cut now and then rather than each time: a march has thousands.
    if (this.#end.length <= 4 * KEPT_AT_EACH_END) return;
    this.#left += this.#end.length - KEPT_AT_EACH_END;
    this.#end = this.#end.slice(-KEPT_AT_EACH_END);
  }

  /** The n-th exchange, from 1; undefined for one that was left out. */
  at(n: number): RawExchange | undefined {
    if (n <= KEPT_AT_EACH_END) return this.#start[n - 1];
    return this.#end[n - 1 - KEPT_AT_EACH_END - this.#left];
  }

  /** The exchanges to show, at most 81. */
  kept(): readonly RawExchange[] {
    const left = this.#left + Math.max(0, this.#end.length - KEPT_AT_EACH_END);
    if (left === 0) return [...this.#start, ...this.#end];
    const note: RawExchange = {
      request: { method: 'NOTE', url: '', headers: {} },
      failure: `${left} exchanges of the same march are left out here`,
    };
    return [...this.#start, note, ...this.#end.slice(-KEPT_AT_EACH_END)];
  }
}

/** An exchange of which no more is kept than is ever shown. */
function bounded(exchange: RawExchange): RawExchange {
  const { response } = exchange;
  if (response === undefined || response.body.length <= BODY_CHARS_MAX) return exchange;
  // A part of a string keeps all of it: this is a copy.
  const body = Buffer.from(response.body.slice(0, BODY_CHARS_MAX), 'utf8').toString('utf8');
  return { ...exchange, response: { ...response, body } };
}
