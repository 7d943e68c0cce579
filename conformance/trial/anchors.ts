/** Tracks the target's anchors: the latest, and when the next is due. Reading one from a reply is in model/reading/anchor.ts. */
import { type AnchorRead, anchorOf } from '../../model/reading/anchor.js';
import type { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';

/** The anchors of a target at the last read: the latest, and the time of the next. */
interface AnchorTiming {
  readonly index: number;
  /** When the next anchor is due, by the target's clock; undefined if the reply does not show it. */
  readonly nextMs: number | undefined;
  /** Whether `nextMs` is exact; otherwise the anchor may come up to a second later. */
  readonly toTheMs: boolean;
  readonly intervalMs: number;
  /** The lead of the target's clock over the wall clock, by its Date header. */
  readonly aheadMs: number;
}

/** A timing in which the time of the next anchor is known. */
type FullAnchorTiming = AnchorTiming & { readonly nextMs: number };

const LOOK_MS = 2_000;
/** Checks that wake together read the latest anchor once, unless the next one may have been issued since. */
const ASKED_TOGETHER_MS = 500;
const NEAR_MS = 3_000;

/** The schedule of anchors, which converts a sleep of some anchors to milliseconds (D-04, D-05). */
export class AnchorSchedule {
  #known: AnchorTiming | undefined;
  #awaited: Promise<FullAnchorTiming> | undefined;
  #asked: { readonly atMs: number; readonly index: Promise<number> } | undefined;

  /** `read`: sends GET /beat/anchor. `intervalSec`: the interval if the reply does not give one. */
  constructor(
    readonly read: () => Promise<Reply>,
    readonly intervalSec: number,
    readonly wallMs: () => number,
    readonly waitMs: (ms: number) => Promise<void>,
  ) {}

  /** Whether the run has stalled the anchors. */
  stalled = false;

  /** Forgets the known anchor, since the anchors were stalled or go on. */
  forget(stalled = false): void {
    this.stalled = stalled;
    this.#known = undefined;
    this.#awaited = undefined;
    this.#asked = undefined;
  }

  /**
   * The moment (ms) of the target's clock at which the `count`-th anchor after `nowMs` is issued. If the target does not show when the next is due,
   * or only in whole seconds, that many whole intervals later: by then exactly that many have been issued.
   */
  async msOf(count: number, nowMs: number): Promise<number> {
    const { nextMs, intervalMs, toTheMs } = await this.#learnt();
    if (nextMs === undefined || !toTheMs) return nowMs + count * intervalMs;
    return nextMs + (behind({ nextMs, intervalMs }, nowMs) + count - 1) * intervalMs;
  }

  /** When an anchor is due, by the wall clock. If the target's clock differs from its Date header, waits once for the next anchor to see when it comes. */
  async wallMsOf(index: number): Promise<number> {
    const { index: latest, nextMs, intervalMs, aheadMs } = await this.#timed();
    return nextMs + (index - latest - 1) * intervalMs - aheadMs;
  }

  /** The index of the latest anchor, requested again if another one may have been issued. */
  async latest(): Promise<number> {
    const asked = this.#asked;
    if (asked !== undefined && this.wallMs() - asked.atMs <= ASKED_TOGETHER_MS) {
      const index = await asked.index;
      if ((await this.wallMsOf(index + 1)) - this.wallMs() > NEAR_MS) return index;
    }
    const index = this.#learn().then((known) => known.index);
    this.#asked = { atMs: this.wallMs(), index };
    return index;
  }

  async #learnt(): Promise<AnchorTiming> {
    this.#known ??= await this.#learn();
    return this.#known;
  }

  /** Reads the timing, and compares the two clocks. A failed attempt is not kept. */
  async #timed(): Promise<FullAnchorTiming> {
    this.#awaited ??= this.#compared();
    try {
      return await this.#awaited;
    } catch (error) {
      this.#awaited = undefined;
      throw error;
    }
  }

  async #compared(): Promise<FullAnchorTiming> {
    const known = await this.#learnt();
    const { nextMs } = known;
    if (nextMs === undefined) return this.#seenToCome(known);
    const dueMs = nextMs - known.aheadMs - this.wallMs();
    return dueMs > -LOOK_MS && dueMs <= known.intervalMs + LOOK_MS ? { ...known, nextMs } : this.#seenToCome(known);
  }

  /** Reads until another anchor is issued, which shows the difference of the clocks to within one read. */
  async #seenToCome(known: AnchorTiming): Promise<FullAnchorTiming> {
    for (let waitedMs = 0; waitedMs <= 2 * known.intervalMs; waitedMs += LOOK_MS) {
      await this.waitMs(LOOK_MS);
      const later = await this.#learn();
      if (later.index === known.index) continue;
      const nowMs = this.wallMs();
      if (later.nextMs === undefined) return { ...later, nextMs: nowMs + later.intervalMs, aheadMs: 0 };
      return { ...later, nextMs: later.nextMs, aheadMs: later.nextMs - later.intervalMs - nowMs };
    }
    throw new Unjudged('not-tested', 'GET /beat/anchor shows no other anchor for two intervals');
  }

  async #learn(): Promise<AnchorTiming> {
    const reply = await this.read();
    const interval = reply.get('anchor_interval_sec');
    const intervalMs = (typeof interval === 'number' && interval > 0 ? interval : this.intervalSec) * 1_000;
    const date = Date.parse(reply.headers.date ?? '');
    // The header has whole seconds, so on average it is half a second too low.
    const aheadMs = Number.isNaN(date) ? 0 : date + 500 - this.wallMs();
    const { index = 0, toTheMs = false, ...times } = anchorOf(reply);
    return { index, nextMs: nextOf(times, intervalMs), toTheMs, intervalMs, aheadMs };
  }
}

/** When the next anchor is due, from the latest one. Of two times that differ by less than a second, the later one is the exact one. */
function nextOf({ issuedMs, nextMs }: Pick<AnchorRead, 'issuedMs' | 'nextMs'>, intervalMs: number): number | undefined {
  if (issuedMs === undefined) return nextMs;
  const afterMs = issuedMs + intervalMs;
  if (nextMs === undefined) return afterMs;
  return Math.abs(afterMs - nextMs) < 1_000 ? Math.max(afterMs, nextMs) : nextMs;
}

/** The number of anchors issued by `nowMs` since the known one. */
function behind({ nextMs, intervalMs }: Pick<FullAnchorTiming, 'nextMs' | 'intervalMs'>, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - nextMs) / intervalMs) + 1);
}
