/** The part of a page on a simulation: expectations, figures and tables. The shell of the page is in page.ts. */
import { planCharts } from '../chart-plan.js';
import { countText, durationText, numberText, secondsText } from '../numbers.js';
import type { SimulationResult } from '../simulation-result.js';
import {
  censoredText,
  fewHeadlines,
  type Headline,
  headlines,
  heldText,
  measuredText,
  noEffectText,
  refusalsByCode,
  refusedOf,
} from '../simulation-view.js';
import { chartFigure } from './chart-figure.js';
import { dataTable } from './data-table.js';
import { type Html, html } from './markup.js';
import type { Place } from './page.js';

/** The places of the simulation part that a list of contents names. */
export function simulationPlaces(result: SimulationResult): readonly Place[] {
  return [
    { id: 'simulation', label: 'Simulation' },
    ...(result.expectations.length === 0 ? [] : [{ id: 'expectations', label: 'Expectations' }]),
    ...(planCharts(result).length === 0 ? [] : [{ id: 'charts', label: 'Charts' }]),
    { id: 'operations', label: 'Operations' },
    { id: 'reproduce', label: 'Reproduce' },
  ];
}

function sizeText({ manifest }: SimulationResult): string {
  return `${countText(manifest.agents, 'agent')} over ${durationText(manifest.simulated_ms)} of protocol time`;
}

/** A summary card of a simulation. Only here is the wall time shown, which differs between runs of the same seed. */
export function simulationCard(result: SimulationResult): Html {
  const { scenario, operations, run, partial } = result.manifest;
  const good = !partial && result.expectations.every((expectation) => expectation.holds);
  const [first, ...rest] = sizeText(result).split(' over ');
  return html`<section class="card ${good ? 'good' : 'bad'}" aria-labelledby="card-simulation">
<h2 id="card-simulation">Simulation of <span class="mono">${scenario.name}</span></h2>
<p class="figure">${first}</p>
<p>${rest.join(' over ')}: ${countText(operations.total, 'operation')} in ${secondsText(run.wall_s)}. ${heldText(result)}.</p>
<dl class="stats">${stats(fewHeadlines(result))}</dl>
<p class="more"><a href="#simulation">To the simulation part</a></p>
</section>`;
}

/** The simulation part of a page. It holds nothing that varies between runs of the same scenario, seed and version. */
export function simulationSection(result: SimulationResult): Html {
  const { manifest } = result;
  const charts = planCharts(result);
  return html`<section class="part" id="simulation" aria-labelledby="simulation-title">
<h2 id="simulation-title">Simulation: ${manifest.scenario.name}</h2>
<p class="question">${result.question}</p>
<p class="lead">${result.description}</p>
${manifest.partial ? html`<p class="note"><b>The run ended before its time.</b> Every number below is partial.</p>` : undefined}
${manifest.censored.map((each) => html`<p class="note">Growth was limited: ${censoredText(each)}.</p>`)}
${(manifest.no_effect ?? []).map((each) => html`<p class="note">${noEffectText(each)}.</p>`)}
<div class="card"><p><b>${sizeText(result)}</b>, ${countText(manifest.operations.total, 'operation')}, ${heldText(result)}</p>
<dl class="stats">${stats(headlines(result))}</dl></div>
${expectationTable(result)}
${charts.length === 0 ? undefined : html`<h3 id="charts">Charts</h3><p class="lead">The number beside a line’s name is its last value.</p><div class="charts">${charts.map((chart, at) => chartFigure(chart, `chart-${at + 1}`))}</div>`}
<h3 id="operations">Operations and refusals</h3>
${operationTables(result)}
${invariantTable(result)}
${manifest.model.length === 0 ? undefined : html`<h3 id="model">What the model leaves out</h3><ul class="plain">${manifest.model.map((note) => html`<li>${note}</li>`)}</ul>`}
${proof(result)}
</section>`;
}

function stats(shown: readonly Headline[]): Html {
  return html`${shown.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}`;
}

function expectationTable({ expectations }: SimulationResult): Html {
  if (expectations.length === 0) return html``;
  const rows = expectations.map(
    ({
      text,
      holds,
      measured,
    }) => html`<tr><td><span class="badge ${holds ? 'pass' : 'fail'}">${holds ? 'pass' : 'fail'}</span></td><th scope="row" class="mono">${text}</th><td class="number">${measuredText(text, measured)}</td></tr>
`,
  );
  return html`<h3 id="expectations">Expectations of the scenario</h3>
${dataTable('Expectations', ['verdict', 'expectation', '#measured'], rows)}`;
}

function operationTables({ manifest: { operations } }: SimulationResult): Html {
  const kinds = operations.by_kind.map((kind) => {
    const codes = refusalsByCode([kind]).map(
      ({ code, count }) => html`<span class="mono">${code}</span> ${numberText(count)}<br>`,
    );
    return html`<tr><th scope="row">${kind.kind}</th><td class="number">${numberText(kind.accepted)}</td><td class="number">${numberText(refusedOf(kind))}</td><td class="codes">${codes}</td></tr>
`;
  });
  const total = html`<tr><th scope="row">all</th><td class="number">${numberText(operations.accepted)}</td><td class="number">${numberText(operations.refused)}</td><td></td></tr>`;
  return dataTable('Operations by kind', ['operation', '#accepted', '#refused', 'refusals by code'], [...kinds, total]);
}

function invariantTable({ manifest: { invariants } }: SimulationResult): Html {
  if (invariants.length === 0) return html``;
  const rows = invariants.map(
    ({
      name,
      text,
      checked,
    }) => html`<tr><th scope="row" class="mono">${name}</th><td>${text}</td><td class="number">${numberText(checked)}</td></tr>
`,
  );
  return html`<h3 id="invariants">Invariants that held</h3>
${dataTable('Invariants', ['invariant', 'what it says', '#times checked'], rows)}`;
}

function proof({ manifest, command }: SimulationResult): Html {
  return html`<h3 id="reproduce">Reproduce every number</h3>
<div class="card"><div class="script"><pre>${command}</pre></div>
<dl class="proof"><dt>seed</dt><dd>${manifest.seed}</dd>
<dt>event hash</dt><dd class="mono">${manifest.event_hash}</dd>
<dt>scenario</dt><dd class="mono">${manifest.scenario.file}, SHA-256 ${manifest.scenario.sha256}</dd>
<dt>protocol digest</dt><dd class="mono">${manifest.protocol_digest}</dd>
<dt>versions</dt><dd>aips-lab ${manifest.versions.aips_lab}, scenario format ${manifest.versions.scenario_format}</dd></dl></div>`;
}
