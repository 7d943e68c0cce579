/** The matrix of clauses: a row for each section or endpoint, a cell for each clause. Where a cell leads is decided by clauses.ts. */

import type { ReportedClause } from '../../results/conformance-result.js';
import { numberText } from '../../results/numbers.js';
import { type CellState, cellState, reportedState, stateCounts, stateText } from '../conformance/clause-states.js';
import { bySection } from '../conformance/conformance-view.js';
import { anchorOf, html, type Markup } from './markup.js';

/** The clauses of a run, as a picture needs them. */
interface MatrixProps {
  readonly clauses: readonly ReportedClause[];
}

/** A clause, as a cell needs it. */
type CellClause = Pick<ReportedClause, 'id' | 'section' | 'section_title' | 'level' | 'state' | 'exchanges'>;

/**
 * Every clause as a cell in the colour and shape of its state, by section; round cells are of decisions. Without
 * script a row's link and its counts are what a keyboard and a screen reader come to; matrix-reader.ts makes all cells walkable.
 */
export function ClauseMatrix({ clauses }: MatrixProps): Markup {
  if (clauses.length === 0) return undefined;
  return MatrixFigure({ states: clauses.map(cellState), rows: MatrixRows({ clauses }) });
}

/** The figure around the rows, with the key of these states. */
export function MatrixFigure({
  states,
  rows,
}: {
  readonly states: readonly CellState[];
  readonly rows: Markup;
}): Markup {
  return html`<figure class="matrix card" aria-labelledby="matrix-title"><figcaption><h3 id="matrix-title">Every clause, by section and endpoint</h3>${StateKey({ states })}</figcaption>
${rows}<p class="readout" aria-hidden="true">Each cell is a clause and leads to it, by click or by arrow keys and Enter; round ones are decisions.</p></figure>`;
}

/** A row for each section. */
export function MatrixRows({ clauses }: { readonly clauses: readonly CellClause[] }): Markup {
  const rows = bySection({ clauses }).map(({ section, title, clauses: own }) => {
    const worst = own.some(({ state, level }) => state === 'fails' && level === 'must') ? 'row bad' : 'row';
    return html`<li class=${worst}><a class="name" href="#${anchorOf('section', section)}"><b>${section}</b> ${title}<span class="unseen">: ${stateText(own)}</span></a><span class="cells" aria-hidden="true">${own.map(cell)}</span></li>`;
  });
  return html`<ul class="rows">${rows}</ul>`;
}

function cell(clause: CellClause): Markup {
  const { id, level } = clause;
  const state = cellState(clause);
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
function StateKey({ states }: { readonly states: readonly CellState[] }): Markup {
  const open = states.filter((state) => state === 'inconclusive').length;
  const items = [
    ...stateCounts(states.map((state) => ({ state: reportedState(state) }))),
    ...(open === 0 ? [] : [{ state: 'inconclusive', label: 'of these inconclusive', count: open }]),
  ];
  return html`<ul class="key">${items.map(({ state, label, count }) => html`<li><span class="swatch ${state}"></span><b>${numberText(count)}</b> ${label}</li>`)}</ul>`;
}
