/** The fees summary: the schedule, the split of a fee over the years, and what has been paid. */
import { classesOf } from '../../spec/parts.js';
import { feeShares } from '../../spec/vocabulary.js';
import { anchorOf } from '../assertions/anchor.js';
import { at, type Reply } from '../assertions/reply.js';
import { buy, heartbeat, purchase, reissue } from '../steps/paid.js';
import { family, sponsored, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { withCleanup } from '../steps/with-cleanup.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';

const base = { needs: [], registers: 0, writes: false } as const;
const WHOLE_BPS = 10_000;
const LAMPORTS_PER_SOL = 1_000_000_000;
const DAY_SEC = 86_400;

const schedule: Check = {
  ...base,
  id: 'fees-summary/schedule',
  title: 'The fees summary tells the fee schedule of sections 4.5 to 4.7',
  clauses: [
    'fees-summary.route',
    'fees-summary.purpose',
    'auth.public.fees-summary',
    'fees-summary.reply',
    'fees-summary.reply.payment-chain',
    'fees-summary.reply.by-type',
    'fees-summary.reply.allocation',
    'fees-summary.reply.schedule',
    'fee.amount-lamports.integer',
  ],
  requests: 1,
  async run(t) {
    const reply = t.accepted(await t.call('fees-summary'), 'fees-summary.purpose', 'auth.public.fees-summary');
    const { heartbeat: beat, reissue: reprint } = t.protocol;
    const listed = (list: string, field: string): unknown => {
      const rows = reply.get(`schedule.${list}`);
      return Array.isArray(rows) ? rows.map((row) => at(row, field)) : undefined;
    };
    const sigils = classesOf(t.protocol).map((name) => sigilFeeLamports(t.protocol, name));
    const beats = [beat.tier1FeeLamports, beat.tier2FeeLamports, beat.tier3FeeLamports];
    const total = reply.get('total_lamports');
    t.shows('fee.amount-lamports.integer').of(
      reply,
      'total_lamports',
      Number.isSafeInteger(total),
      'an integer',
      total,
    );
    const schedule = t.shows('fees-summary.reply.schedule');
    const inSol = (fees: readonly number[]): number[] => fees.map((fee) => fee / LAMPORTS_PER_SOL);
    schedule.equal('lamports of the SIGIL fees', listed('sigil_tiers', 'lamports'), sigils);
    schedule.equal('sol of the SIGIL fees', listed('sigil_tiers', 'sol'), inSol(sigils));
    schedule.equal('lamports of the heartbeat fees', listed('heartbeat_tiers', 'lamports'), beats);
    schedule.field(reply, 'schedule.proof_reissuance_sol', reprint.feeLamports / LAMPORTS_PER_SOL);
    // That these are the fees is the text's, where they stand in the reply is D-22's.
    const current = t.shows('fees-summary.purpose').through('D-22');
    current.equal('lamports of the SIGIL fees', listed('sigil_tiers', 'lamports'), sigils);
    current.equal('lamports of the heartbeat fees', listed('heartbeat_tiers', 'lamports'), beats);
    current.field(reply, 'schedule.proof_reissuance_sol', reprint.feeLamports / LAMPORTS_PER_SOL);
    const { tier1HeartbeatsMax, tier2HeartbeatsMax } = beat;
    const tiers = [[1, tier1HeartbeatsMax] as const, [tier1HeartbeatsMax + 1, tier2HeartbeatsMax] as const];
    for (const [place, expected] of tiers.entries()) {
      const reported = rangeOf(reply.get(`schedule.heartbeat_tiers.${place}`));
      const about = `heartbeats of tier ${place + 1} in an epoch`;
      if (reported !== undefined) t.shows('fees-summary.purpose').equal(about, reported, expected);
    }
  },
};

/** From which to which heartbeat of an epoch a tier holds, where its row has two numbers for it (D-22). */
function rangeOf(row: unknown): readonly number[] | undefined {
  const [from, to, range] = ['from', 'to', 'range'].map((field) => at(row, field));
  if (typeof from === 'number' && typeof to === 'number') return [from, to];
  const [, least, most] = /^(\d+)\D+(\d+)$/.exec(String(range).replaceAll(/[\s,_]/g, '')) ?? [];
  return least === undefined || most === undefined ? undefined : [Number(least), Number(most)];
}

type Shares = Record<(typeof feeShares)[number], number>;

/** The shares of a fee in basis points; needed, and D-22 says where they stand. */
function sharesOf(t: Trial, reply: Reply): Shares {
  const shares = Object.fromEntries(feeShares.map((share) => [share, reply.get(`fee_split_bps.${share}`)]));
  const shown = Object.values(shares).every((bps) => typeof bps === 'number');
  t.alsoShows('fees-summary.reply.fee-split-bps').of(reply, 'fee_split_bps', shown, 'a number for each share', shares);
  return t.need(shown ? (shares as Shares) : undefined, `the shares of a fee in ${reply.name}`, 'D-22');
}

/** Asserts what 4.5 fixes whatever the age of the service; returns the share of development. */
async function splitHolds(t: Trial): Promise<number> {
  const reply = t.accepted(await t.call('fees-summary'));
  const { feeSplit } = t.protocol;
  const shares = sharesOf(t, reply);
  const share = (clause: string, name: string, ok: boolean, expected: string, actual: unknown): void => {
    t.alsoShows(clause).of(reply, `share of ${name}, in bps`, ok, expected, actual);
  };
  for (const name of ['operations', 'contributors', 'referral'] as const) {
    const expected = feeSplit[`${name}Bps`];
    share(`split.${name}`, name, shares[name] === expected, `${expected}`, shares[name]);
  }
  const { development, treasury } = shares;
  const released = feeSplit.developmentStartBps - development;
  const own = treasury === feeSplit.treasuryStartBps + released;
  share('split.treasury.released', 'treasury', own, '1500 and what development released', treasury);
  const within = development <= feeSplit.developmentStartBps && development >= feeSplit.developmentFloorBps;
  share('split.development.floor', 'development', within, '1500 falling to 500', development);
  const steps = released % feeSplit.developmentFallBpsPerYear === 0;
  share('split.development.fall', 'development', steps, 'whole yearly steps below 1500', development);
  const whole = Object.values(shares).reduce((sum, bps) => sum + bps, 0);
  t.alsoShows('split.rest').of(reply, 'sum of the shares, in bps', whole === WHOLE_BPS, `${WHOLE_BPS}`, whole);
  return development;
}

/** A clock that is moved starts there (D-56). */
const MANUAL_START_MS = Date.parse('2026-01-01T00:00:00Z');

/**
 * Whether the service is surely in its first year: its clock is one that is moved, which starts at a known time, less than
 * a year has passed since, and as few anchors have been issued, the first of which was issued when the service started (D-05).
 */
async function isYoung(t: Trial): Promise<boolean> {
  if (!t.session.offers.has('clock') || t.session.observedSec > 0) return false;
  const yearSec = t.protocol.feeSplit.yearDays * DAY_SEC;
  if (t.nowMs() - MANUAL_START_MS >= yearSec * 1_000 || t.nowMs() < MANUAL_START_MS) return false;
  const { index } = anchorOf(await t.call('beat-anchor'));
  return index !== undefined && index * t.protocol.anchor.intervalSec < yearSec;
}

const split: Check = {
  ...base,
  id: 'fees-summary/split',
  title: 'A fee is split 30/30/10, with development and treasury sharing the rest, 15% each in the first year',
  clauses: [
    'split.operations',
    'split.contributors',
    'split.referral',
    'split.development.start',
    'split.development.fall',
    'split.treasury.start',
    'split.treasury.released',
    'fees-summary.reply.fee-split-bps',
  ],
  requests: 3,
  async run(t) {
    const { developmentStartBps, treasuryStartBps } = t.protocol.feeSplit;
    await splitHolds(t);
    const reply = t.accepted(await t.call('fees-summary'));
    const [development, treasury] = ['development', 'treasury'].map((share) => reply.get(`fee_split_bps.${share}`));
    // The first year is that in which either share stands at its start, since both leave it together.
    if (development !== developmentStartBps && treasury !== treasuryStartBps && !(await isYoung(t))) {
      const why = 'the first year of the service is over';
      t.shows('split.development.start', 'split.treasury.start').unjudged(why);
      return;
    }
    t.shows('split.development.start').field(reply, 'fee_split_bps.development', developmentStartBps);
    t.shows('split.treasury.start').field(reply, 'fee_split_bps.treasury', treasuryStartBps);
  },
};

const years: Check = {
  ...base,
  id: 'fees-summary/split-years',
  title: "Development's share falls by 1% a year to 5%, and treasury takes what it gives up",
  clauses: ['split.development.fall', 'split.development.floor', 'split.treasury.released', 'split.development.days'],
  needs: ['clock', 'control'],
  controls: ['anchors/stall'],
  requests: 52,
  sleeps: 50,
  writes: true,
  exclusive: true,
  async run(t) {
    const { feeSplit } = t.protocol;
    const is = (clause: string, about: string, actual: number, expected: number): void => {
      t.shows(clause).that(about, actual === expected, `${expected}`, `${actual}`);
    };
    await t.control('POST anchors/stall', { on: true });
    await withCleanup(
      async () => {
        const start = await splitHolds(t);
        const year = { stepDays: MONTH_DAYS, days: feeSplit.yearDays + MONTH_DAYS };
        const fall = await nextFall(t, start, year);
        // A year after the month of a fall comes the day of the next one, and exactly a year after that another.
        await t.sleep({ sec: (feeSplit.yearDays - MONTH_DAYS) * DAY_SEC });
        const again = await nextFall(t, fall, { stepDays: 1, days: MONTH_DAYS + 2 });
        await t.sleep({ sec: (feeSplit.yearDays - 1) * DAY_SEC });
        const before = await splitHolds(t);
        // Whatever a year is, 365 days or one of the calendar, it has not passed then.
        for (const clause of ['split.development.days', 'split.development.fall']) {
          is(clause, 'development 364 days after a fall, in bps', before, again);
        }
        await t.sleep({ sec: DAY_SEC });
        is(
          'split.development.days',
          'development 365 days after a fall, in bps',
          await splitHolds(t),
          fallen(t, again),
        );
        const falls =
          (feeSplit.developmentStartBps - feeSplit.developmentFloorBps) / feeSplit.developmentFallBpsPerYear;
        await t.sleep({ sec: (Math.ceil(falls) + 1) * (feeSplit.yearDays + 1) * DAY_SEC });
        const end = await splitHolds(t);
        for (const clause of ['split.development.floor', 'split.development.fall']) {
          is(clause, 'development in the end, in bps', end, feeSplit.developmentFloorBps);
        }
      },
      async () => {
        await t.control('POST anchors/stall', { on: false });
        // Until the next anchor lookups call the chain degraded, and other runs would see that.
        await t.sleep({ sec: t.protocol.anchor.intervalSec });
      },
    );
  },
};

const MONTH_DAYS = 30;

/** Development's share a year later: it never falls below its floor. */
function fallen({ protocol: { feeSplit } }: Trial, bps: number): number {
  return Math.max(feeSplit.developmentFloorBps, bps - feeSplit.developmentFallBpsPerYear);
}

/** Lets days pass until development's share falls, which it does within them unless it is at its floor. */
async function nextFall(
  t: Trial,
  before: number,
  { stepDays, days }: { readonly stepDays: number; readonly days: number },
): Promise<number> {
  const falls = t.shows('split.development.fall');
  for (let passed = stepDays; passed <= days; passed += stepDays) {
    await t.sleep({ sec: stepDays * DAY_SEC });
    const now = await splitHolds(t);
    if (now === before) continue;
    const expected = fallen(t, before);
    falls.that('development after a fall, in bps', now === expected, `${expected}`, `${now}`);
    return expected;
  }
  const { developmentFloorBps } = t.protocol.feeSplit;
  falls.that(
    'development after a year without a fall, in bps',
    before === developmentFloorBps,
    `${developmentFloorBps}`,
    `${before}`,
  );
  return before;
}

const totals: Check = {
  ...base,
  id: 'fees-summary/totals',
  title: 'What is paid appears in the totals, as the schedule says and split without loss',
  clauses: [
    'fees-summary.purpose',
    'fees-summary.reply.by-type',
    'fees-summary.reply.allocation',
    'split.operations',
    'split.contributors',
    'split.referral',
    'split.floor',
    'split.rest',
  ],
  needs: ['payments', 'clock'],
  walletRegisters: 2,
  requests: 14,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports }, reissue: { feeLamports } }) =>
    sigil.narrowTaskFeeLamports + tier1FeeLamports + feeLamports,
  writes: true,
  exclusive: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const before = t.accepted(await t.call('fees-summary'));
    await t.setup('three fees', async () => {
      t.accepted(await buy(t, agent, purchase(t)));
      t.accepted(await heartbeat(t, agent));
      t.accepted(await reissue(t, agent));
    });
    const after = t.accepted(await t.call('fees-summary'));
    const { sigil, heartbeat: beat, reissue: reprint } = t.protocol;
    const paid = {
      sigil: sigil.narrowTaskFeeLamports,
      heartbeat: beat.tier1FeeLamports,
      reissuance: reprint.feeLamports,
    };
    const grown = (path: string): number => after.number(path) - (Number(before.get(path)) || 0);
    const byType = t.shows('fees-summary.reply.by-type');
    const grew = (clause: string, about: string, actual: number, expected: number): void => {
      t.shows(clause).of(after, about, actual === expected, `${expected}`, `${actual}`);
    };
    const all = paid.sigil + paid.heartbeat + paid.reissuance;
    grew('fees-summary.reply.by-type', 'growth of total_lamports', grown('total_lamports'), all);
    byType.field(after, 'total_sol', after.number('total_lamports') / LAMPORTS_PER_SOL);
    const shares = sharesOf(t, after);
    const overall = new Map<string, number>(feeShares.map((share) => [share, 0]));
    for (const [type, lamports] of Object.entries(paid)) {
      const booked = { type, before, after };
      scheduledIs(t, booked, lamports);
      splitIs(t, booked, lamports, ['operations', 'contributors', 'referral']);
      const growth = (field: string): number => growthOf(booked, field) ?? 0;
      grew('fees-summary.reply.by-type', `growth of the count of ${type}`, growth('count'), 1);
      grew('fees-summary.reply.by-type', `growth of the lamports of ${type}`, growth('total_lamports'), lamports);
      let left = lamports;
      for (const share of feeShares.filter((each) => each !== 'treasury')) {
        const lamportsOfShare = Math.floor((lamports * shares[share]) / WHOLE_BPS);
        grew('split.floor', `${share} of ${type}`, growth(`allocation.${share}_lamports`), lamportsOfShare);
        overall.set(share, (overall.get(share) ?? 0) + lamportsOfShare);
        left -= lamportsOfShare;
      }
      grew('split.rest', `treasury of ${type}, which takes the rest`, growth('allocation.treasury_lamports'), left);
      overall.set('treasury', (overall.get('treasury') ?? 0) + left);
    }
    for (const [share, lamports] of overall) {
      const field = `overall_allocation.${share}_lamports`;
      grew('fees-summary.reply.allocation', `growth of ${field}`, grown(field), lamports);
    }
  },
};

const sponsoredTotals: Check = {
  ...base,
  id: 'fees-summary/totals-sponsored',
  title: 'A heartbeat that a sponsor pays is booked as one that its agent pays',
  clauses: ['split.operations', 'split.contributors', 'split.referral', 'fees-summary.reply.by-type'],
  needs: ['payments', 'beats'],
  registers: 1,
  walletRegisters: 2,
  requests: 18,
  lamports: ({ heartbeat: { tier1FeeLamports } }) => tier1FeeLamports,
  writes: true,
  exclusive: true,
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child);
    const before = t.accepted(await t.call('fees-summary'));
    await t.setup('a fee', async () => t.accepted(await sponsoredHeartbeat(t, child, parent)));
    const booked = { type: 'heartbeat', before, after: t.accepted(await t.call('fees-summary')) };
    const { tier1FeeLamports } = t.protocol.heartbeat;
    splitIs(t, booked, tier1FeeLamports, ['operations', 'contributors', 'referral']);
    const count = growthOf(booked, 'count');
    t.shows('fees-summary.reply.by-type').of(booked.after, 'growth of the count of heartbeat', count === 1, '1', count);
  },
};

/** The fees of one type before and after some were paid. */
interface Booked {
  readonly type: string;
  readonly before: Reply;
  readonly after: Reply;
}

/** A number of the row of a fee type; undefined where nothing of that type is told. */
function rowValue(summary: Reply, type: string, field: string): number | undefined {
  const rows = summary.get('by_type');
  const row = Array.isArray(rows) ? rows.find((each) => at(each, 'fee_type') === type) : undefined;
  const value = at(row, field);
  return typeof value === 'number' ? value : undefined;
}

/** By how much a number of a fee type has grown, from 0 where nothing of the type had been paid. */
function growthOf({ type, before, after }: Booked, field: string): number | undefined {
  const now = rowValue(after, type, field);
  return now === undefined ? undefined : now - (rowValue(before, type, field) ?? 0);
}

/** 4.1: the schedule is the current one: what it says is what was taken for the fee. */
function scheduledIs(t: Trial, { type, before }: Booked, lamports: number): void {
  const rows = { sigil: 'schedule.sigil_tiers.0.lamports', heartbeat: 'schedule.heartbeat_tiers.0.lamports' };
  const current = t.shows('fees-summary.purpose').through('D-22');
  if (type === 'reissuance') current.field(before, 'schedule.proof_reissuance_sol', lamports / LAMPORTS_PER_SOL);
  else current.field(before, rows[type as keyof typeof rows], lamports);
}

/** 4.5: the shares of a fee as they were booked, to the lamport that D-38 says how to round. */
function splitIs(
  t: Trial,
  booked: Booked,
  lamports: number,
  names: readonly ('operations' | 'contributors' | 'referral')[],
): void {
  for (const name of names) {
    const own = growthOf(booked, `allocation.${name}_lamports`);
    const due = (lamports * t.protocol.feeSplit[`${name}Bps`]) / WHOLE_BPS;
    const assertion = t.shows(`split.${name}`);
    if (own === undefined) assertion.unjudged('D-22 is not followed: no allocation is told');
    else assertion.of(booked.after, `booked share of ${name}`, Math.abs(own - due) <= 1, `${due}`, own);
  }
}

const secondYear: Check = {
  ...base,
  id: 'fees-summary/split-second-year',
  title: 'A year later a fee is booked with 1% less for development, and that much more for treasury',
  clauses: ['split.development.fall', 'split.treasury.released', 'split.development.days', 'split.rest'],
  needs: ['clock', 'control', 'payments'],
  controls: ['anchors/stall'],
  walletRegisters: 4,
  requests: 22,
  sleeps: 3,
  lamports: ({ sigil }) => 2 * sigil.narrowTaskFeeLamports,
  writes: true,
  exclusive: true,
  async run(t) {
    const { feeSplit, sigil } = t.protocol;
    await t.control('POST anchors/stall', { on: true });
    await withCleanup(
      async () => {
        const first = await bookedNow(t);
        // In exactly a year the share falls exactly once, whenever the service began.
        await t.sleep({ sec: feeSplit.yearDays * DAY_SEC });
        const second = await bookedNow(t, first.summary);
        const fee = sigil.narrowTaskFeeLamports;
        const bpsOf = (lamports: number): number => Math.round((lamports * WHOLE_BPS) / fee);
        const [was, is] = [bpsOf(first.development), bpsOf(second.development)];
        const clauses = ['split.development.fall', 'split.development.days'];
        for (const clause of clauses) {
          t.shows(clause).equal('booked share of development a year later, in bps', is, fallen(t, was));
        }
        const released = first.development - second.development;
        const grown = second.treasury - first.treasury;
        const own = Math.abs(grown - released) <= 1;
        t.shows('split.treasury.released').that(
          'booked share of treasury a year later',
          own,
          `${released} more`,
          grown,
        );
        t.shows('split.rest').equal('growth of the treasury beside the fall of development', grown, released);
      },
      async () => {
        await t.control('POST anchors/stall', { on: false });
        await t.sleep({ sec: t.protocol.anchor.intervalSec });
      },
    );
  },
};

/** The shares of a fee that were booked for development and treasury, and the summary after it. */
interface BookedNow {
  readonly development: number;
  readonly treasury: number;
  readonly summary: Reply;
}

/**
 * Pays for a SIGIL, and tells what of it was booked for development and treasury (D-22). With a summary of before nobody looks at
 * the split between it and the payment: a fee is split by the time at which it is paid, whether somebody has looked or not.
 */
async function bookedNow(t: Trial, seen?: Reply): Promise<BookedNow> {
  const agent = await t.walletRoot({ init: true });
  const before = seen ?? t.accepted(await t.call('fees-summary'));
  await t.setup('a fee', async () => t.accepted(await buy(t, agent, purchase(t))));
  const after = t.accepted(await t.call('fees-summary'));
  const share = (name: string): number => {
    const growth = growthOf({ type: 'sigil', before, after }, `allocation.${name}_lamports`);
    return t.need(growth, `the share of ${name} in ${after.name}`, 'D-22');
  };
  return { development: share('development'), treasury: share('treasury'), summary: after };
}

export const feesSummaryChecks: readonly Check[] = [
  schedule,
  split,
  totals,
  sponsoredTotals,
  lookupLimit('fees-summary', 'limit.fees-summary'),
];
export const feesSummaryLateChecks: readonly Check[] = [secondYear, years];
