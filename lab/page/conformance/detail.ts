/** The panel of the Conformance view: one clause, check or section in full, by the components of the report. */

import { stateLabel } from '../../../reports/conformance/clause-states.js';
import { bySection, type ConformanceWriting } from '../../../reports/conformance/conformance-view.js';
import { curlScript } from '../../../reports/conformance/curl.js';
import { failedExchanges, numbersOf } from '../../../reports/conformance/failed-exchanges.js';
import { CheckBody, VerdictBadge } from '../../../reports/views/check.js';
import { ClauseBody } from '../../../reports/views/clauses.js';
import { addCopyButtons } from '../../../reports/views/copy-buttons.js';
import { anchorOf } from '../../../reports/views/markup.js';
import { Badge, Command } from '../../../reports/views/parts.js';
import { Exchanges } from '../../../reports/views/transcript.js';
import type { CheckResult, ConformanceResult, ReportedClause } from '../../../results/conformance-result.js';
import { Loading, useAnswer } from '../answers.js';
import { html, useEffect, useRef, type VNode } from '../markup.js';
import { hrefTo } from '../place.js';
import { type Route, SUBJECTS, type SubjectKind, type ViewName } from '../routes.js';

/** The subject of the panel; the id of an exchange is its number and the id of its check. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
}

/** The subject of a place; undefined for a place with no panel. */
export function subjectOf(open: Route | undefined): Subject | undefined {
  const kind = SUBJECTS.find((each) => each === open?.kind);
  return kind === undefined || open === undefined ? undefined : { kind, id: open.id };
}

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
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector('h2')?.focus(), [subject.kind, subject.id]);
  return html`<aside class="panel detail" aria-label=${subject.id} ref=${panel}><header><h2 tabindex="-1" aria-level="4">${headOf(subject)}</h2><button type="button" class="quiet" onClick=${close}>Close</button></header>
    ${subject.kind === 'section' ? sectionList(subject.id, result) : html`<${Opened} subject=${subject} result=${result} writing=${writing} changed=${changed} />`}
    ${run === undefined || subject.kind === 'exchange' ? null : html`<p class="steps"><button type="button" onClick=${() => run([subject.id])}>Run this ${subject.kind} again</button></p>`}</aside>`;
}

function headOf({ kind, id }: Subject): string {
  if (kind === 'section') return `Section ${id}`;
  const { n, check } = exchangeIn(id);
  return kind === 'exchange' ? `Exchange ${n} of ${check}` : id;
}

/** The number and the check of an exchange. */
function exchangeIn(id: string): { readonly n: number; readonly check: string } {
  const at = id.indexOf('/');
  return { n: Number(id.slice(0, at)), check: id.slice(at + 1) };
}

/** A clause or a check with all that the lab has of it. */
function Opened({
  subject,
  result,
  writing,
  changed,
}: Pick<Props, 'subject' | 'result' | 'writing' | 'changed'>): VNode {
  const place = useRef<HTMLDivElement>(null);
  const { kind } = subject;
  const id = kind === 'exchange' ? exchangeIn(subject.id).check : subject.id;
  const answer = useAnswer<unknown>(`conformance/${kind === 'exchange' ? 'check' : kind}`, { id, changed }, result);
  useEffect(() => {
    if (place.current === null) return;
    addCopyButtons(place.current);
    if (kind === 'check') linkExchanges(place.current, changed ? 'specification' : 'conformance', id);
  }, [answer]);
  if (answer.state === 'loading') return html`<${Loading} />`;
  if (answer.state === 'refused') return html`<p class="empty">${answer.why}</p>`;
  return html`<div ref=${place}>${content(subject, answer.value, { result, writing })}</div>`;
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

/** One exchange of a check, with its curl and what it broke. */
function exchangeContent(id: string, check: CheckResult, result: ConformanceResult): VNode {
  const { n } = exchangeIn(id);
  const { transcript } = check;
  const at = numbersOf(transcript).indexOf(n);
  const exchange = transcript[at];
  if (exchange === undefined)
    return html`<p class="empty">The latest run of this check has no exchange ${n}: it has ${transcript.length}.</p>`;
  const failed = failedExchanges(result, check.id, transcript).get(at);
  const marks = new Map(failed === undefined ? [] : [[0, failed]]);
  return html`<p><a href="#${anchorOf('check', check.id)}">The whole check</a></p>${Exchanges({ exchanges: [exchange], first: n, marks })}<h5>The same by curl</h5>${Command({ text: curlScript([exchange], marks) })}`;
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
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), [kind, id]);
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
  return html`<aside class="panel detail" aria-label=${id}><header><h2 tabindex="-1" ref=${title}>${headOf(subject)}</h2><button type="button" class="quiet" onClick=${close}>Close</button></header>${text}
    ${run === undefined || !isKnown ? null : html`<p class="steps"><button type="button" onClick=${() => run([id])}>Judge this ${kind}</button></p>`}</aside>`;
}

function content({ kind, id }: Subject, value: unknown, { result, writing }: Pick<Props, 'result' | 'writing'>): VNode {
  if (isUnjudged(value)) return unjudgedContent(value);
  if (kind === 'clause') {
    const clause = value as ReportedClause;
    return html`<p>${Badge({ kind: clause.state, label: stateLabel(clause.state) })} ${clause.text}</p>${ClauseBody({ clause, context: { result, writing, homes: {}, folded: [] } })}`;
  }
  const check = value as CheckResult;
  if (kind === 'exchange') return exchangeContent(id, check, result);
  return html`<p>${VerdictBadge(check)} ${check.title}</p>${CheckBody({ check, result, writing, packs: false })}`;
}

function sectionList(id: string, result: ConformanceResult): VNode {
  const clauses = bySection(result).find(({ section }) => section === id)?.clauses ?? [];
  return html`<ul class="checks">${clauses.map(
    ({ id: clause, state, text }) =>
      html`<li>${Badge({ kind: state, label: stateLabel(state) })} <a href="#${anchorOf('clause', clause)}">${text}</a></li>`,
  )}</ul>`;
}
