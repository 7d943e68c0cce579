/** Mistakes of how fees are split and shown. */
import type { Mutant } from './mutant.js';

const feeBookRules = 'reference/registry/fee-book';
const feesSummaryRules = 'reference/registry/fees-summary';

export const feesSummaryMutants: readonly Mutant[] = [
  {
    id: 'fees-summary/split-shown-not-booked',
    title: 'the book splits as in the first year',
    clause: 'split.development.fall',
    patch: {
      file: feeBookRules,
      before: 'const split = splitAt(book, nowMs);',
      after: 'const split = feeSplit(book.protocol, 0);',
    },
  },
  {
    id: 'fees-summary/development-keeps',
    title: 'development does not fall',
    clause: 'split.development.fall',
    patch: {
      file: feeBookRules,
      before: 'developmentStartBps - developmentFallBpsPerYear * years);',
      after: 'developmentStartBps);',
    },
  },
  {
    id: 'fees-summary/development-falls-once',
    title: 'development falls once',
    clause: 'split.development.fall',
    patch: {
      file: feeBookRules,
      before: 'developmentStartBps - developmentFallBpsPerYear * years);',
      after: 'developmentStartBps - developmentFallBpsPerYear * Math.min(years, 1));',
    },
  },
  {
    id: 'fees-summary/development-falls-from-start',
    title: 'development falls in the first year',
    clause: 'split.development.start',
    patch: {
      file: feeBookRules,
      before: 'developmentStartBps - developmentFallBpsPerYear * years);',
      after: 'developmentStartBps - developmentFallBpsPerYear * (years + 1));',
    },
  },
  {
    id: 'fees-summary/development-without-floor',
    title: 'development falls to nothing',
    clause: 'split.development.floor',
    patch: {
      file: feeBookRules,
      before: 'const development = Math.max(developmentFloorBps, developmentStartBps',
      after: 'const development = Math.max(0, developmentStartBps',
    },
  },
  {
    id: 'fees-summary/treasury-keeps',
    title: 'treasury does not take what is released',
    clause: 'split.treasury.released',
    patch: {
      file: feeBookRules,
      before: 'treasury: treasuryStartBps + developmentStartBps - development,',
      after: 'treasury: treasuryStartBps,',
    },
  },
  {
    id: 'fees-summary/operations-take-released',
    title: 'operations take what is released',
    clause: 'split.treasury.released',
    patch: {
      file: feeBookRules,
      before: 'operations: operationsBps,',
      after: 'operations: operationsBps + developmentStartBps - development,',
    },
  },
  {
    id: 'fees-summary/treasury-booked-short',
    title: 'treasury is booked by its share of the start',
    clause: 'split.treasury.released',
    patch: {
      file: feeBookRules,
      before: 'const treasury = lamports - operations - contributors - development - referral;',
      after: 'const treasury = share(lamports, book.protocol.feeSplit.treasuryStartBps);',
    },
  },
  {
    id: 'fees-summary/referral-booked-as-treasury',
    title: 'referral is booked to treasury',
    clause: 'split.referral',
    patch: {
      file: feeBookRules,
      before: 'const referral = share(lamports, split.referral);',
      after: 'const referral = 0;',
    },
  },
  {
    id: 'fees-summary/operations-booked-twice',
    title: 'operations are booked twice',
    clause: 'split.operations',
    patch: {
      file: feeBookRules,
      before: 'sums[at + SHARES] += operations;',
      after: 'sums[at + SHARES] += 2 * operations;',
    },
  },
  {
    id: 'fees-summary/contributors-not-booked',
    title: 'contributors are not booked',
    clause: 'split.contributors',
    patch: {
      file: feeBookRules,
      before: 'sums[at + SHARES + 1] += contributors;',
      after: 'sums[at + SHARES + 1] += 0;',
    },
  },
  {
    id: 'fees-summary/year-of-360-days',
    title: 'a year has 360 days',
    clause: 'split.development.fall',
    patch: { number: 'feeSplit.yearDays', value: 360 },
  },
  {
    id: 'fees-summary/schedule-built-in',
    title: 'the schedule shows built-in fees',
    clause: 'fees-summary.purpose',
    patch: {
      file: feesSummaryRules,
      before: 'function feeSchedule({ protocol, dialect, feeTable: { flat } }) {',
      after: 'function feeSchedule({ protocol, dialect, feeTable: { base: flat } }) {',
    },
  },
  {
    id: 'fees-summary/schedule-tiers-reversed',
    title: 'the tiers of heartbeats are reversed',
    clause: 'fees-summary.purpose',
    patch: {
      file: feesSummaryRules,
      before: 'heartbeat_tiers: [1, 2, 3].map((tier) => ({',
      after: 'heartbeat_tiers: [3, 2, 1].map((tier) => ({',
    },
  },
  {
    id: 'fees-summary/schedule-two-tiers',
    title: 'the third tier is not shown',
    clause: 'fees-summary.purpose',
    patch: {
      file: feesSummaryRules,
      before: 'heartbeat_tiers: [1, 2, 3].map((tier) => ({',
      after: 'heartbeat_tiers: [1, 2].map((tier) => ({',
    },
  },
  {
    id: 'fees-summary/schedule-ranges-off',
    title: 'ranges of tiers overlap',
    clause: 'fees-summary.purpose',
    patch: {
      file: feesSummaryRules,
      before: 'from: tier1HeartbeatsMax + 1, to',
      after: 'from: tier1HeartbeatsMax, to',
    },
  },
  {
    id: 'fees-summary/schedule-one-sigil',
    title: 'the schedule shows one SIGIL',
    clause: 'fees-summary.purpose',
    patch: {
      file: feesSummaryRules,
      before: 'sigil_tiers: identityClasses.map((identityClass) => ({',
      after: 'sigil_tiers: identityClasses.slice(0, 1).map((identityClass) => ({',
    },
  },
  {
    id: 'fees-summary/schedule-reissue-of-heartbeat',
    title: "the reissue is shown at a heartbeat's price",
    clause: 'fees-summary.purpose',
    patch: {
      file: feesSummaryRules,
      before: 'proof_reissuance_sol: solOf(flat.reissuance),',
      after: 'proof_reissuance_sol: solOf(flat.heartbeat_tier1),',
    },
  },
  {
    id: 'fees-summary/split-booked-as-last-seen',
    title: 'a fee is split as when somebody last looked',
    clause: 'split.development.fall',
    patch: {
      file: feeBookRules,
      before: 'const split = splitAt(book, nowMs);',
      after: 'const split = book.split;',
    },
  },
  {
    id: 'fees-summary/split-a-year-a-look',
    title: "development's share falls by one year a look, however many have passed",
    clause: 'split.development.fall',
    patch: {
      file: feeBookRules,
      before: 'book.years = yearsSince(book.protocol, book.genesisMs, nowMs);',
      after: 'book.years += 1;',
    },
  },
  {
    id: 'fees-summary/books-the-full-fee',
    title: 'of a subsidised reissue the full fee is booked',
    clause: 'split.operations',
    patch: {
      file: 'reference/registry/reissue-proof',
      before: "bookFee(registry.feeBook, 'reissuance', feeLamports, nowMs);",
      after: "bookFee(registry.feeBook, 'reissuance', registry.feeTable.flat.reissuance, nowMs);",
    },
  },
];
