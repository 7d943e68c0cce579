/** A hash table from agent hashes to rows. The hashes themselves are in a column of the agent table. */

/** A hash table from hashes of `width` bytes to rows, with open addressing over the column of hashes. */
export interface HashIndex {
  readonly width: number;
  slots: Int32Array;
  used: number;
}

const EMPTY = -1;

/**
 * Makes an empty index over hashes of `width` bytes. Throws a RangeError below 4 bytes: the table uses four to place a
 * hash.
 */
export function createHashIndex(width: number): HashIndex {
  if (width < 4) throw new RangeError(`agent hashes of ${width} bytes are too short to be told apart`);
  return { width, slots: new Int32Array(128).fill(EMPTY), used: 0 };
}

function home(hash: Uint8Array, offset: number, mask: number): number {
  // Agent hashes are random, so four bytes spread as well as a mix of all bytes.
  const word = hash[offset]! | (hash[offset + 1]! << 8) | (hash[offset + 2]! << 16) | (hash[offset + 3]! << 24);
  return word & mask;
}

function place(slots: Int32Array, hashes: Uint8Array, width: number, row: number): void {
  const mask = slots.length - 1;
  let slot = home(hashes, row * width, mask);
  while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
  slots[slot] = row;
}

/** Adds the row whose hash is in `hashes`. The caller ensures that it is new. */
export function indexRow(index: HashIndex, hashes: Uint8Array, row: number): void {
  if ((index.used + 1) * 2 > index.slots.length) {
    const larger = new Int32Array(index.slots.length * 2).fill(EMPTY);
    for (const old of index.slots) if (old !== EMPTY) place(larger, hashes, index.width, old);
    index.slots = larger;
  }
  place(index.slots, hashes, index.width, row);
  index.used += 1;
}

/** The row with this hash, or -1. */
export function findRow(index: HashIndex, hashes: Uint8Array, wanted: Uint8Array): number {
  const mask = index.slots.length - 1;
  for (let slot = home(wanted, 0, mask); ; slot = (slot + 1) & mask) {
    const row = index.slots[slot]!;
    if (row === EMPTY) return -1;
    let same = 0;
    while (same < index.width && hashes[row * index.width + same] === wanted[same]) same += 1;
    if (same === index.width) return row;
  }
}
