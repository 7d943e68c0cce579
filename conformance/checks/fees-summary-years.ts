/** The split of a fee over the years: the share of development falls, and the share of treasury rises by as much. Anchors stall in these checks. */
import { DAY_SEC } from '../../spec/time.js';
import type { Reply } from '../assertions/reply.js';
import { buySigil } from '../moves/sigil.js';
import { developmentNow, growthOf, WHOLE_BPS } from '../steps/fee-split.js';
import { purchase } from '../steps/paid.js';
import { whileAnchorsStall } from '../steps/stalled-anchors.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** Days between two reads of the share until its first fall, which shows the month in which a year of the service begins. */
const MONTH_DAYS = 30;

const years: WrittenCheck = {
  id: 'fees-summary/split-years',
  title: "Development's share falls by 1% a year to 5%, and treasury's share rises by as much",
  needs: ['clock', 'control'],
  controls: ['anchors/stall'],
  exclusive: true,
  async run(t) {
    const { feeSplit } = t.protocol;
    const assertShare = (clause: string, about: string, actual: number, expected: number): void => {
      t.shows(clause).that(about, actual === expected, `${expected}`, `${actual}`);
    };
    await whileAnchorsStall(t, async () => {
      const startBps = await developmentNow(t);
      // The first fall is found to the month, and the second, about a year later, to the day. So the day of the third is known.
      const firstBps = await nextFall(t, startBps, { stepDays: MONTH_DAYS, days: feeSplit.yearDays + MONTH_DAYS });
      await t.sleep({ sec: (feeSplit.yearDays - MONTH_DAYS) * DAY_SEC });
      const secondBps = await nextFall(t, firstBps, { stepDays: 1, days: MONTH_DAYS + 2 });
      await t.sleep({ sec: (feeSplit.yearDays - 1) * DAY_SEC });
      const dayBeforeBps = await developmentNow(t);
      // By now neither 365 days nor a calendar year has passed.
      for (const clause of ['split.development.days', 'split.development.fall']) {
        assertShare(clause, 'development 364 days after a fall, in bps', dayBeforeBps, secondBps);
      }
      await t.sleep({ sec: DAY_SEC });
      assertShare(
        'split.development.days',
        'development 365 days after a fall, in bps',
        await developmentNow(t),
        aYearLater(t, secondBps),
      );
      const falls = (feeSplit.developmentStartBps - feeSplit.developmentFloorBps) / feeSplit.developmentFallBpsPerYear;
      await t.sleep({ sec: (Math.ceil(falls) + 1) * (feeSplit.yearDays + 1) * DAY_SEC });
      const endBps = await developmentNow(t);
      for (const clause of ['split.development.floor', 'split.development.fall']) {
        assertShare(clause, 'development in the end, in bps', endBps, feeSplit.developmentFloorBps);
      }
    });
  },
};

/** Development's share a year later; never below its floor. */
function aYearLater({ protocol: { feeSplit } }: Trial, bps: number): number {
  return Math.max(feeSplit.developmentFloorBps, bps - feeSplit.developmentFallBpsPerYear);
}

/**
 * Reads development's share every `stepDays` until it falls, and asserts the size of the fall. Returns the expected share after it.
 * A share that does not fall in `days` must be at its floor.
 */
async function nextFall(
  t: Trial,
  beforeBps: number,
  { stepDays, days }: { readonly stepDays: number; readonly days: number },
): Promise<number> {
  const falls = t.shows('split.development.fall');
  for (let passed = stepDays; passed <= days; passed += stepDays) {
    await t.sleep({ sec: stepDays * DAY_SEC });
    const nowBps = await developmentNow(t);
    if (nowBps === beforeBps) continue;
    const expected = aYearLater(t, beforeBps);
    falls.that('development after a fall, in bps', nowBps === expected, `${expected}`, `${nowBps}`);
    return expected;
  }
  const { developmentFloorBps } = t.protocol.feeSplit;
  falls.that(
    'development after a year without a fall, in bps',
    beforeBps === developmentFloorBps,
    `${developmentFloorBps}`,
    `${beforeBps}`,
  );
  return beforeBps;
}

const secondYear: WrittenCheck = {
  id: 'fees-summary/split-second-year',
  title: 'A year later the share of development in a fee is 1% lower, and the share of treasury is as much higher',
  needs: ['clock', 'control', 'payments'],
  controls: ['anchors/stall'],
  exclusive: true,
  async run(t) {
    const { feeSplit, sigil } = t.protocol;
    await whileAnchorsStall(t, async () => {
      const first = await buyAndSeeShares(t);
      // In exactly a year the share falls exactly once, whenever the service began.
      await t.sleep({ sec: feeSplit.yearDays * DAY_SEC });
      const second = await buyAndSeeShares(t, first.summary);
      const paid = sigil.narrowTaskFeeLamports;
      // Shares are of what is left of a fee; the text burns nothing of it.
      const fee = paid - Math.floor((paid * feeSplit.burntBps) / WHOLE_BPS);
      const bpsOf = (lamports: number): number => Math.round((lamports * WHOLE_BPS) / fee);
      const [firstBps, secondBps] = [bpsOf(first.development), bpsOf(second.development)];
      for (const clause of ['split.development.fall', 'split.development.days']) {
        t.shows(clause).equal('booked share of development a year later, in bps', secondBps, aYearLater(t, firstBps));
      }
      const released = first.development - second.development;
      const gained = second.treasury - first.treasury;
      const isReleased = Math.abs(gained - released) <= 1;
      const about = 'booked share of treasury a year later';
      t.shows('split.treasury.released').that(about, isReleased, `${released} more`, gained);
      t.shows('split.rest').equal('growth of the share of treasury, in lamports', gained, released);
    });
  },
};

/** The lamports that one payment added to development and treasury, and the summary after it. */
interface BookedShares {
  readonly development: number;
  readonly treasury: number;
  readonly summary: Reply;
}

/**
 * Buys a SIGIL, and reads the lamports booked for development and treasury (D-22). With `lastSummary` it requests no summary before it pays, so
 * a server that changes the shares only on such a request fails.
 */
async function buyAndSeeShares(t: Trial, lastSummary?: Reply): Promise<BookedShares> {
  const agent = await t.walletRoot({ init: true });
  // The first payment of a run may cause a purchase of the run's own, by which it tries payments: so the summary is read after it.
  const payment_tx = await t.pay({ from: agent.wallet, lamports: sigilFeeLamports(t.protocol, 'narrow_task') });
  const before = lastSummary ?? t.mustSucceed(await t.call('fees-summary'));
  t.mustSucceed(await t.send(buySigil(agent, purchase(t), payment_tx)));
  const after = t.mustSucceed(await t.call('fees-summary'));
  const share = (name: string): number => {
    const growth = growthOf({ type: 'sigil', before, after }, `allocation.${name}_lamports`);
    return t.need(growth, `the share of ${name} in ${after.name}`, 'D-22');
  };
  return { development: share('development'), treasury: share('treasury'), summary: after };
}

/** Checks that move the clock by years, so that they run last. */
export const feesSummaryYearsChecks: readonly WrittenCheck[] = [secondYear, years];
