/**
 * The history of the lab's reference in memory: every accepted command, states to start from, and fingerprints. From it any earlier
 * moment is made again, as a copy; the history itself never changes.
 */

import { manualClock } from '../../../reference/http/request/clock.js';
import { createHost } from '../../../reference/http/request/host.js';
import type { Keeper } from '../../../reference/http/request/keeper.js';
import { replay } from '../../../reference/http/server/replay.js';
import { catchUp, type Service, type ServiceOptions } from '../../../reference/service.js';
import { serviceFingerprint } from '../../../reference/state-digest.js';
import type { Command } from '../../../reference/store/command.js';
import type { SavedState } from '../../../reference/store/saved-state.js';
import { loadService, saveService } from '../../../reference/store/service-state.js';

/** A moment whose state is known by its fingerprint. */
export interface Mark {
  readonly atMs: number;
  /** How many commands had been accepted. */
  readonly commands: number;
  readonly fingerprint: string;
}

interface Checkpoint extends Mark {
  readonly saved: SavedState;
}

/** A state of the past: a copy, to which nothing is sent and which sends nothing. */
export interface PastState {
  readonly service: Service;
  readonly atMs: number;
  readonly fingerprint: string;
  /** True where the fingerprint agrees with the one that was taken at that moment; null where none was taken. */
  readonly same: boolean | null;
  readonly replayed: number;
}

const CHECKPOINT_EVERY = 10_000;
const CHECKPOINTS_MAX = 8;
const MARKS_MAX = 200;
/** Commands that are applied before others are served. */
const PORTION = 500;

/** The commands of a service since its start. */
export class History {
  readonly #options: ServiceOptions;
  readonly #commands: Command[] = [];
  readonly #ofAgent = new Map<number, number[]>();
  #checkpoints: Checkpoint[] = [];
  #marks: Mark[] = [];

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** The keeper of the host whose history this is. */
  get keeper(): Keeper {
    return {
      record: (command) => {
        const own = this.#ofAgent.get(command.agent) ?? [];
        this.#ofAgent.set(command.agent, own);
        own.push(this.#commands.length);
        this.#commands.push(command);
      },
      settled: () => undefined,
    };
  }

  get length(): number {
    return this.#commands.length;
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** The accepted commands of an agent until a moment, the newest last. */
  commandsOf(agent: number, untilMs: number): readonly Command[] {
    return (this.#ofAgent.get(agent) ?? []).flatMap((at) => this.#commands[at] ?? []).filter(({ at }) => at <= untilMs);
  }

  /** Notes the fingerprint of a moment, and now and then the whole state, from which later moments are made sooner. */
  mark(service: Service, atMs: number): Mark {
    const mark = { atMs, commands: this.#commands.length, fingerprint: serviceFingerprint(service) };
    this.#marks = [...this.#marks.filter((each) => each.atMs !== atMs), mark].slice(-MARKS_MAX);
    if (mark.commands - (this.#checkpoints.at(-1)?.commands ?? 0) >= CHECKPOINT_EVERY) {
      this.#checkpoints.push({ ...mark, saved: structuredClone(saveService(service)) });
      // Every second one goes, so that those that are left are spread over all of the past.
      if (this.#checkpoints.length > CHECKPOINTS_MAX)
        this.#checkpoints = this.#checkpoints.filter((_, at) => at % 2 === 1);
    }
    return mark;
  }

  /** Makes the state of a moment again, by the same handlers that served the commands. */
  async at(atMs: number): Promise<PastState> {
    const from = this.#checkpoints.findLast((each) => each.atMs <= atMs);
    const clock = manualClock(atMs);
    const host = createHost(this.#options, clock, { trustForwardedFor: true });
    if (from !== undefined) host.service = loadService(this.#options, structuredClone(from.saved));
    const mark = this.#marks.findLast((each) => each.atMs === atMs);
    let next = from?.commands ?? 0;
    const first = next;
    for (; next < this.#commands.length; next += 1) {
      const command = this.#commands[next] as Command;
      if (command.at > atMs || next >= (mark?.commands ?? Number.POSITIVE_INFINITY)) break;
      replay(host, command);
      if ((next - first) % PORTION === PORTION - 1) await new Promise<void>((served) => setImmediate(served));
    }
    catchUp(host.service, atMs);
    await host.beatPool.close();
    const fingerprint = serviceFingerprint(host.service);
    const same = mark === undefined ? null : mark.fingerprint === fingerprint;
    return { service: host.service, atMs, fingerprint, same, replayed: next - first };
  }
}
