import { describe, expect, it } from 'vitest';
import { protocol } from '../../spec/protocol.js';
import { golden } from '../../test/fixtures/golden.js';
import {
  billingEpoch,
  classColumnOf,
  heartbeatCap,
  heartbeatFeeLamports,
  heartbeatTier,
  identityClassOf,
  sigilFeeLamports,
} from './fees.js';

interface TierCase {
  readonly name: string;
  readonly heartbeat_in_epoch: number;
  readonly tier: number;
  readonly lamports: number;
}

interface EpochCase {
  readonly name: string;
  readonly beat: number;
  readonly billing_epoch: number;
}

describe('heartbeat fees (4.5)', () => {
  it.each([
    [1, 1, 500_000],
    [2, 1, 500_000],
    [99, 1, 500_000],
    [100, 1, 500_000],
    [101, 2, 300_000],
    [999, 2, 300_000],
    [1_000, 2, 300_000],
    [1_001, 3, 200_000],
    [5_000, 3, 200_000],
    [20_000, 3, 200_000],
  ])('heartbeat %i of an epoch is of tier %i and costs %i lamports', (nth, tier, lamports) => {
    expect(heartbeatTier(protocol, nth)).toBe(tier);
    expect(heartbeatFeeLamports(protocol, heartbeatTier(protocol, nth))).toBe(lamports);
  });

  it.each(golden<TierCase>('fee-tiers'))('golden: $name', (entry) => {
    const tier = heartbeatTier(protocol, entry.heartbeat_in_epoch);
    expect({ tier, lamports: heartbeatFeeLamports(protocol, tier) }).toEqual({
      tier: entry.tier,
      lamports: entry.lamports,
    });
  });
});

describe('identity classes', () => {
  it.each([
    ['narrow_task', 50_000_000, 1_000],
    ['autonomous', 150_000_000, 5_000],
    ['orchestrator', 350_000_000, 20_000],
  ] as const)('%s costs %i lamports (4.6) and caps an epoch at %i heartbeats (4.5)', (identityClass, fee, cap) => {
    expect(sigilFeeLamports(protocol, identityClass)).toBe(fee);
    expect(heartbeatCap(protocol, classColumnOf(identityClass))).toBe(cap);
    expect(identityClassOf(classColumnOf(identityClass))).toBe(identityClass);
  });

  it('an agent without a SIGIL has no class and the cap of narrow_task (D-50)', () => {
    expect(identityClassOf(0)).toBeNull();
    expect(heartbeatCap(protocol, 0)).toBe(1_000);
  });
});

describe('billing epochs (D-04)', () => {
  it.each(golden<EpochCase>('epochs'))('$name', (entry) => {
    expect(billingEpoch(protocol, entry.beat)).toBe(entry.billing_epoch);
  });
});
