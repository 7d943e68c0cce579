/** The deposit of an agent with a SIGIL, which a change may ask for: in the replies that show one paid, and in the sums of GET /fees/summary. */

import type { Case } from '../case.js';
import type { Agent } from '../facts/state.js';
import { at, numberAt } from '../reading/values.js';

const BOOK = 'deposit';
/** The deposits that freezes have taken, as far as resyncs show it. */
const TAKEN = 'forfeited deposit';

/** Judges the deposit in the reply to a purchase or a resync, and notes it. `due`: undefined if it is unknown. */
export function judgeDeposit(given: Case, agent: Agent, due: number | undefined, ...clauses: readonly string[]): void {
  const { state, call, judgement } = given;
  if (state.settings.protocol.deposit.lamports === 0) return;
  judgement.equals('deposit_lamports', due, ...clauses);
  const lamports = due ?? numberAt(call.json, 'deposit_lamports') ?? 0;
  if (lamports === 0) return;
  // One that is paid again was taken before.
  if (agent.deposit === true) add(given, TAKEN, lamports);
  add(given, BOOK, lamports);
  agent.deposit = true;
}

function add({ state }: Case, name: string, lamports: number): void {
  const book = state.books.get(name) ?? state.books.set(name, { count: 0, lamports: 0 });
  book.count += 1;
  book.lamports += lamports;
}

/** Judges the sums by their growth since the first summary: every deposit is held or forfeited, and one that was paid again is forfeited. */
export function judgeDeposits({ state, call, judgement }: Case): void {
  const { lamports } = state.settings.protocol.deposit;
  const clause = 'fees-summary.purpose';
  judgement.shown('deposits.lamports', lamports > 0 ? lamports : undefined, clause);
  const shown = at(call.json, 'deposits');
  if (lamports === 0 || shown === undefined || !state.isWhole) return;
  const taken = numberAt(shown, 'forfeited_lamports') ?? 0;
  const sums: Readonly<Record<string, number>> = {
    [BOOK]: (numberAt(shown, 'held_lamports') ?? 0) + taken,
    [TAKEN]: taken,
  };
  for (const [name, sum] of Object.entries(sums)) {
    const own = state.books.get(name)?.lamports ?? 0;
    const before =
      state.bookedBefore.get(name) ??
      state.bookedBefore.set(name, { count: 0, lamports: sum - own, development: undefined });
    const grown = sum - before.lamports;
    if (name === BOOK) judgement.same('deposits held and forfeited', grown, own, clause);
    else judgement.that('deposits.forfeited_lamports', grown >= own, `at least ${own}`, grown, clause);
  }
}
