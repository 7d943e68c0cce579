/**
 * The history of the lab's reference in memory: every accepted command, states to start from, and fingerprints. From it any earlier
 * moment is made again, as a copy. Its memory is bounded: the oldest commands are dropped, and going back ends where a kept state begins.
 */

import { manualClock } from '../../../reference/http/request/clock.js';
import { createHost, type Host } from '../../../reference/http/request/host.js';
import type { Keeper } from '../../../reference/http/request/keeper.js';
import { replay } from '../../../reference/http/server/replay.js';
import { catchUp, type Service, type ServiceOptions } from '../../../reference/service.js';
import type { Command } from '../../../reference/store/command.js';
import { loadService, saveService } from '../../../reference/store/service-state.js';
import { ActionRefused } from '../action.js';
import { Checkpoints } from './checkpoints.js';
import { fingerprintOf, type KeptState, keepState, openState } from './kept-state.js';
import type { RequestCounts } from './request-log.js';

/** A moment whose state is known by its fingerprint. */
export interface Mark {
  readonly atMs: number;
  /** How many commands had been accepted. */
  readonly commands: number;
  /** How many requests had been answered. */
  readonly requests: RequestCounts;
  readonly fingerprint: string;
}

/** A state of the past: a copy, to which nothing is sent and which sends nothing. It goes forward through what happened then. */
export interface PastState {
  readonly host: Host;
  atMs: number;
  fingerprint: string;
  /** True where the fingerprint agrees with the one that was taken at that moment; null where none was taken. */
  same: boolean | null;
  /** How many moments on its way had a fingerprint, and the same one. */
  agreed: number;
  replayed: number;
  /** The requests up to that moment; null where they were not noted. */
  requests: RequestCounts | null;
  /** The number of the next command. */
  next: number;
  /** A state on its way or before it, with which its later states have much in common; undefined at the beginning. */
  base: KeptState | undefined;
}

/** How much is kept. */
export interface HistoryLimits {
  /** Commands, except those since the last checkpoint. */
  readonly commands: number;
  /** Commands between two checkpoints, at least. */
  readonly checkpointEvery: number;
  /** Roughly the memory of all checkpoints, in bytes; two stay, whatever they take. */
  readonly checkpointBytes: number;
}

const LIMITS: HistoryLimits = { commands: 200_000, checkpointEvery: 2_500, checkpointBytes: 256_000_000 };
const MARKS_MAX = 200;
/** Commands that are applied before others are served. */
const PORTION = 500;

/** The commands of a service since its start. */
export class History {
  readonly #options: ServiceOptions;
  readonly #limits: HistoryLimits;
  #commands: Command[] = [];
  /** The number of commands that were dropped. */
  #dropped = 0;
  readonly #ofAgent = new Map<number, number[]>();
  readonly #checkpoints: Checkpoints;
  /** The number of commands before the last checkpoint. */
  #checked = 0;
  #marks: Mark[] = [];

  constructor(options: ServiceOptions, limits: Partial<HistoryLimits> = {}) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...limits };
    this.#checkpoints = new Checkpoints(this.#limits.checkpointBytes);
  }

  /** The keeper of the host whose history this is. */
  get keeper(): Keeper {
    return {
      record: (command) => {
        const own = this.#ofAgent.get(command.agent) ?? [];
        this.#ofAgent.set(command.agent, own);
        own.push(this.length);
        this.#commands.push(command);
      },
      settled: () => undefined,
    };
  }

  /** How many commands there were, with those that were dropped. */
  get length(): number {
    return this.#dropped + this.#commands.length;
  }

  /** The earliest moment that can be made again. */
  get firstMs(): number {
    return this.#dropped === 0 ? this.#options.startMs : (this.#checkpoints.first?.atMs ?? Number.POSITIVE_INFINITY);
  }

  /** A state should be noted now: many commands have come since the last one. */
  get isDue(): boolean {
    return this.length - this.#checked >= this.#limits.checkpointEvery;
  }

  /** How many commands came before each state that is kept, and roughly the memory of all of them, in bytes. */
  get checkpoints(): { readonly commands: readonly number[]; readonly bytes: number } {
    const { commands, bytes } = this.#checkpoints;
    return { commands, bytes };
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** The accepted commands of an agent until a moment, the newest last. */
  commandsOf(agent: number, untilMs: number): readonly Command[] {
    return (this.#ofAgent.get(agent) ?? [])
      .flatMap((at) => this.#commands[at - this.#dropped] ?? [])
      .filter(({ at }) => at <= untilMs);
  }

  /** Notes the fingerprint of a moment, and now and then the whole state, from which later moments are made sooner. */
  mark(service: Service, atMs: number, requests: RequestCounts): Mark {
    const state = keepState(saveService(service), this.#checkpoints.last?.state);
    const mark = { atMs, requests, commands: this.length, fingerprint: fingerprintOf(state) };
    this.#marks = [...this.#marks.filter((each) => each.atMs !== atMs), mark];
    // Every second one goes: the latest and the first stay.
    if (this.#marks.length > MARKS_MAX) this.#marks = this.#marks.filter((_, at) => at % 2 === 0);
    if (this.isDue) {
      this.#checkpoints.add({ atMs, commands: this.length, state });
      this.#checked = this.length;
      this.#forget();
    }
    return mark;
  }

  /** Drops the commands before a checkpoint where there are too many. */
  #forget(): void {
    const least = this.length - this.#limits.commands;
    if (least <= this.#dropped) return;
    const base = this.#checkpoints.dropBefore(least);
    if (base === undefined) return;
    this.#commands = this.#commands.slice(base.commands - this.#dropped);
    this.#dropped = base.commands;
    this.#marks = this.#marks.filter(({ atMs }) => atMs >= base.atMs);
    for (const [agent, own] of this.#ofAgent) {
      const left = own.filter((at) => at >= base.commands);
      if (left.length === 0) this.#ofAgent.delete(agent);
      else this.#ofAgent.set(agent, left);
    }
  }

  /**
   * Makes the state of a moment again, by the same handlers that served the commands. It is not before `firstMs`. `goOn` is called now and
   * then, and throws where it is not to go on.
   */
  async at(atMs: number, goOn: () => void = () => undefined): Promise<PastState> {
    const from = this.#checkpoints.before(atMs);
    const host = createHost(this.#options, manualClock(atMs), { trustForwardedFor: true });
    if (from !== undefined) host.service = loadService(this.#options, openState(from.state));
    const next = from?.commands ?? 0;
    const base = from?.state;
    const past = { host, atMs, fingerprint: '', same: null, agreed: 0, replayed: 0, requests: null, next, base };
    try {
      await this.forward(past, atMs, { goOn });
    } finally {
      await host.beatPool.close();
    }
    if (past.fingerprint === '') this.fingerprint(past);
    return past;
  }

  /** Takes the fingerprint of a copy as it is now. */
  fingerprint(past: PastState): string {
    past.base = keepState(saveService(past.host.service), past.base);
    past.fingerprint = fingerprintOf(past.base);
    return past.fingerprint;
  }

  /** The latest moment on the way of a copy whose fingerprint can be compared; `toMs` if no such moment exists. */
  markUntil(past: PastState, toMs: number): number {
    return this.#marks.find(({ atMs }) => atMs > past.atMs && atMs <= toMs)?.atMs ?? toMs;
  }

  /**
   * Brings a copy forward to a later moment, through the commands of that time; `onCommand` gets each. Where a fingerprint was taken at the
   * moment it is compared. Refuses where the commands are no longer kept.
   */
  async forward(
    past: PastState,
    toMs: number,
    { goOn = () => undefined, onCommand = () => undefined }: ForwardListeners = {},
  ): Promise<void> {
    const { host } = past;
    const mark = this.#marks.findLast((each) => each.atMs === toMs);
    const first = past.next;
    // The commands of this moment, as they are now: some may be dropped while others are served.
    const [commands, dropped] = [this.#commands, this.#dropped];
    if (first < dropped) throw new ActionRefused(409, 'FORGOTTEN', 'the commands after this moment are no longer kept');
    for (; past.next < dropped + commands.length; past.next += 1) {
      const command = commands[past.next - dropped] as Command;
      if (command.at > toMs || past.next >= (mark?.commands ?? Number.POSITIVE_INFINITY)) break;
      replay(host, command);
      onCommand(command);
      if ((past.next - first) % PORTION !== PORTION - 1) continue;
      await new Promise<void>((served) => setImmediate(served));
      goOn();
    }
    catchUp(host.service, toMs);
    past.atMs = toMs;
    past.replayed += past.next - first;
    past.requests = mark?.requests ?? null;
    past.fingerprint = '';
    past.same = mark === undefined ? null : mark.fingerprint === this.fingerprint(past);
    if (past.same === true) past.agreed += 1;
  }
}

/** Called while a copy goes forward. */
interface ForwardListeners {
  readonly goOn?: () => void;
  readonly onCommand?: (command: Command) => void;
}
