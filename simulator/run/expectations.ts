/** Judges the expectations of a scenario by its samples. Parsing them is in scenarios/expectation.ts. */

import type { ExpectationResult } from '../../reports/simulation-result.js';
import type { Comparison, Expectation, ExpectationTime } from '../../scenarios/expectation.js';
import { type Samples, trackOf } from './samples.js';

/**
 * Judges one expectation. Over several samples it takes the one that is farthest from holding: the greatest for `<`, the least
 * for `>`. A moment between two samples means the earlier one.
 */
export function judgeExpectation(expectation: Expectation, samples: Samples): ExpectationResult {
  const { text, measure, group, comparison, value } = expectation;
  const track = trackOf(samples, measure, group);
  const samplesOfTime = track.slice(...rangeOf(expectation.time, samples.timesSec));
  const [first] = samplesOfTime;
  if (first === undefined) throw new Error(`there is no sample for "${text}"`);
  const measured = samplesOfTime.reduce(
    (worst, sample) => (isWorse(comparison, value, sample, worst) ? sample : worst),
    first,
  );
  return { text, measured, holds: compare(comparison, measured, value) };
}

function rangeOf(time: ExpectationTime, timesSec: readonly number[]): [from: number, to: number] {
  const last = timesSec.length - 1;
  switch (time.kind) {
    case 'end':
      return [last, last + 1];
    case 'at': {
      const after = timesSec.findIndex((sec) => sec > time.sec);
      const index = after < 0 ? last : after - 1;
      return [index, index + 1];
    }
    case 'after': {
      const index = timesSec.findIndex((sec) => sec >= time.sec);
      return [index < 0 ? last : index, last + 1];
    }
    default:
      return time satisfies never;
  }
}

function isWorse(comparison: Comparison, value: number, sample: number, worst: number): boolean {
  switch (comparison) {
    case '<':
    case '<=':
      return sample > worst;
    case '>':
    case '>=':
      return sample < worst;
    case '=':
      return Math.abs(sample - value) > Math.abs(worst - value);
    default:
      return comparison satisfies never;
  }
}

function compare(comparison: Comparison, measured: number, value: number): boolean {
  switch (comparison) {
    case '<':
      return measured < value;
    case '<=':
      return measured <= value;
    case '>':
      return measured > value;
    case '>=':
      return measured >= value;
    case '=':
      return measured === value;
    default:
      return comparison satisfies never;
  }
}
