/** Fixed rate-limit windows, by bucket (D-34). Which buckets a request counts in is decided by buckets.ts. */

import type { RateLimit } from '../../../spec/protocol.js';

interface Window {
  readonly endMs: number;
  count: number;
}

/** Windows by bucket. Each begins with the first request of its bucket (D-34). */
export interface RateLimiter {
  readonly windows: Map<string, Window>;
  /** When windows that had ended were last removed. */
  sweptAtMs: number;
}

/** Makes a rate limiter without windows. */
export function createRateLimiter(): RateLimiter {
  return { windows: new Map(), sweptAtMs: 0 };
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
 * Counts a request, also one that is refused, and returns how long its bucket stays full, in milliseconds: 0 if the
 * request is admitted.
 */
export function countInBucket(limiter: RateLimiter, bucket: string, limit: RateLimit, nowMs: number): number {
  sweep(limiter, nowMs);
  const open = limiter.windows.get(bucket);
  if (open === undefined || nowMs >= open.endMs) {
    if (limit.count < 1) return limit.windowSec * 1_000;
    // Behind all others: the first of the map is the one that began first.
    limiter.windows.delete(bucket);
    limiter.windows.set(bucket, { endMs: nowMs + limit.windowSec * 1_000, count: 1 });
    if (limiter.windows.size > WINDOWS_MAX) dropOldest(limiter.windows);
    return 0;
  }
  open.count += 1;
  return open.count <= limit.count ? 0 : open.endMs - nowMs;
}

/** Takes a request out again that `countInBucket` admitted at `takenAtMs`, unless its window has ended. */
export function uncountInBucket(limiter: RateLimiter, bucket: string, limit: RateLimit, takenAtMs: number): void {
  const open = limiter.windows.get(bucket);
  if (open === undefined || takenAtMs >= open.endMs || takenAtMs < open.endMs - limit.windowSec * 1_000) return;
  open.count -= 1;
  // The window began with this request, so it has not begun.
  if (open.count === 0) limiter.windows.delete(bucket);
}

/** How long a bucket has no room for another request, in milliseconds; 0 if it has room. Counts nothing. */
export function bucketWaitMs(limiter: RateLimiter, bucket: string, limit: RateLimit, nowMs: number): number {
  const open = limiter.windows.get(bucket);
  if (open === undefined || nowMs >= open.endMs) return limit.count < 1 ? limit.windowSec * 1_000 : 0;
  return open.count < limit.count ? 0 : open.endMs - nowMs;
}

function sweep(limiter: RateLimiter, nowMs: number): void {
  if (nowMs - limiter.sweptAtMs < SWEEP_EVERY_MS) return;
  limiter.sweptAtMs = nowMs;
  for (const [bucket, { endMs }] of limiter.windows) if (endMs <= nowMs) limiter.windows.delete(bucket);
}
