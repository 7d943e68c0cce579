/** Whoever keeps the wallet of an agent sends more money when it runs low. */
export interface TopUpPolicy {
  /** More is asked for once the wallet holds less than this. */
  readonly belowLamports: number;
  readonly amountLamports: number;
  /** How long it takes to arrive. */
  readonly afterSec: number;
  /** How often at most; absent: without end. */
  readonly timesMax: number | null;
}

/** What an agent is given to pay with. */
export interface AgentBudget {
  /** What the wallet holds at registration, the fee of the SIGIL included. */
  readonly walletLamports: number;
  readonly topUp: TopUpPolicy | null;
}

/** Whether an agent asks for money now: it is short of `neededLamports` or below its mark, and may still ask. */
export function asksForTopUp(policy: TopUpPolicy, balance: number, neededLamports: number, asked: number): boolean {
  const low = balance < policy.belowLamports || balance < neededLamports;
  return low && (policy.timesMax === null || asked < policy.timesMax);
}
