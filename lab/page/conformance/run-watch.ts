/** A run while it goes on: how far it is, what failed first, the matrix of clauses, the newest check, findings, and the changes since the run before. */

import type { CellState } from '../../../reports/conformance/clause-states.js';
import { anchorOf } from '../../../reports/views/markup.js';
import { MatrixFigure, MatrixRows } from '../../../reports/views/matrix.js';
import { cellsOf, paintCells, readMatrix } from '../../../reports/views/matrix-reader.js';
import { numberText } from '../../../results/numbers.js';
import type { Suite } from '../../server/conformance/exchange-actions.js';
import type { SeenDeviation, ShownRequest, Watched } from '../../server/conformance/watched.js';
import { Loading, useAnswer } from '../answers.js';
import { html, useEffect, useLive, useRef, useState, type VNode } from '../markup.js';
import { figure, panel, pill } from '../parts.js';
import { hrefTo } from '../place.js';
import type { ViewName } from '../routes.js';
import { progressText, runWords } from '../run-words.js';
import { changeWatched, watched } from '../store.js';
import { clauseList, Frame } from './detail.js';
import { changesOf } from './difference.js';
import { ExchangeContent, exchangeLink, requestLines } from './exchange.js';
import { RunSearch, verdictLine } from './run-search.js';
import { Split, type Subject } from './split.js';
import { statesIn, useSuite } from './suite.js';

const viewOf = (changed: boolean): ViewName => (changed ? 'specification' : 'conformance');

/** The run that is under way, of a kind. Nothing below is drawn again but what an event changes. */
export function RunWatch({ changed }: { readonly changed: boolean }): VNode | null {
  const run = useLive(() => (changed ? changeWatched : watched).value);
  const suite = useSuite();
  if (run === null) return null;
  if (suite === undefined) return html`${RunProgress(run)}<${Loading} />`;
  const view = viewOf(changed);
  const states = statesIn(run.states, suite);
  const { newest } = run;
  const title = suite.checks.find(({ id }) => id === newest?.check)?.title;
  const content = html`${RunProgress(run)}<div class="watching"><${LiveMatrix} suite=${suite} states=${states} /><div>${newest === null ? null : panel('The newest check', html`<p>${title} <a class="mono" href=${hrefTo(view, 'check', newest.check)}>${newest.check}</a></p>${requestLines(view, newest.check, newest.requests)}`)}
    ${panel('Met so far', DeviationsSeen(run))}${run.before === null ? null : panel(`Run ${run.before.n} beside this one`, sinceBefore(run.before.states, states, suite))}</div></div>
    <${RunSearch} run=${run} suite=${suite} view=${view} />`;
  const opened = (subject: Subject, close: () => void): VNode =>
    html`<${Frame} subject=${subject} close=${close} content=${liveContent(subject, { run, suite, states, changed })} />`;
  return html`<${Split} view=${view} content=${content} panel=${opened} />`;
}

/** The matrix: drawn once, then its cells are painted. */
function LiveMatrix({ suite, states }: { readonly suite: Suite; readonly states: readonly CellState[] }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const cells = useRef<ReturnType<typeof cellsOf>>([]);
  // The same nodes each time: their cells are not compared.
  const [rows] = useState(() =>
    MatrixRows({ clauses: suite.clauses.map((clause) => ({ ...clause, state: 'not-judged' })) }),
  );
  useEffect(() => {
    if (place.current === null) return;
    const texts = new Map(suite.clauses.map(({ id, text }) => [anchorOf('clause', id), `${id}: ${text}`]));
    readMatrix(place.current, (anchor) => texts.get(anchor) ?? '');
    const ids = suite.clauses.map(({ id }) => id);
    cells.current = cellsOf(place.current, ids);
  }, []);
  useEffect(() => paintCells(cells.current, states), [states.join()]);
  return html`<div ref=${place}>${MatrixFigure({ states, rows })}</div>`;
}

/** Clauses that are in another state than in the run before, of those that this run has judged so far. */
function sinceBefore(before: string, states: readonly CellState[], suite: Suite): VNode {
  const then = statesIn(before, suite);
  const idsOf = (is: (from: CellState | undefined, to: CellState) => boolean): readonly string[] =>
    suite.clauses.flatMap(({ id }, at) => (is(then[at], states[at] ?? 'not-judged') ? [id] : []));
  const failing = idsOf((from, to) => to === 'fails' && from !== to);
  const passing = idsOf((from, to) => from === 'fails' && to === 'holds');
  const same = idsOf((from, to) => from === to && (to === 'fails' || to === 'holds'));
  return changesOf(
    { failing, passing },
    `${numberText(same.length)} unchanged so far.`,
    (id) => `#${anchorOf('clause', id)}`,
    ' so far',
  );
}

interface Live {
  readonly run: Watched;
  readonly suite: Suite;
  readonly states: readonly CellState[];
  readonly changed: boolean;
}

/** The panel of a clause, a check, a section or an exchange, as far as the run has come. */
function liveContent({ kind, id }: Subject, { run, suite, states, changed }: Live): VNode {
  const view = viewOf(changed);
  const all = suite.clauses.map((clause, at) => ({ ...clause, at, state: states[at] ?? 'not-judged' }));
  if (kind === 'exchange') return html`<${ExchangeContent} id=${id} changed=${changed} />`;
  if (kind === 'section') return clauseList(all.filter(({ section }) => section === id));
  if (kind === 'check') return html`<${LiveCheck} id=${id} run=${run} />`;
  const clause = all.find((each) => each.id === id);
  if (clause === undefined) return html`<p class="empty">No clause has the id ${id}.</p>`;
  const checks = suite.checks.flatMap((check, at) => (check.clauses.includes(clause.at) ? [{ ...check, at }] : []));
  return html`${clauseList([clause])}<p class="soft">Section ${clause.section}, ${clause.level}. Its checks:</p><ul class="checks">${checks.map((check) => html`<li>${verdictLine(check, run, view)}</li>`)}</ul>`;
}

/** A check that is under way, or has ended in the run that is. */
function LiveCheck({ id, run }: { readonly id: string; readonly run: Watched }): VNode {
  const { changed } = run;
  const answer = useAnswer<{
    readonly title?: string;
    readonly text?: string;
    readonly requests?: readonly ShownRequest[];
  }>('conformance/check', { id, changed }, run.newest?.check === id ? run.requests : run.done);
  if (answer.state !== 'there')
    return answer.state === 'loading' ? html`<${Loading} />` : html`<p class="empty">${answer.why}.</p>`;
  const { title, text, requests } = answer.value;
  return html`<p>${title ?? text}</p>${requests === undefined ? html`<p class="soft">This run has not come to it.</p>` : requestLines(viewOf(changed), id, requests)}`;
}

/** The deviation that the latest run of a kind met first. */
export function FirstFailure({ changed }: { readonly changed: boolean }): VNode | null {
  const run = useLive(() => (changed ? changeWatched : watched).value);
  return run === null || run.first === null
    ? null
    : html`<section class="panel failedfirst" aria-label="What failed first"><h2>What failed first</h2>${deviation(run.first, viewOf(run.changed))}</section>`;
}

function deviation({ title, level, expected, actual, clauses, check, n }: SeenDeviation, view: ViewName): VNode {
  const links = clauses.map((id) => html` <a class="mono" href=${hrefTo(view, 'clause', id)}>${id}</a>`);
  return html`<p><b>${title}</b> ${pill(level, level === 'must' ? 'bad' : 'warm')}${links}</p><p>expected ${expected}; came ${actual}${check === '' ? null : html`, in ${exchangeLink(view, check, n)}`}</p>`;
}

const BARS = { good: 's-active', bad: 's-bad', open: 's-open' } as const;

/** How far a run is; in the end, how much of it was judged. */
export function RunProgress(run: Watched): VNode {
  const { share, tone, clauses } = runWords(run);
  const isRunning = run.state === 'running';
  const max = isRunning ? run.total : clauses.total;
  const { name, url } = run.server;
  return html`<p>${isRunning ? 'Judges' : 'Judged'} <b>${name}</b>${url === '' ? ', which starts' : html` at <code>${url}</code>`}.</p>
    <div class="progress" role="progressbar" aria-label=${isRunning ? 'Checks of this run that are done' : 'Clauses that are judged'} aria-valuemin="0" aria-valuemax=${max} aria-valuenow=${Math.round(share * max)}><i class=${BARS[tone]} style=${{ width: `${share * 100}%` }}></i></div>
    <dl class="figures small">${isRunning ? figure('checks done', `${numberText(run.done)} of ${numberText(run.total)}`) : null}${figure('clauses judged', `${numberText(clauses.judged)} of ${numberText(clauses.total)}`)}${figure('requests', numberText(run.requests))}${figure('time', `${Math.round(run.tookMs / 1_000)} s`)}</dl>
    <p class="soft" aria-live=${isRunning ? 'off' : 'polite'}>${progressText(run)}</p>`;
}

/** The deviations that a run has met so far. */
export function DeviationsSeen(run: Watched): VNode {
  if (run.seen.length === 0) return html`<p class="empty">${unseenText(run)}</p>`;
  return html`<ol class="log">${run.seen.map((each) => html`<li key=${each.title}>${deviation(each, viewOf(run.changed))}${each.times === 1 ? null : html`<p class="soft">${each.times} times</p>`}</li>`)}</ol>`;
}

function unseenText(run: Watched): string {
  const { deviations, title, text } = runWords(run);
  if (run.state === 'running') return deviations === undefined ? 'Nothing is judged yet.' : 'No deviation yet.';
  return `${title}: ${text}.`;
}
