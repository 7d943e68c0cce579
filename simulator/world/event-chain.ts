/**
 * The hash over every event of a run, by which two runs are compared. It detects mistakes; it is no defence against
 * an adversary.
 */

import { createHash } from 'node:crypto';

/**
 * The state of that hash. Each event is mixed into two 32-bit lanes (the rounds of MurmurHash3, with different constants), and
 * `foldEvents` chains the lanes and the number of events into SHA-256. Two runs that differ in an event have equal hashes
 * with a probability of about 2^-64, unless they are constructed.
 */
export interface EventChain {
  laneA: number;
  laneB: number;
  events: number;
  digest: Buffer;
}

/** A chain without events. */
export function createEventChain(): EventChain {
  return { laneA: 0, laneB: 0, events: 0, digest: Buffer.alloc(32) };
}

const TWO_TO_32 = 4_294_967_296;

/** Adds an event: second, agent, kind with outcome, and the lamports that moved (a safe integer). */
export function hashEvent(chain: EventChain, second: number, agent: number, what: number, lamports: number): void {
  const high = (lamports / TWO_TO_32) | 0;
  const who = Math.imul(agent, 0x85ebca6b) ^ (high << 16);
  chain.laneA = mix(
    mix(mix(mix(chain.laneA, second, 0xcc9e2d51), who, 0xcc9e2d51), what, 0xcc9e2d51),
    lamports,
    0xcc9e2d51,
  );
  chain.laneB = mix(
    mix(mix(mix(chain.laneB, lamports, 0x1b873593), what, 0x1b873593), agent, 0x1b873593),
    second,
    0x1b873593,
  );
  chain.events += 1;
}

function mix(lane: number, word: number, factor: number): number {
  const k = Math.imul(word, factor);
  const x = lane ^ Math.imul((k << 15) | (k >>> 17), 0x38b34ae5);
  return (Math.imul((x << 13) | (x >>> 19), 5) + 0xe6546b64) | 0;
}

/**
 * Folds the lanes into the digest. The moments of folding are part of the hash: two runs must fold at the same ones.
 */
export function foldEvents(chain: EventChain): void {
  const lanes = Buffer.alloc(16);
  lanes.writeInt32BE(chain.laneA, 0);
  lanes.writeInt32BE(chain.laneB, 4);
  lanes.writeDoubleBE(chain.events, 8);
  chain.digest = createHash('sha256').update(chain.digest).update(lanes).digest();
}

/** The hash of all events so far, 64 hex characters. */
export function eventHash(chain: EventChain): string {
  const { laneA, laneB, events, digest } = chain;
  return createHash('sha256').update(`events:v1:${laneA}:${laneB}:${events}:`).update(digest).digest('hex');
}
