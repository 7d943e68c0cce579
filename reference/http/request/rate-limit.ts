import type { RateLimit } from '../../../spec/protocol.js';

interface Window {
  readonly endMs: number;
  count: number;
}

/** Fixed windows, each from its bucket's first request (D-34). */
export interface RateLimiter {
  readonly windows: Map<string, Window>;
  /** When the windows that have ended were last dropped. */
  sweptAtMs: number;
}

/** A limiter that has seen nothing. */
export function createRateLimiter(): RateLimiter {
  return { windows: new Map(), sweptAtMs: 0 };
}

const SWEEP_EVERY_MS = 60_000;

/**
 * Counts a request, refused ones too, and answers how long its bucket stays full: 0 when the request is admitted,
 * otherwise the milliseconds after which one is.
 */
export function countInBucket(limiter: RateLimiter, bucket: string, limit: RateLimit, nowMs: number): number {
  sweep(limiter, nowMs);
  const open = limiter.windows.get(bucket);
  if (open === undefined || nowMs >= open.endMs) {
    if (limit.count < 1) return limit.windowSec * 1_000;
    limiter.windows.set(bucket, { endMs: nowMs + limit.windowSec * 1_000, count: 1 });
    return 0;
  }
  open.count += 1;
  return open.count <= limit.count ? 0 : open.endMs - nowMs;
}

/** Takes a request out again that `countInBucket` has admitted at `takenAtMs`, unless its window has ended since. */
export function uncountInBucket(limiter: RateLimiter, bucket: string, limit: RateLimit, takenAtMs: number): void {
  const open = limiter.windows.get(bucket);
  if (open === undefined || takenAtMs >= open.endMs || takenAtMs < open.endMs - limit.windowSec * 1_000) return;
  open.count -= 1;
  // The window is its first request's, and there was none.
  if (open.count === 0) limiter.windows.delete(bucket);
}

/** How long a bucket has no room for one more request, in milliseconds; 0 while it has. Counts nothing. */
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
