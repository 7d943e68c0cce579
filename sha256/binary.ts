/**
 * Writes the binary format of WebAssembly 2.0: as much of it as a module of one function, one memory and one data segment
 * needs. It checks nothing: the engine does, when it compiles the module.
 */

/** A type of value: a 32-bit integer, or a vector of 128 bits. */
export const VALUE_TYPE = { i32: 0x7f, v128: 0x7b } as const;

/** An unsigned whole number below 2^32, 7 bits a byte (LEB128). */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
    if (rest === 0) return bytes;
  }
}

/** A signed whole number of 32 bits, 7 bits a byte (LEB128). */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value | 0; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    const last = (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40);
    bytes.push(last ? low : low | 0x80);
    if (last) return bytes;
  }
}

/** A module that exports its memory, of one page, as `memory`, and a function of one i32 without a result as `run`. */
interface OneFunction {
  /** Local variables after the argument, which is number 0: how many of each type, in order. */
  readonly locals: readonly (readonly [count: number, type: number])[];
  /** The instructions, without the last `end`. */
  readonly code: readonly number[];
  /** The content of the memory from `at`. */
  readonly data: { readonly at: number; readonly bytes: Uint8Array };
}

const END = 0x0b;
const I32_CONST = 0x41;

/** The bytes of the module. */
export function moduleOf({ locals, code, data }: OneFunction): Uint8Array {
  const declared = vector(locals.map(([count, type]) => [...unsigned(count), type]));
  return joined([
    [0x00, ...text('asm'), 0x01, 0x00, 0x00, 0x00],
    section(1, vector([[0x60, ...vector([[VALUE_TYPE.i32]]), ...vector([])]])),
    section(3, vector([[0]])),
    section(5, vector([[0, 1]])),
    section(7, vector([exported('memory', 2), exported('run', 0)])),
    section(10, joined([[1], sized(joined([declared, code, [END]]))])),
    section(11, joined([[1, 0, I32_CONST, ...signed(data.at), END], sized(data.bytes)])),
  ]);
}

type Bytes = Uint8Array | readonly number[];

function joined(parts: readonly Bytes[]): Uint8Array {
  return Buffer.concat(parts.map((part) => Uint8Array.from(part)));
}

function sized(content: Bytes): Uint8Array {
  return joined([unsigned(content.length), content]);
}

function section(id: number, content: Bytes): Uint8Array {
  return joined([[id], sized(content)]);
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(ascii: string): number[] {
  return [...ascii].map((letter) => letter.charCodeAt(0));
}

/** The first thing of its kind (0 a function, 2 a memory), exported under a name. */
function exported(name: string, kind: number): number[] {
  return [...vector(text(name).map((letter) => [letter])), kind, 0];
}
