/**
 * Hands out client addresses to checks, so that no two share the buckets of a rate limit. Whether the target honours
 * them is tested in run/client-addresses.ts.
 */
import { Draws } from './random.js';

/** Hands out client addresses from 10.0.0.0/8, each once in a run. They follow from the seed and the owner. */
export class AddressBook {
  readonly #taken = new Set<string>();

  constructor(
    readonly seed: number,
    readonly salt: string,
  ) {}

  /** The next address for an owner, a check's id. */
  next(draws: Draws): string {
    for (;;) {
      const [a = 0, b = 0, c = 0] = draws.bytes(3);
      const address = `10.${a}.${b}.${c}`;
      // .0 and .255 can be read as a network and its broadcast.
      if (c === 0 || c === 255 || this.#taken.has(address)) continue;
      this.#taken.add(address);
      return address;
    }
  }

  /** The stream of addresses of an owner. */
  drawsOf(owner: string): Draws {
    return new Draws(`address:${this.seed}:${this.salt}:${owner}`);
  }
}
