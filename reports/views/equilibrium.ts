/** The view of a search for equilibria: coupling, a table of equilibria with their bounds, and invasion diagrams. */
import type { EquilibriumResult } from '../../results/equilibrium-result.js';
import { percentText, solText } from '../../results/numbers.js';
import { invasionChart } from '../charts/invasion-chart.js';
import type { Verdict } from '../conformance/verdict-text.js';
import {
  answerText,
  couplingText,
  equilibriumText,
  gainText,
  sharesText,
  statusCounts,
} from '../experiment/equilibrium-console.js';
import { html, type Markup, raw } from './markup.js';
import { Command, DataTable, Facts, mono, OverviewCard, VerdictBanner } from './parts.js';

/** The verdict on a search: whether an equilibrium is confirmed. */
export function equilibriumVerdict(result: EquilibriumResult): Verdict {
  const { answer } = result;
  const word =
    answer === 'none' ? 'No equilibrium found' : answer === 'confirmed' ? statusCounts(result) : 'Not confirmed';
  return { tone: answer === 'confirmed' ? 'good' : 'bad', word, text: answerText(result) };
}

/** A summary card of a search. */
export function EquilibriumCard({ result }: { readonly result: EquilibriumResult }): Markup {
  const { tone, word, text } = equilibriumVerdict(result);
  return OverviewCard({
    id: 'equilibrium',
    tone,
    title: html`Equilibria ${mono(result.name)}`,
    content: html`<p class="figure">${word}</p><p>${text}</p>`,
    more: 'To the equilibria part',
  });
}

/** The view of a search as a part of a page. */
export function EquilibriumView({ result }: { readonly result: EquilibriumResult }): Markup {
  const rows = result.equilibria.map((each) => [
    sharesText(result, each.mixture),
    each.kind,
    each.status,
    gainText(each.regret),
    each.basin === null ? '' : percentText(each.basin),
  ]);
  const heads = ['mixture', 'kind', 'status', 'regret', '#starts that lead here'];
  const drawn = result.roles.flatMap((_, role) => invasionChart(result, role, result.name) ?? []);
  return html`<section class="part" id="equilibrium" aria-labelledby="equilibrium-title">
<h2 id="equilibrium-title">Equilibria: ${result.name}</h2>
<p class="question">${result.question}</p>
${VerdictBanner(equilibriumVerdict(result))}
<p>${couplingText(result)}</p>
<h3 id="equilibria">Equilibria</h3>${DataTable({ label: 'Equilibria', heads, rows })}
${drawn.map((svg) => html`<div class="card" ...${raw(svg)}></div>`)}
<h3 id="equilibrium-text">In full</h3><div class="card">${Command({ text: equilibriumText(result) })}${Facts({
    kind: 'proof',
    facts: [
      ['digest', mono(result.digest)],
      ['resolution', `${solText(result.resolution)} for an agent and day`],
    ],
  })}</div></section>`;
}
