/**
 * The fees summary (4.1) and what it has booked: every fee that was paid, split as 4.5 has it. Its form is open: what it does not
 * show under the names of D-22 is not judged.
 */

import { classesOf } from '../../../spec/parts.js';
import { DAY_MS } from '../../../spec/time.js';
import { at } from '../../assertions/reply.js';
import { type Answer, isNumber, Mismatch, settle, shown } from '../expectation.js';
import type { Ready } from '../player.js';
import type { State, SummaryState } from '../state.js';
import { sigilPrice } from './sigil.js';

const WHOLE_BPS = 10_000;
/** 4.5: the shares that are the same in every year. */
const CONSTANT = { operations: 'operationsBps', contributors: 'contributorsBps', referral: 'referralBps' } as const;

const wrong = (answer: Answer, what: string, value: unknown, expected: unknown): never => {
  throw new Mismatch(`${answer.name}: ${what} is ${String(value)}, and ${String(expected)} is expected`);
};

/** A number of the row of a fee type; undefined where it is not shown. */
function rowOf(summary: unknown, feeType: string, field: string): number | undefined {
  const rows = at(summary, 'by_type');
  if (!Array.isArray(rows)) return undefined;
  const value = at(
    rows.find((each) => at(each, 'fee_type') === feeType),
    field,
  );
  return isNumber(value) ? Number(value) : undefined;
}

/** By how much it has grown since the run began. */
function booked({ baseline }: State, answer: Answer, feeType: string, field: string): number | undefined {
  const now = rowOf(answer.json, feeType, field);
  return now === undefined ? undefined : now - (rowOf(baseline, feeType, field) ?? 0);
}

/** GET /fees/summary */
export function readySummary(): Ready {
  return {
    request: { method: 'GET', path: '/fees/summary' },
    judge: (state, answer) => {
      if (!settle(state, answer, { faults: [] })) return;
      judgeSchedule(state, answer);
      const bps = judgeShares(state, answer);
      judgeBooks(state, answer);
      let lamports = 0;
      let count = 0;
      let development: number | undefined = 0;
      for (const [feeType, { count: many, lamports: sum }] of Object.entries(state.books)) {
        const share = booked(state, answer, feeType, 'allocation.development_lamports');
        development = share === undefined || development === undefined ? undefined : development + share;
        lamports += sum;
        count += many;
      }
      const summary = { atMs: state.nowMs, bps, development, lamports, count };
      if (state.summary !== null) judgeDevelopment(state, answer, state.summary, summary);
      state.summary = summary;
    },
  };
}

/** 4.5 to 4.7: what is charged. */
function judgeSchedule(state: State, answer: Answer): void {
  const { protocol } = state;
  const { heartbeat, reissue } = protocol;
  const tiers = [heartbeat.tier1FeeLamports, heartbeat.tier2FeeLamports, heartbeat.tier3FeeLamports];
  for (const [nth, lamports] of tiers.entries()) shown(answer, `schedule.heartbeat_tiers.${nth}.lamports`, lamports);
  shown(answer, 'schedule.proof_reissuance_sol', reissue.feeLamports / 1e9);
  const rows = at(answer.json, 'schedule.sigil_tiers');
  if (!Array.isArray(rows)) return;
  for (const identityClass of classesOf(protocol)) {
    const lamports = sigilPrice(state, identityClass);
    const value = at(
      rows.find((each) => at(each, 'identity_class') === identityClass),
      'lamports',
    );
    if (value !== lamports) wrong(answer, `the fee of ${identityClass}`, value, lamports);
  }
}

/** 4.5: the shares as they are shown; they add up, and what development has given up treasury has. */
function judgeShares({ protocol: { feeSplit } }: State, answer: Answer): Record<string, number> {
  const shares = at(answer.json, 'fee_split_bps');
  if (typeof shares !== 'object' || shares === null) return {};
  for (const [share, name] of Object.entries(CONSTANT)) shown(answer, `fee_split_bps.${share}`, feeSplit[name]);
  const { development, treasury } = shares as Record<string, number>;
  if (development === undefined || treasury === undefined) return {};
  const { developmentStartBps: start, developmentFloorBps: floor, developmentFallBpsPerYear: fall } = feeSplit;
  const released = start - development;
  if (released < 0 || development < floor || (released % fall !== 0 && development !== floor))
    wrong(answer, 'development', development, `${start} less ${fall} a year, to ${floor}`);
  if (treasury !== feeSplit.treasuryStartBps + released)
    wrong(answer, 'treasury', treasury, feeSplit.treasuryStartBps + released);
  return { ...(shares as Record<string, number>) };
}

/** Every fee that was paid is booked, once and under its type; to the lamport that rounding leaves open. */
function judgeBooks(state: State, answer: Answer): void {
  const { books, baseline } = state;
  const { feeSplit } = state.protocol;
  const before = at(baseline, 'total_lamports');
  let all = isNumber(before) ? Number(before) : 0;
  for (const [feeType, { count, lamports }] of Object.entries(books)) {
    all += lamports;
    const shownCount = booked(state, answer, feeType, 'count');
    if (shownCount === undefined) continue;
    if (shownCount !== count) wrong(answer, `the count of ${feeType}`, shownCount, count);
    const sum = booked(state, answer, feeType, 'total_lamports');
    if (sum !== undefined && sum !== lamports) wrong(answer, `the lamports of ${feeType}`, sum, lamports);
    const parts = ['operations', 'contributors', 'development', 'treasury', 'referral'];
    const shares = parts.map((share) => booked(state, answer, feeType, `allocation.${share}_lamports`));
    if (shares.some((share) => share === undefined)) continue;
    const whole = shares.reduce<number>((total, share) => total + (share ?? 0), 0);
    if (whole !== lamports) wrong(answer, `the sum of the shares of ${feeType}`, whole, lamports);
    for (const [share, name] of Object.entries(CONSTANT)) {
      const own = booked(state, answer, feeType, `allocation.${share}_lamports`) ?? 0;
      const due = (lamports * feeSplit[name]) / WHOLE_BPS;
      if (Math.abs(own - due) > count) wrong(answer, `${share} of ${feeType}`, own, due);
    }
  }
  shown(answer, 'total_lamports', all);
}

/** 4.5: development falls by its step once a year; what it gets is its share of the time. */
function judgeDevelopment(
  { protocol: { feeSplit } }: State,
  answer: Answer,
  before: SummaryState,
  now: SummaryState,
): void {
  const [was, is] = [before.bps['development'], now.bps['development']];
  if (was === undefined || is === undefined) return;
  if (is > was) wrong(answer, 'development', is, `at most ${was}`);
  const years = Math.ceil((now.atMs - before.atMs) / (feeSplit.yearDays * DAY_MS));
  const least = was - feeSplit.developmentFallBpsPerYear * years;
  if (is < least) wrong(answer, 'development', is, `at least ${least}`);
  if (was !== is || before.development === undefined || now.development === undefined) return;
  const due = ((now.lamports - before.lamports) * is) / WHOLE_BPS;
  const own = now.development - before.development;
  if (Math.abs(own - due) > now.count - before.count) wrong(answer, 'what development has got', own, due);
}
