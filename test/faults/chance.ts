/** Pseudo-random numbers from a seed, for tests. Checks and simulations have generators of their own. */
export class Chance {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number from 0 up to, and without, `below`. */
  below(below: number): number {
    return Math.floor((this.next() / 2 ** 32) * below);
  }

  /** True with this probability. */
  happens(probability: number): boolean {
    return this.next() / 2 ** 32 < probability;
  }

  /** One item of a list that is not empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  private next(): number {
    // The finalizer of MurmurHash3 over a counter.
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let word = this.state;
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return (word ^ (word >>> 16)) >>> 0;
  }
}
