/**
 * How much a caller of the ledger may ask for in airdrops, so that no one of them exhausts the mint: money is counted in
 * safe integers, and every airdrop is kept.
 */

import { HOUR_MS } from '../../../spec/time.js';

/** For one address in an hour: 10,000 SOL, of some nine million that there can be, in as many airdrops at most. */
const LAMPORTS_MAX = 10_000_000_000_000;
const AIRDROPS_MAX = 10_000;
/** The number of addresses that are kept; the oldest is dropped for another one. */
const CALLERS_MAX = 10_000;

/** The allowances of all callers, by address. */
interface Allowances {
  /** Takes lamports from the allowance of an address; takes none and returns false if that is too small. */
  readonly of: (address: string) => (lamports: number, nowMs: number) => boolean;
}

/** Unused allowances. An hour begins with the first airdrop of an address. */
export function createAllowances(): Allowances {
  const taken = new Map<string, { readonly untilMs: number; lamports: number; airdrops: number }>();
  return {
    of: (address) => (lamports, nowMs) => {
      const open = taken.get(address);
      const isOpen = open !== undefined && nowMs < open.untilMs;
      const running = isOpen ? open : { untilMs: nowMs + HOUR_MS, lamports: 0, airdrops: 0 };
      if (running.airdrops === AIRDROPS_MAX || lamports > LAMPORTS_MAX - running.lamports) return false;
      running.airdrops += 1;
      running.lamports += lamports;
      taken.delete(address);
      taken.set(address, running);
      if (taken.size > CALLERS_MAX) {
        const [first] = taken.keys();
        taken.delete(first as string);
      }
      return true;
    },
  };
}
