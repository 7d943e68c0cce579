/** The Server view: the clock, the life of the population, agents, requests and records of the reference. */

import { numberText, solText } from '../../../results/numbers.js';
import { Loading } from '../answers.js';
import { LivesHere } from '../lives-here.js';
import { html, useEffect, useLive, useRef, type VNode } from '../markup.js';
import { choices, figure, panel } from '../parts.js';
import { goTo, route } from '../place.js';
import { type Route, SERVER_PARTS, type ServerPart } from '../routes.js';
import { figures } from '../store.js';
import { NewAgent } from './agent-acts.js';
import { AgentPanel } from './agent-panel.js';
import { AgentsTable } from './agents-table.js';
import { Alive } from './alive.js';
import { Clock } from './clock.js';
import { Life } from './life.js';
import { Records } from './records.js';
import { RequestList, requestsText } from './request-list.js';
import { RequestPanel } from './request-panel.js';

const PARTS: readonly (readonly [ServerPart, string])[] = [
  ['agents', 'Agents'],
  ['requests', 'Requests'],
  ['flags', 'Flags'],
  ['ledger', 'Ledger'],
  ['fees', 'Fees'],
  ['subsidies', 'Subsidies'],
  ['partners', 'Partners'],
];

/** The table below the panel that is open. */
function partOf(open: Route | undefined): ServerPart {
  if (open?.kind === 'request') return 'requests';
  return SERVER_PARTS.find((part) => part === open?.kind) ?? 'agents';
}

/** The view. */
export function ServerView(): VNode {
  const now = useLive(() => figures.value);
  const open = useLive(() => route.value);
  const part = partOf(open);
  /** The button or link that opened the panel: the focus returns to it. */
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return;
      event.preventDefault();
      document.getElementById('agent-search')?.focus();
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, []);
  if (now === undefined) return html`<h1>Server</h1><${Loading} />`;
  const show = (agent: string): void => {
    const from = document.activeElement;
    if (from instanceof HTMLElement && from.closest('aside') === null) opener.current = from;
    goTo('server', 'agent', agent);
  };
  const close = (): void => {
    goTo('server', part);
    opener.current?.focus();
  };
  const agent = open?.kind === 'agent' ? open.id : null;
  const panelOf = (): VNode | null => {
    if (open?.kind === 'agent') return html`<${AgentPanel} agent=${open.id} open=${show} close=${close} />`;
    return open?.kind === 'request' ? html`<${RequestPanel} n=${Number(open.id)} close=${close} />` : null;
  };
  const opened = panelOf();
  return html`<h1>Server</h1><${LivesHere} />
    <${Clock} />
    ${panel('The registry, alive', html`<${Alive} />`)}
    <dl class="figures">
      ${figure('active', numberText(now.counts.active), `of ${numberText(now.agents)} agents`, 'good')}
      ${figure('near freezing', numberText(now.counts.warning), null, now.counts.warning > 0 ? 'warm' : '')}
      ${figure('frozen', numberText(now.counts.frozen), null, now.counts.frozen > 0 ? 'cold' : '')}
      ${figure('fees paid', solText(now.feesLamports))}
      ${figure('refused', now.refused === null ? '–' : numberText(now.refused), now.requests === null ? requestsText(now) : `of ${numberText(now.requests)} requests`)}
    </dl>
    ${panel('The life of the population', html`<${Life} />`)}
    ${choices('Parts of the server', PARTS, part, (id) => goTo('server', id))}
    <div class=${opened === null ? 'split' : 'split open'}><section class="panel" aria-label=${`Server: ${part}`}>${content(part, show, agent)}</section>
      ${opened}</div>`;
}

function content(part: ServerPart, open: (agent: string) => void, chosen: string | null): VNode {
  if (part === 'agents') return html`<${NewAgent} /><${AgentsTable} open=${open} chosen=${chosen} />`;
  if (part === 'requests') return html`<${RequestList} open=${open} />`;
  return html`<${Records} kind=${part} />`;
}
