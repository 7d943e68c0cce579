/**
 * Random bytes of the registry, from a seeded stream that is part of its state. Simulated chance is drawn from streams of
 * the simulator instead.
 */

import { createHash, hash } from 'node:crypto';

/** A seed: a whole number that is easy to write, or 64 hex digits, which are 256 bits that cannot be guessed. */
export type Seed = number | string;

/** The form of a seed of 256 bits. */
export const LONG_SEED = /^[0-9a-f]{64}$/;

/** A seeded stream of bytes. It is plain data: the same seed and the same draws give the same bytes. */
export interface Stream {
  readonly seed: Seed;
  readonly label: string;
  drawn: number;
}

/** Starts a stream. `label` separates the streams of one seed. */
export function createStream(seed: Seed, label: string): Stream {
  return { seed, label, drawn: 0 };
}

/** The bytes of one draw, those of a SHA-256. */
const BLOCK = 32;

/** Bytes that can be written as text: what of a Buffer others use. The package's types need no types of Node. */
interface DrawnBytes extends Uint8Array<ArrayBufferLike> {
  toString(encoding?: 'hex' | 'base64url'): string;
}

/** The next `bytes` bytes: SHA-256 in counter mode over seed, label and count of draws. */
export function nextBytes(stream: Stream, bytes: number): DrawnBytes {
  const first = draw(stream, bytes);
  return bytesFrom(stream, first, bytes);
}

/** The next `bytes` bytes in lower-case hex. */
export function nextHex(stream: Stream, bytes: number): string {
  return nextBytes(stream, bytes).toString('hex');
}

/** Draws the same bytes as `nextHex`, but computes their text only when it is read. */
export function reserveHex(stream: Stream, bytes: number): () => string {
  const first = draw(stream, bytes);
  return () => bytesFrom(stream, first, bytes).toString('hex');
}

/** Counts the draws for `bytes` bytes, and returns the number of the first. */
function draw(stream: Stream, bytes: number): number {
  const first = stream.drawn;
  stream.drawn += Math.ceil(bytes / BLOCK);
  return first;
}

function bytesFrom({ seed, label }: Stream, first: number, bytes: number): Buffer {
  const blocks: Buffer[] = [];
  for (let i = 0; i * BLOCK < bytes; i++) blocks.push(hash('sha256', `${seed}:${label}:${first + i}`, 'buffer'));
  return blocks.length === 1 ? (blocks[0] as Buffer).subarray(0, bytes) : Buffer.concat(blocks, bytes);
}

/** The next UUID, of version 4 by its form. */
export function nextUuid(stream: Stream): string {
  const bytes = nextBytes(stream, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A 32-byte secret for one purpose. It follows from the seed alone and draws from no stream. */
export function derivedKey(seed: Seed, purpose: string): DrawnBytes {
  return createHash('sha256').update(`aips-lab:key:${purpose}:${seed}`).digest();
}
