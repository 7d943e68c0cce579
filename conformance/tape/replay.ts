/** Answers the requests of a run from a recording, in place of the target. It opens no connection. */

import type { ChainTerms } from '../../model/reading/chain.js';
import { jsonOf } from '../../spec/formats.js';
import { Unjudged } from '../assertions/unjudged.js';
import type { ChainMemory } from '../protocol/chain-pool.js';
import { RUN_TRIAL_ID } from '../trial/session.js';
import { type Transport, TransportFailure, type WireReply, type WireRequest } from '../wire/transport.js';
import { WebhookReceiver } from '../wire/webhook-receiver.js';
import type { RecordedChain, RecordedEntry, RecordedExchange, Recording } from './read-recording.js';
import { ownerOf } from './recording.js';

/**
 * The turns of the event loop after which the next reply counts as not needed: nothing requests it, nothing else can be released, and nothing is
 * computed. Turns are counted, not seconds: a machine that is too busy for the checks is too busy for the turns, too.
 */
const STALLED_LOOKS = 50;
const LOOK_MS = 10;

/**
 * Answers a run of the suite from a recording. Every check gets the replies to its own requests, in the order in which it sends them, and all
 * replies are released in their recorded order, so that checks divide shared things, such as one chain of beats, as before. If a check sleeps at
 * other times than before, the clock moves by itself.
 */
export class Replay {
  readonly #entries: readonly RecordedEntry[];
  /** The places of exchanges by sender and request, in the order of sending. */
  readonly #places = new Map<string, number[]>();
  readonly #advances: number[];
  readonly #waiting = new Map<number, () => void>();
  readonly #ended = new Set<string>();
  #next = 0;
  #pumping = false;
  #looking: NodeJS.Timeout | undefined;
  #looks = 0;
  #underWay = 0;
  #nowMs = 0;
  #ownClock = false;
  #receiver: WebhookReceiver | undefined;
  readonly #chains: ReadonlyMap<string, RecordedChain>;
  /** The number of requests without a recorded reply, by sender. */
  readonly #unshown = new Map<string, number>();

  constructor(recording: Recording) {
    this.#entries = recording.entries;
    this.#chains = new Map(recording.chains.map((each) => [chainKey(each.chain), each]));
    const bySent = [...recording.entries.entries()]
      .flatMap(([place, entry]) => ('path' in entry ? [] : [{ place, entry }]))
      .sort((one, other) => one.entry.sent - other.entry.sent);
    for (const { place, entry } of bySent) {
      const key = keyOf(entry.owner, entry);
      this.#places.set(key, [...(this.#places.get(key) ?? []), place]);
    }
    this.#advances = bySent.filter(({ entry }) => movesClock(entry.owner, entry.url)).map(({ place }) => place);
  }

  /** The transport of a replayed run. */
  readonly send: Transport = (request) => {
    const owner = ownerOf(request);
    if (movesClock(owner, request.url)) return this.#advance(request);
    const places = this.#places.get(keyOf(owner, request)) ?? [];
    // Requests of the run for all checks may be repeated at another time; the last answer then counts.
    const place = places.length > 1 || !isShared(owner) ? places.shift() : places[0];
    if (place !== undefined) return this.#answer(place);
    this.#unshown.set(owner, (this.#unshown.get(owner) ?? 0) + 1);
    const reason = `the recording has no reply to this request: ${request.method} ${request.url}`;
    return Promise.reject(new Unjudged('not-tested', reason));
  };

  /** The receiver of a replayed run. */
  readonly receive: typeof WebhookReceiver.start = async (listen, publicUrl) => {
    this.#receiver = WebhookReceiver.fed(publicUrl ?? `http://${listen}`);
    return this.#receiver;
  };

  /** The chains of beats of a replayed run. A hash that no recorded exchange shows is empty, since no reply would answer to it. */
  readonly chains: ChainMemory = {
    known: (terms) => {
      const found = this.#chains.get(chainKey(terms));
      return found && Array.from({ length: terms.beats + 1 }, (_, place) => found.hashes[place] ?? '');
    },
  };

  /** The number of requests so far to which the recording has no reply, by the check that sent them. */
  get unshown(): ReadonlyMap<string, number> {
    return this.#unshown;
  }

  /** Notes that a check has ended: its remaining replies are not needed. */
  readonly ended = (check: string): void => {
    this.#ended.add(check);
    this.#pump();
  };

  /** Notes the number of open computations of beat chains, and of open waits. */
  readonly busy = (underWay: number): void => {
    this.#underWay = underWay;
  };

  /** Moves the clock: as recorded while the moves are the same, and by a clock of its own from the first different move on. */
  async #advance(request: WireRequest): Promise<WireReply> {
    const place = this.#ownClock ? undefined : this.#advances.shift();
    const entry = place === undefined ? undefined : this.#entries[place];
    if (place !== undefined && entry !== undefined && 'sent' in entry && entry.body === request.body) {
      const reply = await this.#answer(place);
      this.#nowMs = nowMsIn(reply.body) ?? this.#nowMs;
      return reply;
    }
    this.#ownClock = true;
    this.#pump();
    this.#nowMs += (JSON.parse(request.body ?? '{}') as { ms: number }).ms;
    return { status: 200, headers: {}, body: JSON.stringify({ now_ms: this.#nowMs, anchor_index: 0 }) };
  }

  async #answer(place: number): Promise<WireReply> {
    const entry = this.#entries[place] as RecordedExchange;
    if (place >= this.#next) {
      await new Promise<void>((release) => {
        this.#waiting.set(place, release);
        this.#pump();
      });
    }
    if (entry.reply !== undefined) return entry.reply;
    const { kind, message } = entry.failure ?? { kind: 'broken', message: 'no reply was recorded' };
    throw new TransportFailure(kind, message);
  }

  /** Releases one reply in each turn of the event loop: its consequences come before the next reply. */
  #pump(): void {
    if (this.#pumping) return;
    this.#looks = 0;
    for (; this.#next < this.#entries.length; this.#next += 1) {
      const entry = this.#entries[this.#next];
      const release = this.#waiting.get(this.#next);
      if (release !== undefined) {
        this.#waiting.delete(this.#next);
        this.#next += 1;
        this.#pumping = true;
        release();
        setImmediate(() => {
          this.#pumping = false;
          this.#pump();
        });
        return;
      }
      if (entry === undefined || this.#isAwaited(entry)) break;
      if ('path' in entry) this.#receiver?.deliver(entry.path, entry);
    }
    if (this.#waiting.size > 0) this.#looking ??= setInterval(() => this.#look(), LOOK_MS);
  }

  #isAwaited(entry: RecordedEntry): boolean {
    if ('path' in entry || this.#ended.has(entry.owner)) return false;
    return !(this.#ownClock && movesClock(entry.owner, entry.url));
  }

  /** If nothing else happens, goes on with the earliest reply that a check waits for. */
  #look(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    this.#looks = this.#underWay > 0 ? 0 : this.#looks + 1;
    if (this.#looks < STALLED_LOOKS) return;
    this.#next = Math.min(...this.#waiting.keys());
    this.#pump();
  }
}

function keyOf(owner: string, { method, url, body = '' }: Pick<WireRequest, 'method' | 'url' | 'body'>): string {
  return JSON.stringify([owner, method, url, body]);
}

function chainKey({ from, beats, fromIndex, anchorHash, difficulty }: ChainTerms): string {
  return `${from} ${beats} ${fromIndex} ${anchorHash} ${difficulty}`;
}

/** The time in the reply to a move of the clock; undefined where it has none. */
function nowMsIn(body: string): number | undefined {
  const { now_ms: nowMs } = Object(jsonOf(body)) as { now_ms?: unknown };
  return typeof nowMs === 'number' ? nowMs : undefined;
}

/** Whether the sender is the run itself, or its own trial for all checks. */
function isShared(owner: string): boolean {
  return owner === 'suite' || owner === RUN_TRIAL_ID;
}

function movesClock(owner: string, url: string): boolean {
  return owner === 'suite' && url.endsWith('/clock/advance');
}
