/**
 * Judges what passes through a proxy, in a thread of its own, so that no reply waits for a judgement. The queue is bounded: exchanges that come
 * faster than they are judged are counted, and nothing that was known before them is used after.
 */

import { constants, setPriority } from 'node:os';
import { isMainThread, parentPort, type Worker, workerData } from 'node:worker_threads';
import { decoded } from '../../conformance/wire/content-coding.js';
import type { WatchResult } from '../../results/watch-result.js';
import { concluded, type Demanded, NOTHING_DEMANDED } from '../../watch/conclude.js';
import { headersOf, type Observed } from '../../watch/exchange.js';
import { Failure } from '../host/failure.js';
import { startOwnThread } from '../host/own-program.js';
import { type Passed, pairsOf } from './proxy.js';
import { Session, type SessionSetUp } from './session.js';

/** Bounds of what waits to be judged. */
const WAITING_MAX = 10_000;
const WAITING_BYTES_MAX = 67_108_864;
const BATCH_MAX = 64;
const BATCH_MS = 20;
/** An exchange that is open for longer does not hold back the judgement of others. It is not judged itself. */
const OPEN_MAX_MS = 30_000;
const DECODED_BYTES_MAX = 4_194_304;

/** A message to the judge. `untilMs`: no exchange that began earlier follows. */
interface Batch {
  readonly passed: readonly Passed[];
  readonly lost: number;
  readonly untilMs: number;
  readonly isLast: boolean;
}

/** A message of the judge: exchanges that it has taken, and the result after the last batch. */
interface Taken {
  readonly count: number;
  readonly bytes: number;
  readonly result?: WatchResult;
}

/** An exchange that passed, as the watch reads it. */
export function observedOf({
  nth,
  method,
  url,
  headers,
  body,
  reply,
  unread,
  beganMs,
  endedMs,
  client,
}: Passed): Observed {
  const sent = headersOf(pairsOf(headers));
  const got = reply && { status: reply.status, headers: headersOf(pairsOf(reply.headers)) };
  const text = reply?.body && textOf(reply.body, got?.headers['content-encoding']);
  const why = unread ?? (reply !== undefined && text === undefined ? 'body' : undefined);
  return {
    request: {
      method,
      url,
      headers: sent,
      ...(body === undefined || body.length === 0 ? {} : { body: textOf(body) ?? '' }),
    },
    reply: got === undefined || text === undefined ? undefined : { ...got, body: text },
    beganMs,
    endedMs,
    client,
    source: `exchange ${nth}`,
    ...(why === undefined ? {} : { unread: why }),
    ...(body === undefined ? { lacksBody: true as const } : {}),
  };
}

/** A body as text; undefined where it does not match its coding. */
function textOf(body: Uint8Array, coding?: string): string | undefined {
  try {
    return decoded(Buffer.from(body), coding, DECODED_BYTES_MAX)?.toString('utf8');
  } catch {
    // A body in another coding than its header says is passed on, and cannot be judged.
    return undefined;
  }
}

const bytesOf = ({ body, reply }: Passed): number => 1_000 + (body?.length ?? 0) + (reply?.body?.length ?? 0);

/** Takes batches, and answers each. */
function judgeOf(setUp: SessionSetUp, answer: (taken: Taken) => void): (batch: Batch) => void {
  const session = new Session(setUp);
  return ({ passed, lost, untilMs, isLast }) => {
    for (const each of passed) session.add(observedOf(each));
    // They came after the others.
    if (lost > 0) session.lose(lost);
    session.passUntil(untilMs);
    const bytes = passed.reduce((sum, each) => sum + bytesOf(each), 0);
    answer({ count: passed.length, bytes, ...(isLast ? { result: session.end(NOTHING_DEMANDED) } : {}) });
  };
}

/** Where the judge works. `here`: in this thread, between turns of the event loop, for tests. */
type Place = 'thread' | 'here';

/** Judges exchanges as they pass. */
export class LiveJudge {
  #batch: Passed[] = [];
  #waiting = 0;
  #waitingBytes = 0;
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #post: (batch: Batch) => void;
  readonly #result: Promise<WatchResult>;
  #thread: Worker | undefined;

  /** `oldestMs`: when the oldest open exchange began. */
  constructor(
    setUp: SessionSetUp,
    readonly oldestMs: () => number,
    readonly nowMs: () => number,
    place: Place = 'thread',
  ) {
    let settle: { readonly done: (result: WatchResult) => void; readonly fail: (error: unknown) => void } | undefined;
    this.#result = new Promise((done, fail) => {
      settle = { done, fail };
    });
    // The error is that of end() and of failed.
    this.#result.catch(() => {});
    const take = ({ count, bytes, result }: Taken): void => {
      this.#waiting -= count;
      this.#waitingBytes -= bytes;
      if (result !== undefined) settle?.done(result);
    };
    if (place === 'here') {
      const judge = judgeOf(setUp, take);
      this.#post = (batch) => void setImmediate(judge, batch);
      return;
    }
    const thread = startOwnThread('runs/watch/live.js', { workerData: { setUp } });
    thread.on('message', take);
    thread.on('error', (error) => settle?.fail(error.name === 'Failure' ? new Failure(error.message) : error));
    thread.on('exit', () => settle?.fail(new Failure('The thread that judges the traffic has ended.')));
    this.#thread = thread;
    this.#post = (batch) => thread.postMessage(batch);
  }

  /** Takes an exchange that has ended, or counts it as lost. */
  add(passed: Passed): void {
    const bytes = bytesOf(passed);
    if (this.#waiting >= WAITING_MAX || this.#waitingBytes + bytes > WAITING_BYTES_MAX) this.#lost += 1;
    else {
      if (this.#lost > 0) this.#flush(false);
      this.#batch.push(passed);
      this.#waiting += 1;
      this.#waitingBytes += bytes;
    }
    if (this.#batch.length >= BATCH_MAX) this.#flush(false);
    else this.#timer ??= setTimeout(() => this.#flush(false), BATCH_MS);
  }

  /** Judges what is left; rejects if the judge failed. */
  async end(demanded: Demanded): Promise<WatchResult> {
    this.#flush(true);
    const result = await this.#result;
    return { ...result, ...concluded(result, demanded) };
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#thread?.terminate();
  }

  /** Rejects when the judge fails. */
  get failed(): Promise<unknown> {
    return this.#result;
  }

  #flush(isLast: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const nowMs = this.nowMs();
    const oldestMs = this.oldestMs();
    const untilMs = oldestMs < nowMs - OPEN_MAX_MS ? nowMs - OPEN_MAX_MS : Math.min(oldestMs, nowMs);
    this.#post({ passed: this.#batch, lost: this.#lost, untilMs, isLast });
    this.#batch = [];
    this.#lost = 0;
  }
}

if (!isMainThread && workerData?.setUp !== undefined && parentPort !== null) {
  const port = parentPort;
  // On Linux this is the priority of the thread that asks, elsewhere that of the process: replies come before judgements.
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
  port.on(
    'message',
    judgeOf(workerData.setUp as SessionSetUp, (taken) => port.postMessage(taken)),
  );
}
