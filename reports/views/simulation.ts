/** The view of a simulation: whether what was expected came true, the life of the population, five figures, then charts and tables. */

import { countText, durationText, numberText, secondsText } from '../../results/numbers.js';
import type { ExpectationResult, SimulationResult } from '../../results/simulation-result.js';
import { planCharts } from '../charts/chart-plan.js';
import type { Verdict } from '../conformance/verdict-text.js';
import {
  censoredText,
  fewHeadlines,
  headlines,
  heldText,
  measuredText,
  noEffectText,
  optionTable,
  refusalsByCode,
  refusedOf,
} from '../simulation/simulation-view.js';
import { ChartFigure } from './chart.js';
import { html, type Markup } from './markup.js';
import type { Place } from './page.js';
import { Command, DataTable, Facts, Figures, mono, Note, OverviewCard, PassBadge, VerdictBanner } from './parts.js';

/** How many figures there are before all totals. */
const FIGURES = 5;

/** A simulation's result. */
interface SimulationProps {
  readonly result: SimulationResult;
}

/** The places of the simulation view that a list of contents names. */
export function simulationPlaces({ result }: SimulationProps): readonly Place[] {
  return [
    { id: 'simulation', label: 'Simulation' },
    ...(result.expectations.length === 0 ? [] : [{ id: 'expectations', label: 'Expectations' }]),
    ...(planCharts(result).length < 2 ? [] : [{ id: 'charts', label: 'Charts' }]),
    { id: 'operations', label: 'Operations' },
    { id: 'reproduce', label: 'Reproduce' },
  ];
}

/** The verdict on a simulation: by its expectations, and by whether it finished. */
export function simulationVerdict({ manifest, expectations }: SimulationResult): Verdict {
  const missed = expectations.filter(({ holds }) => !holds);
  const measured = (each: ExpectationResult): string => `${each.text}: measured ${measuredText(each)}`;
  if (manifest.partial) return { tone: 'bad', word: 'Not complete', text: 'The run ended before its time.' };
  const held = heldText({ expectations });
  const word = `${held.charAt(0).toUpperCase()}${held.slice(1)}`;
  if (missed.length > 0) return { tone: 'bad', word, text: missed.map(measured).join('; ') };
  return { tone: expectations.length === 0 ? 'open' : 'good', word, text: sizeText({ manifest }) };
}

function sizeText({ manifest }: Pick<SimulationResult, 'manifest'>): string {
  const { agents, simulated_ms, operations } = manifest;
  return `${countText(agents, 'agent')} over ${durationText(simulated_ms)} of protocol time, ${countText(operations.total, 'operation')}`;
}

/** A summary card of a simulation. Only here is the wall time shown, which differs between runs of the same seed. */
export function SimulationCard({ result }: SimulationProps): Markup {
  const { scenario, operations, run, agents, simulated_ms } = result.manifest;
  return OverviewCard({
    id: 'simulation',
    tone: simulationVerdict(result).tone === 'bad' ? 'bad' : 'good',
    title: html`Simulation of ${mono(scenario.name)}`,
    content: html`<p class="figure">${countText(agents, 'agent')}</p><p>${durationText(simulated_ms)} of protocol time: ${countText(operations.total, 'operation')} in ${secondsText(run.wall_s)}. ${heldText(result)}.</p>${Figures({ figures: fewHeadlines(result) })}`,
    more: 'To the simulation part',
  });
}

/** The view of a simulation as a part of a page. It holds nothing that varies between runs of the same scenario, seed and version. */
export function SimulationView({ result }: SimulationProps): Markup {
  const { manifest } = result;
  const [life, ...charts] = planCharts(result).map((chart, at) =>
    ChartFigure({ chart, id: `chart-${at + 1}`, wide: at === 0 }),
  );
  const total = Object.keys(result.totals).length;
  return html`<section class="part" id="simulation" aria-labelledby="simulation-title">
<h2 id="simulation-title">Simulation: ${manifest.scenario.name}</h2>
<p class="question">${result.question}</p>
${VerdictBanner(simulationVerdict(result))}
${manifest.partial ? Note({ text: 'Every number below is partial.' }) : undefined}
${manifest.censored.map((each) => Note({ text: `Growth was limited: ${censoredText(each)}.` }))}
${(manifest.no_effect ?? []).map((each) => Note({ text: `${noEffectText(each)}.` }))}
${life}
${Figures({ figures: fewHeadlines(result, FIGURES) })}
${total <= FIGURES ? undefined : allTotals(result)}
${expectationTable(result)}
${optionsTable(result)}
${charts.length === 0 ? undefined : html`<h3 id="charts">Charts</h3><p class="lead">The number beside a line’s name is its last value.</p><div class="charts">${charts}</div>`}
<h3 id="operations">Operations and refusals</h3>${operationTable(result)}
${invariantTable(result)}
<h3 id="scenario">The scenario</h3><p class="lead">${sizeText(result)}. ${result.description}</p>
${manifest.model.length === 0 ? undefined : html`<h3 id="model">What the model leaves out</h3><ul class="plain">${manifest.model.map((note) => html`<li>${note}</li>`)}</ul>`}
${proof(result)}</section>`;
}

function allTotals(result: SimulationResult): Markup {
  const rows = headlines(result).map(({ label, value }) => [label, value]);
  return html`<details class="data"><summary>All ${numberText(rows.length)} totals</summary>${DataTable({ label: 'All totals', heads: ['total', '#value'], rows })}</details>`;
}

function expectationTable({ expectations }: SimulationResult): Markup {
  if (expectations.length === 0) return undefined;
  const rows = expectations.map((each) => [PassBadge(each), mono(each.text), measuredText(each)]);
  return html`<h3 id="expectations">Expectations of the scenario</h3>${DataTable({ label: 'Expectations', heads: ['verdict', 'expectation', '#measured'], rows, named: 1 })}`;
}

function optionsTable(result: SimulationResult): Markup {
  const { heads, rows } = optionTable(result);
  if (rows.length === 0 || heads.length === 0) return undefined;
  return html`<h3 id="options">Options at the end</h3>${DataTable({
    label: 'Options at the end',
    heads: ['option', ...heads.map((head) => `#${head}`)],
    rows: rows.map(({ group, values }) => [mono(group), ...values]),
  })}`;
}

function operationTable({ manifest: { operations } }: SimulationResult): Markup {
  const kinds = operations.by_kind.map((kind) => {
    const codes = refusalsByCode([kind]).map(({ code, count }) => html`${mono(code)} ${numberText(count)}<br />`);
    return [kind.kind, numberText(kind.accepted), numberText(refusedOf(kind)), codes];
  });
  const all = ['all', numberText(operations.accepted), numberText(operations.refused), undefined];
  return DataTable({
    label: 'Operations by kind',
    heads: ['operation', '#accepted', '#refused', 'refusals by code'],
    rows: [...kinds, all],
  });
}

function invariantTable({ manifest: { invariants } }: SimulationResult): Markup {
  if (invariants.length === 0) return undefined;
  const rows = invariants.map(({ name, text, checked }) => [mono(name), text, numberText(checked)]);
  return html`<h3 id="invariants">Invariants that held</h3>${DataTable({ label: 'Invariants', heads: ['invariant', 'what it says', '#times checked'], rows })}`;
}

function proof({ manifest, command }: SimulationResult): Markup {
  const { seed, event_hash, scenario, protocol_digest, versions } = manifest;
  return html`<h3 id="reproduce">Reproduce every number</h3><div class="card">${Command({ text: command })}${Facts({
    kind: 'proof',
    facts: [
      ['seed', seed],
      ['event hash', mono(event_hash)],
      ['scenario', mono(`${scenario.file}, SHA-256 ${scenario.sha256}`)],
      ['protocol digest', mono(protocol_digest)],
      ['versions', `aips-lab ${versions.aips_lab}, scenario format ${versions.scenario_format}`],
    ],
  })}</div>`;
}
