import { expect, it } from 'vitest';
import { Checkpoints } from './checkpoints.js';
import { keepState } from './kept-state.js';

/** A state of some 8 kB, of which a quarter is in all of them. */
const stateOf = (n: number) =>
  keepState({
    ...{ tables: {}, lists: {} },
    columns: { same: new Uint8Array(2_000), own: Uint8Array.from({ length: 6_000 }, (_, at) => (at * n) % 251) },
  });
const filled = (bytesMax: number, count: number): Checkpoints => {
  const all = new Checkpoints(bytesMax);
  let last: ReturnType<typeof stateOf> | undefined;
  for (let n = 1; n <= count; n += 1) {
    const { columns } = stateOf(n);
    const shared = { ...stateOf(n), columns: { ...columns, same: last?.columns['same'] ?? columns['same'] ?? [] } };
    all.add({ atMs: n * 1_000, commands: n * 10, state: shared });
    last = shared;
  }
  return all;
};

it('what several have counts once, and no longer once all of them are dropped', () => {
  const all = filled(100_000, 4);
  expect(all.commands).toEqual([10, 20, 30, 40]);
  expect(all.bytes).toBeGreaterThan(2_000 + 4 * 6_000);
  expect(all.bytes).toBeLessThan(2_000 + 4 * 6_000 + 1_000);
  expect(all.dropBefore(35)).toMatchObject({ atMs: 4_000 });
  expect(all.bytes).toBeLessThan(8_000 + 500);
  expect(all.dropBefore(100)).toBeUndefined();
  expect(all.before(3_999)).toBeUndefined();
  expect(all.before(4_000)).toMatchObject({ commands: 40 });
});

it('where memory is short those between others go, so that the rest is spread evenly; two stay', () => {
  const all = filled(40_000, 24);
  expect(all.bytes).toBeLessThanOrEqual(40_000);
  const { commands } = all;
  expect([commands[0], commands.at(-1)]).toEqual([10, 240]);
  const gaps = commands.slice(1).map((each, at) => each - (commands[at] ?? 0));
  expect(commands).toHaveLength(6);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(90);
  expect(filled(1, 5).commands).toEqual([10, 50]);
});
