/** The views of a comparison of specifications: the change with all that it touches, and one figure for each effect. */

import { countText, measureText, numberText } from '../../results/numbers.js';
import type { DiffEffect, DiffFinding, SpecDiff } from '../../results/spec-diff-result.js';
import type { BarChart } from '../charts/chart-plan.js';
import { drawnUnit } from '../charts/chart-scale.js';
import {
  bySize,
  changedWords,
  clauseLine,
  countsLine,
  differenceText,
  migrationLines,
  partLine,
} from '../specification/spec-diff-view.js';
import { ChartFigure } from './chart.js';
import { anchorOf, html, type Markup } from './markup.js';
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

function findings(title: string, found: readonly (DiffFinding & { readonly was?: string })[]): Markup {
  if (found.length === 0) return undefined;
  const items = found.map(
    ({ id, severity, arithmetic, was }) =>
      html`<li>${severity} <code>${id}</code>: ${arithmetic}${was === undefined ? undefined : html` <span class="why">(was: ${was})</span>`}</li>`,
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

/** The clauses whose text the change rewrites, before and after, with the words that differ. */
function sentences({ clauses }: SpecDiff): Markup {
  const items = clauses.flatMap(({ id, text, after }) => {
    if (after === undefined) return [];
    const [start, was, now, end] = changedWords(text, after);
    return [
      html`<dt><code>${id}</code></dt><dd>before: ${start} <del>${was}</del> ${end}</dd><dd>after: ${start} <ins>${now}</ins> ${end}</dd>`,
    ];
  });
  return items.length === 0 ? undefined : html`<h3>The text, before and after</h3><dl class="sentences">${items}</dl>`;
}

/** The change: numbers, statements, what they touch, and the findings of lint that become worse, appear or vanish. */
export function ChangeView(diff: SpecDiff): Markup {
  const { statements } = diff;
  const touched = diff.clauses.filter(({ after }) => after === undefined).map(clauseLine);
  const migration = migrationLines(diff).map((line) => html`<p class="why">Migration: ${line}</p>`);
  return html`<section id="change" class="part" aria-labelledby="change-title"><h2 id="change-title">The change</h2><p class="question">${countsLine(diff)}</p>
${numbers(diff)}${migration}${sentences(diff)}
${findings('Findings that become worse', diff.findings.worse ?? [])}${findings('Findings that appear', diff.findings.appear)}${findings('Findings that vanish', diff.findings.vanish)}
${list('Statements that are new', statements.added)}${list('Statements that are gone', statements.removed)}${list('Statements that say something else', statements.changed)}
${list('Other clauses that it touches', touched)}${list('Errors', diff.errors)}${list('Endpoints', diff.endpoints)}${list('Checks', diff.checks)}${list('Mutants', diff.mutants)}</section>`;
}

const isSame = ({ difference, half_width }: DiffEffect): boolean => difference === 0 && half_width === 0;

/** The effects on people, by paired runs. Measures without a difference have no figure. */
export function EffectsView(diff: SpecDiff): Markup {
  const moved = bySize(diff.effects).filter((effect) => !isSame(effect));
  const same = diff.effects.filter(isSame).map(({ label, from, unit }) => `${label}: ${measureText(from, unit)}`);
  const none = `None of ${countText(same.length, 'measure')} differs.`;
  const unmeasured = diff.unmeasured.map(
    ({ scenario, reason }) => html`<p>Not measured: <code>${scenario}</code>: ${reason}</p>`,
  );
  return html`<section id="effects" class="part" aria-labelledby="effects-title"><h2 id="effects-title">Effects on people</h2>
<p>${diff.replicates} pairs of runs of each standard scenario from seed ${diff.seed} on: the same agents with the same luck under both. Intervals are of 95 %.</p>
${unmeasured}<h3>By size</h3><p class="why">As a share of the value before; what may be chance comes last.</p>${moved.length === 0 && same.length > 0 ? html`<p>${none}</p>` : undefined}<div class="charts">${moved.map((effect) => figure(effect, diff))}</div>
${list('Measures without a difference', same)}</section>`;
}
