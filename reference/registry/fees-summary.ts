/** The reply of GET /fees/summary (D-22). It reads the fee book and the fee table and changes neither. */

import { solOf } from '../../spec/formats.js';
import { classesOf } from '../../spec/parts.js';
import { type FeeShare, feeShares, feeTypes } from '../../spec/vocabulary.js';
import { feeTotals, splitAt } from './fee-book.js';
import type { Registry } from './state.js';

/** `narrow_task` as people read it: Narrow Task. */
const labelOf = (identityClass: string): string =>
  identityClass.replaceAll(
    /(^|_)([a-z])/g,
    (_, gap: string, letter: string) => (gap === '' ? '' : ' ') + letter.toUpperCase(),
  );

type Allocation = Record<`${FeeShare}_lamports`, number> & { readonly burnt_lamports?: number };

/** The shares of a total. The burnt rest is shown where a change burns a part of each fee. */
function allocation(total: number, shares: Readonly<Record<FeeShare, number>>, burns: boolean): Allocation {
  const split = Object.fromEntries(feeShares.map((share) => [`${share}_lamports`, shares[share]])) as Allocation;
  const kept = feeShares.reduce((sum, share) => sum + shares[share], 0);
  return burns ? { ...split, burnt_lamports: total - kept } : split;
}

/** D-22: paid fees, their split, and the schedule of fees. */
export function feesSummary(registry: Registry, paymentAddress: string, nowMs: number) {
  const { feeBook, protocol } = registry;
  const { burntBps } = protocol.feeSplit;
  const totals = feeTypes.map((type) => ({ type, ...feeTotals(feeBook, type) }));
  const total = totals.reduce((sum, { totalLamports }) => sum + totalLamports, 0);
  const shareSum = (share: FeeShare): number => totals.reduce((sum, { shares }) => sum + shares[share], 0);
  const overall = Object.fromEntries(feeShares.map((share) => [share, shareSum(share)])) as Record<FeeShare, number>;
  return {
    ok: true as const,
    payment_address: paymentAddress,
    payment_chain: 'solana',
    total_lamports: total,
    total_sol: solOf(total),
    by_type: totals.map(({ type, count, totalLamports, shares }) => ({
      fee_type: type,
      count,
      total_lamports: totalLamports,
      total_sol: solOf(totalLamports),
      allocation: allocation(totalLamports, shares, burntBps > 0),
    })),
    overall_allocation: allocation(total, overall, burntBps > 0),
    fee_split_bps: { ...splitAt(feeBook, nowMs), ...(burntBps > 0 ? { burnt: burntBps } : {}) },
    schedule: feeSchedule(registry),
    ...depositsShown(registry),
  };
}

/** The deposits, where an overlay has them. What is forfeited is the treasury's, and in no share of fees. */
function depositsShown({ protocol: { deposit }, deposits }: Registry) {
  if (deposit.lamports === 0) return {};
  const { heldLamports, forfeitedLamports } = deposits;
  return {
    deposits: { lamports: deposit.lamports, held_lamports: heldLamports, forfeited_lamports: forfeitedLamports },
  };
}

/** 4.17: the fees without subsidies. */
function feeSchedule({ protocol, dialect, feeTable: { flat } }: Registry) {
  const { tier1HeartbeatsMax, tier2HeartbeatsMax, epochFeeLamports: once } = protocol.heartbeat;
  const identityClasses = classesOf(protocol);
  const priced = (lamports: number) => ({ sol: solOf(lamports), lamports });
  const ranges = [
    { from: 1, to: tier1HeartbeatsMax },
    { from: tier1HeartbeatsMax + 1, to: tier2HeartbeatsMax },
    { from: tier2HeartbeatsMax + 1, to: null },
  ] as const;
  const named = ({ from, to }: (typeof ranges)[number]) =>
    dialect.heartbeatTiers === 'from-to' ? { from, to } : { range: to === null ? `${from}+` : `${from}-${to}` };
  return {
    sigil_tiers: identityClasses.map((identityClass) => ({
      identity_class: identityClass,
      label: labelOf(identityClass),
      ...priced(flat[`sigil_${identityClass}`] as number),
    })),
    heartbeat_tiers: ([1, 2, 3] as const).map((tier) => ({
      ...named(ranges[tier - 1] as (typeof ranges)[number]),
      ...priced(flat[`heartbeat_tier${tier}`]),
    })),
    ...(once > 0 ? { heartbeat_epoch: priced(once) } : {}),
    proof_reissuance_sol: solOf(flat.reissuance),
  };
}
