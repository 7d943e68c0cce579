import { feeShares } from '../../spec/vocabulary.js';
import { at, type Reply } from '../assertions/reply.js';
import { buy, heartbeat, purchase, reissue } from '../steps/paid.js';
import { tidied } from '../steps/tidied.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';

/** The fees summary: the schedule, the split of a fee over the years, and what has been paid. */
const base = { needs: [], registers: 0, writes: false } as const;
const WHOLE_BPS = 10_000;
const LAMPORTS_PER_SOL = 1_000_000_000;

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
    const { sigil, heartbeat: beat, reissue: reprint } = t.protocol;
    const listed = (list: string, field: string): unknown[] => {
      const rows = reply.get(`schedule.${list}`);
      return Array.isArray(rows) ? rows.map((row) => at(row, field)) : [];
    };
    const sigils = [sigil.narrowTaskFeeLamports, sigil.autonomousFeeLamports, sigil.orchestratorFeeLamports];
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
  },
};

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
  const whole = Object.values(shares).reduce((sum, bps) => sum + bps, 0);
  t.alsoShows('split.rest').of(reply, 'sum of the shares, in bps', whole === WHOLE_BPS, `${WHOLE_BPS}`, whole);
  return development;
}

const split: Check = {
  ...base,
  id: 'fees-summary/split',
  title: 'A fee is split 30/30/10, with development and treasury sharing the rest',
  clauses: [
    'split.operations',
    'split.contributors',
    'split.referral',
    'split.treasury.released',
    'fees-summary.reply.fee-split-bps',
  ],
  requests: 1,
  async run(t) {
    await splitHolds(t);
  },
};

const DAY_SEC = 86_400;

const years: Check = {
  ...base,
  id: 'fees-summary/split-years',
  title: "Development's share falls by 1% a year to 5%, and treasury takes what it gives up",
  clauses: [
    'split.development.start',
    'split.treasury.start',
    'split.development.fall',
    'split.development.floor',
    'split.treasury.released',
    'split.development.days',
  ],
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
    await tidied(
      async () => {
        const start = await splitHolds(t);
        if (start === feeSplit.developmentStartBps) {
          const treasury = (await t.call('fees-summary')).number('fee_split_bps.treasury');
          is('split.treasury.start', 'treasury at the start, in bps', treasury, feeSplit.treasuryStartBps);
          is('split.development.start', 'development at the start, in bps', start, feeSplit.developmentStartBps);
        } else {
          const reason = 'the service is older than a year, so that the start is past';
          t.shows('split.development.start', 'split.treasury.start').unjudged(reason);
        }
        const year = { stepDays: MONTH_DAYS, days: feeSplit.yearDays + MONTH_DAYS };
        const fall = await nextFall(t, start, year);
        // A year after the month of a fall comes the day of the next one, and exactly a year after that another.
        await t.sleep({ sec: (feeSplit.yearDays - MONTH_DAYS) * DAY_SEC });
        const again = await nextFall(t, fall, { stepDays: 1, days: MONTH_DAYS + 2 });
        await t.sleep({ sec: (feeSplit.yearDays - 1) * DAY_SEC });
        is('split.development.days', 'development 364 days after a fall, in bps', await splitHolds(t), again);
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
        is('split.development.floor', 'development in the end, in bps', end, feeSplit.developmentFloorBps);
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
  title: 'What is paid appears in the totals, split without loss',
  clauses: ['fees-summary.reply.by-type', 'fees-summary.reply.allocation', 'split.floor', 'split.rest'],
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
    const overall = new Map<string, number>(feeShares.map((share) => [share, 0]));
    for (const [type, lamports] of Object.entries(paid)) {
      const growth = (field: string): number => rowValue(after, type, field) - rowValue(before, type, field);
      grew('fees-summary.reply.by-type', `growth of the count of ${type}`, growth('count'), 1);
      grew('fees-summary.reply.by-type', `growth of the lamports of ${type}`, growth('total_lamports'), lamports);
      let left = lamports;
      for (const share of feeShares.filter((each) => each !== 'treasury')) {
        const lamportsOfShare = Math.floor((lamports * after.number(`fee_split_bps.${share}`)) / WHOLE_BPS);
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

/** A number of the row of a fee type; 0 where nothing of that type has been paid. */
function rowValue(summary: Reply, type: string, field: string): number {
  const rows = summary.get('by_type');
  const row = Array.isArray(rows) ? rows.find((each) => at(each, 'fee_type') === type) : undefined;
  return Number(at(row, field) ?? 0);
}

export const feesSummaryChecks: readonly Check[] = [
  schedule,
  split,
  totals,
  lookupLimit('fees-summary', 'limit.fees-summary'),
];
export const feesSummaryLateChecks: readonly Check[] = [years];
