/** The matrix of clauses: a row for each section or endpoint, a cell for each clause. Where a cell leads is decided by clauses.ts. */

import type { ReportedClause } from '../../results/conformance-result.js';
import { numberText } from '../../results/numbers.js';
import { stateCounts, stateText } from '../conformance/clause-states.js';
import { bySection } from '../conformance/conformance-view.js';
import { anchorOf, html, type Markup } from './markup.js';

/** The clauses of a run, as a picture needs them. */
interface MatrixProps {
  readonly clauses: readonly ReportedClause[];
}

/**
 * Every clause as a cell in the colour of its state, by section; round cells are of decisions. Without
 * script a row's link and its counts are what a keyboard and a screen reader come to; matrix-reader.ts makes all cells walkable.
 */
export function ClauseMatrix({ clauses }: MatrixProps): Markup {
  if (clauses.length === 0) return undefined;
  const rows = bySection({ clauses }).map(({ section, title, clauses: own }) => {
    const worst = own.some(({ state, level }) => state === 'fails' && level === 'must') ? 'row bad' : 'row';
    return html`<li class=${worst}><a class="name" href="#${anchorOf('section', section)}"><b>${section}</b> ${title}<span class="unseen">: ${stateText(own)}</span></a><span class="cells" aria-hidden="true">${own.map(cell)}</span></li>`;
  });
  return html`<figure class="matrix card" aria-labelledby="matrix-title"><figcaption><h3 id="matrix-title">Every clause, by section and endpoint</h3>${StateKey({ clauses })}</figcaption>
<ul class="rows">${rows}</ul><p class="readout" aria-hidden="true">Each cell is a clause and leads to it, by click or by arrow keys and Enter; round ones are decisions.</p></figure>`;
}

function cell({ id, state, level }: ReportedClause): Markup {
  const look = [...(state === 'holds' ? [] : [state]), ...(level === 'must' ? [] : ['d'])].join(' ');
  return html`<a tabindex="-1" class=${look || undefined} href="#${anchorOf('clause', id)}"></a>`;
}

/** The states of the clauses as one bar, with the counts as its text alternative. */
export function StateBar({ clauses }: MatrixProps): Markup {
  const pieces = stateCounts(clauses)
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => html`<span class=${state} style="flex:${count}"></span>`);
  return html`<div class="bar" role="img" aria-label=${stateText(clauses) || 'no clause'}>${pieces}</div>`;
}

/** The key of the states, with counts. */
function StateKey({ clauses }: MatrixProps): Markup {
  const items = stateCounts(clauses).map(
    ({ state, label, count }) =>
      html`<li><span class="swatch ${state}"></span><b>${numberText(count)}</b> ${label}</li>`,
  );
  return html`<ul class="key">${items}</ul>`;
}
