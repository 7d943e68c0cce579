/**
 * The hash over every event of a run, by which two runs are compared. It detects mistakes; it is no defence against
 * an adversary.
 */

import { hash } from 'node:crypto';
import { HANDS } from './share.js';

/** A chain for each share of agents (share.ts), and one for events without an agent. */
export const CHAINS = HANDS + 1;
const DIGEST_BYTES = 32;

/**
 * The state of that hash: a fixed number of chains, so that worlds that share out the agents make the same ones. Each event is mixed into
 * two 32-bit lanes of its chain (the rounds of MurmurHash3, with different constants), and `foldEvents` chains the lanes and the number of
 * events into SHA-256. Two runs that differ in an event have equal hashes with a probability of about 2^-64, unless they are constructed.
 */
export interface EventChains {
  /** By chain: its two lanes, the number of its events, and its digest. */
  readonly lanes: Int32Array;
  readonly events: Float64Array;
  readonly digests: Uint8Array;
}

/** Chains without events. */
export function createEventChains(): EventChains {
  return {
    lanes: new Int32Array(2 * CHAINS),
    events: new Float64Array(CHAINS),
    digests: new Uint8Array(CHAINS * DIGEST_BYTES),
  };
}

const TWO_TO_32 = 4_294_967_296;

/**
 * Adds an event: second, agent by its number in the scenario (-1: none), kind with outcome, and the lamports that moved (a safe
 * integer).
 */
export function hashEvent(
  { lanes, events }: EventChains,
  second: number,
  agent: number,
  what: number,
  lamports: number,
): void {
  const chain = agent < 0 ? HANDS : agent & (HANDS - 1);
  const high = (lamports / TWO_TO_32) | 0;
  const who = Math.imul(agent, 0x85ebca6b) ^ (high << 16);
  const at = chain << 1;
  lanes[at] = mix(
    mix(mix(mix(lanes[at]!, second, 0xcc9e2d51), who, 0xcc9e2d51), what, 0xcc9e2d51),
    lamports,
    0xcc9e2d51,
  );
  lanes[at + 1] = mix(
    mix(mix(mix(lanes[at + 1]!, lamports, 0x1b873593), what, 0x1b873593), agent, 0x1b873593),
    second,
    0x1b873593,
  );
  events[chain]! += 1;
}

function mix(lane: number, word: number, factor: number): number {
  const k = Math.imul(word, factor);
  const x = lane ^ Math.imul((k << 15) | (k >>> 17), 0x38b34ae5);
  return (Math.imul((x << 13) | (x >>> 19), 5) + 0xe6546b64) | 0;
}

/**
 * Folds the lanes into the digests. The moments of folding are part of the hash: two runs must fold at the same ones.
 */
export function foldEvents({ lanes, events, digests }: EventChains): void {
  const folded = Buffer.alloc(DIGEST_BYTES + 16);
  for (let chain = 0; chain < CHAINS; chain += 1) {
    const at = chain * DIGEST_BYTES;
    folded.set(digests.subarray(at, at + DIGEST_BYTES));
    folded.writeInt32BE(lanes[2 * chain]!, DIGEST_BYTES);
    folded.writeInt32BE(lanes[2 * chain + 1]!, DIGEST_BYTES + 4);
    folded.writeDoubleBE(events[chain]!, DIGEST_BYTES + 8);
    digests.set(hash('sha256', folded, 'buffer'), at);
  }
}

/** The hash of all events so far, over the chains in their order, 64 hex characters. */
export function eventHash({ lanes, events, digests }: EventChains): string {
  const counted = Array.from(events, (count, chain) => `${lanes[2 * chain]}:${lanes[2 * chain + 1]}:${count}`);
  const said = Buffer.from(`events:v2:${counted.join(',')}:`, 'utf8');
  return hash('sha256', Buffer.concat([said, digests]));
}
