import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addRow, column, createTable, hashTable } from './table.js';

const schema = { flag: column('u8'), parent: column('i32', -1), sum: column('f64', 0.5), digest: column('u8', 7, 3) };

function digestOf(table: ReturnType<typeof createTable<typeof schema>>): string {
  const hash = createHash('sha256');
  hashTable(table, hash);
  return hash.digest('hex');
}

describe('a table', () => {
  it.each([0, 1, 2, 3, 64])('made for %i rows grows and keeps what it holds', (capacity) => {
    const table = createTable(schema, capacity);
    for (let i = 0; i < 300; i++) {
      const row = addRow(table);
      expect(row).toBe(i);
      expect(table.columns.flag[row]).toBe(0);
      expect(table.columns.parent[row]).toBe(-1);
      expect(table.columns.sum[row]).toBe(0.5);
      expect([...table.columns.digest.subarray(row * 3, row * 3 + 3)]).toEqual([7, 7, 7]);
      table.columns.parent[row] = i * 2;
      table.columns.sum[row] = i / 4;
      table.columns.digest.set([i % 256, 1, 2], row * 3);
    }
    expect(table.rows).toBe(300);
    for (let i = 0; i < 300; i++) {
      expect(table.columns.parent[i]).toBe(i * 2);
      expect(table.columns.sum[i]).toBe(i / 4);
      expect([...table.columns.digest.subarray(i * 3, i * 3 + 3)]).toEqual([i % 256, 1, 2]);
    }
  });

  it('hashes its rows, whatever room it has besides', () => {
    const [small, roomy] = [createTable(schema, 1), createTable(schema, 1_000)];
    for (const table of [small, roomy]) {
      for (let i = 0; i < 5; i++) {
        const row = addRow(table);
        table.columns.parent[row] = i;
      }
    }
    expect(digestOf(roomy)).toBe(digestOf(small));
    addRow(roomy);
    expect(digestOf(roomy)).not.toBe(digestOf(small));
  });

  it.each(['flag', 'parent', 'sum', 'digest'] as const)('hashes its column %s', (name) => {
    const [one, other] = [createTable(schema), createTable(schema)];
    for (const table of [one, other]) addRow(table);
    expect(digestOf(other)).toBe(digestOf(one));
    other.columns[name][0] = 3;
    expect(digestOf(other)).not.toBe(digestOf(one));
  });
});
