/**
 * Judges one rate limit of section 8: calls up to it pass, the next is refused with 429. Limits over several hours are
 * in checks/limits.ts.
 */

import { show } from '../../model/reading/compare.js';
import { clauseById } from '../../spec/clauses/index.js';
import { olderLimits } from '../../spec/older-limits.js';
import type { LimitName, RateLimit } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import { makeRoot } from '../trial/fixtures.js';
import { isRateLimited } from '../trial/rate-limit.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import { once } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';

/** One row of section 8, and the requests that fill its bucket. */
interface LimitCase {
  readonly limit: LimitName;
  /** The clause of the row, of the text or of a decision. */
  readonly clause: string;
  /** The clause that gives another subject its own bucket: `auth.rate-bucket.agent` or `auth.rate-bucket.ip`. */
  readonly bucket?: string;
  /** Sends the n-th request of the bucket, from 1, with `mayLimit`. Its reply does not matter. */
  readonly send: (n: number) => Promise<Reply>;
  /** A request of another subject, with its own bucket; absent if the target does not distinguish subjects. */
  readonly other?: (() => Promise<Reply>) | undefined;
  /** Replaces `send` soon after the limit was reached, if another limit would refuse the same request. */
  readonly soon?: (n: number) => Promise<Reply>;
  /** More requests that the full bucket refuses: other methods of its path. */
  readonly alsoOver?: readonly (() => Promise<Reply>)[];
  /** Requests of the same subject to other paths with limits that are at most as high. Each path has its own bucket. */
  readonly elsewhere?: readonly (() => Promise<Reply>)[];
}

/** Paths with a bucket for each agent, and their limits. The requests change nothing. */
const AGENT_PATHS = [
  ['heartbeat', 'heartbeat'],
  ['sigil', 'sigil'],
  ['reissue-proof', 'reissueProof'],
  ['spawn', 'spawn'],
  ['beats-submit', 'beatsSubmit'],
  ['metadata', 'metadata'],
  ['sponsor.post', 'sponsorPost'],
] as const;

/** One request of an agent to each other path with a limit that is at most as high: a shared bucket would be full. */
export function otherPaths(t: Trial, key: string, own: LimitName): readonly (() => Promise<Reply>)[] {
  const { limits } = t.protocol;
  return AGENT_PATHS.filter(([, name]) => name !== own && limits[name].count <= limits[own].count).map(
    ([id]) =>
      () =>
        t.call(id, { key, body: {}, mayLimit: true }),
  );
}

/** The drift between two clocks: their ticks, and half a millisecond per second while one is being corrected. */
const TICKS_MS = 2;
const DRIFT = 0.0005;
const OFF_THE_HOUR_MS = 1_001;

/**
 * Fills a bucket while no time passes: its number of requests is admitted, the next is refused, and another subject is admitted. After a whole
 * window it admits requests again. Only D-34 says that the window is fixed, that refused requests count, and the value of Retry-After.
 */
export async function judgeLimit(t: Trial, given: LimitCase): Promise<void> {
  const { limit, clause, bucket, send, other, alsoOver = [], elsewhere = [] } = given;
  const { count, windowSec } = t.protocol.limits[limit];
  if (count === 0) return judgeShut(t, given);
  needReachableCount(count, REACH.bucket, `requests fill limits.${limit}`);
  const windowMs = windowSec * 1_000;
  // At a full minute or hour, a window of the clock looks like one that starts with the first request.
  if (t.session.observedSec === 0 && t.nowMs() % windowMs === 0) await t.sleep({ ms: OFF_THE_HOUR_MS });
  const { first, startMs, filledMs } = await fill(t, t.protocol.limits[limit], send);
  if (await keepsOlder(t, given, first)) return;
  for (const reply of first) admitted(t, reply, 'a request within the limit', clause);
  const ordinary = new Set(first.map(({ status }) => status));
  /** The least and most time left in the window. It began while the bucket was filled; the reply was sent between `sinceMs` and now. */
  const left = (sinceMs: number): Range => {
    const apartMs = t.session.observedSec > 0 ? TICKS_MS + (t.nowMs() - startMs) * DRIFT : 0;
    return [startMs + windowMs - t.nowMs() - apartMs, filledMs + windowMs - sinceMs + apartMs];
  };
  const refused = await send(count + 1);
  if (![...first, refused].some(mayCount) && !(await countsRefused(t))) {
    t.shows(clause).unjudged('the target does not count refused requests, and no others were sent');
    return;
  }
  exceeds(t, refused, clause, ordinary);
  // A bucket that is never full does not show when its window ends.
  if (refused.status !== 429) return;
  retryAfterIs(t, refused, left(filledMs));
  for (const over of alsoOver) exceeds(t, await over(), clause, ordinary);
  const whose = bucket === undefined ? [clause] : [clause, bucket];
  if (other !== undefined) admitted(t, await other(), 'a request of another subject', ...whose);
  for (const another of elsewhere) admitted(t, await another(), 'a request to another path', bucket ?? clause);
  await staysFull(t, given, startMs);
  await t.sleepUntil(startMs + windowMs - 1, true);
  const wokeMs = t.nowMs();
  const early = await send(count + 2);
  t.refused(early, 429, 'limit.window', 'limit.refused-count');
  if (early.status === 429) retryAfterIs(t, early, left(wokeMs));
  else if (clauseById(clause).level === 'must') refusedOtherwise(t, early, ordinary);
  await t.sleepUntil(filledMs + windowMs);
  admitted(t, await send(count + 3), 'a request one window after the first', clause);
}

/**
 * Whether a target keeps the limit per IP of the older page of section 8, as D-34 allows: it admits only that many requests at once, or refuses
 * another subject at the same address, and admits as many again a minute later.
 */
async function keepsOlder(
  t: Trial,
  { limit, clause, bucket, send, other }: LimitCase,
  first: readonly Reply[],
): Promise<boolean> {
  const older = olderLimits[limit];
  const { count } = t.protocol.limits[limit];
  if (older === undefined) return false;
  const passed = first.filter((reply) => !isRateLimited(reply)).length;
  const isFewer = passed === older.count && passed < count;
  const isPerAddress = passed === count && count === older.count && other !== undefined && isRateLimited(await other());
  if (!isFewer && !isPerAddress) return false;
  await t.sleep({ sec: older.windowSec + 1 });
  const again = await inBursts(t, older.count, (n) => send(first.length + n));
  const clauses = isPerAddress && bucket !== undefined ? [clause, bucket] : [clause];
  for (const reply of again) admitted(t, reply, 'a request a minute later, by the limit of the older page', ...clauses);
  return true;
}

/** Ends a check that fills a newer limit, if the target keeps the older, lower one; the check of the limit reports that. */
export function needNewer(limit: LimitName, replies: readonly Reply[]): void {
  const older = olderLimits[limit];
  if (older === undefined) return;
  const { count } = older;
  const passed = replies.filter((reply) => !isRateLimited(reply)).length;
  if (passed === count && replies.length > count)
    throw new Unjudged('not-tested', `limits.${limit} is that of the older page of section 8: ${count} a minute`);
}

/** Does the same as `needNewer`, but sends the requests itself, to an empty bucket. */
export async function needNewerNow(limit: LimitName, send: () => Promise<Reply>): Promise<void> {
  const replies: Reply[] = [];
  for (let nth = 0; nth <= (olderLimits[limit]?.count ?? 0); nth += 1) replies.push(await send());
  needNewer(limit, replies);
}

/** Whether a request counts in a limit by any reading: it was accepted, or refused by the limit itself. */
const mayCount = (reply: Reply): boolean => reply.status < 400 || isRateLimited(reply);

/** Calls of a root without a SIGIL that are refused, with the limits that they fill. */
const REFUSED_CALLS = [
  ['spawn', 'spawn'],
  ['metadata', 'metadata'],
] as const;

/**
 * Whether the target counts refused requests, since section 8 does not say. Measured once per run, only if a limit seems to be missing, on two
 * limits, since one of these may be the missing one.
 */
export function countsRefused({ session }: Trial): Promise<boolean> {
  return once(session, 'refused requests count', async () => {
    const t = session.runTrial();
    const { key } = await makeRoot(t, {});
    for (const [id, limit] of REFUSED_CALLS) {
      const { count } = t.protocol.limits[limit];
      if (count > REACH.bucket) continue;
      const replies = await inBursts(t, count + 1, () => t.call(id, { key, body: {}, mayLimit: true }));
      if (replies.some(isRateLimited)) return true;
    }
    // If accepted calls meet no limit either, the limit is missing.
    const taken = await inBursts(t, t.protocol.limits.init.count + 1, () => t.call('init', { key, mayLimit: true }));
    return !taken.some(isRateLimited);
  });
}

/** A limit of 0 disables its endpoint: no request is admitted, neither at once nor a window later. */
async function judgeShut(t: Trial, { limit, clause, send, other }: LimitCase): Promise<void> {
  exceeds(t, await send(1), clause);
  if (other !== undefined) exceeds(t, await other(), clause);
  await t.sleep({ sec: t.protocol.limits[limit].windowSec });
  exceeds(t, await send(2), clause);
}

/** In a fortieth of a window, a limit of any form, even one that refills steadily, admits at most a fortieth of its requests again. */
const SOON = 40;
/** A smaller bucket gets one request: if refused requests count, more of them would keep it full for longer. */
const SMALLEST = 5;

/**
 * Asserts that an hourly limit lasts an hour: a minute and a half after the bucket was full, it admits fewer requests than a new window. Not
 * judged if a window of the clock begins in between.
 */
async function staysFull(t: Trial, { limit, clause, send, soon = send }: LimitCase, startMs: number): Promise<void> {
  const { count, windowSec } = t.protocol.limits[limit];
  const windowMs = windowSec * 1_000;
  const many = count < SMALLEST ? 1 : Math.floor(count / SOON) + 2;
  // If refused requests count in a sliding window, these and the early one still count at its end: the bucket must have room for one more.
  if (windowSec <= 60 || count < many + 2) return;
  await t.sleepUntil(startMs + windowMs / SOON);
  if (Math.floor(startMs / windowMs) !== Math.floor(t.nowMs() / windowMs)) return;
  const again: Reply[] = [];
  for (let n = 1; n <= many; n += 1) again.push(await soon(count + 3 + n));
  const [first] = again;
  if (first === undefined) throw new RangeError('this part sends at least two requests');
  t.shows(clause).that(
    'requests soon after the limit was reached',
    again.some(isRateLimited),
    'a rate limit',
    `${many} admitted`,
    first,
  );
}

/** Asserts that the request over a limit is refused (8), with the status and code of section 7. `ordinary`: the statuses within the limit. */
function exceeds(t: Trial, reply: Reply, clause: string, ordinary?: ReadonlySet<number>): void {
  t.shows(clause).that(
    'the request over the limit',
    isRateLimited(reply),
    '429 RATE_LIMITED',
    `${reply.status} ${reply.excerpt()}`,
    reply,
  );
  if (reply.status !== 429) {
    // If the text gives the limit, it also gives the 429. A request that gets the same reply as those before it is not limited.
    if (ordinary !== undefined && clauseById(clause).level === 'must') refusedOtherwise(t, reply, ordinary);
    return;
  }
  t.refused(reply, 'any/RATE_LIMITED', 'limit.error.rate-limited');
}

/** 7: a request over a limit gets 429. A request with the same status as those within the limit was not limited at all, so it is not judged here. */
function refusedOtherwise(t: Trial, reply: Reply, ordinary: ReadonlySet<number>): void {
  if (!ordinary.has(reply.status)) t.refused(reply, 429, 'limit.error.rate-limited');
}

/** Sends the number of requests that a bucket admits; returns when they began and ended. */
async function fill(t: Trial, { count, windowSec }: RateLimit, send: LimitCase['send']) {
  const burst = async () => {
    const startMs = t.nowMs();
    const first = await inBursts(t, count, send);
    return { first, startMs, filledMs: t.nowMs() };
  };
  const once = await burst();
  const shared = t.check.runsAlone === true && !t.session.offers.has('client-ip');
  const full = shared ? once.first.filter(isRateLimited) : [];
  if (full.length === 0) return once;
  // The single address was used before this run; after a whole window those calls no longer count.
  await t.sleep({ sec: windowSec });
  return burst();
}

/** The next burst is smaller after one of more than `narrow` ms of the wall clock, and larger after one of less than `wide` ms. */
const BURST_MS = { narrow: 3_000, wide: 500 } as const;
const BURST_MAX = 64;

/** Sends `count` requests, in bursts that the target answers quickly. */
async function inBursts(t: Trial, count: number, send: LimitCase['send']): Promise<Reply[]> {
  const replies: Reply[] = [];
  let width = 8;
  while (replies.length < count) {
    const startMs = t.session.wallMs();
    const next = Math.min(width, count - replies.length);
    replies.push(...(await Promise.all(Array.from({ length: next }, (_, n) => send(replies.length + n + 1)))));
    const tookMs = t.session.wallMs() - startMs;
    if (tookMs > BURST_MS.narrow) width = Math.max(1, Math.floor(width / 2));
    else if (tookMs < BURST_MS.wide) width = Math.min(BURST_MAX, width * 2);
  }
  return replies;
}

function admitted(t: Trial, reply: Reply, which: string, ...clauses: readonly string[]): void {
  t.shows(...clauses).that(
    which,
    !isRateLimited(reply),
    'not rate limited',
    `${reply.status} ${reply.excerpt()}`,
    reply,
  );
}

/** The smallest and the largest possible value; the same number if time is stopped. */
type Range = readonly [number, number];

function retryAfterIs(t: Trial, reply: Reply, [leastMs, mostMs]: Range): void {
  const seconds: Range = [Math.ceil(leastMs / 1_000), Math.ceil(mostMs / 1_000)];
  const header = reply.headers['retry-after'];
  const asked = within(Number(header), seconds) && String(Number(header)) === header;
  t.shows('limit.retry-after').that('Retry-After', asked, rangeText(seconds), show(header), reply);
  const ms = reply.get('retry_after_ms');
  const exact: Range = [leastMs, mostMs];
  const body = typeof ms === 'number' && within(ms, exact);
  t.shows('limit.retry-after-ms').that('retry_after_ms', body, rangeText(exact), show(ms), reply);
}

function within(value: number, [least, most]: Range): boolean {
  return value >= least && value <= most;
}

function rangeText([least, most]: Range): string {
  return least === most ? String(least) : `${least} to ${most}`;
}
