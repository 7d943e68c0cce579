import { isIP } from 'node:net';
import type { Request } from 'express';
import type { Bucket, Endpoint } from '../../../spec/endpoint.js';
import type { RateLimit } from '../../../spec/protocol.js';
import { type Refusal, refuse } from '../../registry/refusal.js';
import type { Host } from './host.js';
import { bucketWaitMs, countInBucket, type RateLimiter, uncountInBucket } from './rate-limit.js';

/** D-34: the socket's address, or the first that X-Forwarded-For names where the server is told to trust it. */
export function clientIp(host: Host, req: Request): string {
  const forwarded = host.trustForwardedFor ? [req.headers['x-forwarded-for']].flat()[0] : undefined;
  const first = forwarded?.split(',')[0]?.trim() ?? '';
  // A text that is no address would be a bucket of its own, as long and as many as a client likes.
  return isIP(first) === 0 ? (req.socket.remoteAddress ?? '') : first;
}

/** Who a request counts for. */
interface CountedCaller {
  readonly ip: string;
  readonly agent: number;
  readonly partner: number;
  readonly body: unknown;
}

/** 4.16: the hash of the agent that a body is about, in lower case. */
function targetOf(body: unknown): string | undefined {
  const hash = typeof body === 'object' && body !== null && 'target_hash' in body ? body.target_hash : undefined;
  return typeof hash === 'string' ? hash.toLowerCase() : undefined;
}

/** 5, rule 3: a bucket is of a path, whichever of its methods is called; section 8 names a row of its own where that differs. */
function bucketKey({ service, path }: Endpoint, bucket: Bucket, caller: CountedCaller): string {
  const row = `${service}${path}|${bucket.limit}`;
  const byIp = `${row}|ip|${caller.ip}`;
  switch (bucket.by) {
    case 'ip':
      return byIp;
    // D-34: without a valid identity a request counts by IP, so that nobody fills another's bucket.
    case 'partner':
      return caller.partner < 0 ? byIp : `${row}|partner|${caller.partner}`;
    case 'target': {
      const target = targetOf(caller.body);
      return caller.agent < 0 || target === undefined ? byIp : `${row}|target|${target}`;
    }
    case 'service':
      return `${row}`;
    // 5, rule 3: by agent, and by IP while there is none.
    case 'subject':
    case 'agent':
      return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;
    default:
      return bucket.by satisfies never;
  }
}

/** A bucket that a request counts in. */
export interface CountedBucket {
  readonly key: string;
  readonly limit: RateLimit;
}

/** The rows of section 8 that this request counts in. */
export function bucketsOf(host: Host, endpoint: Endpoint, caller: CountedCaller): readonly CountedBucket[] {
  const { limits } = host.service.registry.protocol;
  return endpoint.buckets
    .filter(({ when }) => when === undefined || when.test(caller.body))
    .map((bucket) => ({ key: bucketKey(endpoint, bucket, caller), limit: limits[bucket.limit] }));
}

/** Counts a request in its buckets; 429 when one has no room. */
export function refuseRate(host: Host, buckets: readonly CountedBucket[], nowMs: number): Refusal | null {
  // Every bucket counts the request, also after one that is full.
  const refused = buckets.filter(({ key, limit }) => countInBucket(host.limiter, key, limit, nowMs) > 0);
  if (refused.length === 0) return null;
  return withFullWait(host, buckets, refuse('any/RATE_LIMITED', undefined, { retry_after_ms: 0 }), nowMs);
}

/** D-27: a request that the ledger's silence has stopped used nothing up, a place in its buckets included. */
export function uncountRequest(limiter: RateLimiter, buckets: readonly CountedBucket[], countedAtMs: number): void {
  for (const { key, limit } of buckets) uncountInBucket(limiter, key, limit, countedAtMs);
}

/**
 * Section 8: a request at the moment that a 429 names is admitted. So it waits for every bucket that has no room, also
 * one whose last place the refused request has taken; a refusal by the rule itself, such as the breaker's, as well.
 */
export function withFullWait(host: Host, buckets: readonly CountedBucket[], refusal: Refusal, nowMs: number): Refusal {
  const own = refusal.fields?.['retry_after_ms'];
  if (typeof own !== 'number') return refusal;
  const waits = buckets.map(({ key, limit }) => bucketWaitMs(host.limiter, key, limit, nowMs));
  return { ...refusal, fields: { ...refusal.fields, retry_after_ms: Math.max(own, ...waits) } };
}
