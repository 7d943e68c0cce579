const NONE = -1;
/** Words of a chunk: the next one of its list, how many numbers it holds, and these. */
const SHIFT = 5;
const COUNT = 1;
const FIRST = 2;
/** Numbers that a chunk holds at most. */
export const CHUNK_CAPACITY = (1 << SHIFT) - FIRST;
const POOL_START = 64;

/**
 * First-in-first-out lists of numbers, by slot, in chunks of one pool: an entry costs no object, and a list is read in the
 * order in which it lies in memory. A list that is linked from entry to entry has to wait for one cache miss after the other.
 */
export interface ChunkLists {
  /** By slot: its first and its last chunk, or -1. */
  readonly heads: Int32Array;
  readonly tails: Int32Array;
  pool: Int32Array;
  /** Chunks that were ever in use, and the first of those that are free again. */
  chunks: number;
  free: number;
}

/** Empty lists. */
export function createChunkLists(slots: number): ChunkLists {
  return {
    heads: new Int32Array(slots).fill(NONE),
    tails: new Int32Array(slots).fill(NONE),
    pool: new Int32Array(POOL_START << SHIFT),
    chunks: 0,
    free: NONE,
  };
}

/** Adds a number (an Int32) to the end of a slot's list. */
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

/** Puts an empty chunk at the end of a slot's list, after `last`. */
function extend(lists: ChunkLists, slot: number, last: number): number {
  let chunk = lists.free;
  if (chunk !== NONE) lists.free = lists.pool[chunk << SHIFT]!;
  else {
    chunk = lists.chunks++;
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

/** Takes a slot's list off and returns its first chunk, or -1. Every chunk of it is to be released. */
export function takeList(lists: ChunkLists, slot: number): number {
  const first = lists.heads[slot]!;
  lists.heads[slot] = NONE;
  lists.tails[slot] = NONE;
  return first;
}

/** How many numbers a chunk holds. */
export function chunkSize({ pool }: ChunkLists, chunk: number): number {
  return pool[(chunk << SHIFT) + COUNT]!;
}

/** The `i`-th number of a chunk, from 0. */
export function chunkValue({ pool }: ChunkLists, chunk: number, i: number): number {
  return pool[(chunk << SHIFT) + FIRST + i]!;
}

/** The chunk after this one in its list, or -1. */
export function nextChunk({ pool }: ChunkLists, chunk: number): number {
  return pool[chunk << SHIFT]!;
}

/** Gives a chunk of a list that was taken back to the pool, and returns the one after it, or -1. */
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
