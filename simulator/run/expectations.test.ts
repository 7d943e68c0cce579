import { describe, expect, it } from 'vitest';
import { parseExpectation } from '../../scenarios/expectation.js';
import { parseScenario } from '../../scenarios/schema.js';
import { HOUR_SEC } from '../../spec/time.js';
import { smallScenario } from '../../test/fixtures/small-scenario.js';
import { createWorld } from '../world/world.js';
import { judgeExpectation } from './expectations.js';
import { createSamples, type Samples } from './samples.js';
import { simulateScenario } from './simulate.js';

/** Samples each hour of one measure of all agents. */
function samplesWith(values: readonly number[]): Samples {
  const samples = createSamples(createWorld(smallScenario([{}]), 1));
  values.forEach((value, hour) => {
    samples.timesSec.push(hour * HOUR_SEC);
    for (const { values: track } of samples.tracks) track.push(value);
  });
  return samples;
}

describe('expectations', () => {
  const samples = samplesWith([0, 5, 9, 4, 6]);
  it.each([
    ['freezes > 5', true, 6],
    ['freezes > 6', false, 6],
    ['freezes >= 6', true, 6],
    ['freezes < 6', false, 6],
    ['freezes <= 6', true, 6],
    ['freezes = 6', true, 6],
    ['freezes = 7', false, 6],
    ['freezes = 9 at 2h', true, 9],
    ['freezes = 9 at 2h59m', true, 9],
    ['freezes = 0 at 0s', true, 0],
    ['freezes = 6 at 4h', true, 6],
    ['freezes < 9 after 1h', false, 9],
    ['freezes < 9 after 2h1s', true, 6],
    ['freezes > 4 after 1h', false, 4],
    ['freezes >= 4 after 1h', true, 4],
    ['freezes = 6 after 3h', false, 4],
    ['freezes.narrow_task > 8 at 2h', true, 9],
  ])('%s: %s, measured %f', (text, holds, measured) => {
    const parsed = parseExpectation(text, { groups: ['narrow_task'], durationSec: 4 * HOUR_SEC });
    if (!parsed.ok) throw new Error(parsed.message);
    expect(judgeExpectation(parsed.value, samples)).toEqual({ text, holds, measured });
  });
});

describe('an expectation about a ratio that divides by nothing', () => {
  const none = { measured: 0, holds: false, no_value: true };
  it.each([
    ['freezes < 1', [0, Number.NaN], none],
    ['freezes = 0', [0, Number.NaN], none],
    ['freezes < 9 at 0s', [Number.NaN, 1], none],
    ['freezes < 9 after 0s', [Number.NaN, 5], { measured: 5, holds: true }],
    ['freezes > 5 after 0s', [Number.NaN, 5], { measured: 5, holds: false }],
    ['freezes < 9 after 0s', [Number.NaN, Number.NaN], none],
  ])('passes for no sample without a value: %s', (text, values, found) => {
    const parsed = parseExpectation(text, { groups: [], durationSec: HOUR_SEC });
    if (!parsed.ok) throw new Error(parsed.message);
    expect(judgeExpectation(parsed.value, samplesWith(values))).toEqual({ text, ...found });
  });

  it('fails in a run, whose series and totals show 0', () => {
    const text = `format: 1
name: no-heartbeat
question: Is a heartbeat cheap?
duration: 2h
populations:
  - { name: p, count: 1, class: narrow_task, heartbeat: { policy: keep_alive, margin: 20m }, budget: { wallet: 0 SOL }, hash_rate: 1M hashes/s }
measures: { every: 1h, list: [heartbeat_cost_lamports] }
expectations: [heartbeat_cost_lamports < 1, heartbeat_cost_lamports = 0 after 1h, frozen_share < 2]
`;
    const scenario = parseScenario(text, 'no-heartbeat.yaml');
    if (!scenario.ok) throw new Error(scenario.problems.map(({ message }) => message).join());
    const origin = { source: { file: '', sha256: '' }, versions: { aips_lab: '', node: '' } };
    const { expectations, series } = simulateScenario(scenario.value, {
      ...origin,
      seed: 1,
      nowWallMs: () => 0,
      rssMb: () => 0,
    });
    expect(expectations.map(({ holds, no_value }) => [holds, no_value])).toEqual([
      [false, true],
      [false, true],
      [true, undefined],
    ]);
    expect(new Set(series.flatMap(({ values }) => values))).toEqual(new Set([0]));
  });
});
