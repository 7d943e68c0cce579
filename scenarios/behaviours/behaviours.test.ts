import { describe, expect, it } from 'vitest';
import { protocol } from '../../spec/protocol.js';
import { drawArrivalSec, NOBODY_YET } from './arrival.js';
import { drawClass } from './class-mix.js';
import { firstHeartbeatSec, nextHeartbeatSec } from './heartbeat-policy.js';
import type { Luck } from './luck.js';
import { drawSpanSec } from './outage.js';
import { planResync } from './resync-policy.js';
import { asksForTopUp } from './top-up.js';

/** Luck that always draws the same share of one, and says how often it was asked. */
function luckOf(u: number): Luck & { draws: number } {
  const luck = {
    draws: 0,
    uniform: () => {
      luck.draws += 1;
      return u;
    },
    exponential: (mean: number) => mean * luck.uniform() * 2,
    logNormal: (mean: number, sigma: number) => mean * sigma * luck.uniform(),
    weibull: (mean: number, shape: number) => (mean / shape) * luck.uniform(),
  };
  return luck;
}

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
    expect(nextHeartbeatSec(policy, 5_000, 8_660, luckOf(u))).toBe(expected);
  });

  it('draws nothing where nothing is left to chance', () => {
    const luck = luckOf(0.5);
    nextHeartbeatSec(every, 0, 3_660, luck);
    nextHeartbeatSec({ ...late, spreadSec: 0 }, 0, 3_660, luck);
    expect(luck.draws).toBe(0);
  });

  it('never plans for the present or the past', () => {
    expect(nextHeartbeatSec(late, 8_500, 8_660, luckOf(1))).toBe(8_501);
    expect(nextHeartbeatSec({ policy: 'interval', everySec: 1, jitter: 1 }, 50, 99, luckOf(0))).toBe(51);
  });

  it('beats first anywhere in the first interval, or at its keep-alive', () => {
    expect(firstHeartbeatSec(every, 100, 3_660, luckOf(0))).toBe(101);
    expect(firstHeartbeatSec(every, 100, 3_660, luckOf(0.9999))).toBe(1_100);
    expect(firstHeartbeatSec(late, 0, 3_660, luckOf(0))).toBe(3_360);
  });
});

describe('arrivals', () => {
  it.each([
    ['at', { pattern: 'at', timeSec: 60 } as const, 999, 60],
    ['uniform', { pattern: 'uniform', fromSec: 100, overSec: 200 } as const, 999, 150],
    ['poisson, the first', { pattern: 'poisson', fromSec: 100, gapSec: 40 } as const, NOBODY_YET, 120],
    ['poisson, a later one', { pattern: 'poisson', fromSec: 100, gapSec: 40 } as const, 1_000, 1_020],
  ])('%s', (_name, pattern, previous, expected) => {
    expect(drawArrivalSec(pattern, previous, luckOf(0.25))).toBe(expected);
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
  ])('%s', (_name, span, expected) => expect(drawSpanSec(span, luckOf(0.5))).toBe(expected));
});

describe('class mixes', () => {
  const mix = { narrow_task: 0.5, autonomous: 0, orchestrator: 0.5 };
  it.each([
    [0.0001, 'narrow_task'],
    [0.4999, 'narrow_task'],
    [0.5, 'orchestrator'],
    [0.9999, 'orchestrator'],
  ])('%f draws %s', (u, expected) => expect(drawClass(mix, luckOf(u))).toBe(expected));

  it('the last class takes what rounding leaves', () => {
    expect(drawClass({ narrow_task: 0.1, autonomous: 0.7, orchestrator: 0 }, luckOf(0.99))).toBe('autonomous');
  });
});

describe('what a frozen agent sets out to compute', () => {
  // 1,001 hashes a beat: this rate makes 100 beats a second.
  const view = { gapAnchors: 61, secToNextAnchor: 60, hashesPerSec: 100_100 };
  it.each([
    [
      'done before the next anchor: 100 for each missed one',
      { ...view, hashesPerSec: 200_200 },
      { beats: 6_100, workSec: 31 },
    ],
    ['one anchor comes meanwhile', view, { beats: 6_200, workSec: 62 }],
    [
      'the anchor comes in the second in which the work ends',
      { ...view, secToNextAnchor: 61 },
      { beats: 6_200, workSec: 62 },
    ],
    ['the cap of 10,000', { ...view, gapAnchors: 150 }, { beats: 10_000, workSec: 100 }],
    ['too slow to keep up: the cap', { ...view, hashesPerSec: 1_001 }, { beats: 10_000, workSec: 10_000 }],
  ])('%s', (_name, given, expected) => expect(planResync(protocol, given)).toEqual(expected));

  it.each([500, 2_000, 5_000, 50_000, 1_000_000])('covers the gap on arrival at %i hashes/s', (hashesPerSec) => {
    for (const secToNextAnchor of [1, 30, 60]) {
      const { beats, workSec } = planResync(protocol, { gapAnchors: 70, secToNextAnchor, hashesPerSec });
      const passed = workSec < secToNextAnchor ? 0 : 1 + Math.floor((workSec - secToNextAnchor) / 60);
      expect(beats).toBeGreaterThanOrEqual(Math.min(100 * (70 + passed), 10_000));
      expect(workSec * hashesPerSec).toBeGreaterThanOrEqual(beats * 1_001);
    }
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
