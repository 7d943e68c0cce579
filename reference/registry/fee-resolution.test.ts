import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { GENESIS_MS, testRegistry, walletRoot } from '../../test/fixtures/registry.js';
import { heartbeatFee, reissueFee } from './fee-resolution.js';
import { setFeeTable } from './fee-table.js';
import type { Registry } from './state.js';
import { grantSubsidy, type SubsidyInput } from './subsidy.js';

let registry: Registry;
let agent: number;
beforeEach(() => {
  registry = testRegistry();
  ({ agent } = walletRoot(registry, 'payer'));
});

const grant = (change: Partial<SubsidyInput>) => {
  const terms = { agent, feeType: 'heartbeat', discountBps: 5_000, reason: 'launch', validUntilMs: null } as const;
  return grantSubsidy(registry, { ...terms, ...change }, GENESIS_MS);
};

describe('a fee', () => {
  it('follows subsidy, then fee table, then environment, then the built-in', () => {
    registry = testRegistry({ policy: { feeOverrides: { heartbeat_tier1: 400_000, reissuance: 1 } } });
    ({ agent } = walletRoot(registry, 'payer'));
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
});

describe('a subsidy', () => {
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
});
