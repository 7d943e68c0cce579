import { describe, expect, it } from 'vitest';
import { protocol } from '../../spec/protocol.js';
import { golden } from '../../test/fixtures/golden.js';
import { codeOf, nowMsOf, paymentOf, putAgent, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { feeTotals } from './fee-book.js';
import {
  billingEpoch,
  classColumnOf,
  heartbeatCap,
  heartbeatFeeLamports,
  heartbeatTier,
  identityClassOf,
  sigilFeeLamports,
} from './fees.js';
import { heartbeat } from './heartbeat.js';

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

const feeOf = (nth: number): number => heartbeatFeeLamports(protocol, heartbeatTier(protocol, nth));

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
    expect(feeOf(nth)).toBe(lamports);
  });

  it.each(golden<TierCase>('fee-tiers'))('golden: $name', (entry) => {
    const tier = heartbeatTier(protocol, entry.heartbeat_in_epoch);
    expect({ tier, lamports: heartbeatFeeLamports(protocol, tier) }).toEqual({
      tier: entry.tier,
      lamports: entry.lamports,
    });
  });
});

describe('every heartbeat of an epoch (4.5)', () => {
  /** 4.5 in lamports, from the last row up: the first heartbeat that a row covers. */
  const rows: readonly (readonly [from: number, tier: number, lamports: number])[] = [
    [1_001, 3, 200_000],
    [101, 2, 300_000],
    [1, 1, 500_000],
  ];
  const rowOfNth = (nth: number) => rows.find(([from]) => nth >= from) ?? [0, 0, 0];
  const EVERY = Array.from({ length: 20_000 }, (_, i) => i + 1);

  it('1 to 20,000 has the tier and the fee of its row', () => {
    const told = EVERY.map((nth) => [nth, heartbeatTier(protocol, nth), feeOf(nth)]);
    expect(told).toEqual(EVERY.map((nth) => [nth, ...rowOfNth(nth).slice(1)]));
  });

  it('1 to 20,000 is charged so by the rule, whose 20,001st is over the cap', () => {
    const registry = testRegistry({ policy: { lineage: false } });
    const agent = testAgent(registry, { sigil: 'orchestrator' });
    const { columns } = registry.agents;
    const send = (lamports: number) => {
      // An epoch has room for 10,000 intervals of 10 beats; the interval is a rule of its own.
      putAgent(registry, agent, { lastHeartbeatBeat: -1 });
      return heartbeat(registry, { agent, payment: paymentOf(registry, agent, lamports, null) }, nowMsOf(registry));
    };
    for (const nth of EVERY) {
      const [, tier, lamports] = rowOfNth(nth);
      const others = rows.map(([, , fee]) => fee).filter((fee) => fee !== lamports);
      for (const fee of others) expect([nth, codeOf(send(fee))]).toEqual([nth, 'heartbeat/PAYMENT_INVALID']);
      expect(send(lamports)).toMatchObject({ ok: true, epochHeartbeats: nth, tier, feeLamports: lamports });
    }
    expect(codeOf(send(200_000))).toBe('heartbeat/VOLUME_CAP_REACHED');
    expect(columns.epochHeartbeats[agent]).toBe(20_000);
    // 100 at 0.0005, 900 at 0.0003 and 19,000 at 0.0002 SOL.
    expect(feeTotals(registry.feeBook, 'heartbeat')).toMatchObject({ count: 20_000, totalLamports: 4_120_000_000 });
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
