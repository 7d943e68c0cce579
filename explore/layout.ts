/** The fields of an abstract state, and how they are packed into 32-bit words. Nothing here knows a rule. */

/** A field: its name, and the largest of its values, which begin at 0. */
type FieldSpec = readonly [name: string, max: number];

/** The places of fields in words of 32 bits. A field does not cross a word. */
export class Layout {
  /** The words of a packed state. */
  readonly words: number;
  /** The number of fields. */
  readonly size: number;
  readonly #word: Int32Array;
  readonly #shift: Int32Array;
  readonly #mask: Int32Array;

  /** Places the fields in order. Throws RangeError for one of more than 31 bits. */
  constructor(readonly fields: readonly FieldSpec[]) {
    const { length } = fields;
    this.size = length;
    [this.#word, this.#shift, this.#mask] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
    let [word, used] = [0, 0];
    for (const [i, [name, max]] of fields.entries()) {
      const bits = 32 - Math.clz32(max);
      if (max < 0 || bits > 31) throw new RangeError(`the field ${name} cannot hold ${max}`);
      if (used + bits > 32) [word, used] = [word + 1, 0];
      this.#word[i] = word;
      this.#shift[i] = used;
      this.#mask[i] = bits === 0 ? 0 : 2 ** bits - 1;
      used += bits;
    }
    this.words = word + 1;
  }

  /** Packs values into `out`, from `at` on. */
  pack(values: Int32Array, out: Int32Array, at: number): void {
    for (let w = 0; w < this.words; w++) out[at + w] = 0;
    for (let i = 0; i < this.size; i++) out[at + this.#word[i]!]! |= values[i]! << this.#shift[i]!;
  }

  /** Reads the values that were packed at `at`. */
  unpack(packed: Int32Array, at: number, values: Int32Array): void {
    for (let i = 0; i < this.size; i++) values[i] = (packed[at + this.#word[i]!]! >>> this.#shift[i]!) & this.#mask[i]!;
  }

  /** A state in words: the fields that are not 0, for messages and graphs. */
  describe(values: Int32Array): string {
    const shown = this.fields.flatMap(([name], i) => (values[i] === 0 ? [] : [`${name}=${values[i]}`]));
    return shown.length === 0 ? 'empty' : shown.join(' ');
  }
}
