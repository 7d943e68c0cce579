/** Writes a comparison of specifications as one HTML page, with one figure for each effect. */

import type { BarChart } from '../chart-plan.js';
import { drawnUnit } from '../charts.js';
import { measureText, numberText } from '../numbers.js';
import type { DiffEffect, DiffFinding, SpecDiff } from '../spec-diff-result.js';
import { countsLine, differenceText, partLine } from '../spec-diff-view.js';
import { chartFigure } from './chart-figure.js';
import { anchorOf, type Html, html } from './markup.js';
import { page } from './page.js';

function figure(effect: DiffEffect, { from, to }: SpecDiff): Html {
  const { id, label, unit } = effect;
  const { name, scale } = drawnUnit(unit);
  const chart: BarChart = {
    kind: 'bars',
    title: name === '' ? label : `${label}, ${name}`,
    unit,
    rows: [from, to],
    parts: [
      { label: name === '' ? 'in the mean' : name, slot: 'cold', values: [effect.from * scale, effect.to * scale] },
    ],
  };
  return html`${chartFigure(chart, anchorOf('effect', id))}<p class="why">${measureText(effect.from, unit)} → ${measureText(effect.to, unit)}; difference ${differenceText(effect)} (scenario ${effect.scenario}).</p>
`;
}

function list(title: string, names: readonly string[]): Html {
  if (names.length === 0) return html``;
  const items = names.map((name) => html`<li><code>${name}</code></li>`);
  return html`<details><summary>${title}: ${names.length}</summary><ul>${items}</ul></details>
`;
}

function findings(title: string, found: readonly DiffFinding[]): Html {
  if (found.length === 0) return html``;
  const items = found.map(
    ({ id, severity, arithmetic }) => html`<li>${severity} <code>${id}</code>: ${arithmetic}</li>`,
  );
  return html`<h3>${title}</h3><ul>${items}</ul>
`;
}

function numbers(diff: SpecDiff): Html {
  const rows = diff.numbers.map(
    ({ path, unit, from, to }) =>
      html`<tr><td><code>${path}</code></td><td>${numberText(from)}</td><td>${numberText(to)}</td><td>${unit}</td></tr>`,
  );
  const parts = (diff.parts ?? []).map((part) => html`<li><code>${partLine(part)}</code></li>`);
  const others = parts.length === 0 ? html`` : html`<ul>${parts}</ul>`;
  if (rows.length === 0) return html`<p>No number differs.</p>${others}`;
  return html`${others}<table><thead><tr><th>number</th><th>${diff.from}</th><th>${diff.to}</th><th>unit</th></tr></thead><tbody>${rows}</tbody></table>
`;
}

/** A comparison as one HTML file. The same comparison gives the same bytes. */
export function specDiffPage(diff: SpecDiff): string {
  const { statements } = diff;
  const touched = diff.clauses.map(({ id, text }) => `${id}: ${text}`);
  const change = html`<section id="change"><h2>The change</h2><p>${countsLine(diff)}</p>
${numbers(diff)}
${list('Statements that are new', statements.added)}${list('Statements that are gone', statements.removed)}${list('Statements that say something else', statements.changed)}
${list('Clauses', touched)}${list('Errors', diff.errors)}${list('Endpoints', diff.endpoints)}${list('Checks', diff.checks)}${list('Mutants', diff.mutants)}
${findings('Findings that appear', diff.findings.appear)}${findings('Findings that vanish', diff.findings.vanish)}</section>
`;
  const unmeasured = diff.unmeasured.map(
    ({ scenario, reason }) => html`<p>Not measured: <code>${scenario}</code>: ${reason}</p>`,
  );
  const figures = diff.effects.map((effect) => figure(effect, diff));
  const effects = html`<section id="effects"><h2>Effects on people</h2>
<p>${diff.replicates} pairs of runs of each standard scenario from seed ${diff.seed} on: the same agents with the same luck under both. Intervals are of 95 %.</p>
${unmeasured}
${figures}</section>
`;
  const places = [
    { id: 'change', label: 'The change' },
    { id: 'effects', label: 'Effects on people' },
  ];
  return page({
    title: 'A change of the specification',
    lead: `${diff.from} → ${diff.to}`,
    places: diff.replicates === 0 ? places.slice(0, 1) : places,
    parts: diff.replicates === 0 ? [change] : [change, effects],
    tool_version: diff.tool_version,
  });
}
