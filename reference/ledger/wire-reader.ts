/**
 * Reads the primitive values of the wire format: bytes, short-vector lengths and lists. The format of a transaction is
 * in transaction.ts.
 */

/** Bytes that are not a transaction. It is thrown inside this room only; callers get a value. */
export class WireFormatError extends Error {
  override readonly name = 'WireFault';
}

/** Reads the wire format from the first byte to the last. */
export class WireReader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** How many bytes have been read. */
  get at(): number {
    return this.#at;
  }

  u8(): number {
    const byte = this.bytes[this.#at];
    if (byte === undefined) throw new WireFormatError('the bytes end too early');
    this.#at += 1;
    return byte;
  }

  take(length: number): Uint8Array {
    if (this.#at + length > this.bytes.length) throw new WireFormatError('the bytes end too early');
    const taken = this.bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  /**
   * Reads the length of a short vector: one to three bytes of seven bits each, the least significant first. Longer
   * spellings of the same length are refused.
   */
  length(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.u8();
      if (byte === 0 && shift > 0) throw new WireFormatError('a length has a longer form than it needs');
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value > 0xffff) throw new WireFormatError('a length is over 65,535');
        return value;
      }
    }
    throw new WireFormatError('a length has more than three bytes');
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.length() }, read);
  }

  /** Reads a list of indexes, one byte each. */
  indexes(): readonly number[] {
    return [...this.take(this.length())];
  }
}

/** The bytes of a short vector's length. */
export function lengthBytes(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if (rest === 0) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
