/**
 * Many first-in-first-out lists of numbers in one pool of chunks. The wheels of registry and simulator are made of
 * them.
 */

const NONE = -1;
/** A chunk is 32 words: the next chunk of its list, the count of its numbers, and the numbers. */
const SHIFT = 5;
const COUNT = 1;
const FIRST = 2;
/** The most numbers in a chunk. */
export const CHUNK_CAPACITY = (1 << SHIFT) - FIRST;
const POOL_START = 64;

/** Lists of numbers by slot. Entries are not objects, and a list is read in the order of memory; in a linked list each entry would wait for a cache miss. */
export interface ChunkLists {
  /** By slot: the first and the last chunk of its list, or -1. */
  readonly heads: Int32Array;
  readonly tails: Int32Array;
  pool: Int32Array;
  /** The count of chunks that were ever in use, and the first free one. */
  chunks: number;
  free: number;
}

/** Makes empty lists. */
export function createChunkLists(slots: number): ChunkLists {
  return {
    heads: new Int32Array(slots).fill(NONE),
    tails: new Int32Array(slots).fill(NONE),
    pool: new Int32Array(POOL_START << SHIFT),
    chunks: 0,
    free: NONE,
  };
}

/** Appends a number (an Int32) to the list of a slot. */
export function append(lists: ChunkLists, slot: number, value: number): void {
  let chunk = lists.tails[slot]!;
  let held = chunk === NONE ? CHUNK_CAPACITY : lists.pool[(chunk << SHIFT) + COUNT]!;
  if (held === CHUNK_CAPACITY) {
    chunk = extend(lists, slot, chunk);
    held = 0;
  }
  const at = chunk << SHIFT;
  lists.pool[at + FIRST + held] = value;
  lists.pool[at + COUNT] = held + 1;
}

/** Appends an empty chunk to the list of a slot, after `last`. */
function extend(lists: ChunkLists, slot: number, last: number): number {
  let chunk = lists.free;
  if (chunk !== NONE) lists.free = lists.pool[chunk << SHIFT]!;
  else {
    chunk = lists.chunks;
    lists.chunks += 1;
    if (lists.chunks << SHIFT > lists.pool.length) {
      const larger = new Int32Array(lists.pool.length * 2);
      larger.set(lists.pool);
      lists.pool = larger;
    }
  }
  lists.pool[chunk << SHIFT] = NONE;
  lists.pool[(chunk << SHIFT) + COUNT] = 0;
  if (last === NONE) lists.heads[slot] = chunk;
  else lists.pool[last << SHIFT] = chunk;
  lists.tails[slot] = chunk;
  return chunk;
}

/** Empties the list of a slot and returns its first chunk, or -1. The caller releases every chunk. */
export function takeList(lists: ChunkLists, slot: number): number {
  const first = lists.heads[slot]!;
  lists.heads[slot] = NONE;
  lists.tails[slot] = NONE;
  return first;
}

/** How many numbers a chunk contains. */
export function chunkSize({ pool }: ChunkLists, chunk: number): number {
  return pool[(chunk << SHIFT) + COUNT]!;
}

/** The `i`-th number of a chunk, from 0. */
export function chunkValue({ pool }: ChunkLists, chunk: number, i: number): number {
  return pool[(chunk << SHIFT) + FIRST + i]!;
}

/** The next chunk of the same list, or -1. */
export function nextChunk({ pool }: ChunkLists, chunk: number): number {
  return pool[chunk << SHIFT]!;
}

/** Puts a chunk of a taken list back into the pool, and returns the next chunk of that list, or -1. */
export function releaseChunk(lists: ChunkLists, chunk: number): number {
  const next = lists.pool[chunk << SHIFT]!;
  lists.pool[chunk << SHIFT] = lists.free;
  lists.free = chunk;
  return next;
}

/** The numbers of a slot's list, in order. */
export function listOf(lists: ChunkLists, slot: number): number[] {
  const values: number[] = [];
  for (let chunk = lists.heads[slot]!; chunk !== NONE; chunk = nextChunk(lists, chunk)) {
    for (let i = 0; i < chunkSize(lists, chunk); i++) values.push(chunkValue(lists, chunk, i));
  }
  return values;
}
