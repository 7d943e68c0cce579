/** One measure over time: the live chart of one or two arms, and the table behind it. */

import { html, useEffect, useRef, type VNode } from '../markup.js';
import { table, timeText } from '../parts.js';
import type { Line, LiveChart } from './charts.js';

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly timesSec: readonly number[];
  readonly lines: readonly Line[];
}

const ROWS_MAX = 40;

/** The chart. */
export function MeasureChart({ title, unit, timesSec, lines }: Props): VNode {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<LiveChart | undefined>(undefined);
  const latest = useRef({ timesSec, lines });
  latest.current = { timesSec, lines };
  useEffect(() => {
    let gone = false;
    void import('./charts.js').then(({ chartIn }) => {
      if (gone || place.current === null) return;
      chart.current = chartIn(place.current, latest.current.timesSec, latest.current.lines);
    });
    return () => {
      gone = true;
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [lines.length]);
  useEffect(() => chart.current?.set(timesSec, lines), [timesSec.length, lines]);
  const every = Math.max(1, Math.ceil(timesSec.length / ROWS_MAX));
  const rows = timesSec.map((second, at) => ({ second, at })).filter(({ at }) => at % every === 0);
  const last = lines.map(({ name, values }) => `${name} ${valueText(values.at(-1))}`).join(', ');
  return html`<figure class="chart"><figcaption><b>${title}</b> <span class="soft">${unit === '' ? '' : `${unit}; `}${last}</span></figcaption>
    <div ref=${place} role="img" aria-label=${`${title}: ${last}. The table has the values.`}></div>
    <details><summary>Table</summary>${table(title, [{ name: 'time', of: ({ second }: (typeof rows)[number]) => timeText(second * 1_000).slice(8) }, ...lines.map(({ name, values }) => ({ name, numeric: true, of: ({ at }: (typeof rows)[number]) => valueText(values[at]) }))], rows, 'No sample yet.')}</details></figure>`;
}

function valueText(value: number | null | undefined): string {
  return value == null ? '' : String(Number(value.toPrecision(5)));
}
