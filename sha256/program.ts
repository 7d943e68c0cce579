/**
 * Writes the WebAssembly programs that hash chains: one chain with 32-bit integers, or four side by side in the lanes of
 * 128-bit vectors. A step of a chain is the SHA-256 of the 64 hex characters of the previous hash. kernels.ts runs
 * the programs.
 */

import { moduleOf, signed, unsigned, VALUE_TYPE } from './binary.js';
import { INITIAL_HASH, messageSchedule, ROUND_CONSTANTS } from './constants.js';

/** The opcodes that the two programs do not share. Those of vectors begin with 0xfd, and work on four words. */
const WORD = {
  1: {
    type: VALUE_TYPE.i32,
    add: [0x6a],
    and: [0x71],
    or: [0x72],
    xor: [0x73],
    shl: [0x74],
    shr: [0x76],
    load: [0x28, 2],
    store: [0x36, 2],
  },
  4: {
    type: VALUE_TYPE.v128,
    add: [0xfd, ...unsigned(0xae)],
    and: [0xfd, ...unsigned(0x4e)],
    or: [0xfd, ...unsigned(0x50)],
    xor: [0xfd, ...unsigned(0x51)],
    shl: [0xfd, ...unsigned(0xab)],
    shr: [0xfd, ...unsigned(0xad)],
    load: [0xfd, 0x00, 4],
    store: [0xfd, 0x0b, 4],
  },
} as const;

const I32_ADD = 0x6a;
const I32_SUB = 0x6b;
const I32_MUL = 0x6c;
const I32_LT_U = 0x49;
const I32_EQZ = 0x45;
const SWIZZLE = [0xfd, 0x0e] as const;

/** Places of constants in the memory, in words after `CONSTANTS_AT`; each is there once for each lane. */
const AT = { round: 0, secondBlock: 64, initial: 128, bytes: 136, nibbles: 137, low16: 138, digits: 139, end: 140 };
/** The hashes come first in the memory: word i of all lanes, then word i + 1. */
const CONSTANTS_AT = 256;

/** The second block of a message of 64 bytes: a bit, and the length in bits. Its schedule is the same for every message. */
const SECOND_BLOCK = [0x80000000, ...new Array<number>(14).fill(0), 512];

/** Local variables by number. The argument `steps` is 0. */
const STEPS = 0;
const PLACE = 1;
const STATE = 2;
const MESSAGE = STATE + 8;
const HASH = MESSAGE + 16;
const SPARE = HASH + 8;
const SPARES = 3;

/**
 * The module whose `run(steps)` replaces each hash in its memory by the one that is `steps` steps later. A hash is 8 words of the
 * machine's own byte order; word i of lane n is the word `i * lanes + n` of the memory.
 */
export function chainProgram(lanes: 1 | 4): Uint8Array {
  const program = new Program(lanes);
  program.write();
  return moduleOf({
    locals: [
      [1, VALUE_TYPE.i32],
      [SPARE + SPARES - STATE, WORD[lanes].type],
    ],
    code: program.code,
    data: { at: CONSTANTS_AT, bytes: constants(lanes) },
  });
}

function constants(lanes: number): Uint8Array {
  const schedule = messageSchedule(SECOND_BLOCK);
  const words = [
    ...ROUND_CONSTANTS,
    ...ROUND_CONSTANTS.map((constant, t) => (constant + (schedule[t] ?? 0)) >>> 0),
    ...INITIAL_HASH,
    ...[0x00ff00ff, 0x0f0f0f0f, 0x0000ffff],
  ];
  const view = new DataView(new ArrayBuffer((AT.end + 1) * 4 * lanes));
  for (const [at, word] of words.entries()) {
    for (let lane = 0; lane < lanes; lane += 1) view.setUint32((at * lanes + lane) * 4, word, true);
  }
  const bytes = new Uint8Array(view.buffer);
  if (lanes === 4) bytes.set(Buffer.from('0123456789abcdef'), AT.digits * 4 * lanes);
  return bytes;
}

/** The instructions of a program, in the order in which they are run: operands first, as a stack machine has it. */
class Program {
  readonly code: number[] = [];
  readonly #lanes: 1 | 4;
  readonly #word: (typeof WORD)[1] | (typeof WORD)[4];
  /** Bytes of a word of all lanes. */
  readonly #size: number;

  constructor(lanes: 1 | 4) {
    this.#lanes = lanes;
    this.#word = WORD[lanes];
    this.#size = 4 * lanes;
  }

  /** The whole function: reads the hashes, takes the steps, writes the hashes. */
  write(): void {
    for (let i = 0; i < 8; i += 1) this.#loadAt(i * this.#size).#set(HASH + i);
    this.#put(0x02, 0x40).#get(STEPS).#put(I32_EQZ, 0x0d, 0);
    this.#put(0x03, 0x40);
    this.#step();
    this.#get(STEPS)
      .#i32(1)
      .#put(I32_SUB, ...tee(STEPS), 0x0d, 0);
    this.#put(0x0b, 0x0b);
    for (let i = 0; i < 8; i += 1) {
      this.#i32(0)
        .#get(HASH + i)
        .#put(...this.#word.store, ...unsigned(i * this.#size));
    }
  }

  /** One step: writes the hash as hex characters, and hashes these two blocks. */
  #step(): void {
    for (let i = 0; i < 8; i += 1) this.#hex(HASH + i, MESSAGE + 2 * i);
    for (let i = 0; i < 8; i += 1) this.#constant(AT.initial + i).#set(STATE + i);
    this.#firstBlock();
    for (let i = 0; i < 8; i += 1) {
      this.#get(STATE + i)
        .#constant(AT.initial + i)
        .#put(...this.#word.add, ...tee(STATE + i))
        .#set(HASH + i);
    }
    this.#secondBlock();
    for (let i = 0; i < 8; i += 1) {
      this.#get(STATE + i)
        .#get(HASH + i)
        .#put(...this.#word.add)
        .#set(HASH + i);
    }
  }

  /** The block of the hex characters: 16 rounds, then three times 16 with words of the schedule. */
  #firstBlock(): void {
    this.#beginRounds();
    for (let t = 0; t < 16; t += 1) {
      this.#round(t, () =>
        this.#constant(AT.round + t)
          .#get(MESSAGE + t)
          .#put(...this.#word.add),
      );
    }
    this.#loop(3, (t) => {
      this.#schedule(t);
      this.#round(t, () =>
        this.#constantAfterPlace(AT.round + 16 + t)
          .#get(MESSAGE + t)
          .#put(...this.#word.add),
      );
    });
  }

  /** The block that ends every message of 64 bytes: its words, with the round constants added, are constants. */
  #secondBlock(): void {
    this.#beginRounds();
    this.#loop(4, (t) => this.#round(t, () => this.#constantAfterPlace(AT.secondBlock + t)));
  }

  /** Runs 16 rounds `times` times, at most four. `PLACE` is the offset of the constants of the current 16. */
  #loop(times: number, round: (t: number) => void): void {
    const bytes = 16 * this.#size;
    this.#i32(0).#set(PLACE).#put(0x03, 0x40);
    for (let t = 0; t < 16; t += 1) round(t);
    this.#get(PLACE)
      .#i32(bytes)
      .#put(I32_ADD, ...tee(PLACE))
      .#i32(times * bytes)
      .#put(I32_LT_U, 0x0d, 0, 0x0b);
  }

  /** W[t] in place of W[t - 16], t modulo 16 (FIPS 180-4, section 6.2.2). */
  #schedule(t: number): void {
    const word = (back: number): number => MESSAGE + ((t + 16 - back) % 16);
    const { add, xor } = this.#word;
    this.#get(word(16));
    this.#rotations(word(15), 7, 18)
      .#shifted(word(15), 'shr', 3)
      .#put(...xor, ...add);
    this.#get(word(7)).#put(...add);
    this.#rotations(word(2), 17, 19)
      .#shifted(word(2), 'shr', 10)
      .#put(...xor, ...add);
    this.#set(word(16));
  }

  /** Computes b xor c before the first round of a block; later rounds reuse a value of the previous round. */
  #beginRounds(): void {
    this.#get(STATE + 1)
      .#get(STATE + 2)
      .#put(...this.#word.xor)
      .#set(SPARE + 1);
  }

  /**
   * Round t (FIPS 180-4, section 6.2.2). The eight variables stay where they are and change their names from round to round.
   * Maj(a, b, c) is b xor ((a xor b) and (b xor c)), and the a xor b of one round is the b xor c of the next.
   */
  #round(t: number, constantAndWord: () => unknown): void {
    const named = (letter: string): number => STATE + (('abcdefgh'.indexOf(letter) + 16 - t) % 8);
    const [a, b, d, e] = [named('a'), named('b'), named('d'), named('e')];
    const [f, g, h] = [named('f'), named('g'), named('h')];
    const [sum, bc, ab] = [SPARE, SPARE + 1 + (t % 2), SPARE + 1 + ((t + 1) % 2)];
    const { add, and, xor } = this.#word;
    this.#get(h);
    constantAndWord();
    this.#put(...add);
    this.#rotations(e, 6, 11, 25).#put(...add);
    this.#get(f)
      .#get(g)
      .#put(...xor)
      .#get(e)
      .#put(...and)
      .#get(g)
      .#put(...xor, ...add);
    this.#set(sum);
    this.#get(d)
      .#get(sum)
      .#put(...add)
      .#set(d);
    this.#rotations(a, 2, 13, 22)
      .#get(sum)
      .#put(...add);
    this.#get(a)
      .#get(b)
      .#put(...xor, ...tee(ab))
      .#get(bc)
      .#put(...and)
      .#get(b)
      .#put(...xor, ...add);
    this.#set(h);
  }

  /**
   * A word of a hash as 8 hex characters, two words of the message: each nibble gets a byte, and each byte becomes its
   * character.
   */
  #hex(hash: number, message: number): void {
    const { and, or } = this.#word;
    for (const half of [0, 1]) {
      if (half === 0) this.#shifted(hash, 'shr', 16);
      else
        this.#get(hash)
          .#constant(AT.low16)
          .#put(...and);
      this.#set(SPARE);
      this.#get(SPARE)
        .#shifted(SPARE, 'shl', 8)
        .#put(...or)
        .#constant(AT.bytes)
        .#put(...and)
        .#set(SPARE);
      this.#get(SPARE)
        .#shifted(SPARE, 'shl', 4)
        .#put(...or)
        .#constant(AT.nibbles)
        .#put(...and)
        .#set(SPARE);
      this.#characters();
      this.#set(message + half);
    }
  }

  /** The characters of the nibbles in `SPARE`, one a byte. */
  #characters(): void {
    if (this.#lanes === 4) {
      this.#constant(AT.digits)
        .#get(SPARE)
        .#put(...SWIZZLE);
      return;
    }
    // '0' is 0x30, and 'a' is 39 more than '0' + 10. A nibble of 10 or more carries into bit 4 when 6 is added.
    this.#get(SPARE).#i32(0x30303030).#put(I32_ADD);
    this.#get(SPARE)
      .#i32(0x06060606)
      .#put(I32_ADD)
      .#i32(4)
      .#put(...WORD[1].shr)
      .#i32(0x01010101)
      .#put(...WORD[1].and);
    this.#i32(39).#put(I32_MUL, I32_ADD);
  }

  /** The exclusive or of a variable rotated right by each of some counts. */
  #rotations(variable: number, ...counts: readonly number[]): this {
    const { or, xor } = this.#word;
    for (const [i, count] of counts.entries()) {
      if (this.#lanes === 1) this.#get(variable).#i32(count).#put(0x78);
      else
        this.#shifted(variable, 'shr', count)
          .#shifted(variable, 'shl', 32 - count)
          .#put(...or);
      if (i > 0) this.#put(...xor);
    }
    return this;
  }

  #shifted(variable: number, direction: 'shl' | 'shr', count: number): this {
    return this.#get(variable)
      .#i32(count)
      .#put(...this.#word[direction]);
  }

  #constant(at: number): this {
    return this.#loadAt(CONSTANTS_AT + at * this.#size);
  }

  #constantAfterPlace(at: number): this {
    return this.#get(PLACE).#put(...this.#word.load, ...unsigned(CONSTANTS_AT + at * this.#size));
  }

  #loadAt(address: number): this {
    return this.#i32(0).#put(...this.#word.load, ...unsigned(address));
  }

  #i32(value: number): this {
    return this.#put(0x41, ...signed(value));
  }

  #get(local: number): this {
    return this.#put(0x20, ...unsigned(local));
  }

  #set(local: number): this {
    return this.#put(0x21, ...unsigned(local));
  }

  #put(...bytes: readonly number[]): this {
    this.code.push(...bytes);
    return this;
  }
}

function tee(local: number): readonly number[] {
  return [0x22, ...unsigned(local)];
}
