import { describe, expect, it } from 'vitest';
import { parseExpectation } from '../../scenarios/expectation.js';
import { HOUR_SEC } from '../../spec/time.js';
import { smallScenario } from '../../test/fixtures/small-scenario.js';
import { createWorld } from '../world/world.js';
import { judgeExpectation } from './expectations.js';
import { createSamples, type Samples } from './samples.js';

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
