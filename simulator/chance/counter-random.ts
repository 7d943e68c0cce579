/**
 * Random numbers without a state: the number of (seed, agent, purpose, n) is a hash of these, so no draw disturbs another.
 * An agent is known by its population and its place in it; adding others, or changing a fee, leaves its luck as it was.
 *
 * The mixing steps are 32-bit bijections by Chris Wellons (hash-prospector: lowbias32 and triple32). They are not
 * cryptographic; the tests hold them to uniformity and independence.
 */

/** What an agent draws numbers for. The values are part of every result: they are never changed or used again. */
export const PURPOSES = {
  class: 0,
  arrival: 1,
  heartbeat: 2,
  outage: 3,
  lifetime: 4,
  spawn: 5,
  flag: 6,
  review: 7,
  payment: 8,
  fault: 9,
  intervention: 10,
} as const;
export type Purpose = (typeof PURPOSES)[keyof typeof PURPOSES];
export const PURPOSE_COUNT = Object.keys(PURPOSES).length;
/** The purposes of every scenario come first; the rest are those of features. */
export const PURPOSE_COUNT_PLAIN = 4;

/** 2^32 divided by the golden ratio, to the next odd number: steps of it are spread evenly. */
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

/** The key of an agent: two 32-bit words, as a pair of columns holds them. */
export interface StreamKey {
  readonly high: number;
  readonly low: number;
}

/** The key of member `member` (from 0) of a population under a seed (a safe integer from 0). */
export function streamKey(seed: number, population: string, member: number): StreamKey {
  const seedHigh = Math.floor(seed / TWO_TO_32) | 0;
  const seedLow = seed | 0;
  // FNV-1a over the name, twice from different starts.
  let high = 0x811c9dc5;
  let low = 0x1b873593;
  for (let i = 0; i < population.length; i++) {
    const unit = population.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x01000193);
  }
  high = triple32(lowbias32(high ^ seedHigh) + seedLow);
  low = triple32(lowbias32(low ^ seedLow) + seedHigh);
  return {
    high: lowbias32(triple32(high + Math.imul(member, GOLDEN)) ^ low),
    low: triple32(lowbias32(low + member) ^ high),
  };
}

/** The n-th 32-bit number of an agent for a purpose. For one agent and purpose no number comes twice in 2^32. */
export function bits(high: number, low: number, purpose: number, n: number): number {
  return triple32(lowbias32(high + Math.imul(n, GOLDEN)) + (low + Math.imul(purpose, 0x85ebca6b))) >>> 0;
}

/** The same as a number between 0 and 1, and never either of them: the middle of one of 2^32 equal parts. */
export function uniform(high: number, low: number, purpose: number, n: number): number {
  return (bits(high, low, purpose, n) + 0.5) / TWO_TO_32;
}
