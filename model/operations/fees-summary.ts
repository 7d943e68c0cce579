/** GET /fees/summary (4.1, 4.5): every paid fee is booked once, under its type. D-22 gives the form of the reply. */

import { classesOf } from '../../spec/parts.js';
import { DAY_MS } from '../../spec/time.js';
import type { Case, Operation } from '../case.js';
import { baseFeeOf, FEES_OPEN, isOpen } from '../facts/fees.js';
import { addressesIn } from '../reading/places.js';
import { at, numberAt } from '../reading/values.js';
import { judgeDeposits } from './deposit.js';

const CONSTANT = { operations: 'operationsBps', contributors: 'contributorsBps', referral: 'referralBps' } as const;
const WHOLE_BPS = 10_000;

export const feesSummary: Operation<object> = {
  ids: ['fees-summary'],
  facts: () => ({}),
  refusals: [],
  accepts: () => ['fees-summary.purpose'],
  accepted: (_, given) => {
    const { state, call, judgement } = given;
    const address = at(call.json, 'payment_address') ?? addressesIn(call.json)[0];
    if (typeof address === 'string') state.paymentAddress ??= address;
    const total = at(call.json, 'total_lamports');
    judgement.that('total_lamports', Number.isSafeInteger(total), 'an integer', total, 'fee.amount-lamports.integer');
    judgeSchedule(given);
    judgeDeposits(given);
    const rows = at(call.json, 'by_type');
    // The totals contain the fees of all agents.
    if (Array.isArray(rows) && state.isWhole)
      for (const feeType of ['heartbeat', 'sigil', 'reissuance']) judgeBook(given, rows, feeType);
  },
};

/** 4.5 to 4.7: judges the listed fees and their split. */
function judgeSchedule(given: Case): void {
  const { state, call, judgement } = given;
  const { json } = call;
  const stated = ['fees-summary.purpose', 'fees-summary.reply.schedule'];
  const learnt: Record<string, number> = {};
  /** Judges an entry by the fee that is known, or learns from it what is open. */
  const read = (name: string, lamports: unknown, judge: (fee: number, clauses: readonly string[]) => void): void => {
    const { fee = 0, clauses } = baseFeeOf(state, name);
    if (!isOpen(state, name)) judge(fee, [...stated, ...clauses]);
    else {
      judgement.leave(FEES_OPEN, ...stated);
      if (typeof lamports === 'number') learnt[name] = lamports;
    }
  };
  for (const nth of [0, 1, 2]) {
    const path = `schedule.heartbeat_tiers.${nth}.lamports`;
    read(`heartbeat_tier${nth + 1}`, at(json, path), (fee, clauses) => judgement.shown(path, fee, ...clauses));
  }
  const once = state.settings.protocol.heartbeat.epochFeeLamports;
  judgement.shown('schedule.heartbeat_epoch.lamports', once > 0 ? once : undefined, 'fees-summary.purpose');
  const reissue = numberAt(json, 'schedule.proof_reissuance_sol');
  read('reissuance', reissue && Math.round(reissue * 1e9), (fee, clauses) =>
    judgement.shown('schedule.proof_reissuance_sol', fee / 1e9, ...clauses),
  );
  const listed = at(json, 'schedule.sigil_tiers');
  const classes: readonly unknown[] = Array.isArray(listed) ? listed : [];
  for (const name of Array.isArray(listed) ? classesOf(state.settings.protocol) : []) {
    const row = classes.find((each) => at(each, 'identity_class') === name);
    const lamports = at(row, 'lamports');
    read(`sigil_${name}`, lamports, (fee, clauses) => judgement.that(name, lamports === fee, fee, row, ...clauses));
  }
  if (Object.keys(learnt).length > 0) state.shownFees = { ...state.shownFees, ...learnt };
  const { feeSplit } = state.settings.protocol;
  for (const [share, name] of Object.entries(CONSTANT))
    judgement.shown(`fee_split_bps.${share}`, feeSplit[name], `split.${share}`);
  const [development, treasury] = ['development', 'treasury'].map((share) => numberAt(json, `fee_split_bps.${share}`));
  if (development === undefined || treasury === undefined) return;
  judgeFall(given, development);
  const released = feeSplit.developmentStartBps - development;
  const isKept = development >= feeSplit.developmentFloorBps;
  judgement.that('fee_split_bps.development', isKept, 'at least 500', development, 'split.development.floor');
  judgement.same('fee_split_bps.treasury', treasury, feeSplit.treasuryStartBps + released, 'split.treasury.released');
}

/** 4.5: development's share never rises, and falls by at most one step a year. */
function judgeFall({ state, judgement }: Case, bps: number): void {
  const { developmentStartBps, developmentFloorBps, developmentFallBpsPerYear, yearDays } =
    state.settings.protocol.feeSplit;
  const { nowMs, development: before } = state;
  if (nowMs === undefined) return;
  const years = before === undefined ? undefined : Math.ceil((nowMs - before.atMs) / (yearDays * DAY_MS));
  const most = before?.bps ?? developmentStartBps;
  const least = years === undefined ? 0 : most - developmentFallBpsPerYear * years;
  const isWhole = (developmentStartBps - bps) % developmentFallBpsPerYear === 0 || bps === developmentFloorBps;
  const holds = bps <= most && bps >= least && isWhole;
  judgement.that('fee_split_bps.development', holds, `${least} to ${most}`, bps, 'split.development.fall');
  state.development = { bps, atMs: nowMs, isSame: before === undefined || (before.isSame && before.bps === bps) };
}

/** Judges the totals of a type by their growth since the first summary. */
function judgeBook({ state, judgement }: Case, rows: readonly unknown[], feeType: string): void {
  const row = rows.find((each) => at(each, 'fee_type') === feeType);
  const [count, lamports] = [numberAt(row, 'count') ?? 0, numberAt(row, 'total_lamports') ?? 0];
  const paid = state.books.get(feeType) ?? { count: 0, lamports: 0 };
  const development = numberAt(row, 'allocation.development_lamports');
  const before =
    state.bookedBefore.get(feeType) ??
    state.bookedBefore.set(feeType, { count: count - paid.count, lamports: lamports - paid.lamports, development });
  const clause = 'fees-summary.reply.by-type';
  judgement.same(`count of ${feeType}`, count, before.count + paid.count, clause);
  judgement.same(`lamports of ${feeType}`, lamports, before.lamports + paid.lamports, clause);
  const shares = at(row, 'allocation');
  if (typeof shares !== 'object' || shares === null) return;
  const whole = Object.values(shares).reduce<number>((sum, share) => sum + Number(share), 0);
  judgement.same(`shares of ${feeType}`, whole, lamports, 'fees-summary.reply.allocation', 'split.rest');
  const { burntBps } = state.settings.protocol.feeSplit;
  // A burnt part is rounded down for each fee, so that the shares are of up to a lamport more.
  const kept = (total: number): number => (total * (WHOLE_BPS - burntBps)) / WHOLE_BPS;
  const slack = burntBps > 0 ? count : 0;
  if (burntBps > 0) {
    const [own, due] = [numberAt(shares, 'burnt_lamports') ?? 0, (lamports * burntBps) / WHOLE_BPS];
    const clauses = ['fees-summary.reply.allocation', 'split.treasury.start'];
    judgement.that(`burnt of ${feeType}`, own <= due && due - own <= count, due, own, ...clauses);
  }
  const { bps = 0, isSame = false } = state.development ?? {};
  if (isSame && development !== undefined && before.development !== undefined) {
    const [own, due] = [development - before.development, (kept(paid.lamports) * bps) / WHOLE_BPS];
    const { developmentStartBps } = state.settings.protocol.feeSplit;
    const share = bps === developmentStartBps ? 'split.development.start' : 'split.development.fall';
    judgement.that(`development of ${feeType}`, Math.abs(own - due) <= paid.count + slack, due, own, share);
  }
  for (const [share, name] of Object.entries(CONSTANT)) {
    const own = numberAt(shares, `${share}_lamports`);
    if (own === undefined) continue;
    const due = (kept(lamports) * state.settings.protocol.feeSplit[name]) / WHOLE_BPS;
    // Shares are floored for each fee.
    judgement.that(`${share} of ${feeType}`, Math.abs(own - due) <= count + slack, due, own, `split.${share}`);
    judgement.that(`${share} of ${feeType}`, own <= due + slack, due, own, 'split.floor');
  }
}
