/**
 * A service's state as a snapshot keeps it, and back. Every field of the registry has a row here, or it does not compile: fields from the options,
 * derived fields, and how the rest is saved.
 */
import { addFlag } from '../registry/columns/flags.js';
import { indexRow } from '../registry/columns/hash-index.js';
import type { Flag, Sponsorship } from '../registry/columns/records.js';
import { fillTable, usedColumns } from '../registry/columns/table.js';
import { setFeeTable } from '../registry/fee-table.js';
import type { Registry } from '../registry/state.js';
import { createService, type Service, type ServiceOptions } from '../service.js';
import { loadLedger, saveLedger } from './ledger-state.js';
import type { Column, SavedState } from './saved-state.js';

/** Where a row writes to and reads from, each under its own name. */
interface Writer {
  readonly table: (value: unknown) => void;
  readonly list: (items: readonly unknown[]) => void;
  readonly column: (part: string, column: Column) => void;
}
interface Reader {
  readonly table: () => unknown;
  readonly list: () => readonly unknown[];
  readonly column: (part: string) => Column;
}

/** How a field is kept. The one to load into is that of a service which has just started. */
interface Row {
  readonly save: (registry: Registry, to: Writer) => void;
  readonly load: (registry: Registry, from: Reader) => void;
}

/** Given with the options, or made from other fields. */
const NOT_KEPT: Row = { save: () => undefined, load: () => undefined };

type Key = keyof Registry;

/** A Map or a Set, in its order. */
function entries(key: Key): Row {
  return {
    save: (registry, { list }) => list([...(registry[key] as Iterable<unknown>)]),
    load: (registry, { list }) => {
      const into = registry[key] as Map<unknown, unknown> | Set<unknown>;
      into.clear();
      for (const item of list()) {
        if (into instanceof Map) into.set(...(item as [unknown, unknown]));
        else into.add(item);
      }
    },
  };
}

/** Saves and loads an array of the registry. */
function items(of: (registry: Registry) => unknown[]): Row {
  return {
    save: (registry, { list }) => list(of(registry)),
    load: (registry, { list }) => {
      const into = of(registry);
      into.length = 0;
      for (const item of list()) into.push(item);
    },
  };
}

/** Saves and loads a number of the registry. */
function number(key: 'anchorIndex' | 'anchorAtMs'): Row {
  return {
    save: (registry, { table }) => table(registry[key]),
    load: (registry, { table }) => {
      registry[key] = table() as number;
    },
  };
}

const agents: Row = {
  save: ({ agents: table }, to) => {
    to.table(table.rows);
    for (const [name, column] of Object.entries(usedColumns(table))) to.column(name, column);
    to.column('line', table.line.wordsOf(table.rows));
  },
  load: ({ agents: table, index }, from) => {
    const rows = from.table() as number;
    fillTable(table, rows, from.column);
    table.line.restore(from.column('line') as Int32Array, table.capacity);
    for (let row = 0; row < rows; row++) indexRow(index, table.columns.hash, row);
  },
};

const wheel: Row = {
  save: ({ wheel: { heads, tails, pool, chunks, free } }, { table, column }) => {
    table([chunks, free]);
    column('heads', heads);
    column('tails', tails);
    column('pool', pool);
  },
  load: (registry, { table, column }) => {
    const [chunks, free] = table() as [number, number];
    const [heads, tails, pool] = ['heads', 'tails', 'pool'].map((part) => Int32Array.from(column(part)));
    registry.wheel = { heads: heads!, tails: tails!, pool: pool!, chunks, free };
  },
};

const sponsorships: Row = {
  save: ({ sponsorships: { byChild, byParent } }, { list }) => {
    const given = [...byParent].map(([parent, each]) => [parent, each.map(({ child }) => child)]);
    list([[...byChild], given]);
  },
  load: ({ sponsorships: { byChild, byParent } }, { list }) => {
    const [children, parents] = list() as [[number, Sponsorship[]][], [number, number[]][]];
    for (const [child, each] of children) byChild.set(child, each);
    // The other map holds the very same objects.
    for (const [parent, sponsored] of parents) {
      const found = sponsored.map((child) => byChild.get(child)?.find((each) => each.parent === parent) as Sponsorship);
      byParent.set(parent, found);
    }
  },
};

const flags: Row = {
  save: ({ flags: { list: all, pendingPairs } }, { list, table }) => {
    list(all);
    table([...pendingPairs]);
  },
  load: (registry, { list, table }) => {
    for (const each of list()) addFlag(registry.flags, each as Flag);
    for (const pair of table() as string[]) registry.flags.pendingPairs.add(pair);
  },
};

const outbox: Row = {
  save: ({ outbox: { lanes, dead, emitted } }, { list, table }) => {
    list([...lanes]);
    table({ dead, emitted });
  },
  load: (registry, { list, table }) => {
    const { dead, emitted } = table() as Pick<Registry['outbox'], 'dead' | 'emitted'>;
    for (const [lane, waiting] of list() as [string, Registry['outbox']['dead']][])
      registry.outbox.lanes.set(lane, waiting);
    for (const each of dead) registry.outbox.dead.push(each);
    registry.outbox.emitted = emitted;
  },
};

const wallets: Row = {
  save: ({ wallets: { count, numbers } }, { list, table }) => {
    table(count);
    list([...numbers]);
  },
  load: (registry, { list, table }) => {
    registry.wallets.count = table() as number;
    for (const [text, each] of list() as [string, number][]) {
      registry.wallets.numbers.set(text, each);
      registry.wallets.texts.set(each, text);
    }
  },
};

const rows: { readonly [K in Key]: Row } = {
  protocol: NOT_KEPT,
  dialect: NOT_KEPT,
  policy: NOT_KEPT,
  genesisMs: NOT_KEPT,
  keySecret: NOT_KEPT,
  // From the hashes of the agents.
  index: NOT_KEPT,
  stream: {
    save: ({ stream }, { table }) => table(stream.drawn),
    load: (registry, { table }) => {
      registry.stream.drawn = table() as number;
    },
  },
  agents,
  names: items(({ names }) => names),
  metadata: entries('metadata'),
  sigils: entries('sigils'),
  sigilNames: entries('sigilNames'),
  sigilMetadata: entries('sigilMetadata'),
  childNames: entries('childNames'),
  reservations: entries('reservations'),
  sponsorships,
  flags,
  subsidies: entries('subsidies'),
  feeTable: {
    save: ({ feeTable }, { table }) => table(feeTable.table),
    load: ({ feeTable }, { table }) => setFeeTable(feeTable, table() as typeof feeTable.table),
  },
  adminKeys: entries('adminKeys'),
  partners: items(({ partners }) => partners),
  outbox,
  wallets,
  latestHashes: entries('latestHashes'),
  lineages: entries('lineages'),
  oneTime: entries('oneTime'),
  usedPayments: entries('usedPayments'),
  usedReceipts: entries('usedReceipts'),
  feeBook: {
    // The split of the moment follows from the moment.
    save: ({ feeBook }, { column }) => column('sums', feeBook.sums),
    load: ({ feeBook }, { column }) => feeBook.sums.set(column('sums')),
  },
  deposits: {
    save: ({ deposits: { byAgent, ...sums } }, { list, table }) => {
      list([...byAgent]);
      table(sums);
    },
    load: ({ deposits }, { list, table }) => {
      for (const [agent, lamports] of list() as [number, number][]) deposits.byAgent.set(agent, lamports);
      Object.assign(deposits, table());
    },
  },
  wheel,
  anchorIndex: number('anchorIndex'),
  anchorAtMs: number('anchorAtMs'),
};

interface ServiceTable {
  readonly seed: ServiceOptions['seed'];
  readonly startMs: number;
  readonly nextAnchorMs: number;
  readonly stalled: boolean;
  readonly latestAnchor: number;
  readonly anchors: Service['anchors']['ring'];
}

/** The state of a service. Its columns are those of the service, not copies: they are to be written before it goes on. */
export function saveService(service: Service): SavedState {
  const tables: Record<string, unknown> = {};
  const lists: Record<string, readonly unknown[]> = {};
  const columns: Record<string, Column> = {};
  for (const [name, row] of Object.entries(rows)) {
    row.save(service.registry, {
      table: (value) => {
        tables[name] = value;
      },
      list: (each) => {
        lists[name] = each;
      },
      column: (part, column) => {
        columns[`${name}.${part}`] = column;
      },
    });
  }
  const { options, nextAnchorMs, stalled, anchors } = service;
  const { seed, startMs } = options;
  const own: ServiceTable = {
    seed,
    startMs,
    nextAnchorMs,
    stalled,
    latestAnchor: anchors.latestIndex,
    anchors: anchors.ring,
  };
  tables['service'] = own;
  saveLedger(service.ledger, { tables, lists, columns });
  return { tables, lists, columns };
}

/** The service that was saved. The options are those that its journal belongs to; a reset may have changed seed and start since. */
export function loadService(options: ServiceOptions, { tables, lists, columns }: SavedState): Service {
  const { seed, startMs, nextAnchorMs, stalled, latestAnchor, anchors } = tables['service'] as ServiceTable;
  const service = createService({ ...options, seed, startMs });
  const { registry } = service;
  // The start's own anchor has scheduled nobody; all else of it is replaced.
  for (const [name, row] of Object.entries(rows)) {
    row.load(registry, {
      table: () => tables[name],
      list: () => lists[name] ?? [],
      column: (part) => columns[`${name}.${part}`] ?? new Uint8Array(0),
    });
  }
  loadLedger(service.ledger, { tables, lists, columns });
  service.anchors.latestIndex = latestAnchor;
  service.anchors.ring.splice(0, service.anchors.ring.length, ...anchors);
  service.nextAnchorMs = nextAnchorMs;
  service.stalled = stalled;
  return service;
}
