/**
 * The mock ledger's state as a snapshot keeps it, and back. A payment is a row of columns: there are as many of them as there
 * were heartbeats.
 */
import type {
  Ledger,
  MemoRecord,
  SentRecord,
  TransactionRecord,
  TransactionStatus,
  TransferRecord,
} from '../ledger/ledger.js';
import type { Column, SavedState } from './saved-state.js';

const kinds = ['transfer', 'memo', 'sent'] as const satisfies readonly TransactionRecord['kind'][];
const statuses = ['confirmed', 'pending', 'failed'] as const satisfies readonly TransactionStatus[];

/** Where the parts of a state are put together. */
interface Sink {
  readonly tables: Record<string, unknown>;
  readonly lists: Record<string, readonly unknown[]>;
  readonly columns: Record<string, Column>;
}

/** Columns of the transactions, in the order in which they came. */
function transactionColumns(count: number) {
  return {
    kind: new Uint8Array(count),
    status: new Uint8Array(count),
    gradual: new Uint8Array(count),
    from: new Int32Array(count),
    to: new Int32Array(count),
    lamports: new Float64Array(count),
    atMs: new Float64Array(count),
    beforeFrom: new Float64Array(count),
    beforeTo: new Float64Array(count),
  };
}

type TransactionColumns = ReturnType<typeof transactionColumns>;

/** The part of a record that does not fit into columns: the text of a memo, or all of a transaction that came signed. */
type Extra = { readonly text: string } | (Omit<SentRecord, 'wire'> & { readonly wire: string });

/** Adds the state of a ledger to what is saved. */
export function saveLedger(ledger: Ledger, { tables, lists, columns }: Sink): void {
  const { accounts, mintedLamports, addresses, lamports, transactions } = ledger;
  tables['ledger'] = { accounts, mintedLamports };
  lists['ledger.addresses'] = [...addresses];
  columns['ledger.lamports'] = lamports.subarray(0, accounts);
  const made = transactionColumns(transactions.size);
  const extras: (readonly [number, Extra])[] = [];
  let i = 0;
  for (const record of transactions.values()) {
    const extra = putRecord(made, i, record);
    if (extra !== undefined) extras.push([i, extra]);
    i += 1;
  }
  for (const [name, column] of Object.entries(made)) columns[`transactions.${name}`] = column;
  lists['transactions.signatures'] = [...transactions.keys()];
  lists['transactions.extras'] = extras;
}

function putRecord(columns: TransactionColumns, i: number, record: TransactionRecord): Extra | undefined {
  columns.kind[i] = kinds.indexOf(record.kind);
  columns.status[i] = statuses.indexOf(record.status);
  columns.atMs[i] = record.atMs;
  switch (record.kind) {
    case 'transfer':
      columns.from[i] = record.from;
      columns.to[i] = record.to;
      columns.lamports[i] = record.lamports;
      columns.gradual[i] = record.gradual === true ? 1 : 0;
      columns.beforeFrom[i] = record.before[0];
      columns.beforeTo[i] = record.before[1];
      return undefined;
    case 'memo':
      columns.from[i] = record.from;
      columns.beforeFrom[i] = record.held;
      return { text: record.text };
    case 'sent':
      return { ...record, wire: Buffer.from(record.wire).toString('base64') };
    default:
      return record satisfies never;
  }
}

/** Puts a saved state into a ledger that has just been made. */
export function loadLedger(ledger: Ledger, { tables, lists, columns }: SavedState): void {
  const { accounts, mintedLamports } = tables['ledger'] as Pick<Ledger, 'accounts' | 'mintedLamports'>;
  ledger.accounts = accounts;
  ledger.mintedLamports = mintedLamports;
  const saved = columns['ledger.lamports'] as Float64Array;
  ledger.lamports = new Float64Array(Math.max(ledger.lamports.length, saved.length));
  ledger.lamports.set(saved);
  ledger.addresses.clear();
  ledger.byAddress.clear();
  for (const [account, address] of lists['ledger.addresses'] as [number, string][]) {
    ledger.addresses.set(account, address);
    ledger.byAddress.set(address, account);
  }
  const made = Object.fromEntries(
    Object.keys(transactionColumns(0)).map((name) => [name, columns[`transactions.${name}`]]),
  ) as TransactionColumns;
  const extras = new Map(lists['transactions.extras'] as [number, Extra][]);
  (lists['transactions.signatures'] as string[]).forEach((signature, i) => {
    ledger.transactions.set(signature, recordAt(made, i, signature, extras.get(i)));
  });
}

function recordAt(
  columns: TransactionColumns,
  i: number,
  signature: string,
  extra: Extra | undefined,
): TransactionRecord {
  const kind = kinds[columns.kind[i]!]!;
  if (kind === 'sent') {
    const { wire, ...rest } = extra as Extract<Extra, { wire: string }>;
    return { ...rest, wire: new Uint8Array(Buffer.from(wire, 'base64')) };
  }
  const [from, atMs, status] = [columns.from[i]!, columns.atMs[i]!, statuses[columns.status[i]!]!];
  if (kind === 'memo') {
    const { text } = extra as { readonly text: string };
    return { kind, signature, from, text, atMs, status, held: columns.beforeFrom[i]! } satisfies MemoRecord;
  }
  const [to, lamports] = [columns.to[i]!, columns.lamports[i]!];
  const before = [columns.beforeFrom[i]!, columns.beforeTo[i]!] as const;
  const record: TransferRecord = { kind, signature, from, to, lamports, atMs, status, before };
  return columns.gradual[i] === 1 ? { ...record, gradual: true } : record;
}
