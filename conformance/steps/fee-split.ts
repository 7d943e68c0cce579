/**
 * Reads the split of a fee and the booked amounts from the fees summary. Fees are paid in paid.ts.
 */

import { at } from '../../model/reading/values.js';
import type { Reply } from '../assertions/reply.js';
import type { Trial } from '../trial/trial.js';

/** A whole fee, in basis points. */
export const WHOLE_BPS = 10_000;

/** Requests the summary, and returns development's share in basis points (D-22 names the field). */
export async function developmentNow(t: Trial): Promise<number> {
  const reply = t.mustSucceed(await t.call('fees-summary'));
  return t.need(asNumber(reply.get('fee_split_bps.development')), `the shares of a fee in ${reply.name}`, 'D-22');
}

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The summaries before and after fees of one type were paid. */
interface SummariesAround {
  readonly type: string;
  readonly before: Reply;
  readonly after: Reply;
}

/** A number in the row of a fee type; undefined where the summary has no such row or number. */
function rowValue(summary: Reply, type: string, field: string): number | undefined {
  const rows = summary.get('by_type');
  const row = Array.isArray(rows) ? rows.find((each) => at(each, 'fee_type') === type) : undefined;
  return asNumber(at(row, field));
}

/** The growth of a number in the row of a fee type; from 0 if `before` has no such row. Undefined if `after` has none. */
export function growthOf({ type, before, after }: SummariesAround, field: string): number | undefined {
  const now = rowValue(after, type, field);
  return now === undefined ? undefined : now - (rowValue(before, type, field) ?? 0);
}
