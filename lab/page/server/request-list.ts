/** The log of requests, with the clause that decided each refusal. */

import { numberText } from '../../../results/numbers.js';
import type { LoggedRequest, RefusedBecause } from '../../server/reference/request-log.js';
import { html, useLive, useState, type VNode } from '../markup.js';
import { choices, pill, timeText } from '../parts.js';
import { type Figures, figures, requests } from '../store.js';
import { clauseLink, requestLink } from './request-panel.js';

const SHOWN = 100;

/** `HEARTBEAT_TOO_SOON, 4.5: fewer beats than … (next_eligible_beat 22)`. */
export function refusalText({ code, section, said, fields }: RefusedBecause): string {
  const more = Object.entries(fields)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`);
  return `${code}${section === '' ? '' : `, ${section}`}: ${said}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

/** `812 requests, 40 refused`, of the moment that is shown. */
export function requestsText(counts: Figures | undefined): string {
  if (counts === undefined) return '';
  if (counts.requests === null) return 'the log does not reach back to this moment';
  return `${numberText(counts.requests)} requests, ${numberText(counts.refused ?? 0)} refused`;
}

/** The latest requests, or the latest refusals. */
export function RequestList({ open }: { readonly open: (agent: string) => void }): VNode {
  const all = useLive(() => requests.value);
  const counts = useLive(() => figures.value);
  const [kind, setKind] = useState<'refused' | 'all'>('refused');
  const last = counts === undefined || counts.past === null ? Number.POSITIVE_INFINITY : (counts.requests ?? 0);
  const shown = all
    .filter(({ n }) => n <= last)
    .filter(({ refused }) => kind === 'all' || refused !== undefined)
    .slice(-SHOWN)
    .toReversed();
  return html`<div class="tools">${choices(
    'Requests',
    [
      ['refused', 'Refusals'],
      ['all', 'All'],
    ],
    kind,
    setKind,
  )}<output class="soft">${requestsText(counts)}</output></div>
    ${shown.length === 0 ? html`<p class="empty">Nothing was refused yet. Agents of this population are hasty: let an hour pass.</p>` : html`<ol class="log">${shown.map((entry) => line(entry, open))}</ol>`}`;
}

function line(entry: LoggedRequest, open: (agent: string) => void): VNode {
  const { refused } = entry;
  return html`<li key=${entry.n}><p><time>${timeText(entry.atMs)}</time> ${pill(String(entry.status), refused === undefined ? 'good' : 'bad')} ${requestLink(entry)} <span class="soft">beat ${entry.beat}</span>
    ${entry.agent < 0 ? '' : html`<button type="button" class="link" onClick=${() => open(String(entry.agent))}>agent ${entry.agent}</button>`}</p>
    ${refused === undefined ? null : html`<p class="why"><b>${refused.code}</b> ${refused.said}. ${nextText(refused, entry.beat)}<span class="soft">${refused.section}</span> ${refused.clause === '' ? '' : clauseLink(refused)}</p>`}</li>`;
}

function nextText({ fields }: RefusedBecause, beat: number): string {
  const next = fields['next_eligible_beat'];
  return typeof next === 'number' ? `It was beat ${beat}; the next may be sent at ${next}. ` : '';
}
