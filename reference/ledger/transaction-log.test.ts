import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { TransactionLog } from './transaction-log.js';
import type { TransactionRecord } from './transaction-record.js';

/** Base58 of 64 bytes; of zeros it has 64 characters, of large numbers 88. */
const signature = (first: number, last: number): string => {
  const bytes = new Uint8Array(64);
  bytes[0] = first;
  bytes[63] = last;
  return base58.encode(bytes);
};
const transfer = { kind: 'transfer', from: 1, to: 2, lamports: 2 ** 53 - 1, atMs: 5, before: [7, 8] } as const;
const records: readonly TransactionRecord[] = [
  { ...transfer, signature: signature(255, 1), status: 'confirmed' },
  { ...transfer, signature: signature(0, 1), status: 'pending', gradual: true },
  { kind: 'memo', signature: signature(9, 9), from: 3, text: 'ünïcode', atMs: 6, status: 'confirmed', held: 4 },
  {
    ...{ kind: 'sent', signature: signature(200, 0), wire: Uint8Array.of(1, 2), atMs: 7, status: 'failed' },
    ...{ accounts: [4, 5, 6], before: [1, 2, 3], after: [1, 2, 3], feeLamports: 5_000, error: 'AccountNotFound' },
    ...{ logs: ['a'], units: 3, transfers: [], memo: null },
  },
];

function filled(): TransactionLog {
  const log = new TransactionLog();
  for (const record of records) log.append(record);
  return log;
}

function restored(from: TransactionLog): TransactionLog {
  const log = new TransactionLog();
  const saved = from.saved();
  log.restore(from.size, (name) => saved[name]!, from.extras);
  return log;
}

describe.each([
  ['as it was filled', filled],
  ['restored from its columns', () => restored(filled())],
])('transactions, %s,', (_, make) => {
  it('come back as they were, in their order and by their signature', () => {
    const log = make();
    expect([...log.values()]).toEqual(records);
    expect([...log.keys()]).toEqual(records.map((record) => record.signature));
    for (const record of records) expect(log.get(record.signature)).toEqual(record);
    for (const unknown of ['', 'x', signature(255, 2), `${signature(0, 1)}1`, '1'.repeat(100)]) {
      expect(log.get(unknown), unknown).toBeUndefined();
    }
    expect(records.map((_each, row) => log.accountsAt(row))).toEqual([[1, 2], [1, 2], [3], [4, 5, 6]]);
  });

  it('can be settled, which does not change records that were read before', () => {
    const log = make();
    const pending = log.at(1);
    log.settle(1, 'confirmed', [70, 80]);
    expect(log.at(1)).toEqual({ ...records[1], status: 'confirmed', before: [70, 80] });
    log.settle(1, 'failed');
    expect(log.at(1)).toEqual({ ...records[1], status: 'failed', before: [70, 80] });
    expect(pending).toEqual(records[1]);
  });

  it('stay findable when hundreds more are appended', () => {
    const log = make();
    const more = Array.from({ length: 500 }, (_each, i): TransactionRecord => {
      return { ...transfer, signature: signature(i >> 8, (i & 255) + 10), status: 'confirmed', atMs: i };
    }).filter((record) => log.get(record.signature) === undefined);
    for (const record of more) log.append(record);
    expect(log.size).toBe(4 + more.length);
    for (const record of more) expect(log.get(record.signature)).toEqual(record);
    expect([...restored(log).values()]).toEqual([...records, ...more]);
  });

  it('finds the rows of an account, and counts what came by JSON-RPC', () => {
    const log = make();
    expect([1, 2, 3, 6, 7].map((account) => log.rowsOf(account))).toEqual([[0, 1], [0, 1], [2], [3], []]);
    log.append({ ...transfer, to: 3, signature: signature(3, 3), status: 'confirmed' });
    expect([1, 3].map((account) => log.rowsOf(account))).toEqual([
      [0, 1, 4],
      [2, 4],
    ]);
    // An airdrop: a row and an account; a signed transaction: its record, 2 bytes, a line of a character, three accounts.
    expect(log.rpcBytes).toBe(550 + 300 + 1_000 + 2 + 61 + 750);
  });
});

it('a signature of more than 88 characters is refused', () => {
  const log = new TransactionLog();
  expect(() => log.append({ ...transfer, signature: '1'.repeat(89), status: 'confirmed' })).toThrow(RangeError);
  expect(log.size).toBe(0);
});
