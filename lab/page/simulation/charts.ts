/** Live charts over time: lines of one or two arms with a cursor that all charts share, and a brush that narrows the span. A chunk of its own, for uPlot. */

import uPlot from 'uplot';
import { keysOf } from './chart-keys.js';

/** One line of a chart. */
export interface Line {
  readonly name: string;
  readonly slot: 'one' | 'two';
  readonly values: readonly (number | null)[];
}

/** A chart that takes new data. */
export interface LiveChart {
  readonly set: (timesSec: readonly number[], lines: readonly Line[]) => void;
  readonly destroy: () => void;
}

const HEIGHT = 170;
const DAY_SEC = 86_400;
const shared = uPlot.sync('simulation');

/** How values are shown along the axis, and the function that is called with the sample under the cursor when it is another. */
interface Reading {
  readonly scale: number;
  readonly suffix: string;
  readonly read: (at: number | null) => void;
}

/** Puts a chart into an element, for as many lines as it gets at first. */
export function chartIn(
  place: HTMLElement,
  timesSec: readonly number[],
  lines: readonly Line[],
  { scale, suffix, read }: Reading,
): LiveChart {
  let colours = coloursIn(place);
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
      hooks: { setCursor: [readCursor] },
      cursor: { sync: { key: shared.key }, drag: { x: true, y: false } },
      scales: { x: { time: false } },
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
        ...lines.map(({ name, slot }) => ({
          label: name,
          stroke: () => colours[slot],
          width: 1,
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
    set: (times, now) => {
      // A span that the brush has chosen stays.
      const { min, max } = chart.scales['x'] ?? {};
      const whole = min === times[0] && max === lastSec;
      lastSec = times.at(-1);
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
  return { soft: colour('--soft'), line: colour('--line'), one: colour('--one'), two: colour('--two') };
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${Number((value / 1e9).toPrecision(3))}G`;
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(4)));
}
