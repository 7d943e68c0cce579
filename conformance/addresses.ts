import { callsToTellApart } from './own-requests.js';
import { Draws } from './random.js';
import type { Target } from './target.js';
import type { Wire } from './wire.js';

/** Hands out client addresses from 10.0.0.0/8, none of them twice in a run; they follow from the seed and the owner. */
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

/**
 * Whether the target really tells clients apart by X-Forwarded-For, as its file claims: one address fills the bucket
 * of keyless calls of init, and another must not find it full. Where no limit shows, the claim stands.
 */
export async function tellsClientsApart(wire: Wire, { baseUrl, protocol }: Target, seed: number): Promise<boolean> {
  const book = new AddressBook(seed, 'probe');
  const draws = book.drawsOf('probe');
  const ask = async (address: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    return (await wire.send({ method: 'POST', url: `${baseUrl}/api/v1/agent/init`, headers, body: '{}' })).status;
  };
  const [full, other] = [book.next(draws), book.next(draws)];
  const statuses = await Promise.all(Array.from({ length: callsToTellApart(protocol) - 1 }, () => ask(full)));
  return !statuses.includes(429) || (await ask(other)) !== 429;
}
