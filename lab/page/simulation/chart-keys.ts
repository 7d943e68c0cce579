/** The keys of a chart, which do what a mouse does: they read its samples, and choose a span of time that all charts then show. */

import type uPlot from 'uplot';

/** How far a key moves, given the samples that are shown. */
const MOVES: Readonly<Record<string, (at: number, low: number, high: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  PageDown: (at) => at - 10,
  PageUp: (at) => at + 10,
  Home: (_, low) => low,
  End: (_, _low, high) => high,
};

/** Puts the cursor of a chart at a time, and shows the span from another time to it as chosen. */
function mark(chart: uPlot, from: number, to: number): void {
  const place = (sec: number): number => chart.valToPos(sec, 'x');
  chart.setCursor({ left: place(to), top: 0 });
  const left = place(Math.min(from, to));
  chart.setSelect({ left, top: 0, width: place(Math.max(from, to)) - left, height: chart.over.clientHeight }, false);
}

const timeAt = (chart: uPlot, at: number): number => chart.data[0][at] ?? 0;

/** Shows a span between two samples of a chart in all of them. */
export function spanOf(chart: uPlot, all: readonly uPlot[]): (from: number, to: number) => void {
  return (from, to) => {
    for (const one of all) {
      one.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      one.setScale('x', { min: timeAt(chart, Math.min(from, to)), max: timeAt(chart, Math.max(from, to)) });
    }
  };
}

/** Handles the keys of a chart; `all` are the charts that show one span. */
export function keysOf(chart: uPlot, all: readonly uPlot[]): (event: KeyboardEvent) => void {
  // The other end of the span that Shift has begun.
  let anchor: number | undefined;
  const time = (at: number): number => timeAt(chart, at);
  const span = (from: number, to: number): void => {
    anchor = undefined;
    spanOf(chart, all)(from, to);
  };
  return (event) => {
    const [low, high] = chart.series[0]?.idxs ?? [0, 0];
    const at = chart.cursor.idx ?? high;
    const move = MOVES[event.key];
    if (move !== undefined) {
      const next = Math.min(high, Math.max(low, move(at, low, high)));
      anchor = event.shiftKey ? (anchor ?? at) : undefined;
      for (const one of all) mark(one, time(anchor ?? next), time(next));
    } else if (event.key === 'Enter' && anchor !== undefined && anchor !== at) span(anchor, at);
    else if (event.key === 'Escape') span(0, chart.data[0].length - 1);
    else return;
    event.preventDefault();
  };
}
