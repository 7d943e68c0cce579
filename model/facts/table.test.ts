import { expect, it } from 'vitest';
import { inJson, Table } from './table.js';

interface Entry {
  n: number;
}

it('a fork copies an entry that may be changed, and none that is only read', () => {
  const base = new Table<Entry>();
  const one = base.set('one', { n: 1 });
  const two = base.set('two', { n: 2 });
  const fork = base.fork().fork();
  expect([fork.peek('one'), fork.peek('none')]).toEqual([one, undefined]);
  expect(fork.values().map((entry) => entry === one || entry === two)).toEqual([true, true]);
  const copy = fork.find('two');
  expect(copy).not.toBe(two);
  if (copy !== undefined) copy.n = 3;
  expect([fork.peek('two')?.n, base.peek('two')?.n]).toEqual([3, 2]);
  expect(fork.values().map(({ n }) => n)).toEqual([1, 3]);
  expect([...fork.changesSince(base, inJson)]).toEqual([['two', '{"n":3}']]);
});

const ageing = (entry: Entry): void => {
  entry.n += 1;
};

it('a table that may lack earlier entries brings those up to date that are read', () => {
  const table = new Table<Entry>(undefined, { mayHold: () => true, read: ageing });
  table.set('one', { n: 1 });
  expect(table.values()).toEqual([{ n: 2 }]);
});
