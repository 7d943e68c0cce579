/**
 * Hands out client addresses to checks, so that no two share the buckets of a rate limit. Whether the target honours
 * them is tested in run/client-addresses.ts.
 */
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import type { Protocol } from '../../spec/protocol.js';
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

/** The addresses from which a check registers: its own, and another one when the limit of that is used up (section 8). */
export class RegistrationAddresses {
  /** POST /register requests so far, by bucket. */
  readonly #used = { register: 0, registerWalletFlow: 0 };
  readonly #further: string[] = [];

  /** `next` hands out an address; undefined where the target does not distinguish addresses. */
  constructor(
    readonly limits: Protocol['limits'],
    readonly next: (() => string) | undefined,
  ) {}

  /** Counts a request if it is a registration. */
  count(id: EndpointId, body: unknown): void {
    if (id === 'register') this.#used[bucketOf(body)] += 1;
  }

  /** The address for a request that does not judge the limit; undefined: the check's own. */
  addressFor(id: EndpointId, body: unknown): string | undefined {
    if (id !== 'register' || this.next === undefined) return undefined;
    const bucket = bucketOf(body);
    const place = Math.floor(this.#used[bucket] / this.limits[bucket].count);
    while (this.#further.length < place) this.#further.push(this.next());
    return this.#further[place - 1];
  }
}

/** The bucket that counts a registration. */
function bucketOf(body: unknown): 'register' | 'registerWalletFlow' {
  const walletFlow = endpointOf('register').buckets.find(({ limit }) => limit === 'registerWalletFlow');
  return walletFlow?.when?.test(body) === true ? 'registerWalletFlow' : 'register';
}
