/** Words of a line: 64 bytes, which is what a processor fetches at a time. */
const SHIFT = 4;
const ROW = 0;
const CELL = 1;
const DUE = 2;
const DOWN_FROM = 3;
const DOWN_UNTIL = 4;
const SYNC_ANCHOR = 5;
const BEAT_ANCHOR = 6;
const EPOCH_BEATS = 7;
const FROZEN = 8;
const DRY = 9;
const TOP_UP_DUE = 10;
const TOP_UPS = 11;
/** The key of the agent's luck in two words, and how many numbers it has drawn for the purposes of every heartbeat. */
const STREAM_KEY = 12;
const DRAW_COUNTS = 14;
const DRAW_COUNT_WORDS = 2;

const NOBODY = -1;

/** A moment that does not come. */
export const NEVER = -1;

/**
 * The agents as the simulator knows them: their plans, and what it remembers of their calls to hold the registry's own
 * columns against. The number of an agent here is its place in the scenario, not its row in the registry.
 *
 * What an event of an agent reads and writes lies side by side in one line of 16 words. Agents whose events come one after
 * the other lie anywhere, so that every column of its own would cost each event another cache miss.
 */
export class Agents {
  /** A line for each agent. */
  readonly words: Int32Array;
  /** Penalty beats that are being computed, and the seconds of work left. */
  readonly workBeats: Float64Array;
  readonly workLeftSec: Int32Array;

  constructor(readonly size: number) {
    this.words = new Int32Array(size << SHIFT);
    this.workBeats = new Float64Array(size);
    this.workLeftSec = new Int32Array(size);
    for (let agent = 0; agent < size; agent++) {
      const at = agent << SHIFT;
      this.words[at + ROW] = NOBODY;
      this.words[at + DUE] = NEVER;
      this.words[at + SYNC_ANCHOR] = NEVER;
      this.words[at + BEAT_ANCHOR] = NEVER;
      this.words[at + TOP_UP_DUE] = NEVER;
    }
  }

  /** The row in the registry, or -1 before registration. */
  row(agent: number): number {
    return this.words[(agent << SHIFT) + ROW]!;
  }
  setRow(agent: number, row: number): void {
    this.words[(agent << SHIFT) + ROW] = row;
  }

  /** Its population and class: the cell that its doings are counted in. */
  cell(agent: number): number {
    return this.words[(agent << SHIFT) + CELL]!;
  }
  setCell(agent: number, cell: number): void {
    this.words[(agent << SHIFT) + CELL] = cell;
  }

  /** The second of its coming event, or NEVER. */
  due(agent: number): number {
    return this.words[(agent << SHIFT) + DUE]!;
  }
  setDue(agent: number, second: number): void {
    this.words[(agent << SHIFT) + DUE] = second;
  }

  /** The outage that is under way or comes next: it begins at `downFrom` and is over at `downUntil`. */
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

  /** Anchor of the last accepted init, heartbeat or resync. */
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

  /** Accepted heartbeats in the billing epoch that runs. */
  epochBeats(agent: number): number {
    return this.words[(agent << SHIFT) + EPOCH_BEATS]!;
  }
  setEpochBeats(agent: number, beats: number): void {
    this.words[(agent << SHIFT) + EPOCH_BEATS] = beats;
  }

  /** Whether the registry has told that it froze the agent. */
  frozen(agent: number): boolean {
    return this.words[(agent << SHIFT) + FROZEN] !== 0;
  }
  setFrozen(agent: number, frozen: boolean): void {
    this.words[(agent << SHIFT) + FROZEN] = frozen ? 1 : 0;
  }

  /** Whether it could not pay when it last wanted to. */
  dry(agent: number): boolean {
    return this.words[(agent << SHIFT) + DRY] !== 0;
  }
  setDry(agent: number, dry: boolean): void {
    this.words[(agent << SHIFT) + DRY] = dry ? 1 : 0;
  }

  /** When money that was asked for arrives, or NEVER; and how often it was asked for. */
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

/** Where an agent's luck lies in its line: its key in two words. */
export function streamKeyAt(agent: number): number {
  return (agent << SHIFT) + STREAM_KEY;
}

/** Where an agent's line counts what it drew for one of the purposes that have a place there, from 0. */
export function drawCountAt(agent: number, place: number): number {
  if (place >= DRAW_COUNT_WORDS) throw new RangeError(`a line has no place ${place} for draws`);
  return (agent << SHIFT) + DRAW_COUNTS + place;
}
