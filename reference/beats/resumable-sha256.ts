/**
 * SHA-256 of a text that grows, with a state that can be kept and continued: no library writes that of its own down. What
 * is hashed at once is hashed by node:crypto.
 */

import { INITIAL_HASH, messageSchedule, ROUND_CONSTANTS } from '../../sha256/constants.js';

const BLOCK_BYTES = 64;
const ROUNDS = 64;
const WORDS = 8;

/** The state after some text, as plain data: the chaining value, and the text that does not fill a block yet. */
export interface HashState {
  readonly chain: readonly number[];
  /** Fewer than 64 ASCII characters. */
  readonly tail: string;
  /** Characters so far, the tail included. */
  readonly chars: number;
}

/** The state before any text. */
export const emptyHash: HashState = { chain: INITIAL_HASH, tail: '', chars: 0 };

/** The state with more text. Throws a RangeError for text that is not ASCII. */
export function hashMore({ chain, tail, chars }: HashState, text: string): HashState {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new RangeError('only printable ASCII is hashed so');
  const bytes = Buffer.from(tail + text, 'latin1');
  const words = Uint32Array.from(chain);
  let at = 0;
  for (; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) compress(words, bytes, at);
  return { chain: [...words], tail: bytes.toString('latin1', at), chars: chars + text.length };
}

/** Hex SHA-256 of all the text so far. */
export function hashHex({ chain, tail, chars }: HashState): string {
  const padded = Buffer.alloc(tail.length + 9 > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES);
  padded.write(tail, 'latin1');
  padded[tail.length] = 0x80;
  padded.writeBigUInt64BE(BigInt(chars) * 8n, padded.length - 8);
  const words = Uint32Array.from(chain);
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) compress(words, padded, at);
  const digest = Buffer.alloc(4 * WORDS);
  for (const [i, word] of words.entries()) digest.writeUInt32BE(word, 4 * i);
  return digest.toString('hex');
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** FIPS 180-4, 6.2.2: takes one block into the chaining value. */
function compress(chain: Uint32Array, bytes: Buffer, at: number): void {
  const schedule = messageSchedule(Array.from({ length: 16 }, (_, t) => bytes.readUInt32BE(at + 4 * t)));
  let [a, b, c, d, e, f, g, h] = chain as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < ROUNDS; t++) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[t]! + schedule[t]!) | 0;
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) chain[i] = chain[i]! + word;
}
