import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FeeType } from '../../spec/vocabulary.js';
import {
  codeOfOutcome,
  GENESIS_MS,
  payment,
  testRegistry,
  walletRoot,
  withSigil,
} from '../../test/fixtures/registry.js';
import { feeTotals } from './fee-book.js';
import { heartbeatFee, reissueFee, sigilFee } from './fee-resolution.js';
import { setFeeTable } from './fee-table.js';
import { feesSummary } from './fees-summary.js';
import { heartbeat } from './heartbeat.js';
import type { Registry } from './state.js';
import { endSubsidy, grantSubsidy, type SubsidyInput } from './subsidy.js';

let registry: Registry;
let agent: number;
let wallet: number;
beforeEach(() => {
  registry = testRegistry();
  ({ agent, wallet } = walletRoot(registry, 'payer'));
});

const grant = (change: Partial<SubsidyInput> = {}, nowMs = GENESIS_MS) =>
  grantSubsidy(
    registry,
    { agent, feeType: 'heartbeat', discountBps: 5_000, reason: 'launch', validUntilMs: null, ...change },
    nowMs,
  );

describe('a fee', () => {
  it('is the built-in one', () => {
    expect([1, 2, 3].map((tier) => heartbeatFee(registry, agent, tier as 1 | 2 | 3, GENESIS_MS))).toEqual([
      500_000, 300_000, 200_000,
    ]);
    expect(sigilFee(registry, agent, 'narrow_task', GENESIS_MS)).toBe(50_000_000);
    expect(sigilFee(registry, agent, 'autonomous', GENESIS_MS)).toBe(150_000_000);
    expect(sigilFee(registry, agent, 'orchestrator', GENESIS_MS)).toBe(350_000_000);
    expect(reissueFee(registry, agent, GENESIS_MS)).toBe(200_000);
  });

  it('follows subsidy, then fee table, then environment, then the built-in', () => {
    registry = testRegistry({ policy: { feeOverrides: { heartbeat_tier1: 400_000, reissuance: 1 } } });
    ({ agent, wallet } = walletRoot(registry, 'payer'));
    const now = () => [heartbeatFee(registry, agent, 1, GENESIS_MS), heartbeatFee(registry, agent, 2, GENESIS_MS)];
    expect(now()).toEqual([400_000, 300_000]);
    setFeeTable(registry.feeTable, { heartbeat_tier1: 600_000, heartbeat_tier2: 0 });
    expect(now()).toEqual([600_000, 0]);
    grant({ discountBps: 2_500 });
    expect(now()).toEqual([450_000, 0]);
    setFeeTable(registry.feeTable, {});
    expect(now()).toEqual([300_000, 225_000]);
    expect(reissueFee(registry, agent, GENESIS_MS)).toBe(1);
  });

  it('is shown in the schedule as the table has it', () => {
    setFeeTable(registry.feeTable, { sigil_autonomous: 7, heartbeat_tier3: 8, reissuance: 9_000_000_000 });
    const { schedule } = feesSummary(registry, 'x', GENESIS_MS);
    expect(schedule.sigil_tiers.map(({ lamports }) => lamports)).toEqual([50_000_000, 7, 350_000_000]);
    expect(schedule.heartbeat_tiers.map(({ lamports }) => lamports)).toEqual([500_000, 300_000, 8]);
    expect(schedule.proof_reissuance_sol).toBe(9);
  });
});

describe('a subsidy', () => {
  it.each([
    [5_000, undefined, 250_000],
    [1, undefined, 499_950],
    [9_999, undefined, 5_000],
    [10_000, undefined, 5_000],
    [10_000, 0, 1],
    [10_000, 600_000, 500_000],
    [3_333, 0, 333_350],
  ])('of %s bps with floor %s leaves %s of a heartbeat', (discountBps, floorLamports, fee) => {
    grant({ discountBps, floorLamports });
    expect(heartbeatFee(registry, agent, 1, GENESIS_MS)).toBe(fee);
  });

  it('never raises a fee nor goes below its floor, in exact integers', () => {
    const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(safe, safe, fc.integer({ min: 1, max: 10_000 }), (base, floorLamports, discountBps) => {
        setFeeTable(registry.feeTable, { reissuance: base });
        grant({ feeType: 'reissuance', discountBps, floorLamports });
        const exact = (BigInt(base) * BigInt(10_000 - discountBps)) / 10_000n;
        const least = floorLamports === 0 ? 1n : BigInt(floorLamports);
        const floored = exact > least ? exact : least;
        const wanted = floored < BigInt(base) ? floored : BigInt(base);
        return BigInt(reissueFee(registry, agent, GENESIS_MS)) === wanted;
      }),
    );
  });

  it('is for one agent and one type of fee, and is replaced by the next', () => {
    grant();
    const other = walletRoot(registry, 'other').agent;
    expect(heartbeatFee(registry, other, 1, GENESIS_MS)).toBe(500_000);
    expect(reissueFee(registry, agent, GENESIS_MS)).toBe(200_000);
    grant({ discountBps: 1_000 });
    expect(heartbeatFee(registry, agent, 1, GENESIS_MS)).toBe(450_000);
  });

  it('counts through the last millisecond of its time', () => {
    grant({ validUntilMs: GENESIS_MS + 10 });
    expect(heartbeatFee(registry, agent, 1, GENESIS_MS + 10)).toBe(250_000);
    expect(heartbeatFee(registry, agent, 1, GENESIS_MS + 11)).toBe(500_000);
    const end = (feeType: FeeType, nowMs: number, row = agent) =>
      codeOfOutcome(endSubsidy(registry, { agent: row, feeType }, nowMs));
    expect(end('heartbeat', GENESIS_MS + 11)).toBe('SUBSIDY_NOT_FOUND');
    expect(end('sigil', GENESIS_MS)).toBe('SUBSIDY_NOT_FOUND');
    expect(end('heartbeat', GENESIS_MS, -1)).toBe('AGENT_NOT_FOUND');
    expect(end('heartbeat', GENESIS_MS)).toBe('ok');
    expect(end('heartbeat', GENESIS_MS)).toBe('SUBSIDY_NOT_FOUND');
  });

  it.each<[string, Partial<SubsidyInput>, string]>([
    ['for nobody', { agent: -1 }, 'AGENT_NOT_FOUND'],
    ['without a reason', { reason: ' ' }, 'SUBSIDY_INVALID'],
    ['that has ended', { validUntilMs: GENESIS_MS - 1 }, 'SUBSIDY_INVALID'],
    ['that ends now', { validUntilMs: GENESIS_MS }, 'ok'],
  ])('%s', (_name, change, code) => {
    expect(codeOfOutcome(grant(change))).toBe(code);
  });

  it('is what a heartbeat has to pay, and what is booked; the tier stays', () => {
    withSigil(registry, { agent });
    grant();
    const sendHeartbeat = (lamports: number) =>
      heartbeat(registry, { agent, payment: payment(wallet, lamports) }, GENESIS_MS);
    expect(codeOfOutcome(sendHeartbeat(500_000))).toBe('PAYMENT_INVALID');
    expect(sendHeartbeat(250_000)).toMatchObject({ ok: true, feeLamports: 250_000, tier: 1 });
    expect(feeTotals(registry.feeBook, 'heartbeat')).toMatchObject({ count: 1, totalLamports: 250_000 });
  });
});
