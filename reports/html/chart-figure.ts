/** A chart as a figure of a page, with its legend and a text alternative. The SVG is drawn in reports/charts.ts. */
import type { Chart, TimeChart } from '../chart-plan.js';
import { chartSvg, shownTop } from '../charts.js';
import { durationText, measureText, numberText } from '../numbers.js';
import { shortLine } from '../visible.js';
import { type Html, html, trusted } from './markup.js';

/** Lines or bars that a text alternative describes at most. */
const ITEMS_IN_WORDS_MAX = 8;

/** A chart with its title, its legend, and a text alternative that says what the lines or bars show. */
export function chartFigure(chart: Chart, id: string): Html {
  const svg = chartSvg(chart, id).replace(
    '<svg ',
    `<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text" `,
  );
  return html`<figure class="chart card">
<figcaption><h4 id="${id}-title">${chart.title}</h4></figcaption>
${trusted(svg)}
<p class="unseen" id="${id}-text">${textAlternative(chart)}</p>
${legend(chart)}
${heightNote(chart)}
</figure>
`;
}

/** Where the lines begin above the top of the chart, says how high they reach. */
function heightNote(chart: Chart): Html {
  if (chart.kind === 'bars' || shownTop(chart) === undefined) return html``;
  const greatest = chart.lines.flatMap(({ values }) => values).reduce((most, value) => Math.max(most, value), 0);
  return html`<p class="why">At the beginning it reaches ${measureText(greatest, chart.unit)}, above the top of the chart.</p>`;
}

function legend(chart: Chart): Html {
  if (chart.kind === 'bars') {
    if (chart.parts.length < 2) return html``;
    const items = chart.parts.map(({ label, slot }) => html`<li><span class="swatch b-${slot}"></span>${label}</li>`);
    return html`<ul class="key">${items}</ul>`;
  }
  const items = chart.lines.map(
    ({ label, slot, values }) =>
      html`<li><span class="swatch b-${slot}"></span>${shortLine(label, 60)} <b>${lastText(values, chart.unit)}</b></li>`,
  );
  return html`<ul class="key">${items}</ul>`;
}

function lastText(values: readonly number[], unit: string): string {
  return measureText(values[values.length - 1] ?? Number.NaN, unit);
}

function textAlternative(chart: Chart): string {
  if (chart.kind !== 'bars') return linesInWords(chart);
  const rows = chart.rows.slice(0, ITEMS_IN_WORDS_MAX).map((row, at) => {
    const parts = chart.parts.map(({ label, values }) => `${numberText(values[at] ?? 0)} ${label}`);
    return `${row}: ${parts.join(', ')}`;
  });
  return `Bars. ${rows.join('; ')}.`;
}

function linesInWords({ kind, lines, unit, times_ms: times }: TimeChart): string {
  const span = durationText((times[times.length - 1] ?? 0) - (times[0] ?? 0));
  const sentences = lines.slice(0, ITEMS_IN_WORDS_MAX).map(({ label, values }) => {
    const greatest = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    const first = measureText(values[0] ?? Number.NaN, unit);
    return `${label} from ${first} to ${lastText(values, unit)}, at most ${measureText(greatest, unit)}`;
  });
  return `${kind === 'areas' ? 'Stacked areas' : 'Lines'} over ${span}. ${sentences.join('; ')}.`;
}
