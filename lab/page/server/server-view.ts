/** The Server view: the clock, the life of the population, agents, requests and records of the reference. */

import { numberText, solText } from '../../../results/numbers.js';
import { Loading } from '../answers.js';
import { html, useEffect, useLive, useState, type VNode } from '../markup.js';
import { choices, figure, panel } from '../parts.js';
import { figures } from '../store.js';
import { AgentPanel } from './agent-panel.js';
import { AgentsTable } from './agents-table.js';
import { Clock } from './clock.js';
import { Life } from './life.js';
import { type RECORDS, Records } from './records.js';
import { RequestList, requestsText } from './request-list.js';

type Part = 'agents' | 'requests' | keyof typeof RECORDS;

const PARTS: readonly (readonly [Part, string])[] = [
  ['agents', 'Agents'],
  ['requests', 'Requests'],
  ['flags', 'Flags'],
  ['ledger', 'Ledger'],
  ['fees', 'Fees'],
  ['subsidies', 'Subsidies'],
  ['partners', 'Partners'],
];

function partIn(hash: string): Part {
  return PARTS.find(([id]) => id === hash.split('/')[1])?.[0] ?? 'agents';
}

/** The view. */
export function ServerView(): VNode {
  const now = useLive(() => figures.value);
  const [part, setPart] = useState<Part>(partIn(location.hash));
  const [row, setRow] = useState<number | null>(null);
  useEffect(() => {
    const change = (): void => setPart(partIn(location.hash));
    const key = (event: KeyboardEvent): void => {
      if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return;
      event.preventDefault();
      document.getElementById('agent-search')?.focus();
    };
    addEventListener('hashchange', change);
    addEventListener('keydown', key);
    return () => {
      removeEventListener('hashchange', change);
      removeEventListener('keydown', key);
    };
  }, []);
  if (now === undefined) return html`<h1>Server</h1><${Loading} />`;
  const choose = (id: Part): void => {
    location.hash = `server/${id}`;
  };
  return html`<h1>Server</h1>
    <${Clock} />
    <dl class="figures">
      ${figure('active', numberText(now.counts.active), `of ${numberText(now.agents)} agents`, 'good')}
      ${figure('near freezing', numberText(now.counts.warning), null, now.counts.warning > 0 ? 'warm' : '')}
      ${figure('frozen', numberText(now.counts.frozen), null, now.counts.frozen > 0 ? 'cold' : '')}
      ${figure('fees paid', solText(now.feesLamports))}
      ${figure('refused', now.refused === null ? '–' : numberText(now.refused), now.requests === null ? requestsText(now) : `of ${numberText(now.requests)} requests`)}
    </dl>
    ${panel('The life of the population', html`<${Life} />`)}
    ${choices('Parts of the server', PARTS, part, choose)}
    <div class=${row === null ? 'split' : 'split open'}><section class="panel" aria-label=${`Server: ${part}`}>${content(part, setRow, row)}</section>
      ${row === null ? null : html`<${AgentPanel} row=${row} open=${setRow} close=${() => setRow(null)} />`}</div>`;
}

function content(part: Part, open: (row: number) => void, chosen: number | null): VNode {
  if (part === 'agents') return html`<${AgentsTable} open=${open} chosen=${chosen} />`;
  if (part === 'requests') return html`<${RequestList} open=${open} />`;
  return html`<${Records} kind=${part} />`;
}
