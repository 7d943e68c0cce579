import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  append,
  type ChunkLists,
  chunkSize,
  chunkValue,
  createChunkLists,
  listOf,
  releaseChunk,
  takeList,
} from './chunk-lists.js';

function taken(lists: ChunkLists, slot: number): number[] {
  const values: number[] = [];
  for (let chunk = takeList(lists, slot); chunk >= 0; chunk = releaseChunk(lists, chunk)) {
    for (let i = 0; i < chunkSize(lists, chunk); i++) values.push(chunkValue(lists, chunk, i));
  }
  return values;
}

describe('chunk lists', () => {
  it('give back what was added, in order, and are empty then', () => {
    const lists = createChunkLists(3);
    for (let i = 0; i < 100; i++) append(lists, i % 2, i - 50);
    expect(listOf(lists, 0)).toHaveLength(50);
    expect(taken(lists, 0)).toEqual(Array.from({ length: 50 }, (_, i) => 2 * i - 50));
    expect(taken(lists, 0)).toEqual([]);
    expect(taken(lists, 2)).toEqual([]);
    expect(taken(lists, 1)).toHaveLength(50);
  });

  it('reuse the chunks of lists that were taken: memory follows the numbers that are in lists, not those that have passed', () => {
    const lists = createChunkLists(7);
    for (let round = 0; round < 1_000; round++) {
      for (let i = 0; i < 300; i++) append(lists, round % 7, i);
      expect(taken(lists, round % 7)).toHaveLength(300);
    }
    expect(lists.chunks).toBe(10);
  });

  it('behave like arrays, whatever is added and taken in whatever order', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 90 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lists = createChunkLists(4);
        const arrays: number[][] = [[], [], [], []];
        for (const [slot, count] of steps) {
          // A count of 0 takes the list.
          if (count === 0) expect(taken(lists, slot)).toEqual(arrays[slot]!.splice(0));
          for (let i = 0; i < count; i++) {
            arrays[slot]!.push(i);
            append(lists, slot, i);
          }
        }
        arrays.forEach((held, slot) => {
          expect(listOf(lists, slot)).toEqual(held);
        });
      }),
      { seed: 20_260_101, numRuns: 200 },
    );
  });
});
