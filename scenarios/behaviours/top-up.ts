/** The money of an agent: its first balance and when more is requested. Fees are the protocol's. */

/** A policy of sending more money to a wallet that is low. */
interface TopUpPolicy {
  /** A top-up is requested when the wallet holds less than this. */
  readonly belowLamports: number;
  readonly amountLamports: number;
  /** The time until it arrives. */
  readonly afterSec: number;
  /** The most top-ups; null: no limit. */
  readonly timesMax: number | null;
}

/** The money of an agent. */
export interface AgentBudget {
  /** The balance at registration, from which the SIGIL is paid too. */
  readonly walletLamports: number;
  readonly topUp: TopUpPolicy | null;
}

/**
 * Whether a top-up is requested now: the balance is below the mark or below `neededLamports`, and the limit is not
 * reached.
 */
export function asksForTopUp(policy: TopUpPolicy, balance: number, neededLamports: number, asked: number): boolean {
  const low = balance < policy.belowLamports || balance < neededLamports;
  return low && (policy.timesMax === null || asked < policy.timesMax);
}
