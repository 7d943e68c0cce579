/** The scales of charts: the unit of an axis, where it ends, and how a unit is drawn. charts.ts and views/chart.ts draw by them. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.js';
import { axisStep } from './axis-step.js';
import type { Chart } from './chart-plan.js';

const LAMPORTS_PER_SOL = 1e9;

/** The unit of protocol time in which an axis is labelled. */
interface TimeUnit {
  readonly name: string;
  readonly ms: number;
}

const TIME_UNITS: readonly TimeUnit[] = [
  { name: 'days', ms: DAY_MS },
  { name: 'hours', ms: HOUR_MS },
  { name: 'minutes', ms: MINUTE_MS },
];

/** The greatest unit of which the span holds at least two. */
export function timeUnit(spanMs: number): TimeUnit {
  return TIME_UNITS.find(({ ms }) => spanMs >= 2 * ms) ?? { name: 'seconds', ms: 1000 };
}

/** A line that rises this many times above all that comes later hides it. */
const HIDING = 6;

/**
 * The greatest value that a chart of lines shows, if the values of the first tenth of the time would flatten all later ones (a price per day begins
 * with days that are seconds long); undefined where everything is shown.
 */
export function shownTop(chart: Chart): number | undefined {
  if (chart.kind !== 'lines') return undefined;
  const start = Math.ceil(chart.times_ms.length / 10);
  const greatest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);
  const later = greatest(chart.lines.map(({ values }) => greatest(values.slice(start))));
  const all = greatest(chart.lines.map(({ values }) => greatest(values)));
  return later > 0 && all > HIDING * later ? later : undefined;
}

/** The end of an axis that begins at 0: the first tick at or above the value. */
export function roundTop(top: number): number {
  const step = axisStep(top);
  return Math.ceil(top / step) * step;
}

/** The value and unit that are drawn: lamports as SOL, a share as percent, everything else unchanged. */
export function drawnUnit(unit: string): { readonly name: string; readonly scale: number } {
  if (unit === 'lamports') return { name: 'SOL', scale: 1 / LAMPORTS_PER_SOL };
  return unit === 'share' ? { name: '%', scale: 100 } : { name: unit, scale: 1 };
}
