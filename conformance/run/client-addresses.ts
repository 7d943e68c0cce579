/**
 * Tests whether the target distinguishes clients by X-Forwarded-For, as its file says. trial/addresses.ts assigns addresses.
 */
import type { Target } from '../target/target.js';
import { AddressBook } from '../trial/addresses.js';
import type { Wire } from '../wire/wire.js';
import { callsToTellApart } from './own-requests.js';

/**
 * Whether the target distinguishes clients by X-Forwarded-For: one address uses up the limit of keyless calls of init, and then another address
 * must not be limited. True if no limit is reached.
 */
export async function tellsClientsApart(wire: Wire, { baseUrl, protocol }: Target, seed: number): Promise<boolean> {
  const book = new AddressBook(seed, 'probe');
  const draws = book.drawsOf('probe');
  const ask = async (address: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const request = { method: 'POST', url: `${baseUrl}/api/v1/agent/init`, headers, body: '{}' };
    return (await wire.send(request, undefined, { again: true })).status;
  };
  const [full, other] = [book.next(draws), book.next(draws)];
  const statuses = await Promise.all(Array.from({ length: callsToTellApart(protocol) - 1 }, () => ask(full)));
  return !statuses.includes(429) || (await ask(other)) !== 429;
}
