/** Judges the expectations of a scenario by its samples. Parsing them is in scenarios/expectation.ts. */

import type { ExpectationResult } from '../../results/simulation-result.js';
import {
  type Comparison,
  compare,
  type Expectation,
  type ExpectationTime,
  type Subject,
} from '../../scenarios/expectation.js';
import { type Samples, trackOf } from './samples.js';

/**
 * Judges one expectation. Over several samples it takes the one that is farthest from holding: the greatest for `<`, the least
 * for `>`. A moment between two samples means the earlier one. A sample without a value, of a ratio that divides by nothing, shows nothing;
 * where no sample has one, the expectation fails.
 */
export function judgeExpectation(expectation: Expectation, samples: Samples): ExpectationResult {
  const { text, measure, group, comparison, value } = expectation;
  const track = trackOf(samples, measure, group);
  const samplesOfTime = track.slice(...rangeOf(expectation.time, samples.timesSec));
  if (samplesOfTime.length === 0) throw new Error(`there is no sample for "${text}"`);
  const valued = samplesOfTime.filter((sample) => !Number.isNaN(sample));
  const [first] = valued;
  if (first === undefined) return { text, measured: 0, holds: false, no_value: true };
  const measured = valued.reduce(
    (worst, sample) => (isWorse(comparison, value, sample, worst) ? sample : worst),
    first,
  );
  return { text, measured, holds: compare(comparison, measured, value) };
}

/** Gives the value of a subject in the samples of a run; NaN where it has none. A moment between two samples means the earlier one. */
export function subjectReader(samples: Samples): (subject: Subject) => number {
  const placeOfTime = new Map(samples.timesSec.map((sec, place) => [sec, place]));
  return ({ measure, group, atSec }) => {
    const time: ExpectationTime = atSec === null ? { kind: 'end' } : { kind: 'at', sec: atSec };
    const place = placeOfTime.get(atSec ?? -1) ?? rangeOf(time, samples.timesSec)[0];
    const value = trackOf(samples, measure, group)[place];
    if (value === undefined) throw new Error(`there is no sample of ${measure}`);
    return value;
  };
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
