/** One measure over time: the live chart of its lines, and the table behind it. */

import { measureText } from '../../../results/numbers.js';
import { solOf } from '../../../spec/formats.js';
import { html, useEffect, useLayoutEffect, useRef, useState, type VNode } from '../markup.js';
import { table } from '../parts.js';
import type { DrawnBound, Line, LiveChart } from './charts.js';

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly timesSec: readonly number[];
  readonly lines: readonly Line[];
  readonly bounds?: readonly NamedBound[];
  /** Saves the lines that are shown as a picture; absent: that is not offered. */
  readonly save?: (lines: readonly Line[]) => void;
}

/** A bound, in words. */
export interface NamedBound extends DrawnBound {
  readonly text: string;
}

/** Of units that are shown as others, as measureText does. */
const SCALES: Readonly<Record<string, { readonly scale: number; readonly suffix: string }>> = {
  lamports: { scale: solOf(1), suffix: '' },
  share: { scale: 100, suffix: ' %' },
};
const NONE: readonly NamedBound[] = [];
const ROWS_MAX = 40;
/** With more lines the names are in the legend alone. */
const NAMED_MAX = 2;
const KEYS = 'Arrow keys read values; with Shift they choose a span, which Enter shows alone. Escape shows all again.';

/** The chart. */
export function MeasureChart({ title, unit, timesSec, lines, bounds = NONE, save }: Props): VNode {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<LiveChart | undefined>(undefined);
  const [at, setAt] = useState<number | null>(null);
  /** The lines that the chart was made for: another number of lines needs another chart. */
  const madeFor = useRef('');
  const names = lines.map(({ name }) => name).join('\n');
  const latest = useRef({ timesSec, lines, bounds });
  latest.current = { timesSec, lines, bounds };
  useEffect(() => {
    let gone = false;
    void import('./charts.js').then(({ chartIn }) => {
      if (gone || place.current === null) return;
      const { timesSec: times, lines: shown, bounds: drawn } = latest.current;
      madeFor.current = names;
      chart.current = chartIn(place.current, times, shown, {
        ...(SCALES[unit] ?? { scale: 1, suffix: '' }),
        bounds: drawn,
        read: setAt,
      });
    });
    return () => {
      gone = true;
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [names]);
  // Before the next frame, so that words and picture are of one frame.
  useLayoutEffect(() => {
    if (madeFor.current === names) chart.current?.set(timesSec, lines, bounds);
  }, [timesSec.length, lines, bounds]);
  const [open, setOpen] = useState(false);
  const shown = at ?? timesSec.length - 1;
  const seen = lines.filter(({ isHidden }) => isHidden !== true);
  const values = seen.map((line) => `${line.name} ${valueText(line.values[shown], unit)}`).join(', ');
  const moment = dayText(timesSec[shown] ?? 0);
  return html`<figure class="chart"><figcaption><b>${title}</b> <span class="soft">${at === null ? '' : `${moment}: `}${seen.map((line) => html`<span class="value"><i class=${`b-${line.colour.slot}`} title=${line.name}></i>${seen.length > NAMED_MAX ? '' : `${line.name} `}${valueText(line.values[shown], unit)}</span> `)}</span></figcaption>
    <div ref=${place} role="slider" tabindex="0" aria-label=${title} title=${KEYS} aria-valuemin="0" aria-valuemax=${Math.max(0, timesSec.length - 1)} aria-valuenow=${Math.max(0, shown)} aria-valuetext=${`${moment}: ${values}`}></div>
    <details onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}><summary>Table</summary>${open ? valueTable(title, unit, timesSec, seen) : null}</details>
    ${bounds.map(({ text, holds }) => html`<p class="soft bound"><span class=${holds ? 't-good' : 't-bad'}>${holds ? 'passes' : 'fails'}</span> <code>${text}</code></p>`)}
    ${save && html`<button type="button" class="quiet" aria-label=${`SVG of ${title}`} onClick=${() => save(seen)}>SVG</button>`}</figure>`;
}

/** Made only where it is open: the charts of a run are drawn ten times a second. */
function valueTable(title: string, unit: string, timesSec: readonly number[], lines: readonly Line[]): VNode {
  const every = Math.max(1, Math.ceil(timesSec.length / ROWS_MAX));
  const rows = timesSec.map((second, at) => ({ second, at })).filter(({ at }) => at % every === 0);
  type Row = (typeof rows)[number];
  return table<Row>(
    title,
    [
      { name: 'time', of: ({ second }) => dayText(second) },
      ...lines.map(({ name, values }) => ({ name, numeric: true, of: ({ at }: Row) => valueText(values[at], unit) })),
    ],
    rows,
    'No sample yet.',
  );
}

const dayText = (second: number): string => `${Number((second / 86_400).toFixed(3))} d`;

function valueText(value: number | null | undefined, unit: string): string {
  return value == null ? '' : measureText(value, unit);
}
