/** Names a measure of a sweep on a terminal, with its time where the same measure has several. */

import type { SweepMeasure } from '../../results/sweep-result.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';

/** `registered`, `registered.workers`, or `registered at 35d` where `all` have the measure at another time, too. */
export function subjectText({ measure, group, time_ms }: SweepMeasure, all: readonly SweepMeasure[]): string {
  const isOfTwoTimes = all.some((each) => each.measure === measure && each.group === group && each.time_ms !== time_ms);
  return `${measure}${group === null ? '' : `.${group}`}${isOfTwoTimes ? ` at ${asInFiles(time_ms / 1_000)}` : ''}`;
}

/** A span of whole seconds as sweep files write it: `1d12h`. */
function asInFiles(seconds: number): string {
  const units = [
    ['d', DAY_SEC],
    ['h', HOUR_SEC],
    ['m', 60],
    ['s', 1],
  ] as const;
  let rest = seconds;
  const parts = units.map(([unit, length]) => {
    const whole = Math.floor(rest / length);
    rest -= whole * length;
    return whole === 0 ? '' : `${whole}${unit}`;
  });
  return parts.join('') || '0s';
}
