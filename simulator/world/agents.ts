/**
 * One cache line of state for each agent: its schedule, outage, key and what its own calls imply. The registry holds
 * what the service knows.
 */

/** 2^4 words a line: 64 bytes, as many as a processor fetches at once. */
const SHIFT = 4;
const ROW = 0;
const CELL = 1;
const DUE = 2;
const DOWN_FROM = 3;
const DOWN_UNTIL = 4;
const SYNC_ANCHOR = 5;
const BEAT_ANCHOR = 6;
const EPOCH_BEATS = 7;
const STATE = 8;
const PASSPORT_SEC = 9;
const TOP_UP_DUE = 10;
const TOP_UPS = 11;
/** The key of the agent's streams in two words, then draw counts of the purposes that every heartbeat draws for. */
const STREAM_KEY = 12;
const DRAW_COUNTS = 14;
const DRAW_COUNT_WORDS = 2;

/** Bits of STATE. */
const FROZEN = 1;
const DRY = 2;
const EVER_FROZEN = 4;

const NOBODY = -1;

/** No such moment. */
export const NEVER = -1;

/**
 * The simulator's state of agents: their schedule, and a record of their calls that the registry's columns are checked
 * against. An agent's number here is its place in the scenario, not its row in the registry.
 *
 * An event touches one line of 16 words. Agents with successive events lie far apart, so with one column for each field
 * every event would wait for as many cache misses as it reads fields.
 */
export class Agents {
  /** One line of words for each agent. */
  readonly words: Int32Array;
  /** Penalty beats that are being computed, and seconds of that work left. */
  readonly workBeats: Float64Array;
  readonly workLeftSec: Int32Array;
  /** The kind of the event that waits until the agent can pay; 0 (an arrival, which never waits) for none. */
  readonly waitingKind: Uint8Array;
  /** The second of its first freeze, or NEVER. */
  readonly firstFreezeSec: Int32Array;
  /** The second up to which its time offline has been counted (offline-time.ts). */
  readonly offlineCountedSec: Int32Array;

  /** The deposits that agents have paid and not lost, in lamports. */
  readonly deposits = new Map<number, number>();

  constructor(readonly size: number) {
    this.words = new Int32Array(size << SHIFT);
    this.workBeats = new Float64Array(size);
    this.workLeftSec = new Int32Array(size);
    this.waitingKind = new Uint8Array(size);
    this.firstFreezeSec = new Int32Array(size).fill(NEVER);
    this.offlineCountedSec = new Int32Array(size);
    for (let agent = 0; agent < size; agent += 1) {
      const at = agent << SHIFT;
      this.words[at + ROW] = NOBODY;
      this.words[at + DUE] = NEVER;
      this.words[at + SYNC_ANCHOR] = NEVER;
      this.words[at + BEAT_ANCHOR] = NEVER;
      this.words[at + TOP_UP_DUE] = NEVER;
      this.words[at + PASSPORT_SEC] = NEVER;
    }
  }

  /** Its row in the registry, or -1 before registration. */
  row(agent: number): number {
    return this.words[(agent << SHIFT) + ROW]!;
  }
  setRow(agent: number, row: number): void {
    this.words[(agent << SHIFT) + ROW] = row;
  }

  /** The cell that counts it: its population and class. */
  cell(agent: number): number {
    return this.words[(agent << SHIFT) + CELL]!;
  }
  setCell(agent: number, cell: number): void {
    this.words[(agent << SHIFT) + CELL] = cell;
  }

  /** The second of its next event, or NEVER. */
  due(agent: number): number {
    return this.words[(agent << SHIFT) + DUE]!;
  }
  setDue(agent: number, second: number): void {
    this.words[(agent << SHIFT) + DUE] = second;
  }

  /** The current or next outage: from `downFrom` up to, not including, `downUntil`. */
  downFrom(agent: number): number {
    return this.words[(agent << SHIFT) + DOWN_FROM]!;
  }
  downUntil(agent: number): number {
    return this.words[(agent << SHIFT) + DOWN_UNTIL]!;
  }
  setOutage(agent: number, from: number, until: number): void {
    this.words[(agent << SHIFT) + DOWN_FROM] = from;
    this.words[(agent << SHIFT) + DOWN_UNTIL] = until;
  }

  /** Anchor of the last accepted init, heartbeat or resync, or NEVER. */
  syncAnchor(agent: number): number {
    return this.words[(agent << SHIFT) + SYNC_ANCHOR]!;
  }
  setSyncAnchor(agent: number, anchor: number): void {
    this.words[(agent << SHIFT) + SYNC_ANCHOR] = anchor;
  }

  /** Anchor of the last accepted heartbeat, or NEVER. */
  beatAnchor(agent: number): number {
    return this.words[(agent << SHIFT) + BEAT_ANCHOR]!;
  }
  setBeatAnchor(agent: number, anchor: number): void {
    this.words[(agent << SHIFT) + BEAT_ANCHOR] = anchor;
  }

  /** Accepted heartbeats in the current billing epoch. */
  epochBeats(agent: number): number {
    return this.words[(agent << SHIFT) + EPOCH_BEATS]!;
  }
  setEpochBeats(agent: number, beats: number): void {
    this.words[(agent << SHIFT) + EPOCH_BEATS] = beats;
  }

  /** Whether the registry has frozen it, and whether it ever did. */
  frozen(agent: number): boolean {
    return (this.words[(agent << SHIFT) + STATE]! & FROZEN) !== 0;
  }
  everFrozen(agent: number): boolean {
    return (this.words[(agent << SHIFT) + STATE]! & EVER_FROZEN) !== 0;
  }
  setFrozen(agent: number, frozen: boolean): void {
    this.#setState(agent, frozen ? FROZEN | EVER_FROZEN : FROZEN, frozen);
  }

  /** Whether it could not pay when it last tried. */
  dry(agent: number): boolean {
    return (this.words[(agent << SHIFT) + STATE]! & DRY) !== 0;
  }
  setDry(agent: number, dry: boolean): void {
    this.#setState(agent, DRY, dry);
  }

  #setState(agent: number, bits: number, on: boolean): void {
    const at = (agent << SHIFT) + STATE;
    this.words[at] = on ? this.words[at]! | bits : this.words[at]! & ~bits;
  }

  /** The second in which its latest passport was issued, or NEVER. */
  passportSec(agent: number): number {
    return this.words[(agent << SHIFT) + PASSPORT_SEC]!;
  }
  setPassportSec(agent: number, second: number): void {
    this.words[(agent << SHIFT) + PASSPORT_SEC] = second;
  }

  /** When a requested top-up arrives, or NEVER; and how many were requested. */
  topUpDue(agent: number): number {
    return this.words[(agent << SHIFT) + TOP_UP_DUE]!;
  }
  setTopUpDue(agent: number, second: number): void {
    this.words[(agent << SHIFT) + TOP_UP_DUE] = second;
  }
  topUps(agent: number): number {
    return this.words[(agent << SHIFT) + TOP_UPS]!;
  }
  setTopUps(agent: number, times: number): void {
    this.words[(agent << SHIFT) + TOP_UPS] = times;
  }
}

/** The index of the two words of an agent's stream key. */
export function streamKeyAt(agent: number): number {
  return (agent << SHIFT) + STREAM_KEY;
}

/** The index of an agent's draw count at a place, from 0. RangeError for a place that a line does not have. */
export function drawCountAt(agent: number, place: number): number {
  if (place >= DRAW_COUNT_WORDS) throw new RangeError(`a line has no place ${place} for draws`);
  return (agent << SHIFT) + DRAW_COUNTS + place;
}
