/** Pseudo-random bytes for checks, which follow from a key. They are test data, not secrets. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const BLOCK_BYTES = 32;

/** A stream of bytes that follows from its key alone, so that a check's names, keys and wallets can be made again. */
export class Draws {
  #count = 0;

  constructor(readonly key: string) {}

  /** The next `count` bytes. */
  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let at = 0; at === 0 || at < count; at += BLOCK_BYTES) {
      this.#count += 1;
      bytes.set(sha256(utf8ToBytes(`${this.key}:${this.#count}`)).slice(0, count - at), at);
    }
    return bytes;
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
