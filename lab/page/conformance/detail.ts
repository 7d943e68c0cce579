/** The panel of the Conformance view: one clause, check or section in full, by the components of the report. */

import { type CellState, cellLabel, stateLabel } from '../../../reports/conformance/clause-states.js';
import { bySection, type ConformanceWriting } from '../../../reports/conformance/conformance-view.js';
import { CheckBody, VerdictBadge } from '../../../reports/views/check.js';
import { ClauseBody } from '../../../reports/views/clauses.js';
import { addCopyButtons } from '../../../reports/views/copy-buttons.js';
import { anchorOf } from '../../../reports/views/markup.js';
import { Badge } from '../../../reports/views/parts.js';
import type { CheckResult, ConformanceResult, ReportedClause } from '../../../results/conformance-result.js';
import { Loading, useAnswer } from '../answers.js';
import { html, useEffect, useRef, type VNode } from '../markup.js';
import type { Markup } from '../parts.js';
import { hrefTo } from '../place.js';
import type { ViewName } from '../routes.js';
import { ExchangeContent, exchangeIn } from './exchange.js';
import type { Subject } from './split.js';

interface Props {
  readonly subject: Subject;
  readonly result: ConformanceResult;
  readonly writing: ConformanceWriting;
  /** The result is of a reference under a change. */
  readonly changed: boolean;
  readonly close: () => void;
  /** Absent if nothing can be run again. */
  readonly run: ((only: readonly string[]) => void) | undefined;
}

/** The panel. The result has no transcript and no evidence for clauses that pass: those are read when they are opened. */
export function Detail({ subject, result, writing, changed, close, run }: Props): VNode {
  const { kind, id } = subject;
  const content =
    kind === 'section'
      ? clauseList(bySection(result).find(({ section }) => section === id)?.clauses ?? [])
      : kind === 'exchange'
        ? html`<${ExchangeContent} id=${id} changed=${changed} />`
        : html`<${Opened} subject=${subject} result=${result} writing=${writing} changed=${changed} />`;
  const again =
    run === undefined || kind === 'exchange'
      ? null
      : html`<p class="steps"><button type="button" onClick=${() => run([id])}>Run this ${kind} again</button></p>`;
  return html`<${Frame} subject=${subject} close=${close} content=${[content, again]} />`;
}

/** The frame of a panel; its head takes the focus. */
export function Frame({
  subject,
  close,
  content,
  level = 4,
}: Pick<Props, 'subject' | 'close'> & { readonly content: Markup; readonly level?: number }): VNode {
  const { kind, id } = subject;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), [kind, id]);
  return html`<aside class="panel detail" aria-label=${id}><header><h2 tabindex="-1" aria-level=${level} ref=${title}>${headOf(subject)}</h2><button type="button" class="quiet" onClick=${close}>Close</button></header>${content}</aside>`;
}

function headOf({ kind, id }: Subject): string {
  if (kind === 'section') return `Section ${id}`;
  const { n, check } = exchangeIn(id);
  return kind === 'exchange' ? `Exchange ${n} of ${check}` : id;
}

/** A clause or a check with all that the lab has of it. */
function Opened({
  subject,
  result,
  writing,
  changed,
}: Pick<Props, 'subject' | 'result' | 'writing' | 'changed'>): VNode {
  const place = useRef<HTMLDivElement>(null);
  const { kind, id } = subject;
  const answer = useAnswer<unknown>(`conformance/${kind}`, { id, changed }, result);
  useEffect(() => {
    if (place.current === null) return;
    addCopyButtons(place.current);
    if (kind === 'check') linkExchanges(place.current, changed ? 'specification' : 'conformance', id);
  }, [answer]);
  if (answer.state === 'loading') return html`<${Loading} />`;
  if (answer.state === 'refused') return html`<p class="empty">${answer.why}</p>`;
  const view = changed ? 'specification' : 'conformance';
  return html`<div ref=${place}>${content(subject, answer.value, { result, writing, view })}</div>`;
}

/** Gives each exchange of a check its address. */
function linkExchanges(place: Element, view: ViewName, check: string): void {
  for (const shown of place.querySelectorAll<HTMLElement>('[data-number]')) {
    const link = document.createElement('a');
    link.href = hrefTo(view, 'exchange', `${shown.dataset['number']}/${check}`);
    link.textContent = 'link';
    link.className = 'why';
    link.setAttribute('aria-label', `link to exchange ${shown.dataset['number']}`);
    if (shown.querySelector('a.why') === null) shown.querySelector('p')?.append(' ', link);
  }
}

/** A subject that no run has judged: the action has its text alone. */
interface Unjudged {
  readonly text: string;
  readonly section?: string;
  readonly level?: string;
  readonly unjudged: true;
}

const isUnjudged = (value: unknown): value is Unjudged => Object.hasOwn(Object(value), 'unjudged');

function unjudgedContent({ text, section, level }: Unjudged): VNode {
  return html`<p>${text}</p><p class="soft">${section === undefined ? '' : `Section ${section}, ${level}. `}The latest run did not judge it.</p>`;
}

/** The panel of a subject where there is no report yet. */
export function UnjudgedDetail({
  subject,
  close,
  run,
}: {
  readonly subject: Subject;
  readonly close: () => void;
  readonly run: ((only: readonly string[]) => void) | undefined;
}): VNode {
  const { kind, id } = subject;
  const asks = kind === 'clause' || kind === 'check';
  const answer = useAnswer<unknown>(`conformance/${asks ? kind : 'result'}`, asks ? { id } : {}, 0);
  const text =
    answer.state === 'loading'
      ? html`<${Loading} />`
      : answer.state === 'refused'
        ? html`<p class="empty">${answer.why}.</p>`
        : isUnjudged(answer.value)
          ? unjudgedContent(answer.value)
          : html`<p class="empty">There is no report yet that has it.</p>`;
  const isKnown = answer.state === 'there' && kind !== 'exchange';
  const judge =
    run === undefined || !isKnown
      ? null
      : html`<p class="steps"><button type="button" onClick=${() => run([id])}>Judge this ${kind}</button></p>`;
  return html`<${Frame} subject=${subject} close=${close} level=${2} content=${[text, judge]} />`;
}

function content(
  { kind }: Subject,
  value: unknown,
  { result, writing, view }: Pick<Props, 'result' | 'writing'> & { readonly view: ViewName },
): VNode {
  if (isUnjudged(value)) return unjudgedContent(value);
  if (kind === 'clause') {
    const clause = value as ReportedClause & { readonly kept: readonly string[] };
    const exchangeHref = (n: number, check: string): string | undefined =>
      clause.kept.includes(`${n}/${check}`) ? hrefTo(view, 'exchange', `${n}/${check}`) : undefined;
    return html`<p>${Badge({ kind: clause.state, label: stateLabel(clause.state) })} ${clause.text}</p>${ClauseBody({ clause, context: { result, writing, homes: {}, folded: [], exchangeHref } })}`;
  }
  const check = value as CheckResult;
  return html`<p>${VerdictBadge(check)} ${check.title}</p>${CheckBody({ check, result, writing, packs: false })}`;
}

/** Clauses with their states. */
export function clauseList(
  clauses: readonly (Pick<ReportedClause, 'id' | 'text'> & { readonly state: CellState })[],
): VNode {
  return html`<ul class="checks">${clauses.map(
    ({ id: clause, state, text }) =>
      html`<li>${Badge({ kind: state, label: cellLabel(state) })} <a href="#${anchorOf('clause', clause)}">${text}</a></li>`,
  )}</ul>`;
}
