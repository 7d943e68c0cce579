/** A comparison of specifications as one HTML page, with one figure for each effect. */
import type { BarChart } from '../chart-plan.js';
import { drawnUnit } from '../chart-scale.js';
import { measureText, numberText } from '../numbers.js';
import type { DiffEffect, DiffFinding, SpecDiff } from '../spec-diff-result.js';
import { clauseLine, countsLine, differenceText, migrationLines, partLine } from '../spec-diff-view.js';
import { ChartFigure } from './chart.js';
import { anchorOf, html, type Markup } from './markup.js';
import { page } from './page.js';
import { DataTable } from './parts.js';

function figure(effect: DiffEffect, { from, to }: SpecDiff): Markup {
  const { id, label, unit } = effect;
  const { name, scale } = drawnUnit(unit);
  const chart: BarChart = {
    kind: 'bars',
    title: name === '' ? label : `${label}, ${name}`,
    unit: 'specification',
    rows: [from, to],
    parts: [
      { label: name === '' ? 'in the mean' : name, slot: 'cold', values: [effect.from * scale, effect.to * scale] },
    ],
  };
  return html`<div>${ChartFigure({ chart, id: anchorOf('effect', id) })}<p class="why">${measureText(effect.from, unit)} → ${measureText(effect.to, unit)}; difference ${differenceText(effect)} (scenario ${effect.scenario}).</p></div>`;
}

function list(title: string, names: readonly string[]): Markup {
  if (names.length === 0) return undefined;
  return html`<details><summary>${title}: ${names.length}</summary><ul>${names.map((name) => html`<li><code>${name}</code></li>`)}</ul></details>`;
}

function findings(title: string, found: readonly DiffFinding[]): Markup {
  if (found.length === 0) return undefined;
  const items = found.map(
    ({ id, severity, arithmetic }) => html`<li>${severity} <code>${id}</code>: ${arithmetic}</li>`,
  );
  return html`<h3>${title}</h3><ul>${items}</ul>`;
}

function numbers(diff: SpecDiff): Markup {
  const parts = (diff.parts ?? []).map((part) => html`<li><code>${partLine(part)}</code></li>`);
  const others = parts.length === 0 ? undefined : html`<ul>${parts}</ul>`;
  if (diff.numbers.length === 0) return html`<p>No number differs.</p>${others}`;
  const rows = diff.numbers.map(({ path, unit, from, to }) => [
    html`<code>${path}</code>`,
    numberText(from),
    numberText(to),
    unit,
  ]);
  return [others, DataTable({ label: 'Numbers that differ', heads: ['number', diff.from, diff.to, 'unit'], rows })];
}

/** A comparison as one HTML file. The same comparison gives the same bytes. */
export function specDiffPage(diff: SpecDiff): string {
  const { statements, findings: findingsOf } = diff;
  const touched = diff.clauses.map(clauseLine);
  const worse = (findingsOf.worse ?? []).map((each) => ({
    ...each,
    arithmetic: `${each.arithmetic}; before: ${each.was}`,
  }));
  const migration = migrationLines(diff).map((line) => html`<p class="why">Migration: ${line}</p>`);
  const change = html`<section id="change" class="part" aria-labelledby="change-title"><h2 id="change-title">The change</h2><p class="question">${countsLine(diff)}</p>
${numbers(diff)}${migration}
${list('Statements that are new', statements.added)}${list('Statements that are gone', statements.removed)}${list('Statements that say something else', statements.changed)}
${list('Clauses', touched)}${list('Errors', diff.errors)}${list('Endpoints', diff.endpoints)}${list('Checks', diff.checks)}${list('Mutants', diff.mutants)}
${findings('Findings that appear', findingsOf.appear)}${findings('Findings that become worse', worse)}${findings('Findings that vanish', findingsOf.vanish)}</section>`;
  const unmeasured = diff.unmeasured.map(
    ({ scenario, reason }) => html`<p>Not measured: <code>${scenario}</code>: ${reason}</p>`,
  );
  const effects = html`<section id="effects" class="part" aria-labelledby="effects-title"><h2 id="effects-title">Effects on people</h2>
<p>${diff.replicates} pairs of runs of each standard scenario from seed ${diff.seed} on: the same agents with the same luck under both. Intervals are of 95 %.</p>
${unmeasured}<div class="charts">${diff.effects.map((effect) => figure(effect, diff))}</div></section>`;
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
