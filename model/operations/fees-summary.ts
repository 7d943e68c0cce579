/** GET /fees/summary (4.1, 4.5): every fee that was paid is booked, once and under its type. Its form is D-22's. */

import { addressesIn } from '../../conformance/assertions/places.js';
import { at } from '../../conformance/assertions/reply.js';
import { numberAt } from '../reading/values.js';
import type { Case, Operation } from '../settle.js';

const CONSTANT = { operations: 'operationsBps', contributors: 'contributorsBps', referral: 'referralBps' } as const;
const WHOLE_BPS = 10_000;

export const feesSummary: Operation<object> = {
  ids: ['fees-summary'],
  facts: () => ({}),
  refusals: [],
  accepts: () => ['fees-summary.purpose'],
  accepted: (_, given) => {
    const { state, call } = given;
    const address = at(call.json, 'payment_address') ?? addressesIn(call.json)[0];
    if (typeof address === 'string') state.paymentAddress ??= address;
    judgeSchedule(given);
    const rows = at(call.json, 'by_type');
    if (Array.isArray(rows))
      for (const feeType of ['heartbeat', 'sigil', 'reissuance']) judgeBook(given, rows, feeType);
  },
};

/** 4.5 to 4.7: what is charged, and how it is split. */
function judgeSchedule({ state, call, judgement }: Case): void {
  const { json } = call;
  const clause = 'fees-summary.reply.schedule';
  for (const nth of [0, 1, 2])
    judgement.shown(json, `schedule.heartbeat_tiers.${nth}.lamports`, state.fees?.[`heartbeat_tier${nth + 1}`], clause);
  const { feeSplit } = state.settings.protocol;
  for (const [share, name] of Object.entries(CONSTANT))
    judgement.shown(json, `fee_split_bps.${share}`, feeSplit[name], `split.${share}`);
  const [development, treasury] = [
    numberAt(json, 'fee_split_bps.development'),
    numberAt(json, 'fee_split_bps.treasury'),
  ];
  if (development === undefined || treasury === undefined) return;
  const released = feeSplit.developmentStartBps - development;
  judgement.that(
    'fee_split_bps.development',
    development >= feeSplit.developmentFloorBps,
    'at least 500',
    development,
    'split.development.floor',
  );
  judgement.that(
    'fee_split_bps.treasury',
    treasury === feeSplit.treasuryStartBps + released,
    feeSplit.treasuryStartBps + released,
    treasury,
    'split.treasury.released',
  );
}

/** The books of a type: by how much they have grown since the first summary. */
function judgeBook({ state, judgement }: Case, rows: readonly unknown[], feeType: string): void {
  const row = rows.find((each) => at(each, 'fee_type') === feeType);
  const [count, lamports] = [numberAt(row, 'count') ?? 0, numberAt(row, 'total_lamports') ?? 0];
  const paid = state.books.get(feeType) ?? { count: 0, lamports: 0 };
  const before =
    state.bookedBefore.get(feeType) ??
    state.bookedBefore.set(feeType, { count: count - paid.count, lamports: lamports - paid.lamports });
  const clause = 'fees-summary.reply.by-type';
  judgement.that(`count of ${feeType}`, count === before.count + paid.count, before.count + paid.count, count, clause);
  judgement.that(
    `lamports of ${feeType}`,
    lamports === before.lamports + paid.lamports,
    before.lamports + paid.lamports,
    lamports,
    clause,
  );
  const shares = at(row, 'allocation');
  if (typeof shares !== 'object' || shares === null) return;
  const whole = Object.values(shares).reduce<number>((sum, share) => sum + Number(share), 0);
  judgement.that(`shares of ${feeType}`, whole === lamports, lamports, whole, 'fees-summary.reply.allocation');
  for (const [share, name] of Object.entries(CONSTANT)) {
    const own = numberAt(shares, `${share}_lamports`);
    if (own === undefined) continue;
    const due = (lamports * state.settings.protocol.feeSplit[name]) / WHOLE_BPS;
    // Shares are floored for each fee.
    judgement.that(`${share} of ${feeType}`, Math.abs(own - due) <= count, due, own, `split.${share}`);
  }
}
