/** The table of agents: any number of rows, of which only those in view are in the page. */

import { numberText, solText } from '../../../results/numbers.js';
import type { AgentListRow } from '../../server/reference/service-views.js';
import { Loading } from '../answers.js';
import { html, useEffect, useLive, useRef, useState, type VNode } from '../markup.js';
import { pill } from '../parts.js';
import { attempt, figures } from '../store.js';

const ROW_PX = 36;
const VIEW_PX = 468;
const PAGE = 100;
const AROUND = 6;

const STANDINGS = ['any', 'active', 'warning', 'frozen', 'refused', 'registered'] as const;
const ORDERS = [
  ['row', 'as registered'],
  ['name', 'name'],
  ['heartbeats', 'most heartbeats'],
  ['missed', 'most missed anchors'],
  ['lamports', 'richest'],
] as const;

interface Found {
  readonly total: number;
  readonly pages: ReadonlyMap<number, readonly AgentListRow[]>;
}

/** The search, the filter, and the rows. `open` is called with the hash of an agent that is chosen; `chosen`: its hash or row. */
export function AgentsTable({
  open,
  chosen,
}: {
  readonly open: (agent: string) => void;
  readonly chosen: string | null;
}): VNode {
  const [search, setSearch] = useState('');
  const [standing, setStanding] = useState<string>('any');
  const [order, setOrder] = useState<string>('row');
  const [top, setTop] = useState(0);
  const [found, setFound] = useState<Found | undefined>(undefined);
  const asked = useRef(0);
  const version = useLive(
    () =>
      `${figures.value?.nowMs} ${figures.value?.agents} ${figures.value?.past?.atMs} ${figures.value?.moving === true ? '' : figures.value?.requests}`,
  );
  const total = found?.total ?? 0;
  const first = Math.max(0, Math.floor(top / ROW_PX) - AROUND);
  const last = Math.min(total, Math.ceil((top + VIEW_PX) / ROW_PX) + AROUND);
  const query = { search, standing, order, descending: order !== 'row' && order !== 'name' };

  const load = async (pages: readonly number[], fresh: boolean): Promise<void> => {
    const turn = ++asked.current;
    for (const page of pages) {
      const answer = await attempt<{ total: number; rows: readonly AgentListRow[] }>('server/agents', {
        ...query,
        from: page * PAGE,
        count: PAGE,
      });
      if (answer === undefined || turn !== asked.current) return;
      setFound((before) => ({
        total: answer.total,
        pages: new Map([...(fresh && page === pages[0] ? [] : (before?.pages ?? [])), [page, answer.rows]]),
      }));
    }
  };
  const pages = pagesBetween(first, last);
  useEffect(() => void load(pages, true), [search, standing, order, version]);
  useEffect(() => {
    const missing = pages.filter((page) => found?.pages.has(page) === false);
    if (total > 0 && missing.length > 0) void load(missing, false);
  }, [first, last, total]);

  const rows: VNode[] = [];
  for (let at = first; at < last; at += 1) {
    const row = found?.pages.get(Math.floor(at / PAGE))?.[at % PAGE];
    rows.push(
      html`<div role="row" key=${at} aria-rowindex=${at + 2} class=${`tr ${row !== undefined && (row.hash === chosen || String(row.row) === chosen) ? 'chosen' : ''}`} style=${{ top: `${at * ROW_PX}px` }}>${row === undefined ? html`<span role="cell">…</span>` : cells(row, open)}</div>`,
    );
  }
  return html`<div class="tools">
      <label class="grow"><span class="unseen">Search agents</span><input type="search" id="agent-search" placeholder="Search by name, hash or class" value=${search} onInput=${(event: Event) => setSearch((event.target as HTMLInputElement).value)} /></label>
      <label><span class="unseen">Standing</span><select value=${standing} onChange=${(event: Event) => setStanding((event.target as HTMLSelectElement).value)}>${STANDINGS.map((each) => html`<option value=${each}>${each === 'any' ? 'any standing' : each}</option>`)}</select></label>
      <label><span class="unseen">Order</span><select value=${order} onChange=${(event: Event) => setOrder((event.target as HTMLSelectElement).value)}>${ORDERS.map(([id, text]) => html`<option value=${id}>${text}</option>`)}</select></label>
      <output class="soft">${found === undefined ? '' : `${numberText(total)} agents`}</output>
    </div>
    <div class="agents" role="table" aria-label="Agents" aria-rowcount=${total + 1}>
      <div role="rowgroup"><div role="row" class="tr head" aria-rowindex="1">${['name', 'standing', 'class', 'heartbeats', 'missed', 'wallet'].map((name) => html`<span role="columnheader">${name}</span>`)}</div></div>
      <div class="window" role="rowgroup" tabindex="0" aria-label="Rows of agents" style=${{ height: `${Math.min(VIEW_PX, Math.max(ROW_PX, total * ROW_PX))}px` }} onScroll=${(event: Event) => setTop((event.target as Element).scrollTop)}>
        <div class="all" role="presentation" style=${{ height: `${total * ROW_PX}px` }}>${rows}</div></div></div>
    ${found === undefined ? html`<${Loading} />` : total === 0 ? html`<p class="empty">No agent is like that. Clear the search, or let time pass until agents arrive.</p>` : null}`;
}

function pagesBetween(first: number, last: number): readonly number[] {
  const pages: number[] = [];
  for (let page = Math.floor(first / PAGE); page <= Math.floor(Math.max(first, last - 1) / PAGE); page += 1)
    pages.push(page);
  return pages;
}

function cells(row: AgentListRow, open: (agent: string) => void): readonly VNode[] {
  return [
    html`<span role="cell"><button type="button" class="link" onClick=${() => open(row.hash)}>${'· '.repeat(row.depth)}${row.name}</button></span>`,
    html`<span role="cell">${pill(row.standing)}</span>`,
    html`<span role="cell">${row.identityClass.replace('_', ' ')}</span>`,
    html`<span role="cell" class="n">${numberText(row.heartbeats)}</span>`,
    html`<span role="cell" class="n">${numberText(row.missed)}</span>`,
    html`<span role="cell" class="n">${row.lamports === null ? 'none' : solText(row.lamports)}</span>`,
  ];
}
