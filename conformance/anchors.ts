import type { Reply } from './reply.js';
import { Unjudged } from './verdict.js';

/** Knows when anchors are issued, so that a sleep of some anchors is one of milliseconds (D-04, D-05). */
export class AnchorSchedule {
  #known: { readonly nextMs: number; readonly intervalMs: number } | undefined;

  /** `read`: asks the target for GET /beat/anchor. `intervalSec`: what holds where the reply does not tell it. */
  constructor(
    readonly read: () => Promise<Reply>,
    readonly intervalSec: number,
  ) {}

  /** Forgets what it knows: somebody has held the anchors up. */
  forget(): void {
    this.#known = undefined;
  }

  /** The moment (ms) at which the `count`-th anchor after `nowMs` is issued. */
  async msOf(count: number, nowMs: number): Promise<number> {
    this.#known ??= await this.#learn();
    const { nextMs, intervalMs } = this.#known;
    const behind = Math.max(0, Math.floor((nowMs - nextMs) / intervalMs) + 1);
    return nextMs + (behind + count - 1) * intervalMs;
  }

  async #learn(): Promise<{ nextMs: number; intervalMs: number }> {
    const reply = await this.read();
    const interval = reply.get('anchor_interval_sec');
    const intervalMs = (typeof interval === 'number' && interval > 0 ? interval : this.intervalSec) * 1_000;
    const next = Date.parse(String(reply.get('next_anchor_at')));
    if (!Number.isNaN(next)) return { nextMs: next, intervalMs };
    const utc = reply.get('anchor.utc');
    if (typeof utc === 'number') return { nextMs: utc + intervalMs, intervalMs };
    throw new Unjudged('inconclusive', 'GET /beat/anchor does not say when the next anchor is due');
  }
}
