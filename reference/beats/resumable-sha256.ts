/**
 * SHA-256 of a text that grows, with a state that can be kept and continued: no library writes that of its own down. What
 * is hashed at once is hashed by node:crypto.
 */

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

/** FIPS 180-4, 4.2.2 and 5.3.3: the first 32 bits of the fractional parts of roots of the first primes. */
const primes = firstPrimes(ROUNDS);
const ROUND_CONSTANTS = Uint32Array.from(primes, (prime) => rootBits(prime, 3n));
const START = primes.slice(0, WORDS).map((prime) => rootBits(prime, 2n));

function firstPrimes(count: number): readonly number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The first 32 bits after the point of the square or cube root of a prime. */
function rootBits(prime: number, degree: bigint): number {
  const scaled = BigInt(prime) << (32n * degree);
  let root = 0n;
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= scaled) root += bit;
  return Number(root & 0xffff_ffffn);
}

/** The state before any text. */
export const emptyHash: HashState = { chain: START, tail: '', chars: 0 };

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
  const schedule = new Uint32Array(ROUNDS);
  for (let t = 0; t < 16; t++) schedule[t] = bytes.readUInt32BE(at + 4 * t);
  for (let t = 16; t < ROUNDS; t++) {
    const [early, late] = [schedule[t - 15]!, schedule[t - 2]!];
    const small0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const small1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[t] = schedule[t - 16]! + small0 + schedule[t - 7]! + small1;
  }
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
