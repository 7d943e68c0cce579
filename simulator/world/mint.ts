import { fund } from '../../reference/ledger/ledger.js';
import type { World } from './world.js';

/** A scenario sends its agents more money than there can be: nobody's mistake but the scenario's. */
export class MintLimitReached extends Error {
  override readonly name = 'SupplyExhausted';
}

/** Money comes into being in an agent's wallet. Throws SupplyExhausted where all of it would be more than 2^53 - 1 lamports (D-44). */
export function mintLamports({ ledger, second }: World, agent: number, account: number, lamports: number): void {
  if (lamports > Number.MAX_SAFE_INTEGER - ledger.mintedLamports) {
    throw new MintLimitReached(
      `stopped at ${second} s: agent ${agent} is sent ${lamports} lamports, and with the ${ledger.mintedLamports} before ` +
        'they are more than 2^53 - 1. Lower wallet or top_up, or limit its times.',
    );
  }
  fund(ledger, account, lamports);
}
