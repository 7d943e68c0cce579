/** A set of packed states that numbers them in the order in which they are added: open addressing over one array of words. */

const START = 1 << 12;

export class StateTable {
  /** The states one after the other, `words` words each. */
  packed: Int32Array;
  count = 0;
  #slots = new Int32Array(START * 2).fill(-1);

  constructor(readonly words: number) {
    this.packed = new Int32Array(START * words);
  }

  /** The bytes that it takes. */
  get bytes(): number {
    return this.packed.byteLength + this.#slots.byteLength;
  }

  /** The number of a state; a new one gets the next number. */
  add(key: Int32Array): number {
    const { words } = this;
    const mask = this.#slots.length - 1;
    let slot = mix(key, 0, words) & mask;
    for (;;) {
      const state = this.#slots[slot]!;
      if (state < 0) break;
      let same = 0;
      const at = state * words;
      while (same < words && this.packed[at + same] === key[same]) same += 1;
      if (same === words) return state;
      slot = (slot + 1) & mask;
    }
    const state = this.count;
    this.count += 1;
    if (this.count * words > this.packed.length) this.packed = grown(this.packed);
    this.packed.set(key, state * words);
    this.#slots[slot] = state;
    if (this.count * 2 > this.#slots.length) this.#rehash();
    return state;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let state = 0; state < this.count; state++) {
      let slot = mix(this.packed, state * this.words, this.words) & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = state;
    }
    this.#slots = slots;
  }
}

/** A 32-bit mix of a key (the finalizer of MurmurHash3, by word). */
function mix(key: Int32Array, at: number, words: number): number {
  let hash = 0;
  for (let w = 0; w < words; w++) {
    hash = Math.imul(hash ^ key[at + w]!, 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash;
}

/** A copy of an array with twice the room. */
export function grown<T extends Int32Array | Uint8Array | Uint16Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}
