/** Pseudo-random bytes for checks, which follow from a key. They are for test data: they all follow from the key. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A stream of bytes that follows from its key alone, so that a check's names, keys and wallets can be made again. */
export class Draws {
  #count = 0;

  constructor(readonly key: string) {}

  /** The next `count` bytes, at most 32. Throws `RangeError` for more. */
  bytes(count: number): Uint8Array {
    if (count > 32) throw new RangeError('a draw has at most 32 bytes');
    this.#count += 1;
    return sha256(utf8ToBytes(`${this.key}:${this.#count}`)).slice(0, count);
  }

  /** The next `count` bytes in lower-case hex. */
  hex(count: number): string {
    return bytesToHex(this.bytes(count));
  }

  /** A fresh name: `check-` and 12 hex characters. */
  word(): string {
    return `check-${this.hex(6)}`;
  }
}
