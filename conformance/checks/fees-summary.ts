/** The fees summary: the schedule, how a fee is split, and the totals of paid fees. How the split changes is in fees-summary-years.ts. */

import { anchorOf } from '../../model/reading/anchor.js';
import { at } from '../../model/reading/values.js';
import { classesOf } from '../../spec/parts.js';
import { DAY_SEC } from '../../spec/time.js';
import { feeShares } from '../../spec/vocabulary.js';
import { assertSplit, growthOf, type SummariesAround, sharesOf, WHOLE_BPS } from '../steps/fee-split.js';
import { adminKey } from '../steps/keys.js';
import { buy, heartbeat, purchase, reissue } from '../steps/paid.js';
import { family, sponsored, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';
import { grant, terms } from './subsidy.js';

const base = { needs: [], registers: 0, writes: false } as const;
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
    const { heartbeat: tiers, reissue: reissuance } = t.protocol;
    const listed = (list: string, field: string): unknown => {
      const rows = reply.get(`schedule.${list}`);
      return Array.isArray(rows) ? rows.map((row) => at(row, field)) : undefined;
    };
    const sigils = classesOf(t.protocol).map((name) => sigilFeeLamports(t.protocol, name));
    const heartbeats = [tiers.tier1FeeLamports, tiers.tier2FeeLamports, tiers.tier3FeeLamports];
    const total = reply.get('total_lamports');
    t.shows('fee.amount-lamports.integer').of(
      reply,
      'total_lamports',
      Number.isSafeInteger(total),
      'an integer',
      total,
    );
    const layout = t.shows('fees-summary.reply.schedule');
    const inSol = (fees: readonly number[]): number[] => fees.map((fee) => fee / LAMPORTS_PER_SOL);
    layout.equal('lamports of the SIGIL fees', listed('sigil_tiers', 'lamports'), sigils);
    layout.equal('sol of the SIGIL fees', listed('sigil_tiers', 'sol'), inSol(sigils));
    layout.equal('lamports of the heartbeat fees', listed('heartbeat_tiers', 'lamports'), heartbeats);
    layout.field(reply, 'schedule.proof_reissuance_sol', reissuance.feeLamports / LAMPORTS_PER_SOL);
    // Sections 4.5 to 4.7 fix the amounts; their place in the reply is that of D-22.
    const amounts = t.shows('fees-summary.purpose').through('D-22');
    amounts.equal('lamports of the SIGIL fees', listed('sigil_tiers', 'lamports'), sigils);
    amounts.equal('lamports of the heartbeat fees', listed('heartbeat_tiers', 'lamports'), heartbeats);
    amounts.field(reply, 'schedule.proof_reissuance_sol', reissuance.feeLamports / LAMPORTS_PER_SOL);
    const { tier1HeartbeatsMax, tier2HeartbeatsMax } = tiers;
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
    await assertSplit(t);
    const reply = t.accepted(await t.call('fees-summary'));
    const [development, treasury] = ['development', 'treasury'].map((share) => reply.get(`fee_split_bps.${share}`));
    // In the first year both shares have their first values. Either one shows it, because both change at the same time.
    if (development !== developmentStartBps && treasury !== treasuryStartBps && !(await isYoung(t))) {
      const why = 'the first year of the service is over';
      t.shows('split.development.start', 'split.treasury.start').unjudged(why);
      return;
    }
    t.shows('split.development.start').field(reply, 'fee_split_bps.development', developmentStartBps);
    t.shows('split.treasury.start').field(reply, 'fee_split_bps.treasury', treasuryStartBps);
  },
};

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
    const { sigil, heartbeat: tiers, reissue: reissuance } = t.protocol;
    const paid = {
      sigil: sigil.narrowTaskFeeLamports,
      heartbeat: tiers.tier1FeeLamports,
      reissuance: reissuance.feeLamports,
    };
    const totalGrowth = (path: string): number => after.number(path) - (Number(before.get(path)) || 0);
    const byType = t.shows('fees-summary.reply.by-type');
    const assertGrowth = (clause: string, about: string, actual: number, expected: number): void => {
      t.shows(clause).of(after, about, actual === expected, `${expected}`, `${actual}`);
    };
    const all = paid.sigil + paid.heartbeat + paid.reissuance;
    assertGrowth('fees-summary.reply.by-type', 'growth of total_lamports', totalGrowth('total_lamports'), all);
    byType.field(after, 'total_sol', after.number('total_lamports') / LAMPORTS_PER_SOL);
    const shares = sharesOf(t, after);
    const overall = new Map<string, number>(feeShares.map((share) => [share, 0]));
    for (const [type, lamports] of Object.entries(paid)) {
      const around = { type, before, after };
      assertScheduled(t, around, lamports);
      assertBookedSplit(t, around, lamports, ['operations', 'contributors', 'referral']);
      const growth = (field: string): number => growthOf(around, field) ?? 0;
      assertGrowth('fees-summary.reply.by-type', `growth of the count of ${type}`, growth('count'), 1);
      assertGrowth(
        'fees-summary.reply.by-type',
        `growth of the lamports of ${type}`,
        growth('total_lamports'),
        lamports,
      );
      let left = lamports;
      for (const share of feeShares.filter((each) => each !== 'treasury')) {
        const lamportsOfShare = Math.floor((lamports * shares[share]) / WHOLE_BPS);
        assertGrowth('split.floor', `${share} of ${type}`, growth(`allocation.${share}_lamports`), lamportsOfShare);
        overall.set(share, (overall.get(share) ?? 0) + lamportsOfShare);
        left -= lamportsOfShare;
      }
      assertGrowth(
        'split.rest',
        `treasury of ${type}, which takes the rest`,
        growth('allocation.treasury_lamports'),
        left,
      );
      overall.set('treasury', (overall.get('treasury') ?? 0) + left);
    }
    for (const [share, lamports] of overall) {
      const field = `overall_allocation.${share}_lamports`;
      assertGrowth('fees-summary.reply.allocation', `growth of ${field}`, totalGrowth(field), lamports);
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
    const around = { type: 'heartbeat', before, after: t.accepted(await t.call('fees-summary')) };
    const { tier1FeeLamports } = t.protocol.heartbeat;
    assertBookedSplit(t, around, tier1FeeLamports, ['operations', 'contributors', 'referral']);
    const count = growthOf(around, 'count');
    t.shows('fees-summary.reply.by-type').of(around.after, 'growth of the count of heartbeat', count === 1, '1', count);
  },
};

const subsidisedTotals: Check = {
  ...base,
  id: 'fees-summary/totals-subsidised',
  title: 'Of a subsidised fee what was paid is booked',
  clauses: ['split.operations', 'split.contributors', 'split.referral'],
  needs: ['admin', 'payments'],
  walletRegisters: 2,
  requests: 14,
  lamports: ({ sigil, reissue: { feeLamports } }) => sigil.narrowTaskFeeLamports + feeLamports,
  writes: true,
  exclusive: true,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const half = { fee_type: 'reissuance', discount_bps: WHOLE_BPS / 2, floor_lamports: 1 };
    const lamports = Math.floor(t.protocol.reissue.feeLamports / 2);
    await t.setup('a subsidy', async () => t.accepted(await grant(t, await adminKey(t), terms(agent, half))));
    const before = t.accepted(await t.call('fees-summary'));
    await t.setup('a fee', async () => {
      const payment_tx = await t.pay({ from: agent.wallet, lamports });
      t.accepted(await t.call('reissue-proof', { key: agent.key, body: { payment_tx } }));
    });
    const around = { type: 'reissuance', before, after: t.accepted(await t.call('fees-summary')) };
    assertBookedSplit(t, around, lamports, ['operations', 'contributors', 'referral']);
  },
};

/** 4.1: the schedule is the current one: the fee that it shows is the fee that was paid. */
function assertScheduled(t: Trial, { type, before }: SummariesAround, lamports: number): void {
  const rows = { sigil: 'schedule.sigil_tiers.0.lamports', heartbeat: 'schedule.heartbeat_tiers.0.lamports' };
  const current = t.shows('fees-summary.purpose').through('D-22');
  if (type === 'reissuance') current.field(before, 'schedule.proof_reissuance_sol', lamports / LAMPORTS_PER_SOL);
  else current.field(before, rows[type as keyof typeof rows], lamports);
}

/** 4.5: the shares that were booked for a fee, within the lamport that rounding may take (D-38). */
function assertBookedSplit(
  t: Trial,
  around: SummariesAround,
  lamports: number,
  names: readonly ('operations' | 'contributors' | 'referral')[],
): void {
  for (const name of names) {
    const booked = growthOf(around, `allocation.${name}_lamports`);
    const due = (lamports * t.protocol.feeSplit[`${name}Bps`]) / WHOLE_BPS;
    const assertion = t.shows(`split.${name}`);
    if (booked === undefined) assertion.notFollowed('D-22', 'no allocation is told');
    else assertion.of(around.after, `booked share of ${name}`, Math.abs(booked - due) <= 1, `${due}`, booked);
  }
}

export const feesSummaryChecks: readonly Check[] = [
  schedule,
  split,
  totals,
  sponsoredTotals,
  subsidisedTotals,
  lookupLimit('fees-summary', 'limit.fees-summary'),
];
