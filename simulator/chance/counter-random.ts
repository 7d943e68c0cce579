/**
 * Counter-based random numbers: the n-th draw of an agent for a purpose is a hash of (seed, agent, purpose, n), so no draw
 * depends on another. There is no generator state here; who counts n is the caller.
 *
 * The mixing steps are 32-bit bijections by Chris Wellons (hash-prospector: lowbias32 and triple32). They are not
 * cryptographic; the tests check uniformity and independence.
 */

/** The purposes that every agent draws numbers for. Results depend on the values: none is ever changed or reused. */
export const PURPOSES = {
  class: 0,
  arrival: 1,
  heartbeat: 2,
  outage: 3,
  lifetime: 4,
  spawn: 5,
  flag: 6,
  review: 7,
  reissue: 8,
} as const;
export type Purpose = (typeof PURPOSES)[keyof typeof PURPOSES];
export const PURPOSE_COUNT = Object.keys(PURPOSES).length;
/** Purposes below this one occur in every scenario; the others belong to features. */
export const PURPOSE_COUNT_PLAIN = 4;

/** 2^32 divided by the golden ratio, rounded to an odd number: its multiples are spread evenly. */
const GOLDEN = 0x9e3779b1;
const TWO_TO_32 = 4_294_967_296;

function lowbias32(input: number): number {
  let x = input;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

function triple32(input: number): number {
  let x = input;
  x = Math.imul(x ^ (x >>> 17), 0xed5ad4bb);
  x = Math.imul(x ^ (x >>> 11), 0xac4c1b51);
  x = Math.imul(x ^ (x >>> 15), 0x31848bab);
  return x ^ (x >>> 14);
}

/** The key of a stream: two 32-bit words. */
export interface StreamKey {
  readonly high: number;
  readonly low: number;
}

/** The FNV-1a hash of a text, from a start. */
function fnv1a(text: string, start: number): number {
  let hash = start;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** The purpose of draws that belong to something with a name, such as a fault. It hashes the name with its kind. */
export function namedPurpose(kind: 'fault' | 'intervention' | 'adaptation' | 'trait', name: string): number {
  return triple32(fnv1a(`${kind}:${name}`, 0x811c9dc5));
}

/** The key of the member `member` (from 0) of a population under a seed (a safe integer from 0). */
export function streamKey(seed: number, population: string, member: number): StreamKey {
  const seedHigh = Math.floor(seed / TWO_TO_32) | 0;
  const seedLow = seed | 0;
  // Twice from different starts.
  let high = fnv1a(population, 0x811c9dc5);
  let low = fnv1a(population, 0x1b873593);
  high = triple32(lowbias32(high ^ seedHigh) + seedLow);
  low = triple32(lowbias32(low ^ seedLow) + seedHigh);
  return {
    high: lowbias32(triple32(high + Math.imul(member, GOLDEN)) ^ low),
    low: triple32(lowbias32(low + member) ^ high),
  };
}

/** The key of the `nth` child (from 0) of a parent. It depends on nothing else, so births elsewhere do not change it. */
export function childKey(parent: StreamKey, nth: number): StreamKey {
  const high = lowbias32(triple32(parent.low + Math.imul(nth, GOLDEN)) ^ parent.high);
  return { high, low: triple32(lowbias32(parent.high + nth) + Math.imul(high ^ parent.low, 0x85ebca6b)) };
}

/** The n-th 32-bit number of a key for a purpose. The first 2^32 numbers of one key and purpose are all different. */
export function bits(high: number, low: number, purpose: number, n: number): number {
  return triple32(lowbias32(high + Math.imul(n, GOLDEN)) + (low + Math.imul(purpose, 0x85ebca6b))) >>> 0;
}

/** The same as a number between 0 and 1, exclusive: the middle of one of 2^32 equal parts. */
export function uniform(high: number, low: number, purpose: number, n: number): number {
  return (bits(high, low, purpose, n) + 0.5) / TWO_TO_32;
}
