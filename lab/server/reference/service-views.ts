/** The state of a service as the page shows it: figures, rows of tables, one agent. Pure functions of a state; they change nothing. */

import { accountOf, addressOf, balanceOf, findAccount } from '../../../reference/ledger/ledger.js';
import { feesBooked, feeTotals } from '../../../reference/registry/fee-book.js';
import { billingEpoch, heartbeatCap, identityClassOf } from '../../../reference/registry/fees.js';
import { sponsorshipStatus } from '../../../reference/registry/sponsor.js';
import { standingOf } from '../../../reference/registry/standing.js';
import { currentBeat, hashOf, missedAnchors, type Registry, rowOf } from '../../../reference/registry/state.js';
import { status } from '../../../reference/registry/status.js';
import type { Service } from '../../../reference/service.js';
import { feeTypes, type Standing, standings } from '../../../spec/vocabulary.js';

/** How many agents are in each standing. */
export function standingCounts(registry: Registry): Record<Standing, number> {
  const counts = Object.fromEntries(standings.map((standing) => [standing, 0])) as Record<Standing, number>;
  for (let row = 0; row < registry.agents.rows; row += 1) counts[standingOf(registry, row)] += 1;
  return counts;
}

/** The figures of a moment. */
export function figuresOf(service: Service, nowMs: number) {
  const { registry, anchors, stalled, ledger } = service;
  return {
    nowMs,
    beat: currentBeat(registry),
    anchor: anchors.latestIndex,
    nextAnchorMs: service.nextAnchorMs,
    stalled,
    agents: registry.agents.rows,
    counts: standingCounts(registry),
    epoch: billingEpoch(registry.protocol, currentBeat(registry)),
    feesLamports: feesBooked(registry.feeBook),
    transactions: ledger.transactions.size,
    pendingFlags: registry.flags.pendingPairs.size,
    deadDeliveries: registry.outbox.dead.length,
  };
}

/** A row of the table of agents. */
export interface AgentListRow {
  readonly row: number;
  readonly name: string;
  readonly hash: string;
  readonly standing: Standing;
  readonly identityClass: string;
  readonly depth: number;
  readonly heartbeats: number;
  readonly missed: number;
  readonly lamports: number | null;
}

/** Columns by which the table of agents is sorted. */
export const AGENT_ORDERS = ['row', 'name', 'heartbeats', 'missed', 'lamports'] as const;

/** The rows that a search finds, in an order, and how many there are in all. */
interface AgentQuery {
  readonly search: string;
  readonly standing: Standing | 'any';
  readonly order: (typeof AGENT_ORDERS)[number];
  readonly descending: boolean;
  readonly from: number;
  readonly count: number;
}

/** A window of the table of agents. */
export function agentsOf(service: Service, query: AgentQuery) {
  const { registry } = service;
  const search = query.search.trim().toLowerCase();
  const rows: number[] = [];
  for (let row = 0; row < registry.agents.rows; row += 1) {
    if (query.standing !== 'any' && standingOf(registry, row) !== query.standing) continue;
    if (search === '' || matches(registry, row, search)) rows.push(row);
  }
  const sortKey = orderValue(service, query.order);
  if (query.order !== 'row') rows.sort((a, b) => compare(sortKey(a), sortKey(b)) || a - b);
  if (query.descending) rows.reverse();
  return {
    total: rows.length,
    rows: rows.slice(query.from, query.from + query.count).map((row) => agentRow(service, row)),
  };
}

function matches(registry: Registry, row: number, search: string): boolean {
  return (
    (registry.names[row] ?? '').toLowerCase().includes(search) ||
    hashOf(registry, row).includes(search) ||
    (identityClassOf(registry.agents.line.identityClass(row), registry.protocol) ?? 'none').includes(search)
  );
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function orderValue(service: Service, order: AgentQuery['order']): (row: number) => number | string {
  const { registry } = service;
  switch (order) {
    case 'row':
      return (row) => row;
    case 'name':
      return (row) => registry.names[row] ?? '';
    case 'heartbeats':
      return (row) => registry.agents.line.totalHeartbeats(row);
    case 'missed':
      return (row) => missedAnchors(registry, row);
    case 'lamports':
      return (row) => walletOf(service, row)?.lamports ?? -1;
    default:
      return order satisfies never;
  }
}

function walletOf({ registry, ledger }: Service, row: number) {
  const { wallet } = status(registry, row, registry.anchorAtMs);
  if (wallet === null) return undefined;
  const account = findAccount(ledger, wallet);
  return { address: wallet, lamports: account === undefined ? 0 : balanceOf(ledger, account) };
}

function agentRow(service: Service, row: number): AgentListRow {
  const { registry } = service;
  const { line } = registry.agents;
  return {
    row,
    name: registry.names[row] ?? '',
    hash: hashOf(registry, row),
    standing: standingOf(registry, row),
    identityClass: identityClassOf(line.identityClass(row), registry.protocol) ?? 'none',
    depth: line.depth(row),
    heartbeats: line.totalHeartbeats(row),
    missed: missedAnchors(registry, row),
    lamports: walletOf(service, row)?.lamports ?? null,
  };
}

/** The row of the agent with this hash or number; -1 without such an agent. */
export function rowOfAgent({ registry }: Service, name: string): number {
  if (/^\d+$/.test(name)) return Number(name) < registry.agents.rows ? Number(name) : -1;
  return rowOf(registry, name);
}

/** One agent: its state, its place in the tree, who pays for it, complaints about it. */
export function agentOf(service: Service, row: number, nowMs: number) {
  const { registry } = service;
  const { columns, line } = registry.agents;
  const named = (other: number) => ({
    row: other,
    name: registry.names[other] ?? '',
    standing: standingOf(registry, other),
  });
  const ancestors: ReturnType<typeof named>[] = [];
  for (let at = columns.parent[row] ?? -1; at >= 0; at = columns.parent[at] ?? -1) ancestors.unshift(named(at));
  const children: ReturnType<typeof named>[] = [];
  for (let other = row + 1; other < registry.agents.rows; other += 1)
    if (columns.parent[other] === row) children.push(named(other));
  const { dms, heartbeat } = registry.protocol;
  return {
    ...agentRow(service, row),
    status: status(registry, row, nowMs),
    wallet: walletOf(service, row) ?? null,
    missedMax: dms.missedAnchorsMax,
    warningAt: dms.warningAnchors,
    nextHeartbeatBeat: Math.max(0, line.lastHeartbeatBeat(row)) + heartbeat.intervalBeatsMin,
    epochHeartbeats: line.epochHeartbeats(row),
    epochCap: heartbeatCap(registry.protocol, line.identityClass(row)),
    frozenAtBeat: columns.frozenAtBeat[row] ?? -1,
    ancestors,
    children,
    sponsors: (registry.sponsorships.byChild.get(row) ?? []).map((each) => ({
      ...named(each.parent),
      state: sponsorshipStatus(each, nowMs),
      used: each.used,
      max: each.heartbeatsEpochMax,
    })),
    flags: registry.flags.list
      .filter(({ target, reporter }) => target === row || reporter === row)
      .map((flag) => flagRow(registry, flag)),
  };
}

function flagRow(registry: Registry, flag: Registry['flags']['list'][number]) {
  const nameOf = (row: number): string => registry.names[row] ?? '';
  return { ...flag, reporter: nameOf(flag.reporter), target: nameOf(flag.target), targetRow: flag.target };
}

/** The records that the page shows as tables. */
export const TABLES = ['ledger', 'flags', 'subsidies', 'partners', 'fees'] as const;

/** Rows that a table of records shows: the newest ones. */
const ROWS_MAX = 500;

/** The newest rows of a table, and how many there are. */
export function tableOf(
  service: Service,
  table: (typeof TABLES)[number],
  nowMs: number,
): { readonly total: number; readonly rows: readonly object[] } {
  const { registry, ledger } = service;
  const newest = <T>(list: readonly T[], row: (one: T) => object) => ({
    total: list.length,
    rows: list.slice(-ROWS_MAX).reverse().map(row),
  });
  switch (table) {
    case 'ledger':
      return newest([...ledger.transactions.values()], (record) => ({
        signature: record.signature,
        kind: record.kind,
        status: record.status,
        atMs: record.atMs,
        from: record.kind === 'sent' ? '' : addressOf(ledger, record.from),
        to: record.kind === 'transfer' ? addressOf(ledger, record.to) : '',
        lamports: record.kind === 'transfer' ? record.lamports : null,
        paid: registry.usedPayments.has(record.signature),
      }));
    case 'flags':
      return newest(registry.flags.list, (flag) => flagRow(registry, flag));
    case 'subsidies':
      return newest([...registry.subsidies.values()], (subsidy) => ({
        ...subsidy,
        agent: registry.names[subsidy.agent] ?? '',
        active: subsidy.validUntilMs === null || subsidy.validUntilMs >= nowMs,
      }));
    case 'partners':
      return newest(registry.partners, ({ name, ref, suspended, keyExpired, webhook }) => {
        const number = registry.partners.findIndex((each) => each.ref === ref);
        const waiting = [...registry.outbox.lanes.values()].flat().filter(({ partner }) => partner === number).length;
        const dead = registry.outbox.dead.filter(({ partner }) => partner === number).length;
        return {
          name,
          ref,
          suspended,
          keyExpired,
          webhook: webhook?.url ?? null,
          events: webhook?.events ?? [],
          waiting,
          dead,
        };
      });
    case 'fees':
      return { total: feeTypes.length, rows: feeTypes.map((type) => ({ type, ...feeTotals(registry.feeBook, type) })) };
    default:
      return table satisfies never;
  }
}

/** The account to which fees are paid, with its balance. */
export function treasuryOf({ ledger, paymentAddress }: Service) {
  return { address: paymentAddress, lamports: balanceOf(ledger, accountOf(ledger, paymentAddress)) };
}
