/** The bar that shows how many clauses pass, fail or were not judged. Counting them is not its task. */
import { stateCounts, stateText } from '../clause-states.js';
import type { ReportedClause } from '../conformance-result.js';
import { numberText } from '../numbers.js';
import { type Html, html } from './markup.js';

/** The states of the clauses as one bar, with the counts as its text alternative. */
export function stateBar(clauses: readonly ReportedClause[]): Html {
  const pieces = stateCounts(clauses)
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => html`<span class="${state}" style="flex:${count}"></span>`);
  return html`<div class="bar" role="img" aria-label="${stateText(clauses) || 'no clause'}">${pieces}</div>`;
}

/** The key of the bar, with counts. */
export function stateKey(clauses: readonly ReportedClause[]): Html {
  const items = stateCounts(clauses).map(
    ({ state, label, count }) =>
      html`<li><span class="swatch ${state}"></span><b>${numberText(count)}</b> ${label}</li>`,
  );
  return html`<ul class="key">${items}</ul>`;
}
