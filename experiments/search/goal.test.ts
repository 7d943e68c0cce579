import { describe, expect, it } from 'vitest';
import { DAY_SEC } from '../../spec/time.js';
import { smallScenario } from '../../test/fixtures/small-scenario.js';
import { goalState, parseGoal } from './goal.js';

const scenario = { ...smallScenario([{ name: 'workers' }]), durationSec: 3 * 86_400 };
const goalOf = (text: string) => {
  const read = parseGoal(text, scenario);
  if (!read.ok) throw new Error(read.message);
  return read.value;
};

describe('goals', () => {
  it.each([
    ['uptime_share > 99 %', { comparison: '>', value: 0.99, aDay: false }],
    ['uptime_share.workers >= 99% at 1d', { comparison: '>=', value: 0.99, aDay: false }],
    ['fees_lamports < 0.02 SOL a day', { comparison: '<', value: 20_000_000, aDay: true }],
    ['freezes <= 3', { comparison: '<=', value: 3, aDay: false }],
  ])('%s is read', (text, wanted) => {
    expect(goalOf(text)).toMatchObject(wanted);
  });

  it.each([
    ['uptime_share = 1', 'a mean is never equal to a number: write <, <=, > or >='],
    ['uptime_share > 99 % after 1d', 'names many moments: write at, not after'],
    ['uptime_share > 99 % a day', 'uptime_share is no sum over time, of which there could be some a day'],
    ['frozen < 3 a day', 'frozen is no sum over time, of which there could be some a day'],
    ['speed > 3', expect.stringMatching(/^"speed" is not a measure/)],
  ])('%s is refused', (text, message) => {
    expect(parseGoal(text, scenario)).toEqual({ ok: false, message });
  });

  it('are reached where the whole interval is on the right side, and open where only the mean is', () => {
    const goal = goalOf('uptime_share > 90 %');
    expect(goalState(goal, [0.95, 0.96, 0.97], DAY_SEC)).toMatchObject({ state: 'reached', excess: 0, limit: 0.9 });
    // The mean is 0.92, and the interval reaches 0.0634 below it.
    const open = goalState(goal, [0.89, 0.93, 0.94], DAY_SEC);
    expect(open.state).toBe('open');
    expect(open.excess).toBeCloseTo((0.9 - (0.92 - 4.302653 * Math.sqrt(0.0007 / 3))) / 0.9, 4);
    expect(goalState(goal, [0.5, 0.52, 0.54], DAY_SEC).state).toBe('missed');
  });

  it('take a limit for each day over the days that there are', () => {
    const goal = goalOf('fees_lamports < 0.02 SOL a day');
    expect(goalState(goal, [50_000_000, 50_000_000], 3 * DAY_SEC)).toMatchObject({
      limit: 60_000_000,
      state: 'reached',
    });
    expect(goalState(goalOf('fees_lamports < 0.02 SOL a day at 2d'), [1, 1], 3 * DAY_SEC).limit).toBe(40_000_000);
  });

  it('are not reached on the limit itself, unless it belongs to them', () => {
    expect(goalState(goalOf('freezes < 3'), [3, 3], DAY_SEC)).toMatchObject({ state: 'missed' });
    expect(goalState(goalOf('freezes < 3'), [3, 3], DAY_SEC).excess).toBeGreaterThan(0);
    expect(goalState(goalOf('freezes <= 3'), [3, 3], DAY_SEC)).toMatchObject({ state: 'reached', excess: 0 });
  });
});

it('a goal about a ratio whose divisor is 0 in each run is missed', () => {
  expect(goalState(goalOf('heartbeat_cost_lamports < 1'), [], DAY_SEC)).toMatchObject({ state: 'missed', excess: 1 });
});

describe('a goal about a formula', () => {
  const formulas = [{ name: 'day', formula: 'a', unit: 'lamports' as const, terms: {} }];

  it('is in the unit of the formula', () => {
    const read = parseGoal('day > 0.01 SOL at 1d', scenario, formulas);
    expect(read).toMatchObject({
      ok: true,
      value: { subject: { measure: 'day', group: null, atSec: 86_400 }, unit: 'lamports', value: 10_000_000 },
    });
  });

  it('is for no day of several', () => {
    expect(parseGoal('day > 0.01 SOL a day', scenario, formulas)).toEqual({
      ok: false,
      message: 'day is no sum over time, of which there could be some a day',
    });
  });
});
