/**
 * Money enters the simulation here and nowhere else, within what the ledger can hold. Fees move it; see
 * agents/calls.ts.
 */

import { fund } from '../../reference/ledger/ledger.js';
import type { World } from './world.js';

/** The scenario sends its agents more money than the ledger can hold. */
export class MintLimitReached extends Error {
  override readonly name = 'SupplyExhausted';
}

/**
 * Mints lamports into an agent's wallet. Throws MintLimitReached when the total would exceed 2^53 - 1 lamports
 * (D-44).
 */
export function mintLamports({ ledger, second }: World, agent: number, account: number, lamports: number): void {
  if (lamports > Number.MAX_SAFE_INTEGER - ledger.mintedLamports) {
    throw new MintLimitReached(
      `stopped at ${second} s: agent ${agent} is sent ${lamports} lamports, and with the ${ledger.mintedLamports} before ` +
        'they are more than 2^53 - 1. Lower wallet or top_up, or limit its times.',
    );
  }
  fund(ledger, account, lamports);
}
