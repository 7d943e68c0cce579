/**
 * The mock ledger's state as a snapshot keeps it, and back. A payment is a row of columns: there are as many of them as there
 * were heartbeats.
 */
import type { Ledger } from '../ledger/ledger.js';
import type { SentRecord, TransactionExtra } from '../ledger/transaction-record.js';
import type { Column, SavedState } from './saved-state.js';

/** Where the parts of a state are put together. */
interface Sink {
  readonly tables: Record<string, unknown>;
  readonly lists: Record<string, readonly unknown[]>;
  readonly columns: Record<string, Column>;
}

/** The part of a transaction outside its columns, as JSON. */
type SavedExtra = Exclude<TransactionExtra, SentRecord> | (Omit<SentRecord, 'wire'> & { readonly wire: string });

/** Adds the state of a ledger to what is saved. */
export function saveLedger(ledger: Ledger, { tables, lists, columns }: Sink): void {
  const { accounts, mintedLamports, addresses, lamports, transactions } = ledger;
  tables['ledger'] = { accounts, mintedLamports };
  // An address may be given when it is read, which no command repeats in the same order.
  lists['ledger.addresses'] = [...addresses].toSorted(([a], [b]) => a - b);
  columns['ledger.lamports'] = lamports.subarray(0, accounts);
  for (const [name, column] of Object.entries(transactions.saved())) columns[`transactions.${name}`] = column;
  lists['transactions.extras'] = [...transactions.extras].map(([row, extra]) => [row, savedExtra(extra)]);
}

function savedExtra(extra: TransactionExtra): SavedExtra {
  return 'wire' in extra ? { ...extra, wire: Buffer.from(extra.wire).toString('base64') } : extra;
}

function extraOf(saved: SavedExtra): TransactionExtra {
  return 'wire' in saved ? { ...saved, wire: new Uint8Array(Buffer.from(saved.wire, 'base64')) } : saved;
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
  const extras = lists['transactions.extras'] as [number, SavedExtra][];
  ledger.transactions.restore(
    (columns['transactions.kind'] as Uint8Array).length,
    (name) => columns[`transactions.${name}`] as Column,
    extras.map(([row, saved]) => [row, extraOf(saved)] as const),
  );
}
