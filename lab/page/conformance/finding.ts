/** One finding, clause or check in full: text, expected and actual next to each other, and the exchange that shows it. */

import type { CheckResult, Exchange, Finding, ReportedClause } from '../../../reports/conformance-result.js';
import { html, useEffect, useRef, useState, type VNode } from '../markup.js';
import { Command, type Markup, pill } from '../parts.js';
import { attempt } from '../store.js';

/** The subject of the panel. */
export interface Subject {
  readonly kind: 'finding' | 'clause' | 'check';
  readonly id: string;
}

interface Full {
  readonly finding: Finding & {
    readonly title: string;
    readonly command: string;
    readonly curl: string;
    readonly texts: readonly Pick<ReportedClause, 'id' | 'section' | 'where' | 'text'>[];
    readonly followers: readonly { readonly id: string; readonly title: string }[];
  };
  readonly clause: ReportedClause & { readonly command: string; readonly findings: readonly string[] };
  readonly check: CheckResult & { readonly command: string };
}

interface Props {
  readonly subject: Subject;
  readonly open: (subject: Subject) => void;
  readonly close: () => void;
  readonly run: (only: readonly string[]) => void;
}

/** The panel. */
export function Detail({ subject, open, close, run }: Props): VNode | null {
  const [full, setFull] = useState<{ readonly of: Subject; readonly value: Full[Subject['kind']] } | undefined>(
    undefined,
  );
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(
    () =>
      void attempt<Full[Subject['kind']]>(`conformance/${subject.kind}`, { id: subject.id }).then(
        (value) => value && setFull({ of: subject, value }),
      ),
    [subject.kind, subject.id],
  );
  useEffect(() => title.current?.focus(), [full]);
  if (full === undefined || full.of !== subject) return null;
  const { command } = full.value;
  return html`<aside class="panel detail" aria-label=${subject.id}><header><h2 tabindex="-1" ref=${title}>${subject.kind === 'finding' ? (full.value as Full['finding']).title : subject.id}</h2><button type="button" class="quiet" onClick=${close}>Close</button></header>
    ${content(subject, full.value, open)}
    <p class="steps">${subject.kind === 'finding' ? checksOf(full.value as Full['finding']).map((id) => html`<button type="button" onClick=${() => run([id])}>Run ${id} again</button>`) : html`<button type="button" onClick=${() => run([subject.id])}>Run this ${subject.kind} again</button>`}</p>
    ${command === '' ? null : html`<${Command} text=${command} />`}</aside>`;
}

function checksOf({ checks }: Full['finding']): readonly string[] {
  return checks.slice(0, 1);
}

function content(subject: Subject, value: Full[Subject['kind']], open: Props['open']): Markup {
  const link = (kind: Subject['kind'], id: string, text = id): VNode =>
    html`<button type="button" class="link" onClick=${() => open({ kind, id })}>${text}</button>`;
  if (subject.kind === 'finding') {
    const finding = value as Full['finding'];
    return html`${finding.texts.map(({ id, section, where, text }) => html`<blockquote><p>${text}</p><footer>section ${section}, ${where}: ${link('clause', id)}</footer></blockquote>`)}
      ${compared(finding.expected, finding.actual)}<h3>Exchange</h3>${transcript(finding.transcript)}
      ${finding.followers.length === 0 ? null : html`<h3>May follow from it</h3><ul>${finding.followers.map((each) => html`<li>${link('finding', each.id, each.title)}</li>`)}</ul>`}
      <h3>Checks</h3><p>${finding.checks.map((id) => html`${link('check', id)} `)}</p><details><summary>As curl</summary><pre>${finding.curl}</pre></details>`;
  }
  if (subject.kind === 'clause') {
    const clause = value as Full['clause'];
    return html`<blockquote><p>${clause.text}</p><footer>section ${clause.section}, ${clause.where} ${pill(clause.state, clause.state === 'fails' ? 'bad' : clause.state === 'holds' ? 'good' : 'plain')}</footer></blockquote>
      ${clause.reason === undefined ? null : html`<p>${clause.reason}</p>`}
      <ul class="evidence">${clause.evidence.slice(0, 30).map((each) => html`<li>${pill(each.ok ? 'as it should be' : 'wrong', each.ok ? 'good' : 'bad')} ${each.about} <span class="soft">${link('check', each.check)} ${each.step}</span>${each.ok ? null : compared(each.expected ?? '', each.actual ?? '')}</li>`)}</ul>
      ${clause.findings.map((id) => html`<p>${link('finding', id)}</p>`)}`;
  }
  const check = value as Full['check'];
  return html`<p>${check.title} ${pill(check.verdict, check.verdict === 'pass' ? 'good' : check.verdict === 'fail' ? 'bad' : 'plain')}</p>${'expected' in check ? compared(check.expected, check.actual) : 'reason' in check ? html`<p>${check.reason}</p>` : null}<h3>Transcript</h3>${transcript(check.transcript)}`;
}

function compared(expected: string, actual: string): VNode {
  return html`<dl class="compared"><div><dt>expected</dt><dd>${expected}</dd></div><div class="actual"><dt>came</dt><dd>${actual}</dd></div></dl>`;
}

function transcript(exchanges: readonly Exchange[]): VNode {
  return html`<ol class="transcript">${exchanges.map(
    (
      { request, response, failure },
      at,
    ) => html`<li><details open=${at === exchanges.length - 1}><summary><code>${request.method} ${pathOf(request.url)}</code> ${pill(response === undefined ? 'no reply' : String(response.status), response !== undefined && response.status < 400 ? 'good' : 'plain')}</summary>
      ${request.body === undefined ? null : html`<pre>${pretty(request.body)}</pre>`}<pre>${response === undefined ? failure : pretty(response.body)}</pre></details></li>`,
  )}</ol>`;
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '');
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
