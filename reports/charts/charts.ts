/** Draws planned charts as SVG by ECharts. It decides neither what is charted nor where a chart is placed. */

import { LineChart as LineSeries } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { compactText } from '../../results/numbers.js';
import { shortLine } from '../../results/visible.js';
import { axisStep } from './axis-step.js';
import type { TimeChart } from './chart-plan.js';
import { drawnUnit, roundTop, shownTop, timeUnit } from './chart-scale.js';
import { lightOf } from './palette.js';
import { normalSvg } from './svg-normal.js';
import { thinned } from './thin.js';

use([LineSeries, GridComponent, SVGRenderer]);

const WIDTH = 500;
const HEIGHT = 270;
const POINTS_MAX = 600;
const FONT = 'system-ui, sans-serif';
const TEXT = { color: lightOf('text'), fontSize: 12, fontFamily: FONT };

/**
 * A chart as an SVG element for an HTML page: the same input gives the same text, in every process. `id` begins the ids inside
 * and must differ between the charts of one page; `label` is what a screen reader says. Legends are the page's.
 */
export function chartSvg(chart: TimeChart, id: string): string {
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    drawing.setOption({ animation: false, ...timeOption(chart) });
    return normalSvg(drawing.renderToSVGString(), id);
  } finally {
    // Its timers would keep the process alive.
    drawing.dispose();
  }
}

function axisLook(): object {
  return {
    nameTextStyle: TEXT,
    axisLine: { lineStyle: { color: lightOf('axis') } },
    axisTick: { lineStyle: { color: lightOf('axis') } },
    splitLine: { lineStyle: { color: lightOf('grid') } },
  };
}

function timeOption(chart: TimeChart): object {
  const { times_ms: times, lines } = chart;
  const { name, scale } = drawnUnit(chart.unit);
  const start = times[0] ?? 0;
  const end = times[times.length - 1] ?? 0;
  const unit = timeUnit(end - start);
  const top = shownTop(chart);
  const rows = thinned(
    times.length,
    lines.map((line) => line.values),
    POINTS_MAX,
  );
  return {
    grid: { left: 8, right: 16, top: 30, bottom: 20, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'value',
      min: start / unit.ms,
      max: end / unit.ms,
      interval: axisStep(Math.max(1, (end - start) / unit.ms)),
      name: unit.name,
      nameLocation: 'middle',
      nameGap: 26,
      axisLabel: { ...TEXT, formatter: compactText, hideOverlap: true },
      ...axisLook(),
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      ...(top === undefined ? {} : { max: roundTop(top * scale) }),
      name: shortLine(name, 24),
      nameLocation: 'end',
      nameGap: 12,
      axisLabel: { ...TEXT, formatter: compactText },
      ...axisLook(),
      nameTextStyle: { ...TEXT, align: 'left' },
      axisLine: { show: false },
      axisTick: { show: false },
    },
    series: lines.map((line) => {
      const colour = lightOf(line.slot);
      const data = rows.map((row) => [(times[row] ?? 0) / unit.ms, drawn(line.values[row], scale)]);
      return {
        type: 'line',
        data,
        color: colour,
        showSymbol: false,
        lineStyle: {
          ...{ color: colour, width: chart.kind === 'areas' ? 1 : 2 },
          ...(line.dashed ? { type: 'dashed' } : {}),
        },
        ...(chart.kind === 'areas' ? { stack: 'all', areaStyle: { color: colour, opacity: 0.75 } } : {}),
      };
    }),
  };
}

/** A gap is drawn where a measure had no value. */
function drawn(value: number | undefined, scale: number): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value * scale;
}
