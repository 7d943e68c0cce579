/** One exchange of a check: what it says of clauses, request and reply, and the curl that sends it again after all that its check sent before. */

import { wordsOf } from '../../../reports/conformance/failed-exchanges.js';
import { addCopyButtons } from '../../../reports/views/copy-buttons.js';
import { Command } from '../../../reports/views/parts.js';
import { Exchanges } from '../../../reports/views/transcript.js';
import { countText } from '../../../results/numbers.js';
import type { OpenedExchange } from '../../server/conformance/exchange-actions.js';
import type { ShownRequest } from '../../server/conformance/watched.js';
import { Loading, useAnswer } from '../answers.js';
import { html, useEffect, useRef, type VNode } from '../markup.js';
import { pill } from '../parts.js';
import { hrefTo } from '../place.js';
import type { ViewName } from '../routes.js';
import { useSuite } from './suite.js';

/** The number and the check of an exchange. */
export function exchangeIn(id: string): { readonly n: number; readonly check: string } {
  const at = id.indexOf('/');
  return { n: Number(id.slice(0, at)), check: id.slice(at + 1) };
}

/** A link to an exchange of a check; to the check where the number of the exchange is not known. */
export function exchangeLink(view: ViewName, check: string, n: number): VNode {
  return n === 0
    ? html`<a class="mono" href=${hrefTo(view, 'check', check)}>${check}</a>`
    : html`<a href=${hrefTo(view, 'exchange', `${n}/${check}`)}>exchange ${n} of <span class="mono">${check}</span></a>`;
}

/** Requests in short, each as a link to its exchange. */
export function requestLines(view: ViewName, check: string, requests: readonly ShownRequest[]): VNode {
  const line = ({ n, method, path, status, against }: ShownRequest): VNode =>
    html`<li key=${n}>${n}. <a href=${hrefTo(view, 'exchange', `${n}/${check}`)}><code>${method} ${path}</code></a> → ${status ?? 'no reply'} ${against === 0 ? null : pill(`✗ ${countText(against, 'deviation')}`, 'bad')}</li>`;
  return html`<ol class="log">${requests.map(line)}</ol>`;
}

interface Props {
  /** `3/heartbeat/too-soon` */
  readonly id: string;
  /** It is of a reference under a change. */
  readonly changed: boolean;
}

/** The content of its panel. */
export function ExchangeContent({ id, changed }: Props): VNode {
  const suite = useSuite();
  const place = useRef<HTMLDivElement>(null);
  const { n, check } = exchangeIn(id);
  const answer = useAnswer<OpenedExchange>('conformance/exchange', { id: check, n, changed }, 0);
  useEffect(() => {
    if (place.current !== null) addCopyButtons(place.current);
  }, [answer]);
  if (answer.state !== 'there')
    return answer.state === 'loading' ? html`<${Loading} />` : html`<p class="empty">${answer.why}.</p>`;
  const view = changed ? 'specification' : 'conformance';
  const { title, exchange, said, near, gone, script } = answer.value;
  const clause = (each: string): VNode =>
    html`<li><a class="mono" href=${hrefTo(view, 'clause', each)}>${each}</a> ${suite?.clauses.find((one) => one.id === each)?.text}</li>`;
  const list = (ids: readonly string[], words: string): VNode | null =>
    ids.length === 0
      ? null
      : html`<details><summary>${words} ${countText(ids.length, 'clause')}</summary><ul class="evidence">${ids.map(clause)}</ul></details>`;
  const step = (to: number | null, words: string): VNode | null =>
    to === null ? null : html`<a href=${hrefTo(view, 'exchange', `${to}/${check}`)}>${words}</a>`;
  const isSilent = said.against.length + said.shows.length + said.open.length === 0;
  return html`<div ref=${place} key=${id}><p>${title ?? 'A request that the run makes for all checks'}</p><p class="steps">${step(near[0], 'Before')} ${step(near[1], 'After')} ${title === null ? null : html`<a href=${hrefTo(view, 'check', check)}>The whole check</a>`}</p>
    ${said.against.map((each) => html`<div class="why against"><p><b>✗ ${wordsOf(each)}</b></p><ul class="evidence">${each.clauses.map(clause)}</ul></div>`)}
    ${Exchanges({ exchanges: [exchange], first: n })}
    <h5>What it says of clauses</h5>${isSilent ? html`<p class="empty">Nothing: it is no call of the service, or another one that was under way leaves it open.</p>` : null}
    ${list(said.shows, '✓ It shows')}${list([...new Set(said.open.flatMap(({ clauses }) => clauses))], 'It leaves open')}
    <h5>The same by curl, with what its check sent before</h5>${gone === 0 ? null : html`<p class="why">${countText(gone, 'request')} of the check before it are no longer kept: the script lacks them.</p>`}
    ${Command({ text: script })}</div>`;
}
