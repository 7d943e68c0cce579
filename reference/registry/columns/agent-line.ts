/**
 * The fields of an agent that heartbeats and the Dead Man's Switch touch, in one cache line for each agent. All other
 * fields are columns of the agent table.
 */

import type { ByteHash } from './table.js';

/** A line has 16 words, 64 bytes, as many as a processor fetches at once. */
const SHIFT = 4;
const STATUS = 0;
const IDENTITY_CLASS = 1;
const WALLET = 2;
const COMPLAINTS = 3;
const PARTNER = 4;
const DEPTH = 5;
const LAST_SYNC_ANCHOR = 6;
const EPOCH_HEARTBEATS = 7;
const TOTAL_HEARTBEATS = 8;
/** Fields of two words, as a Float64: beats and epochs can exceed 32 bits. Their places count in Float64s. */
const FLOAT_SHIFT = 3;
const LAST_HEARTBEAT_BEAT = 5;
const EPOCH = 6;

const NONE = -1;

/**
 * The lines of all agents, by row. Agents that beat one after the other are anywhere in memory: with a column for each
 * field, every heartbeat waited for ten cache misses instead of one.
 */
export class AgentLine {
  words: Int32Array;
  /** The same bytes as Float64s. */
  #floats: Float64Array;

  constructor(capacity: number) {
    this.words = new Int32Array(capacity << SHIFT);
    this.#floats = new Float64Array(this.words.buffer);
  }

  /** Replaces all lines with a copy of these words, for example those of a checkpoint. */
  adopt(words: Int32Array): void {
    this.words = Int32Array.from(words);
    this.#floats = new Float64Array(this.words.buffer);
  }

  /** The lines of the first `rows` agents. */
  wordsOf(rows: number): Int32Array {
    return this.words.subarray(0, rows << SHIFT);
  }

  /** Takes lines that `wordsOf` gave, with room for `capacity` agents. */
  restore(words: Int32Array, capacity: number): void {
    this.words = new Int32Array(capacity << SHIFT);
    this.words.set(words);
    this.#floats = new Float64Array(this.words.buffer);
  }

  /** Initialises the line of a new row. */
  add(row: number): void {
    const at = row << SHIFT;
    if (at === this.words.length) {
      const larger = new Int32Array(this.words.length * 2);
      larger.set(this.words);
      this.words = larger;
      this.#floats = new Float64Array(larger.buffer);
    }
    this.words[at + WALLET] = NONE;
    this.words[at + PARTNER] = NONE;
    this.words[at + LAST_SYNC_ANCHOR] = NONE;
    this.#floats[(row << FLOAT_SHIFT) + LAST_HEARTBEAT_BEAT] = NONE;
  }

  /** 3.1: REGISTERED, ACTIVE or FROZEN. */
  status(row: number): number {
    return this.words[(row << SHIFT) + STATUS]!;
  }
  setStatus(row: number, status: number): void {
    this.words[(row << SHIFT) + STATUS] = status;
  }

  /** 0 without a SIGIL; otherwise 1 + the index in `identityClasses`. */
  identityClass(row: number): number {
    return this.words[(row << SHIFT) + IDENTITY_CLASS]!;
  }
  setIdentityClass(row: number, classColumn: number): void {
    this.words[(row << SHIFT) + IDENTITY_CLASS] = classColumn;
  }

  /** A number of `registry.wallets`, or -1. */
  wallet(row: number): number {
    return this.words[(row << SHIFT) + WALLET]!;
  }
  setWallet(row: number, wallet: number): void {
    this.words[(row << SHIFT) + WALLET] = wallet;
  }

  /** Sustained complaints (3.5); heartbeats are refused while there are any. */
  complaints(row: number): number {
    return this.words[(row << SHIFT) + COMPLAINTS]!;
  }
  setComplaints(row: number, complaints: number): void {
    this.words[(row << SHIFT) + COMPLAINTS] = complaints;
  }

  /** D-37: the number of the agent's partner, or -1. */
  partner(row: number): number {
    return this.words[(row << SHIFT) + PARTNER]!;
  }
  setPartner(row: number, partner: number): void {
    this.words[(row << SHIFT) + PARTNER] = partner;
  }

  depth(row: number): number {
    return this.words[(row << SHIFT) + DEPTH]!;
  }
  setDepth(row: number, depth: number): void {
    this.words[(row << SHIFT) + DEPTH] = depth;
  }

  /**
   * The latest of init, heartbeat and resync, as an anchor index, from which the Dead Man's Switch counts (D-24); -1
   * before.
   */
  lastSyncAnchor(row: number): number {
    return this.words[(row << SHIFT) + LAST_SYNC_ANCHOR]!;
  }
  setLastSyncAnchor(row: number, anchor: number): void {
    this.words[(row << SHIFT) + LAST_SYNC_ANCHOR] = anchor;
  }

  /** The global beat of the latest heartbeat; -1 before the first. */
  lastHeartbeatBeat(row: number): number {
    return this.#floats[(row << FLOAT_SHIFT) + LAST_HEARTBEAT_BEAT]!;
  }
  setLastHeartbeatBeat(row: number, beat: number): void {
    this.#floats[(row << FLOAT_SHIFT) + LAST_HEARTBEAT_BEAT] = beat;
  }

  /** The billing epoch of `epochHeartbeats`. */
  epoch(row: number): number {
    return this.#floats[(row << FLOAT_SHIFT) + EPOCH]!;
  }
  setEpoch(row: number, epoch: number): void {
    this.#floats[(row << FLOAT_SHIFT) + EPOCH] = epoch;
  }

  /** Heartbeats in the billing epoch of the latest one. */
  epochHeartbeats(row: number): number {
    return this.words[(row << SHIFT) + EPOCH_HEARTBEATS]!;
  }
  setEpochHeartbeats(row: number, heartbeats: number): void {
    this.words[(row << SHIFT) + EPOCH_HEARTBEATS] = heartbeats;
  }

  totalHeartbeats(row: number): number {
    return this.words[(row << SHIFT) + TOTAL_HEARTBEATS]!;
  }
  setTotalHeartbeats(row: number, heartbeats: number): void {
    this.words[(row << SHIFT) + TOTAL_HEARTBEATS] = heartbeats;
  }

  /** Feeds the lines of the first `rows` agents to a hash. */
  hash(rows: number, hash: ByteHash): void {
    const used = this.words.subarray(0, rows << SHIFT);
    hash.update(`line:${rows}:`);
    hash.update(new Uint8Array(used.buffer, used.byteOffset, used.byteLength));
  }
}
