/** One request that the reference answered: the request, its reply, the clause that decided, and its curl. */

import { prettyJson } from '../../../reports/text/pretty-json.js';
import type { LoggedRequest, LoggedTexts, RefusedBecause } from '../../server/reference/request-log.js';
import { useAnswer } from '../answers.js';
import { html, useEffect, useRef, type VNode } from '../markup.js';
import { pill, timeText } from '../parts.js';
import { hrefTo } from '../place.js';
import { ShellCommand } from '../shell-command.js';

interface Opened {
  readonly entry: LoggedRequest;
  readonly texts: LoggedTexts;
  readonly command: string;
}

/** The clause of a refusal, as a link to it; its section where no clause is known. */
export function clauseLink({ clause, section }: RefusedBecause): VNode {
  return clause === ''
    ? html`<span class="soft">${section}</span>`
    : html`<a class="mono" href=${hrefTo('conformance', 'clause', clause)}>${clause}</a>`;
}

/** The link to a request. */
export function requestLink({ n, method, path }: Pick<LoggedRequest, 'n' | 'method' | 'path'>): VNode {
  return html`<a href=${hrefTo('server', 'request', String(n))}><code>${method} ${path}</code></a>`;
}

/** A request with its reply. */
export function RequestDetail({ n }: { readonly n: number }): VNode {
  const answer = useAnswer<Opened>('server/request', { n }, 0);
  if (answer.state !== 'there')
    return html`<p class="empty">${answer.state === 'loading' ? 'Loading…' : `${answer.why}.`}</p>`;
  const { entry, texts, command } = answer.value;
  const { refused } = entry;
  return html`<p>${pill(String(entry.status), refused === undefined ? 'good' : 'bad')} <code>${entry.method} ${entry.path}</code> <span class="soft">${timeText(entry.atMs)}, beat ${entry.beat}</span></p>
    ${refused === undefined ? null : html`<div class="why"><p><b>${refused.code}</b> ${refused.said}.</p><p>${clauseLink(refused)} <span class="soft">${refused.text}</span></p></div>`}
    <div class="exchange"><div class="pair"><pre tabindex="0" aria-label="Request">${texts.authorization === undefined ? '' : `authorization: ${texts.authorization.slice(0, 14)}…\n`}${texts.request === '' ? 'no body' : prettyJson(texts.request)}</pre><pre tabindex="0" aria-label="Reply">${prettyJson(texts.reply)}</pre></div></div>
    <${ShellCommand} text=${command} />`;
}

/** The panel of a request, by its number. */
export function RequestPanel({ n, close }: { readonly n: number; readonly close: () => void }): VNode {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), [n]);
  return html`<aside class="panel agent" aria-label=${`Request ${n}`} onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}><header><h2 tabindex="-1" ref=${title}>Request ${n}</h2><button type="button" class="quiet" onClick=${close}>Close</button></header><${RequestDetail} key=${n} n=${n} /></aside>`;
}
