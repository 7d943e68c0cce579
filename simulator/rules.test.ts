// Rules that an overlay changes, in simulations: what is paid and computed, under every invariant.
import { describe, expect, it } from 'vitest';
import type { SimulationResult } from '../results/simulation-result.js';
import type { Population, Scenario } from '../scenarios/scenario.js';
import { parseScenario } from '../scenarios/schema.js';
import { type Overlay, withOverlay } from '../spec/overlay.js';
import { blocksOf, documentAt } from '../test/fixtures/markdown.js';
import { lastOf, played, smallScenario } from '../test/fixtures/small-scenario.js';

/** One agent that freezes after each heartbeat: its heartbeats come every two hours. */
const sleeper: Partial<Population> = {
  heartbeat: { policy: 'interval', everySec: 7_200, jitter: 0 },
  hashesPerSec: 1_000_000_000,
  economics: { liveDayLamports: 0, heartbeatLamports: 0, gigahashLamports: 1 },
};

const under = (overlay: Overlay, parts: readonly Partial<Population>[] = [sleeper]): Scenario =>
  smallScenario(parts, { protocol: withOverlay(overlay) });

/** A parent of at most four children, each of which takes a second of work for 10,000 beats. */
const family = (formula: string): string => `format: 1
name: family
question: How many children?
duration: 1d
protocol: { formulas: { spawn.costBeats: '${formula}' } }
populations:
  - name: parent
    count: 1
    class: autonomous
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 5 SOL }
    hash_rate: 10M hashes/s
    spawning: { into: children, every: { distribution: fixed, mean: 1h }, children_max: 4 }
  - name: children
    count: 4
    class: narrow_task
    arrivals: { pattern: spawned }
    sigil: never
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 1 SOL }
    hash_rate: 10M hashes/s
measures: { every: 1h }
`;

const penaltyBy = (formula: string): Overlay => ({ parts: { formulas: { 'resync.penaltyBeats': formula } } });

describe('formulas in a simulation', () => {
  it('give the penalty: the text’s own form the same events, another one other work', () => {
    const text = played(under({}));
    const own = played(under(penaltyBy('min(resync.beatsPerMissedAnchor * missedAnchors, resync.beatsMax)')));
    expect(own.manifest.event_hash).toBe(text.manifest.event_hash);
    const half = played(under(penaltyBy('50 * missedAnchors')));
    expect([text, half].map((result) => lastOf(result, 'resyncs'))).toEqual([11, 11]);
    // 120 missed anchors: 10,000 beats, or 6,000, of 101 hashes each.
    expect(lastOf(text, 'gigahashes')).toBeCloseTo((11 * 10_000 * 101) / 1e9, 9);
    expect(lastOf(half, 'gigahashes')).toBeCloseTo((11 * 6_000 * 101) / 1e9, 9);
  });

  it('give the cost of a child to the beat', () => {
    const childrenAt = (formula: string): number => {
      const read = parseScenario(family(formula), 'family.yaml');
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      return lastOf(played(read.value), 'spawns');
    };
    expect(childrenAt('1000 + 100 * siblings')).toBe(4);
    expect(childrenAt('1000 / max(0, 1 - siblings)')).toBe(1);
  });

  it('of which nobody can prove the value leave an agent frozen, and end', () => {
    const never = played(under(penaltyBy('1 / 0')));
    expect([lastOf(never, 'resyncs'), lastOf(never, 'freezes')]).toEqual([0, 1]);
  });
});

describe('fees in a simulation', () => {
  const beating: Partial<Population> = { heartbeat: { policy: 'interval', everySec: 1_800, jitter: 0 } };
  const numbers = { heartbeat: { epochBeats: 600 } };
  const fees = (overlay: Overlay) => played(under({ ...numbers, ...overlay }, [beating]));

  it('of an epoch are paid once in each: three of ten hours in a day', () => {
    const [text, twoPart] = [fees({}), fees({ heartbeat: { epochBeats: 600, epochFeeLamports: 70_000 } })];
    expect(lastOf(twoPart, 'heartbeats')).toBe(lastOf(text, 'heartbeats'));
    expect(lastOf(twoPart, 'fees_lamports') - lastOf(text, 'fees_lamports')).toBe(3 * 70_000);
  });

  it('that are burnt in part leave the shares with the rest', () => {
    const { totals } = fees({ feeSplit: { burntBps: 2_500 } });
    const shares = ['operations', 'contributors', 'development', 'treasury', 'referral'];
    const shared = shares.reduce((sum, share) => sum + (totals[`fees_to_${share}_lamports`] ?? Number.NaN), 0);
    expect(totals['fees_lamports']).toBeGreaterThan(50_000_000);
    expect(shared * 4).toBe((totals['fees_lamports'] ?? 0) * 3);
  });

  it('of resyncs are paid at each return, and whoever cannot pay waits frozen', () => {
    const [text, paid] = [{}, { resync: { feeLamports: 40_000 } }].map((overlay) => played(under(overlay)));
    const feesOf = (result = text) => lastOf(result!, 'fees_lamports');
    expect(lastOf(paid!, 'resyncs')).toBe(11);
    expect(feesOf(paid) - feesOf(text)).toBe(11 * 40_000);
    expect(paid?.totals['reissuance_fees_lamports']).toBe(11 * 40_000);
    // The wallet has the SIGIL's fee and that of one heartbeat.
    const poor = { ...sleeper, budget: { walletLamports: 50_500_000, topUp: null } };
    const stuck = played(under({ resync: { feeLamports: 40_000 } }, [poor]));
    expect([lastOf(stuck, 'freezes'), lastOf(stuck, 'resyncs'), lastOf(stuck, 'frozen')]).toEqual([1, 0, 1]);
  });

  it('are planned for by agents that look ahead', () => {
    const ahead: Partial<Population> = {
      ...beating,
      heartbeat: { policy: 'keep_alive', marginSec: 120, spreadSec: 0 },
    };
    const result = played(under({ heartbeat: { epochFeeLamports: 70_000 } }, [ahead]));
    expect(lastOf(result, 'freezes')).toBe(0);
    expect(lastOf(result, 'heartbeats_refused')).toBe(0);
  });
});

describe('a deposit in a simulation', () => {
  const lamports = 7_000_000;
  const deposits = (result: SimulationResult) =>
    ['deposits_paid_lamports', 'deposits_forfeited_lamports'].map((name) => lastOf(result, name));

  it('is forfeited by each freeze and paid again at each return, apart from fees, and is a loss only once it is forfeited', () => {
    const [text, held] = [{}, { deposit: { lamports } }].map((overlay) => played(under(overlay)));
    if (text === undefined || held === undefined) throw new Error('two runs');
    const counts = (result: SimulationResult) =>
      ['freezes', 'resyncs', 'fees_lamports'].map((name) => lastOf(result, name));
    expect(counts(held)).toEqual([12, 11, 50_500_000]);
    expect(counts(text)).toEqual(counts(held));
    // One with the SIGIL and eleven with resyncs; the last freeze is not followed by a return.
    expect(deposits(held)).toEqual([12 * lamports, 12 * lamports]);
    expect(lastOf(text, 'profit_lamports') - lastOf(held, 'profit_lamports')).toBe(12 * lamports);
    expect(lastOf(text, 'wallet_lamports') - lastOf(held, 'wallet_lamports')).toBe(12 * lamports);
    const faithful = played(under({ deposit: { lamports } }, [{}]));
    expect(deposits(faithful)).toEqual([lamports, 0]);
  });

  it('keeps an agent frozen that cannot pay it again', () => {
    const poor = { ...sleeper, budget: { walletLamports: 57_500_000, topUp: null } };
    const stuck = played(under({ deposit: { lamports } }, [poor]));
    expect([lastOf(stuck, 'freezes'), lastOf(stuck, 'resyncs'), lastOf(stuck, 'frozen')]).toEqual([1, 0, 1]);
    expect(deposits(stuck)).toEqual([lamports, lamports]);
  });
});

describe('a grace in a simulation', () => {
  it('lets the first heartbeat after a freeze bring an agent back, as long as it has not missed more', () => {
    const [saved, late] = [60, 59].map((graceAnchors) => played(under({ dms: { graceAnchors } })));
    const counts = (result = saved) =>
      ['freezes', 'resyncs', 'heartbeats', 'frozen'].map((name) => lastOf(result!, name));
    // Heartbeats come every 120 anchors: 60 beyond the maximum.
    expect(counts(saved)).toEqual([12, 0, 12, 1]);
    expect(counts(late)).toEqual([12, 11, 1, 1]);
  });
});

describe('formulas in a scenario file', () => {
  const file = (formula: string): string =>
    `format: 1\nname: f\nquestion: f?\nduration: 1d\nprotocol:\n  formulas:\n    resync.penaltyBeats: ${formula}\npopulations:\n  - { name: a, count: 1, class: autonomous, heartbeat: { policy: interval, every: 30m }, budget: { wallet: 1 SOL }, hash_rate: 1M hashes/s }\nmeasures: { every: 1h }\n`;

  it('are read, and refused with line, key and position', () => {
    const read = parseScenario(file('70 * missedAnchors'), 'f.yaml');
    expect(read.ok && read.value.protocol.parts).toEqual({
      formulas: { 'resync.penaltyBeats': '70 * missedAnchors' },
    });
    const refused = parseScenario(file('70 * missedAnchor'), 'f.yaml');
    expect(refused.ok ? [] : refused.problems).toEqual([
      {
        file: 'f.yaml',
        line: 7,
        key: 'protocol.formulas.resync.penaltyBeats',
        message: 'position 6: missedAnchor is no name of this formula; did you mean missedAnchors?',
      },
    ]);
  });
});

describe('the example of docs/simulate.md', () => {
  const [example = ''] = blocksOf(documentAt('docs/simulate.md'), 'yaml').filter((block) =>
    block.includes('resync: {'),
  );
  const playedUnder = (overlay: Overlay) => {
    const read = parseScenario(example, 'example.yaml', overlay);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return played(read.value);
  };

  it('has the figures of its table', () => {
    const [free, charged] = [playedUnder({ resync: { feeLamports: 0 } }), playedUnder({})];
    const feesOf = (result: typeof free) =>
      ['faithful', 'freezing'].map((name) => lastOf(result, 'fees_lamports', name));
    expect([feesOf(free), feesOf(charged)]).toEqual([
      [2_708_000_000, 1_501_500_000],
      [2_708_000_000, 2_169_900_000],
    ]);
    expect(lastOf(charged, 'uptime_share', 'freezing')).toBeCloseTo(0.34, 2);
    const shares = ['operations', 'contributors', 'development', 'treasury', 'referral'];
    const shared = shares.reduce((sum, share) => sum + (charged.totals[`fees_to_${share}_lamports`] ?? Number.NaN), 0);
    expect((charged.totals['fees_lamports'] ?? 0) - shared).toBe(487_790_000);
  });

  it('has the figures of a deposit in place of the fee', () => {
    const held = example.replace('resync: { feeLamports: 1200000 }', 'deposit: { lamports: 1200000 }');
    const read = parseScenario(held.replace(/, list: .*]/, ''), 'deposit.yaml');
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const result = played(read.value);
    const of = (measure: string) => ['faithful', 'freezing'].map((name) => lastOf(result, measure, name));
    expect(of('fees_lamports')).toEqual([2_708_000_000, 1_501_500_000]);
    expect(of('deposits_paid_lamports')).toEqual([12_000_000, 680_400_000]);
    // 10 with SIGILs and 557 with resyncs, of which 564 freezes have taken one each.
    expect(of('deposits_forfeited_lamports')).toEqual([0, 676_800_000]);
    expect([of('resyncs'), of('freezes')]).toEqual([
      [0, 557],
      [0, 564],
    ]);
  });
});
