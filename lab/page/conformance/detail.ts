/** The panel of the Conformance view: one clause, check or section in full, by the components of the report. */

import { stateLabel } from '../../../reports/conformance/clause-states.js';
import { bySection, type ConformanceWriting } from '../../../reports/conformance/conformance-view.js';
import { CheckBody, VerdictBadge } from '../../../reports/views/check.js';
import { ClauseBody } from '../../../reports/views/clauses.js';
import { addCopyButtons } from '../../../reports/views/copy-buttons.js';
import { anchorOf } from '../../../reports/views/markup.js';
import { Badge } from '../../../reports/views/parts.js';
import type { CheckResult, ConformanceResult, ReportedClause } from '../../../results/conformance-result.js';
import { Loading, useAnswer } from '../answers.js';
import { html, useEffect, useRef, type VNode } from '../markup.js';

/** The subject of the panel. */
export interface Subject {
  readonly kind: 'clause' | 'check' | 'section';
  readonly id: string;
}

/** The subject that an anchor of the report leads to. */
export function subjectAt(anchor: string, { clauses, checks }: ConformanceResult): Subject | undefined {
  const [clause, check] = [clauses, checks].map((all) =>
    all.find(({ id }) => anchorOf(all === clauses ? 'clause' : 'check', id) === anchor),
  );
  const section = clauses.find((each) => anchorOf('section', each.section) === anchor)?.section;
  if (clause !== undefined) return { kind: 'clause', id: clause.id };
  if (check !== undefined) return { kind: 'check', id: check.id };
  return section === undefined ? undefined : { kind: 'section', id: section };
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
  useEffect(() => panel.current?.querySelector('h2')?.focus(), [subject]);
  return html`<aside class="panel detail" aria-label=${subject.id} ref=${panel}><header><h2 tabindex="-1" aria-level="4">${subject.kind === 'section' ? `Section ${subject.id}` : subject.id}</h2><button type="button" class="quiet" onClick=${close}>Close</button></header>
    ${subject.kind === 'section' ? sectionList(subject.id, result) : html`<${Opened} subject=${subject} result=${result} writing=${writing} changed=${changed} />`}
    ${run === undefined ? null : html`<p class="steps"><button type="button" onClick=${() => run([subject.id])}>Run this ${subject.kind} again</button></p>`}</aside>`;
}

/** A clause or a check with all that the lab has of it. */
function Opened({
  subject,
  result,
  writing,
  changed,
}: Pick<Props, 'subject' | 'result' | 'writing' | 'changed'>): VNode {
  const place = useRef<HTMLDivElement>(null);
  const answer = useAnswer<unknown>(`conformance/${subject.kind}`, { id: subject.id, changed }, result);
  useEffect(() => {
    if (place.current !== null) addCopyButtons(place.current);
  }, [answer]);
  if (answer.state === 'loading') return html`<${Loading} />`;
  if (answer.state === 'refused') return html`<p class="empty">${answer.why}</p>`;
  return html`<div ref=${place}>${content(subject, answer.value, { result, writing })}</div>`;
}

function content({ kind }: Subject, value: unknown, { result, writing }: Pick<Props, 'result' | 'writing'>): VNode {
  if (kind === 'clause') {
    const clause = value as ReportedClause;
    return html`<p>${Badge({ kind: clause.state, label: stateLabel(clause.state) })} ${clause.text}</p>${ClauseBody({ clause, context: { result, writing, homes: {}, folded: [] } })}`;
  }
  const check = value as CheckResult;
  return html`<p>${VerdictBadge(check)} ${check.title}</p>${CheckBody({ check, result, writing, packs: false })}`;
}

function sectionList(id: string, result: ConformanceResult): VNode {
  const clauses = bySection(result).find(({ section }) => section === id)?.clauses ?? [];
  return html`<ul class="checks">${clauses.map(
    ({ id: clause, state, text }) =>
      html`<li>${Badge({ kind: state, label: stateLabel(state) })} <a href="#${anchorOf('clause', clause)}">${text}</a></li>`,
  )}</ul>`;
}
