/** Live charts over time: lines and bounds, with a cursor that all charts share, and a brush that narrows the span. A chunk of its own, for uPlot. */

import uPlot from 'uplot';
import { keysOf, spanOf } from './chart-keys.js';

/** One line of a chart. */
export interface Line {
  readonly name: string;
  readonly colour: { readonly slot: string; readonly light: string; readonly dark: string };
  readonly values: readonly (number | null)[];
  /** Drawn dashed: a difference. */
  readonly dashed?: boolean;
  readonly isHidden?: boolean;
}

/** A value that a measure has to keep on one side of, over a span of time. */
export interface DrawnBound {
  readonly value: number;
  readonly fromSec: number;
  readonly toSec: number;
  /** The side on which values are wrong: above, below, or both. */
  readonly wrong: 'above' | 'below' | 'both';
  readonly holds: boolean;
}

/** A chart that takes new data. */
export interface LiveChart {
  readonly set: (timesSec: readonly number[], lines: readonly Line[], bounds: readonly DrawnBound[]) => void;
  readonly destroy: () => void;
}

const HEIGHT = 170;
const DAY_SEC = 86_400;
const shared = uPlot.sync('simulation');

/** Shows the whole time in all charts. */
export function showWhole(): void {
  const [first] = shared.plots;
  if (first !== undefined) spanOf(first, shared.plots)(0, first.data[0].length - 1);
}

/** How values are shown along the axis, the bounds that are drawn at first, and the function that is called with the sample under the cursor when it is another. */
interface Reading {
  readonly scale: number;
  readonly suffix: string;
  readonly bounds: readonly DrawnBound[];
  readonly read: (at: number | null) => void;
}

/** Puts a chart into an element, for the lines that it gets at first. */
export function chartIn(
  place: HTMLElement,
  timesSec: readonly number[],
  lines: readonly Line[],
  { scale, suffix, bounds: first, read }: Reading,
): LiveChart {
  let colours = coloursIn(place);
  let drawn = first;
  const axis = {
    stroke: () => colours.soft,
    grid: { stroke: () => colours.line, width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  };
  let seen: number | null = null;
  const readCursor = ({ cursor }: uPlot): void => {
    const at = cursor.idx ?? null;
    if (at !== seen) read(at);
    seen = at;
  };
  const chart = new uPlot(
    {
      width: Math.max(200, place.clientWidth),
      height: HEIGHT,
      legend: { show: false },
      hooks: { setCursor: [readCursor], draw: [(plot) => drawBounds(plot, drawn, colours)] },
      cursor: { sync: { key: shared.key }, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: (_, min, max) => around(min, max, drawn) } },
      axes: [
        {
          ...axis,
          size: 28,
          incrs: [1, 2, 6, 12, 24, 48, 168, 336, 720, 2_160].map((hours) => hours * 3_600),
          values: (_, splits) => splits.map((second) => `${Number((second / DAY_SEC).toFixed(2))} d`),
        },
        { ...axis, size: 54, values: (_, splits) => splits.map((value) => `${short(value * scale)}${suffix}`) },
      ],
      series: [
        {},
        ...lines.map(({ name, colour, dashed, isHidden }) => ({
          label: name,
          stroke: () => colour[colours.theme],
          width: 1,
          show: isHidden !== true,
          spanGaps: true,
          ...(dashed ? { dash: [6, 4] } : {}),
          points: { show: false },
        })),
      ],
    },
    dataOf(timesSec, lines),
    place,
  );
  const keys = keysOf(chart, shared.plots);
  // Out of sight to the left.
  const leave = (): void => {
    for (const one of shared.plots) one.setCursor({ left: -10, top: 0 });
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const repaint = (): void => {
    colours = coloursIn(place);
    chart.redraw();
  };
  dark.addEventListener('change', repaint);
  place.addEventListener('keydown', keys);
  place.addEventListener('blur', leave);
  let lastSec = timesSec.at(-1);
  const resize = new ResizeObserver(() => chart.setSize({ width: Math.max(200, place.clientWidth), height: HEIGHT }));
  resize.observe(place);
  return {
    set: (times, now, bounds) => {
      drawn = bounds;
      // A span that the brush has chosen stays.
      const { min, max } = chart.scales['x'] ?? {};
      const whole = min === times[0] && max === lastSec;
      lastSec = times.at(-1);
      now.forEach(({ isHidden }, at) => {
        if (chart.series[at + 1]?.show === isHidden) chart.setSeries(at + 1, { show: isHidden !== true });
      });
      chart.setData(dataOf(times, now), whole);
      if (!whole) chart.redraw();
    },
    destroy: () => {
      resize.disconnect();
      dark.removeEventListener('change', repaint);
      place.removeEventListener('keydown', keys);
      place.removeEventListener('blur', leave);
      chart.destroy();
    },
  };
}

function dataOf(timesSec: readonly number[], lines: readonly Line[]): uPlot.AlignedData {
  // A line that is shorter has no values yet at its end. uPlot reads only.
  return [timesSec, ...lines.map(({ values }) => values)] as uPlot.AlignedData;
}

/** The colours of the page as it is now, read once: charts are drawn ten times a second. */
function coloursIn(place: HTMLElement) {
  const style = getComputedStyle(place);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const theme: 'light' | 'dark' = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return {
    ...{ soft: colour('--soft'), line: colour('--line'), good: colour('--good'), bad: colour('--bad') },
    theme,
  };
}

/** The range of the axis: the values, and the bounds that are drawn. */
function around(min: number | null, max: number | null, bounds: readonly DrawnBound[]): uPlot.Range.MinMax {
  const all = [...[min, max].filter((each) => each !== null), ...bounds.map(({ value }) => value)];
  return all.length === 0 ? [0, 1] : uPlot.rangeNum(Math.min(...all), Math.max(...all), 0.1, true);
}

const HATCH_PX = 7;

/** A line at each bound, with hatches on the side on which values are wrong. A single moment is as wide as two hatches. */
function drawBounds(plot: uPlot, bounds: readonly DrawnBound[], colours: ReturnType<typeof coloursIn>): void {
  const { ctx, bbox } = plot;
  const step = HATCH_PX * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { value, fromSec, toSec, wrong, holds } of bounds) {
    const y = plot.valToPos(value, 'y', true);
    const [from, to] = [plot.valToPos(fromSec, 'x', true), plot.valToPos(toSec, 'x', true)];
    const [left, right] = to - from < 2 * step ? [from - 2 * step, to + 2 * step] : [from, to];
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(right, y);
    for (const side of wrong === 'both' ? [-1, 1] : [wrong === 'above' ? -1 : 1])
      for (let x = Math.max(left, bbox.left); x < Math.min(right, bbox.left + bbox.width); x += step) {
        ctx.moveTo(x, y);
        ctx.lineTo(x + step / 2, y + (side * step) / 2);
      }
    ctx.strokeStyle = holds ? colours.good : colours.bad;
    ctx.lineWidth = devicePixelRatio;
    ctx.stroke();
  }
  ctx.restore();
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${Number((value / 1e9).toPrecision(3))}G`;
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(4)));
}
