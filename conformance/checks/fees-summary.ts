import type { Protocol } from '../../spec/protocol.js';
import { feeShares } from '../../spec/vocabulary.js';
import { at, type Reply } from '../assertions/reply.js';
import { buy, heartbeat, purchase, reissue } from '../steps/paid.js';
import { tidied } from '../steps/tidied.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';

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
    const reply = t.accepted(await t.call('fees-summary'));
    t.that('the reply', typeof reply.json === 'object' && reply.json !== null, 'JSON', reply.excerpt());
    const { sigil, heartbeat: beat, reissue: reprint } = t.protocol;
    const listed = (list: string, field: string): unknown[] => {
      const rows = reply.get(`schedule.${list}`);
      return Array.isArray(rows) ? rows.map((row) => at(row, field)) : [];
    };
    const sigils = [sigil.narrowTaskFeeLamports, sigil.autonomousFeeLamports, sigil.orchestratorFeeLamports];
    const beats = [beat.tier1FeeLamports, beat.tier2FeeLamports, beat.tier3FeeLamports];
    t.decided('D-22', () => {
      t.equal('lamports of the SIGIL fees', listed('sigil_tiers', 'lamports'), sigils);
      t.equal(
        'sol of the SIGIL fees',
        listed('sigil_tiers', 'sol'),
        sigils.map((fee) => fee / LAMPORTS_PER_SOL),
      );
      t.equal('lamports of the heartbeat fees', listed('heartbeat_tiers', 'lamports'), beats);
      const sol = reply.get('schedule.proof_reissuance_sol');
      t.equal('schedule.proof_reissuance_sol', sol, reprint.feeLamports / LAMPORTS_PER_SOL);
    });
  },
};

/** The shares of a fee in basis points; a summary without them makes the check a matter of D-22. */
function sharesOf(t: Trial, reply: Reply): Record<(typeof feeShares)[number], number> | undefined {
  const shares = Object.fromEntries(feeShares.map((share) => [share, reply.get(`fee_split_bps.${share}`)]));
  const told = Object.values(shares).every((bps) => typeof bps === 'number');
  t.decided('D-22', () => t.that('fee_split_bps', told, 'a number for each share', JSON.stringify(shares)));
  return told ? (shares as Record<(typeof feeShares)[number], number>) : undefined;
}

/** What 4.5 fixes whatever the age of the service; true when the summary tells its shares. */
function splitHolds(t: Trial, reply: Reply, { feeSplit }: Protocol): number | undefined {
  const shares = sharesOf(t, reply);
  if (shares === undefined) return undefined;
  t.equal('operations, in bps', shares.operations, feeSplit.operationsBps);
  t.equal('contributors, in bps', shares.contributors, feeSplit.contributorsBps);
  t.equal('referral, in bps', shares.referral, feeSplit.referralBps);
  const { development, treasury } = shares;
  const released = feeSplit.developmentStartBps - development;
  t.equal('treasury, in bps', treasury, feeSplit.treasuryStartBps + released);
  const within = development <= feeSplit.developmentStartBps && development >= feeSplit.developmentFloorBps;
  t.that('development, in bps', within, '1500 falling to 500', `${development}`);
  t.equal('development, past its yearly steps', released % feeSplit.developmentFallBpsPerYear, 0);
  t.equal(
    'the sum of the shares',
    Object.values(shares).reduce((sum, bps) => sum + bps, 0),
    WHOLE_BPS,
  );
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
    'split.treasury.start',
    'split.treasury.released',
    'fees-summary.reply.fee-split-bps',
  ],
  requests: 1,
  async run(t) {
    splitHolds(t, t.accepted(await t.call('fees-summary')), t.protocol);
  },
};

const DAY_SEC = 86_400;

const years: Check = {
  ...base,
  id: 'fees-summary/split-years',
  title: "Development's share falls by 1% a year to 5%, and treasury takes what it gives up",
  clauses: [
    'split.development.start',
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
    const developmentNow = async (): Promise<number | undefined> =>
      splitHolds(t, t.accepted(await t.call('fees-summary')), t.protocol);
    await t.control('POST anchors/stall', { on: true });
    await tidied(
      async () => {
        const start = await developmentNow();
        if (start === undefined) return;
        const year = { stepDays: MONTH_DAYS, days: feeSplit.yearDays + MONTH_DAYS };
        const fall = await nextFall(t, start, year, developmentNow);
        // A year after the month of a fall comes the day of the next one, and exactly a year after that another.
        await t.sleep({ sec: (feeSplit.yearDays - MONTH_DAYS) * DAY_SEC });
        const again = await nextFall(t, fall, { stepDays: 1, days: MONTH_DAYS + 2 }, developmentNow);
        await t.sleep({ sec: (feeSplit.yearDays - 1) * DAY_SEC });
        const early = await developmentNow();
        t.decided('D-38', () => t.equal('development 364 days after a fall, in bps', early, again));
        await t.sleep({ sec: DAY_SEC });
        const late = await developmentNow();
        t.decided('D-38', () => t.equal('development 365 days after a fall, in bps', late, fallen(t, again)));
        const falls =
          (feeSplit.developmentStartBps - feeSplit.developmentFloorBps) / feeSplit.developmentFallBpsPerYear;
        await t.sleep({ sec: (Math.ceil(falls) + 1) * (feeSplit.yearDays + 1) * DAY_SEC });
        t.equal('development in the end, in bps', await developmentNow(), feeSplit.developmentFloorBps);
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
  developmentNow: () => Promise<number | undefined>,
): Promise<number> {
  for (let passed = stepDays; passed <= days; passed += stepDays) {
    await t.sleep({ sec: stepDays * DAY_SEC });
    const now = await developmentNow();
    if (now === before) continue;
    t.equal('development after a fall, in bps', now, fallen(t, before));
    return fallen(t, before);
  }
  t.equal(`development after ${days} days without a fall, in bps`, before, t.protocol.feeSplit.developmentFloorBps);
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
    t.equal('growth of total_lamports', grown('total_lamports'), paid.sigil + paid.heartbeat + paid.reissuance);
    t.equal('total_sol', after.get('total_sol'), after.number('total_lamports') / LAMPORTS_PER_SOL);
    const overall = new Map<string, number>(feeShares.map((share) => [share, 0]));
    for (const [type, lamports] of Object.entries(paid)) {
      const growth = (field: string): number => rowValue(after, type, field) - rowValue(before, type, field);
      t.equal(`growth of the count of ${type}`, growth('count'), 1);
      t.equal(`growth of the lamports of ${type}`, growth('total_lamports'), lamports);
      let left = lamports;
      for (const share of feeShares.filter((each) => each !== 'treasury')) {
        const lamportsOfShare = Math.floor((lamports * after.number(`fee_split_bps.${share}`)) / WHOLE_BPS);
        t.equal(`${share} of ${type}`, growth(`allocation.${share}_lamports`), lamportsOfShare);
        overall.set(share, (overall.get(share) ?? 0) + lamportsOfShare);
        left -= lamportsOfShare;
      }
      t.equal(`treasury of ${type}, which takes the rest`, growth('allocation.treasury_lamports'), left);
      overall.set('treasury', (overall.get('treasury') ?? 0) + left);
    }
    for (const [share, lamports] of overall) {
      const field = `overall_allocation.${share}_lamports`;
      t.equal(`growth of ${field}`, grown(field), lamports);
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
