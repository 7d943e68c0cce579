import type { Plan } from '../conformance/plan.js';
import { solText } from '../reports/numbers.js';

/** A plan in words: each check, then what the run would take. */
export function planText(planned: Plan): string {
  const rows = planned.checks.map(
    ({ id, title, reason }) => `  ${id}\n    ${reason === undefined ? title : `not run: ${reason}`}`,
  );
  return [...rows, ...totalsText(planned, planned.checks.length), 'Nothing was sent.'].join('\n');
}

/** What a run of the plan would take, of so many checks. */
function totalsText(planned: Omit<Plan, 'checks'>, chosen: number): readonly string[] {
  const { runs, requests, registrations, lamports, ledgerLamports, seconds, own, writes } = planned;
  const besides =
    ledgerLamports === 0
      ? []
      : [
          `The ledger takes at most ${solText(ledgerLamports)} besides: for transactions, and for what wallets must keep.`,
        ];
  const [all, again] = [own.probes + own.shared + own.clockMoves + own.again, own.again];
  const repeated = again === 0 ? '' : `, ${again} that limits of the one address make it send again`;
  return [
    `${runs} of ${chosen} checks would run: at most ${requests} requests, ${registrations} registrations, ${solText(lamports)} in fees, about ${seconds} s.`,
    `${writes.checks} of them write, and at most ${writes.requests} of the requests.`,
    `The run itself sends at most ${all} of them: ${own.probes} to know the target, ${own.shared} for what checks share, ${own.clockMoves} that move the clock${repeated}.`,
    ...besides,
  ];
}
