/**
 * Rate-limit windows, by bucket: fixed from the first request (D-34), or in another form that keeps the rate. Which buckets a
 * request counts in is decided by buckets.ts.
 */

import type { RateLimit } from '../../../spec/protocol.js';
import type { RateWindow } from '../../../spec/rate-window.js';

interface Window {
  /** The time after which its counts no longer matter. */
  endMs: number;
  count: number;
  /** When the requests came that a sliding window has admitted; of other forms empty. */
  cameMs: readonly number[];
}

/** Windows by bucket. */
export interface RateLimiter {
  readonly form: RateWindow;
  readonly windows: Map<string, Window>;
  /** When windows that had ended were last removed. */
  sweptAtMs: number;
}

/** Makes a rate limiter without windows. */
export function createRateLimiter(form: RateWindow = 'first-request'): RateLimiter {
  return { form, windows: new Map(), sweptAtMs: 0 };
}

const SWEEP_EVERY_MS = 60_000;
/** Windows that are kept at once, some 20 MB of them: clients with ever new addresses get no more of the memory. */
export const WINDOWS_MAX = 100_000;

function dropOldest(windows: Map<string, Window>): void {
  for (const bucket of windows.keys()) {
    windows.delete(bucket);
    return;
  }
}

/**
 * Counts a request, and returns how long its bucket stays full, in milliseconds: 0 if the request is admitted. Fixed windows
 * count refused requests too.
 */
export function countInBucket(limiter: RateLimiter, bucket: string, limit: RateLimit, nowMs: number): number {
  sweep(limiter, nowMs);
  const waitMs = bucketWaitMs(limiter, bucket, limit, nowMs);
  const open = limiter.windows.get(bucket);
  if (open === undefined || nowMs >= open.endMs) {
    if (limit.count < 1) return waitMs;
    // Behind all others: the first of the map is the one that began first.
    limiter.windows.delete(bucket);
    limiter.windows.set(bucket, countOne(limiter.form, { endMs: nowMs, count: 0, cameMs: [] }, limit, nowMs));
    if (limiter.windows.size > WINDOWS_MAX) dropOldest(limiter.windows);
    return 0;
  }
  if (waitMs === 0 || isFixed(limiter.form)) Object.assign(open, countOne(limiter.form, open, limit, nowMs));
  return waitMs;
}

const isFixed = (form: RateWindow): boolean => form === 'first-request' || form === 'clock';

/** A window with one request more. */
function countOne(form: RateWindow, { endMs, count, cameMs }: Window, limit: RateLimit, nowMs: number): Window {
  const windowMs = limit.windowSec * 1_000;
  switch (form) {
    case 'first-request':
      return { endMs: count === 0 ? nowMs + windowMs : endMs, count: count + 1, cameMs };
    case 'clock':
      return { endMs: count === 0 ? (Math.floor(nowMs / windowMs) + 1) * windowMs : endMs, count: count + 1, cameMs };
    case 'sliding':
      return { endMs: nowMs + windowMs, count: count + 1, cameMs: [...within(cameMs, windowMs, nowMs), nowMs] };
    case 'refilling':
      return { endMs: Math.max(endMs, nowMs) + windowMs / limit.count, count: count + 1, cameMs };
    default:
      return form satisfies never;
  }
}

const within = (cameMs: readonly number[], windowMs: number, nowMs: number): readonly number[] =>
  cameMs.filter((atMs) => atMs > nowMs - windowMs);

/** Takes a request out again that `countInBucket` admitted at `takenAtMs`, unless its window has ended. */
export function uncountInBucket(limiter: RateLimiter, bucket: string, limit: RateLimit, takenAtMs: number): void {
  const open = limiter.windows.get(bucket);
  const windowMs = limit.windowSec * 1_000;
  if (open === undefined || takenAtMs >= open.endMs) return;
  if (isFixed(limiter.form) && takenAtMs < open.endMs - windowMs) return;
  open.count -= 1;
  if (limiter.form === 'refilling') open.endMs -= windowMs / limit.count;
  const place = open.cameMs.indexOf(takenAtMs);
  if (place >= 0) open.cameMs = open.cameMs.toSpliced(place, 1);
  // The window began with this request, so it has not begun.
  if (open.count === 0) limiter.windows.delete(bucket);
}

/** How long a bucket has no room for another request, in milliseconds; 0 if it has room. Counts nothing. */
export function bucketWaitMs(limiter: RateLimiter, bucket: string, limit: RateLimit, nowMs: number): number {
  const open = limiter.windows.get(bucket);
  const windowMs = limit.windowSec * 1_000;
  if (limit.count < 1) return open === undefined || nowMs >= open.endMs ? windowMs : open.endMs - nowMs;
  if (open === undefined || nowMs >= open.endMs) return 0;
  if (isFixed(limiter.form)) return open.count < limit.count ? 0 : open.endMs - nowMs;
  if (limiter.form === 'refilling')
    return Math.max(0, Math.ceil(open.endMs + windowMs / limit.count - windowMs - nowMs));
  const oldest = within(open.cameMs, windowMs, nowMs).at(-limit.count);
  return oldest === undefined ? 0 : oldest + windowMs - nowMs;
}

function sweep(limiter: RateLimiter, nowMs: number): void {
  if (nowMs - limiter.sweptAtMs < SWEEP_EVERY_MS) return;
  limiter.sweptAtMs = nowMs;
  for (const [bucket, { endMs }] of limiter.windows) if (endMs <= nowMs) limiter.windows.delete(bucket);
}
