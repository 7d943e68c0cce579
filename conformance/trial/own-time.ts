/** Time as one check sees it: it sleeps, and is busy or idle. The clock of a run is moved for all checks together (clock.ts). */
import { lacking, Unjudged, unreachable } from '../assertions/unjudged.js';
import type { Check } from './check.js';
import type { Turn } from './clock.js';
import { needClock } from './control-effects.js';
import { ObservedTime, type Span, spanMs } from './observed.js';
import { needReachableTime } from './reach.js';
import type { Session } from './session.js';

export class OwnTime {
  /** The number of requests, computations and sleeps of the check. */
  actions = 0;
  asleep = false;
  #inFlight = 0;
  #passing: Promise<void> | undefined;
  readonly #observed: ObservedTime;

  /** `onMoved` is called when the clock has been moved. */
  constructor(
    readonly session: Session,
    readonly check: Pick<Check, 'id' | 'paysOnTime'>,
    readonly turn: Turn,
    readonly onMoved: () => Promise<void>,
  ) {
    this.#observed = new ObservedTime(session, turn);
  }

  /** Whether a request or a computation is under way. */
  get busy(): boolean {
    return this.#inFlight > 0;
  }

  /** Runs something that the check waits for: meanwhile the check is not idle, and time must not pass. */
  async busyWith<T>(request: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await request();
    } finally {
      this.#inFlight -= 1;
      this.actions += 1;
    }
  }

  /** Protocol time in ms: the target's clock if it can be moved, otherwise the wall clock. Ends a check if the clock is wrong. */
  nowMs(): number {
    if (!this.session.offers.has('clock')) return this.session.wallMs();
    needClock(this.session);
    return this.session.barrier.nowMs;
  }

  /** Begins a check that waits in real time. One that counts anchors begins just after an anchor. */
  async begin({ waits }: Pick<Check, 'waits'>): Promise<void> {
    const span = waits?.(this.session.target.protocol);
    if (this.session.observedSec > 0 && span !== undefined && 'anchors' in span) {
      await this.#asleep(() => this.#observed.begin());
    }
  }

  /** Whether the check missed a moment, so that the times that it measured are no evidence. */
  async overtaken(): Promise<boolean> {
    return this.session.observedSec > 0 && (await this.#observed.overtaken());
  }

  /**
   * Lets protocol time pass: seconds, milliseconds, or until the n-th next anchor is issued. `early`: the next request must come before a limit,
   * which matters if time cannot be moved to an exact moment.
   */
  async sleep(span: Span, early = false): Promise<void> {
    const { observedSec, barrier, anchors, target } = this.session;
    if (Object.values(span).some((length) => length < 0)) throw unreachable('it would have to move time back');
    if (observedSec > 0) return this.#asleep(() => this.#observed.sleep(span, early));
    needClock(this.session);
    const nowMs = barrier.nowMs;
    const untilMs = 'anchors' in span ? await anchors.msOf(span.anchors, nowMs) : nowMs + spanMs(span, target.protocol);
    await this.sleepUntil(untilMs);
  }

  /** Lets protocol time pass until a moment (ms); `early` as above. */
  async sleepUntil(ms: number, early = false): Promise<void> {
    const { offers, observedSec } = this.session;
    if (observedSec > 0) return this.#asleep(() => this.#observed.sleepUntil(ms, early));
    if (!offers.has('clock')) throw new Unjudged('not-tested', lacking('clock', 'the target has no clock to move'));
    needClock(this.session);
    needReachableTime(ms - this.nowMs(), this.session.target.protocol, this.session.anchors.stalled);
    await this.#asleep(() => this.turn.sleepUntil(ms));
    await this.onMoved();
  }

  async #asleep(sleep: () => Promise<void>): Promise<void> {
    if (this.#inFlight > 0) throw new Error('a check that sleeps has no request under way');
    this.asleep = true;
    try {
      await sleep();
    } finally {
      this.asleep = false;
      this.actions += 1;
    }
  }

  /**
   * Lets protocol time pass while this check does something else, such as wait for a payment to be confirmed. All calls that come while it waits
   * for open requests share one step.
   */
  passTime(ms: number): Promise<void> {
    if (this.check.paysOnTime === true) {
      const why = 'it pays at exact moments, and a payment on a ledger of the same clock takes time';
      const because = lacking('ledger', `${why}: payments: { kind: control } takes none`);
      return Promise.reject(new Unjudged('not-tested', because));
    }
    return this.passQuietly(ms);
  }

  /** Of several calls that have to wait at the same time, the first lets time pass for all. */
  passQuietly(ms: number): Promise<void> {
    this.#passing ??= this.#passWhenQuiet(ms).finally(() => {
      this.#passing = undefined;
    });
    return this.#passing;
  }

  async #passWhenQuiet(ms: number): Promise<void> {
    do await this.session.waitMs(0);
    while (this.#inFlight > 0);
    await this.sleep({ ms });
  }
}
