import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { protocol } from '../../spec/protocol.js';
import { golden } from '../../test/fixtures/golden.js';
import {
  codeOf,
  nowMsOf,
  passAnchors,
  paymentOf,
  putAgent,
  testAgent,
  testChild,
  testRegistry,
} from '../../test/fixtures/registry.js';
import { beatStatus } from './beat-status.js';
import { billingEpoch, heartbeatFeeLamports, heartbeatTier } from './fees.js';
import { heartbeat, heartbeatsInEpoch } from './heartbeat.js';
import { sponsor, usedInEpoch } from './sponsor.js';

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
    const tiers = EVERY.map((nth) => [nth, heartbeatTier(protocol, nth), feeOf(nth)]);
    expect(tiers).toEqual(EVERY.map((nth) => [nth, ...rowOfNth(nth).slice(1)]));
  });

  it('comes to 4.12 SOL for all of them', () => {
    // 100 at 0.0005, 900 at 0.0003 and 19,000 at 0.0002 SOL.
    expect(EVERY.reduce((sum, nth) => sum + feeOf(nth), 0)).toBe(4_120_000_000);
  });
});

describe('billing epochs (D-04)', () => {
  it.each(golden<EpochCase>('epochs'))('$name', (entry) => {
    expect(billingEpoch(protocol, entry.beat)).toBe(entry.billing_epoch);
  });
});

describe('the turn of a billing epoch (4.5, D-04, D-30)', () => {
  const EPOCH = 100_000;
  const CAP = 1_000;
  const visit = fc.record({
    epochsOn: fc.constantFrom(0, 0, 1, 2),
    /** The distance from a boundary. */
    offset: fc.integer({ min: -11, max: 11 }),
    /** The count of heartbeats in this epoch that the agent is given; null: the count that it has. */
    made: fc.constantFrom(null, null, 98, 99, 100, 998, 999, 1_000),
  });
  const tierOf = (nth: number): number => (nth > 1_000 ? 3 : nth > 100 ? 2 : 1);
  const FEES = [0, 500_000, 300_000, 200_000];

  /** An agent as this test counts it. */
  interface Counted {
    readonly agent: number;
    last: number;
    total: number;
    readonly inEpoch: Map<number, number>;
  }

  function expected(one: Counted, beat: number, spent: () => boolean): string | object {
    const epoch = Math.floor(beat / EPOCH);
    const nth = (one.inEpoch.get(epoch) ?? 0) + 1;
    if (one.last >= 0 && beat - one.last < 10) return 'heartbeat/HEARTBEAT_TOO_SOON';
    if (nth > CAP) return 'heartbeat/VOLUME_CAP_REACHED';
    if (spent()) return 'heartbeat/SPONSOR_CAP_REACHED';
    one.inEpoch.set(epoch, nth);
    one.last = beat;
    one.total += 1;
    const [tier, total] = [tierOf(nth), one.total];
    const counts = { beat, billingEpoch: epoch, epochHeartbeats: nth, totalHeartbeats: total };
    return { ok: true, ...counts, tier, feeLamports: FEES[tier] };
  }

  it('[heartbeat.cap.next-epoch] [sponsor.use.reset] restarts count, tier, cap and sponsored use at multiples of 100,000 beats, and nowhere else', () => {
    const seen = new Set<unknown>();
    const property = fc.property(fc.array(visit, { minLength: 5, maxLength: 12 }), (visits) => {
      const registry = testRegistry({
        overlay: { dms: { missedAnchorsMax: 10 * EPOCH * 24 } },
        policy: { lineage: false },
      });
      const root = testAgent(registry);
      const child = testChild(registry, root);
      const given = sponsor(registry, { agent: root, child, heartbeatsEpochMax: 1 }, nowMsOf(registry));
      if (!given.ok) throw new Error(codeOf(given));
      const line = [root, child].map((agent): Counted => ({ agent, last: -1, total: 0, inEpoch: new Map() }));
      const used = new Map<number, number>();
      let turn = EPOCH;
      for (const { epochsOn, offset, made } of visits) {
        turn += epochsOn * EPOCH;
        passAnchors(registry, Math.max(0, turn + offset - registry.anchorIndex));
        const beat = registry.anchorIndex;
        const epoch = Math.floor(beat / EPOCH);
        for (const one of line) {
          const { agent } = one;
          if (made !== null && one.total > 0) {
            putAgent(registry, agent, { epoch, epochHeartbeats: made });
            one.inEpoch.set(epoch, made);
          }
          const uses = used.get(epoch) ?? 0;
          const wanted = expected(one, beat, () => agent === child && uses >= 1);
          if (agent === child && typeof wanted !== 'string') used.set(epoch, uses + 1);
          const fee = FEES[tierOf(heartbeatsInEpoch(registry, agent, epoch) + 1)] ?? 0;
          const payment = paymentOf(registry, root, fee, null);
          const result = heartbeat(registry, { agent, payment }, nowMsOf(registry));
          expect(result.ok ? result : codeOf(result)).toEqual(wanted);
          seen.add(typeof wanted === 'string' ? wanted : beat % EPOCH);
          const count = one.inEpoch.get(epoch) ?? 0;
          const view = { billing_epoch: epoch, count_in_epoch: count, volume_cap: CAP, remaining: CAP - count };
          expect(beatStatus(registry, agent, nowMsOf(registry)).heartbeat_epoch).toMatchObject(view);
        }
        expect(usedInEpoch(registry, given.sponsorship)).toBe(used.get(epoch) ?? 0);
      }
    });
    fc.assert(property, { seed: 100_000, numRuns: 50 });
    for (const code of ['HEARTBEAT_TOO_SOON', 'VOLUME_CAP_REACHED', 'SPONSOR_CAP_REACHED']) {
      expect(seen).toContain(`heartbeat/${code}`);
    }
    // Heartbeats took place at both the last beat of an epoch and the first of the next.
    for (const at of [99_998, 99_999, 0, 1]) expect(seen).toContain(at);
  });
});
