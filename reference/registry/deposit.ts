/**
 * The deposit of an agent with a SIGIL, which the text does not have: `deposit.lamports` of an overlay. It is paid with the SIGIL, forfeited to
 * the treasury by a freeze, and paid again with the resync. It is a bond that is never returned, since no operation lets an agent leave.
 */

import { FROZEN, type Registry } from './state.js';

/** The deposit to pay with a SIGIL: a frozen agent pays it with its resync. */
export function depositWithSigil({ protocol, agents: { line } }: Registry, agent: number): number {
  return line.status(agent) === FROZEN ? 0 : protocol.deposit.lamports;
}

/** The deposit to pay with a resync: that of an agent with a SIGIL, which its freeze has taken. */
export function depositWithResync({ protocol, agents: { line } }: Registry, agent: number): number {
  return line.identityClass(agent) === 0 ? 0 : protocol.deposit.lamports;
}

/** Notes a deposit that was paid. */
export function postDeposit({ deposits }: Registry, agent: number, lamports: number): void {
  if (lamports === 0) return;
  deposits.byAgent.set(agent, lamports);
  deposits.heldLamports += lamports;
}

/** Takes the deposit of an agent that freezes. Its lamports are the treasury's. */
export function forfeitDeposit({ deposits }: Registry, agent: number): void {
  const lamports = deposits.byAgent.get(agent);
  if (lamports === undefined) return;
  deposits.byAgent.delete(agent);
  deposits.heldLamports -= lamports;
  deposits.forfeitedLamports += lamports;
}
