import { describe, expect, it } from 'vitest';
import { withOverlay } from '../../spec/overlay.js';
import { protocol } from '../../spec/protocol.js';
import { DAY_SEC } from '../../spec/time.js';
import { drawArrivalSec, NO_ARRIVAL_YET } from './arrival.js';
import { drawClass } from './class-mix.js';
import { drawDurationSec } from './duration.js';
import { drawTarget, sustains } from './flag-policy.js';
import { firstHeartbeatSec, type HeartbeatPolicy, type HeartbeatView, nextHeartbeatSec } from './heartbeat-policy.js';
import { drawPaymentOutcome } from './payment-faults.js';
import type { RandomStream } from './random-stream.js';
import { planResync } from './resync-policy.js';
import { beatsComputed, limitsReached, type SpawnPolicy } from './spawn-policy.js';
import { asksForTopUp } from './top-up.js';
import { workDifficulty } from './work-difficulty.js';

/** Luck that always draws the same share of one, and says how often it was asked. */
function randomOf(u: number): RandomStream & { draws: number } {
  const random = {
    draws: 0,
    uniform: () => {
      random.draws += 1;
      return u;
    },
    exponential: (mean: number) => mean * random.uniform() * 2,
    logNormal: (mean: number, sigma: number) => mean * sigma * random.uniform(),
    weibull: (mean: number, shape: number) => (mean / shape) * random.uniform(),
  };
  return random;
}

/** Fees of 5, and of 2 after the hundredth; the epoch ends at 100,000 s. */
const view: HeartbeatView = {
  epoch: 0,
  epochEndsSec: 100_000,
  freezeAfterSec: 3_660,
  walletLamports: 1_000,
  epochHeartbeats: 0,
  behaviour: (name) => {
    throw new Error(`no behaviour is named ${name}`);
  },
  power: (base, exponent) => base ** exponent,
  costLamports: (count) => 5 * Math.min(count, 100) + 2 * Math.max(0, count - 100),
};

describe('when an agent beats', () => {
  const every = { policy: 'interval', everySec: 1_000, jitter: 0 } as const;
  const jittered = { policy: 'interval', everySec: 1_000, jitter: 0.2 } as const;
  const late = { policy: 'keep_alive', marginSec: 300, spreadSec: 600 } as const;

  it.each([
    ['an interval', every, 0.5, 6_000],
    ['an interval with jitter, unlucky', jittered, 0, 5_800],
    ['an interval with jitter, lucky', jittered, 1, 6_200],
    ['a keep-alive at its latest', late, 0, 8_360],
    ['a keep-alive at its earliest', late, 1, 7_760],
  ])('%s', (_name, policy, u, expected) => {
    expect(nextHeartbeatSec(policy, 5_000, 8_660, randomOf(u), view)).toBe(expected);
  });

  it('draws nothing where nothing is left to chance', () => {
    const random = randomOf(0.5);
    nextHeartbeatSec(every, 0, 3_660, random, view);
    nextHeartbeatSec({ ...late, spreadSec: 0 }, 0, 3_660, random, view);
    expect(random.draws).toBe(0);
  });

  it('never plans for the present or the past', () => {
    expect(nextHeartbeatSec(late, 8_500, 8_660, randomOf(1), view)).toBe(8_501);
    expect(nextHeartbeatSec({ policy: 'interval', everySec: 1, jitter: 1 }, 50, 99, randomOf(0), view)).toBe(51);
  });

  const bounds = { shortestSec: 300, longestSec: 7_000 };
  const elastic = { policy: 'elastic', everySec: 1_000, atLamports: 5, elasticity: 2, ...bounds } as const;

  it.each([
    ['at the fee where it is every', 5, 1_000],
    ['at twice that fee: by the square', 10, 4_000],
    ['at four times that fee: the longest', 20, 7_000],
    ['at a fifth of that fee: the shortest', 1, 300],
    ['where heartbeats are free: the shortest', 0, 300],
  ])('an elastic wait %s', (_name, fee, waitSec) => {
    const at = { ...view, costLamports: (count: number) => fee * count };
    expect(nextHeartbeatSec(elastic, 5_000, 8_660, randomOf(0.5), at)).toBe(5_000 + waitSec);
    expect(firstHeartbeatSec(elastic, 5_000, 8_660, randomOf(0.999_999), at)).toBe(5_000 + waitSec);
    expect(nextHeartbeatSec({ ...elastic, elasticity: 0 }, 5_000, 8_660, randomOf(0.5), at)).toBe(6_000);
  });

  it('beats first anywhere in the first interval, or at its keep-alive', () => {
    expect(firstHeartbeatSec(every, 100, 3_660, randomOf(0), view)).toBe(101);
    expect(firstHeartbeatSec(every, 100, 3_660, randomOf(0.9999), view)).toBe(1_100);
    expect(firstHeartbeatSec(late, 0, 3_660, randomOf(0), view)).toBe(3_360);
  });
});

describe('policies that look further', () => {
  const daily = { policy: 'daily', fromSec: 8 * 3_600, forSec: 36_000, everySec: 1_200, marginSec: 300 } as const;
  const thrifty = { policy: 'thrifty', everySec: 600, worthLamports: 3, marginSec: 660 } as const;
  const straddle = { policy: 'straddle', everySec: 600, turns: 2, marginSec: 660 } as const;
  const demand = { policy: 'on_demand', everySec: DAY_SEC, forSec: 3_600, beatSec: 900 } as const;

  it.each<[string, HeartbeatPolicy, number, number, Partial<HeartbeatView>, number]>([
    ['daily, in its hours', daily, 10 * 3_600, 99_999, {}, 10 * 3_600 + 1_200],
    ['daily, at night: a keep-alive', daily, 20 * 3_600, 20 * 3_600 + 3_660, {}, 20 * 3_600 + 3_360],
    ['daily, before dawn: when it wakes', daily, DAY_SEC + 7.5 * 3_600, 2 * DAY_SEC, {}, DAY_SEC + 8 * 3_600 + 600],
    ['a budget of 48 fees a day', { policy: 'budget', dayLamports: 240 }, 1_000, 4_660, {}, 2_800],
    ['thrifty: the many cheap ones to come pay for it', thrifty, 0, 3_660, {}, 3_000],
    ['thrifty: worth it in a longer epoch', { ...thrifty, worthLamports: 4 }, 0, 3_660, { epochEndsSec: 1e6 }, 600],
    ['thrifty: never worth it', { ...thrifty, worthLamports: 1 }, 0, 3_660, { epochEndsSec: 1e6 }, 3_000],
    ['straddling, in an epoch of haste', straddle, 0, 3_660, { epoch: 2 }, 600],
    ['straddling, in an epoch of rest', straddle, 0, 3_660, { epoch: 1 }, 3_000],
    ['straddling, at the end of a rest', straddle, 99_000, 102_660, { epoch: 1 }, 100_000],
    ['on demand, in its hour', demand, DAY_SEC + 900, DAY_SEC + 4_560, {}, DAY_SEC + 1_800],
    ['on demand, after it: the next day', demand, DAY_SEC + 3_000, DAY_SEC + 6_660, {}, 2 * DAY_SEC + 450],
    ['spam', { policy: 'spam', everySec: 7 }, 50, 99, {}, 57],
  ])('%s', (_name, policy, nowSec, freezesAtSec, changed, expected) => {
    expect(nextHeartbeatSec(policy, nowSec, freezesAtSec, randomOf(0.5), { ...view, ...changed })).toBe(expected);
  });

  it('first beats fall anywhere in an interval', () => {
    for (const policy of [straddle, thrifty, { policy: 'spam', everySec: 600 } as const]) {
      expect(firstHeartbeatSec(policy, 100, 3_660, randomOf(0.5), view)).toBe(401);
    }
    expect(firstHeartbeatSec({ policy: 'budget', dayLamports: 240 }, 100, 3_660, randomOf(0.5), view)).toBe(1_001);
    expect(firstHeartbeatSec(demand, 100, 3_660, randomOf(0.5), view)).toBe(551);
  });
});

describe('parents', () => {
  const policy: SpawnPolicy = {
    into: 'brood',
    every: { distribution: 'fixed', meanSec: 60 },
    childrenMax: 3,
    depthMax: 2,
    beatsMax: 2_000,
    sponsor: null,
  };
  it.each([
    ['within all limits', { requiredBeats: 2_000, depth: 1, children: 2 }, true],
    ['too dear', { requiredBeats: 2_001, depth: 1, children: 2 }, false],
    ['too deep', { requiredBeats: 1_000, depth: 2, children: 0 }, false],
    ['too many', { requiredBeats: 1_000, depth: 0, children: 3 }, false],
  ])('want a child: %s', (_name, told, expected) => expect(limitsReached(policy, told).length === 0).toBe(expected));

  it('compute what they claim, or three beats', () => {
    expect(beatsComputed(10_000, false, 3)).toBe(10_000);
    expect(beatsComputed(10_000, true, 3)).toBe(3);
    expect(beatsComputed(2, true, 3)).toBe(2);
  });
});

describe('complaints and payments', () => {
  const reviews = { delay: { distribution: 'fixed', meanSec: 1 }, accuracy: 0.9, resolve: null } as const;
  it.each([
    ['finds what is the case', true, 0.89, true],
    ['finds what is the case', false, 0.89, false],
    ['errs', true, 0.91, false],
    ['errs', false, 0.91, true],
  ])('a review %s (%s at %f)', (_name, misbehaves, u, expected) => {
    expect(sustains(reviews, misbehaves, randomOf(u))).toBe(expected);
  });

  it('every target is as likely as another', () => {
    expect([0, 0.24, 0.25, 0.999].map((u) => drawTarget(4, randomOf(u)))).toEqual([0, 0, 1, 3]);
  });

  const rates = { late: 0.2, delay: { distribution: 'fixed', meanSec: 90 }, dropped: 0.1, retrySec: 60 } as const;
  it.each([
    [0.09, { outcome: 'dropped', sec: 60 }],
    [0.11, { outcome: 'late', sec: 90 }],
    [0.29, { outcome: 'late', sec: 90 }],
    [0.31, { outcome: 'prompt' }],
  ])('a payment at %f', (u, expected) => expect(drawPaymentOutcome(rates, randomOf(u))).toEqual(expected));
});

describe('arrivals', () => {
  it.each([
    ['at', { pattern: 'at', timeSec: 60 } as const, 999, 60],
    ['uniform', { pattern: 'uniform', fromSec: 100, overSec: 200 } as const, 999, 150],
    ['poisson, the first', { pattern: 'poisson', fromSec: 100, gapSec: 40 } as const, NO_ARRIVAL_YET, 120],
    ['poisson, a later one', { pattern: 'poisson', fromSec: 100, gapSec: 40 } as const, 1_000, 1_020],
  ])('%s', (_name, pattern, previous, expected) => {
    expect(drawArrivalSec(pattern, previous, randomOf(0.25), 1)).toBe(expected);
  });
});

describe('outages', () => {
  it.each([
    ['fixed', { distribution: 'fixed', meanSec: 90 } as const, 90],
    ['exponential', { distribution: 'exponential', meanSec: 90 } as const, 90],
    ['lognormal', { distribution: 'lognormal', meanSec: 90, sigma: 2 } as const, 90],
    ['weibull', { distribution: 'weibull', meanSec: 90, shape: 0.5 } as const, 90],
    ['at least a second', { distribution: 'exponential', meanSec: 0.1 } as const, 1],
    ['at most 20 years', { distribution: 'fixed', meanSec: 1e12 } as const, 630_720_000],
  ])('%s', (_name, span, expected) => expect(drawDurationSec(span, randomOf(0.5))).toBe(expected));
});

describe('class mixes', () => {
  const mix = { narrow_task: 0.5, autonomous: 0, orchestrator: 0.5 };
  it.each([
    [0.0001, 'narrow_task'],
    [0.4999, 'narrow_task'],
    [0.5, 'orchestrator'],
    [0.9999, 'orchestrator'],
  ])('%f draws %s', (u, expected) => expect(drawClass(mix, randomOf(u))).toBe(expected));

  it('the last class takes what rounding leaves', () => {
    expect(drawClass({ narrow_task: 0.1, autonomous: 0.7, orchestrator: 0 }, randomOf(0.99))).toBe('autonomous');
  });
});

describe('what a frozen agent sets out to compute', () => {
  // 101 hashes a beat at the lowest difficulty that is taken: this rate makes 100 beats a second.
  const view = { gapAnchors: 61, secToNextAnchor: 60, hashesPerSec: 10_100, difficulty: 100, forges: false };
  it.each([
    [
      'done before the next anchor: 100 for each missed one',
      { ...view, hashesPerSec: 20_200 },
      { beats: 6_100, workSec: 31 },
    ],
    ['one anchor comes meanwhile', view, { beats: 6_200, workSec: 62 }],
    [
      'the anchor comes in the second in which the work ends',
      { ...view, secToNextAnchor: 61 },
      { beats: 6_200, workSec: 62 },
    ],
    ['the cap of 10,000', { ...view, gapAnchors: 150 }, { beats: 10_000, workSec: 100 }],
    ['too slow to keep up: the cap', { ...view, hashesPerSec: 101 }, { beats: 10_000, workSec: 10_000 }],
    [
      'ten times as long at difficulty 1,009',
      { ...view, difficulty: 1_009, gapAnchors: 150 },
      { beats: 10_000, workSec: 1_000 },
    ],
  ])('%s', (_name, given, expected) => expect(planResync(protocol, given)).toEqual(expected));

  it.each([50, 200, 500, 5_000, 100_000])('covers the gap on arrival at %i hashes/s', (hashesPerSec) => {
    for (const secToNextAnchor of [1, 30, 60]) {
      const { beats, workSec } = planResync(protocol, { ...view, gapAnchors: 70, secToNextAnchor, hashesPerSec });
      const passed = workSec < secToNextAnchor ? 0 : 1 + Math.floor((workSec - secToNextAnchor) / 60);
      expect(beats).toBeGreaterThanOrEqual(Math.min(100 * (70 + passed), 10_000));
      expect(workSec * hashesPerSec).toBeGreaterThanOrEqual(beats * 101);
    }
  });
});

describe('the difficulty of work', () => {
  it('is the lowest that the beats service and the registry both take, by default 100', () => {
    expect(workDifficulty(protocol, null)).toBe(100);
    expect(workDifficulty(withOverlay({ work: { receiptDifficultyMin: 300 } }), null)).toBe(300);
    expect(workDifficulty(withOverlay({ work: { difficultyMin: 200 } }), null)).toBe(200);
  });

  it('is the wanted one within what is taken', () => {
    expect(workDifficulty(protocol, 1_000)).toBe(1_000);
    expect(workDifficulty(protocol, 9)).toBe(100);
    expect(workDifficulty(protocol, 9_999)).toBe(5_000);
  });
});

describe('top-ups', () => {
  const policy = { belowLamports: 1_000, amountLamports: 5_000, afterSec: 60, timesMax: 2 };
  it.each([
    ['enough', 1_000, 500, 0, false],
    ['below its mark', 999, 500, 0, true],
    ['short of a fee', 1_500, 1_501, 0, true],
    ['short, and has asked as often as it may', 0, 500, 2, false],
  ])('%s', (_name, balance, needed, asked, expected) => {
    expect(asksForTopUp(policy, balance, needed, asked)).toBe(expected);
  });

  it('without a limit there is always one more', () => {
    expect(asksForTopUp({ ...policy, timesMax: null }, 0, 1, 1_000_000)).toBe(true);
  });
});
