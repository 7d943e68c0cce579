/** A random stream that keeps its count of draws in an array of the caller. The streams that agents use most are in world/. */

import { type StreamKey, uniform } from './counter-random.js';
import { InversionStream } from './inversion-stream.js';

/** The stream of a key and a purpose; `counts[at]` is the number of draws so far. */
export class CountedStream extends InversionStream {
  readonly #key: StreamKey;
  readonly #purpose: number;
  readonly #counts: Int32Array;
  readonly #at: number;

  constructor(key: StreamKey, purpose: number, counts: Int32Array, at: number) {
    super();
    this.#key = key;
    this.#purpose = purpose;
    this.#counts = counts;
    this.#at = at;
  }

  uniform(): number {
    const n = this.#counts[this.#at]!;
    this.#counts[this.#at] = n + 1;
    return uniform(this.#key.high, this.#key.low, this.#purpose, n);
  }
}
