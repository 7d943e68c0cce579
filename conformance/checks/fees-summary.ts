/** The fees summary: the schedule, how a fee is split, and the totals of paid fees. How the split changes is in fees-summary-years.ts. */

import { anchorOf } from '../../model/reading/anchor.js';
import { at } from '../../model/reading/values.js';
import { DAY_SEC } from '../../spec/time.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';

const schedule: WrittenCheck = {
  id: 'fees-summary/schedule',
  title: 'The fees summary shows the fee schedule of sections 4.5 to 4.7',
  async run(t) {
    const reply = t.mustSucceed(await t.call('fees-summary'));
    const { tier1HeartbeatsMax, tier2HeartbeatsMax } = t.protocol.heartbeat;
    const ranges = [[1, tier1HeartbeatsMax] as const, [tier1HeartbeatsMax + 1, tier2HeartbeatsMax] as const];
    for (const [place, expected] of ranges.entries()) {
      const reported = rangeOf(reply.get(`schedule.heartbeat_tiers.${place}`));
      const about = `heartbeats of tier ${place + 1} in an epoch`;
      if (reported !== undefined) t.shows('fees-summary.purpose').equal(about, reported, expected);
    }
  },
};

/** The first and the last heartbeat of an epoch in a tier; undefined where its row does not show both as numbers (D-22). */
function rangeOf(row: unknown): readonly number[] | undefined {
  const [from, to, range] = ['from', 'to', 'range'].map((field) => at(row, field));
  if (typeof from === 'number' && typeof to === 'number') return [from, to];
  const [, least, most] = /^(\d+)\D+(\d+)$/.exec(String(range).replaceAll(/[\s,_]/g, '')) ?? [];
  return least === undefined || most === undefined ? undefined : [Number(least), Number(most)];
}

/** The time at which a manual clock starts (D-56). */
const MANUAL_START_MS = Date.parse('2026-01-01T00:00:00Z');

/**
 * Whether the service is certainly in its first year. Only a manual clock can show that, because it starts at a known time. Less
 * than a year has to have passed since then, on the clock and by the number of anchors, which began with the service (D-05).
 */
async function isYoung(t: Trial): Promise<boolean> {
  if (!t.session.offers.has('clock') || t.session.observedSec > 0) return false;
  const yearSec = t.protocol.feeSplit.yearDays * DAY_SEC;
  if (t.nowMs() - MANUAL_START_MS >= yearSec * 1_000 || t.nowMs() < MANUAL_START_MS) return false;
  const { index } = anchorOf(await t.call('beat-anchor'));
  return index !== undefined && index * t.protocol.anchor.intervalSec < yearSec;
}

const split: WrittenCheck = {
  id: 'fees-summary/split',
  title: 'A fee is split 30/30/10, with development and treasury sharing the rest, 15% each in the first year',
  async run(t) {
    const { developmentStartBps, treasuryStartBps } = t.protocol.feeSplit;
    const reply = t.mustSucceed(await t.call('fees-summary'));
    const [development, treasury] = ['development', 'treasury'].map((share) => reply.get(`fee_split_bps.${share}`));
    // In the first year both shares have their first values. Either one shows it, because both change at the same time.
    if (development !== developmentStartBps && treasury !== treasuryStartBps && !(await isYoung(t))) {
      const why = 'the first year of the service is over';
      t.shows('split.development.start', 'split.treasury.start').unjudged(why);
      return;
    }
    t.shows('split.development.start').field(reply, 'fee_split_bps.development', developmentStartBps, 'D-22');
    t.shows('split.treasury.start').field(reply, 'fee_split_bps.treasury', treasuryStartBps, 'D-22');
  },
};

export const feesSummaryChecks: readonly WrittenCheck[] = [
  schedule,
  split,
  lookupLimit('fees-summary', 'limit.fees-summary'),
];
