/**
 * Reads from the fees summary how a fee is split, and what has been booked for it. Fees are paid in paid.ts.
 */

import { at } from '../../model/reading/values.js';
import { feeShares } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import type { Trial } from '../trial/trial.js';

/** A whole fee, in basis points. */
export const WHOLE_BPS = 10_000;

/** The share of each receiver, in basis points. */
type Shares = Record<(typeof feeShares)[number], number>;

/** The shares of a fee, from the place in the reply that D-22 gives them. Ends the check where they are not there. */
export function sharesOf(t: Trial, reply: Reply): Shares {
  const shares = Object.fromEntries(feeShares.map((share) => [share, reply.get(`fee_split_bps.${share}`)]));
  const shown = Object.values(shares).every((bps) => typeof bps === 'number');
  t.alsoShows('fees-summary.reply.fee-split-bps').of(reply, 'fee_split_bps', shown, 'a number for each share', shares);
  return t.need(shown ? (shares as Shares) : undefined, `the shares of a fee in ${reply.name}`, 'D-22');
}

/** Asks for the summary, and asserts what 4.5 fixes whatever the age of the service. Returns development's share in basis points. */
export async function assertSplit(t: Trial): Promise<number> {
  const reply = t.accepted(await t.call('fees-summary'));
  const { feeSplit } = t.protocol;
  const shares = sharesOf(t, reply);
  const assertShare = (clause: string, name: string, ok: boolean, expected: string, actual: unknown): void => {
    t.alsoShows(clause).of(reply, `share of ${name}, in bps`, ok, expected, actual);
  };
  for (const name of ['operations', 'contributors', 'referral'] as const) {
    const expected = feeSplit[`${name}Bps`];
    assertShare(`split.${name}`, name, shares[name] === expected, `${expected}`, shares[name]);
  }
  const { development, treasury } = shares;
  const released = feeSplit.developmentStartBps - development;
  const treasuryHasReleased = treasury === feeSplit.treasuryStartBps + released;
  assertShare(
    'split.treasury.released',
    'treasury',
    treasuryHasReleased,
    '1500 and what development released',
    treasury,
  );
  const isWithin = development <= feeSplit.developmentStartBps && development >= feeSplit.developmentFloorBps;
  assertShare('split.development.floor', 'development', isWithin, '1500 falling to 500', development);
  const isWholeYears =
    released % feeSplit.developmentFallBpsPerYear === 0 || development === feeSplit.developmentFloorBps;
  assertShare('split.development.fall', 'development', isWholeYears, 'whole yearly steps below 1500', development);
  const sum = Object.values(shares).reduce((total, bps) => total + bps, 0);
  t.alsoShows('split.rest').of(reply, 'sum of the shares, in bps', sum === WHOLE_BPS, `${WHOLE_BPS}`, sum);
  return development;
}

/** The summaries before and after fees of one type were paid. */
export interface SummariesAround {
  readonly type: string;
  readonly before: Reply;
  readonly after: Reply;
}

/** A number in the row of a fee type; undefined where the summary has no such row or number. */
function rowValue(summary: Reply, type: string, field: string): number | undefined {
  const rows = summary.get('by_type');
  const row = Array.isArray(rows) ? rows.find((each) => at(each, 'fee_type') === type) : undefined;
  const value = at(row, field);
  return typeof value === 'number' ? value : undefined;
}

/** By how much a number in the row of a fee type has grown; from 0, where `before` has no such row. Undefined where `after` has none. */
export function growthOf({ type, before, after }: SummariesAround, field: string): number | undefined {
  const now = rowValue(after, type, field);
  return now === undefined ? undefined : now - (rowValue(before, type, field) ?? 0);
}
