/** An axis of a chart that is drawn as SVG by hand: where a value lies, and its marks; in steps or by ratio. */

import { axisStep } from './axis-step.js';

/** An axis from its first to its last mark. */
interface PlotAxis {
  /** The place of a value, from 0 to 1. A value at or below 0 lies at the begin of an axis by ratio. */
  readonly place: (value: number) => number;
  readonly marks: readonly number[];
}

/** The axes that are drawn by ratio. */
export interface LogAxes {
  readonly x: boolean;
  readonly y: boolean;
}

/** Marks of a power of ten, where an axis has few powers. */
const PARTS = [1, 2, 5] as const;
const DENSE_POWERS = 3;
const MARKS_MAX = 9;

/** An axis over values, from 0 on unless some are below; by ratio (`log`) over those above 0. Undefined where an axis by ratio has none. */
export function plotAxis(values: readonly number[], log: boolean): PlotAxis | undefined {
  return log ? ratioAxis(values.filter((value) => value > 0)) : stepAxis(values);
}

function stepAxis(values: readonly number[]): PlotAxis {
  const [low, high] = endsOf([0, ...values]);
  const step = axisStep(high - low || 1);
  const first = Math.floor(low / step);
  const count = Math.max(1, Math.ceil(high / step)) - first;
  const [from, to] = [first * step, (first + count) * step];
  return {
    place: (value) => (value - from) / (to - from),
    marks: Array.from({ length: count + 1 }, (_, i) => Number(((first + i) * step).toPrecision(6))),
  };
}

function ratioAxis(values: readonly number[]): PlotAxis | undefined {
  if (values.length === 0) return undefined;
  const [low, high] = endsOf(values);
  const [first, last] = [Math.floor(Math.log10(low)), Math.floor(Math.log10(high)) + 1];
  const parts = last - first > DENSE_POWERS ? [1] : PARTS;
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i).flatMap((power) =>
    parts.map((part) => Number(`${part}e${power}`)),
  );
  const from = Math.max(
    0,
    all.findLastIndex((mark) => mark <= low),
  );
  const to = Math.max(
    from + 1,
    all.findIndex((mark) => mark >= high),
  );
  const marks = all.slice(from, to + 1);
  const [start, end] = [Math.log10(all[from] as number), Math.log10(all[to] as number)];
  const every = Math.ceil(marks.length / MARKS_MAX);
  return {
    place: (value) => (value <= 0 ? 0 : Math.min(1, Math.max(0, (Math.log10(value) - start) / (end - start)))),
    marks: marks.filter((_, i) => i % every === 0),
  };
}

function endsOf(values: readonly number[]): readonly [low: number, high: number] {
  return values.reduce<readonly [number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}
