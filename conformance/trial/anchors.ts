/**
 * Keeps what is known of the target's anchors: the latest, and when the next is due. Reading one from a reply is in
 * model/reading/anchor.ts.
 */
import { type AnchorRead, anchorOf } from '../../model/reading/anchor.js';
import type { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';

/** Knowledge of a target's anchors: the latest when it was asked, and when the next is due. */
interface AnchorTiming {
  readonly index: number;
  /** By the target's clock; undefined where the reply does not give it. */
  readonly nextMs: number | undefined;
  /** Whether that is the moment itself; else it is up to a second later. */
  readonly toTheMs: boolean;
  readonly intervalMs: number;
  /** How far the target's clock is ahead of the wall clock, as far as its Date header shows. */
  readonly aheadMs: number;
}

/** Knowledge with the time of the next anchor, seen or reported. */
type FullAnchorTiming = AnchorTiming & { readonly nextMs: number };

const LOOK_MS = 2_000;
/** Those who wake together ask for the latest anchor once; but not so near to the next one that it may have come since. */
const ASKED_TOGETHER_MS = 500;
const NEAR_MS = 3_000;

/** Knows when anchors are issued, so that a sleep of some anchors is one of milliseconds (D-04, D-05). */
export class AnchorSchedule {
  #known: AnchorTiming | undefined;
  #awaited: Promise<FullAnchorTiming> | undefined;
  #asked: { readonly atMs: number; readonly index: Promise<number> } | undefined;

  /** `read`: asks the target for GET /beat/anchor. `intervalSec`: the interval where the reply does not give one. */
  constructor(
    readonly read: () => Promise<Reply>,
    readonly intervalSec: number,
    readonly wallMs: () => number,
    readonly waitMs: (ms: number) => Promise<void>,
  ) {}

  /** No anchor is issued, as far as the run has seen to that. */
  stalled = false;

  /** Forgets what it knows: somebody has held the anchors up, or lets them go on. */
  forget(stalled = false): void {
    this.stalled = stalled;
    this.#known = undefined;
    this.#awaited = undefined;
    this.#asked = undefined;
  }

  /**
   * The moment (ms) of the target's clock at which the `count`-th anchor after `nowMs` is issued. Where the target does not
   * say when one is due, or in whole seconds, it is a moment by which exactly that many have been: that many whole intervals later.
   */
  async msOf(count: number, nowMs: number): Promise<number> {
    const { nextMs, intervalMs, toTheMs } = await this.#learnt();
    if (nextMs === undefined || !toTheMs) return nowMs + count * intervalMs;
    return nextMs + (behind({ nextMs, intervalMs }, nowMs) + count - 1) * intervalMs;
  }

  /**
   * When an anchor is due, by the wall clock. Where the target's clock is not that of its Date header, the next anchor is
   * awaited once, to see when it comes.
   */
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

  /** The knowledge with both clocks compared; an attempt that fails is not kept. */
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

  /** Looks until another anchor is there: that shows how far apart the clocks are, to within one look. */
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
    // The header has whole seconds: half of one is what it says too little on average.
    const aheadMs = Number.isNaN(date) ? 0 : date + 500 - this.wallMs();
    const { index = 0, toTheMs = false, ...times } = anchorOf(reply);
    return { index, nextMs: nextOf(times, intervalMs), toTheMs, intervalMs, aheadMs };
  }
}

/**
 * When the next anchor is due, as far as the latest shows. Of two times that agree except for a part of a second, the later
 * one is not cut.
 */
function nextOf({ issuedMs, nextMs }: Pick<AnchorRead, 'issuedMs' | 'nextMs'>, intervalMs: number): number | undefined {
  if (issuedMs === undefined) return nextMs;
  const afterMs = issuedMs + intervalMs;
  if (nextMs === undefined) return afterMs;
  return Math.abs(afterMs - nextMs) < 1_000 ? Math.max(afterMs, nextMs) : nextMs;
}

/** How many anchors have been issued by `nowMs` since the one that is known. */
function behind({ nextMs, intervalMs }: Pick<FullAnchorTiming, 'nextMs' | 'intervalMs'>, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - nextMs) / intervalMs) + 1);
}
