/**
 * Decides in which rate-limit buckets a request counts: by agent, partner, address or target (D-34 and 5, rule 3). The
 * windows themselves are in rate-limit.ts.
 */

import type { IncomingMessage } from 'node:http';
import type { Bucket, Endpoint } from '../../../spec/endpoint.js';
import type { RateLimit } from '../../../spec/protocol.js';
import { DAY_SEC } from '../../../spec/time.js';
import { type Refusal, refuse } from '../../registry/refusal.js';
import { clientAddress } from './client-address.js';
import type { Host } from './host.js';
import { bucketWaitMs, countInBucket, type RateLimiter, uncountInBucket } from './rate-limit.js';

/**
 * D-34: the address of the socket, or the first address of X-Forwarded-For if the server trusts that header; D-57: the last
 * one in dialects that say so.
 */
export function clientIp(host: Host, req: IncomingMessage): string {
  const forwarded = host.trustForwardedFor ? [req.headers['x-forwarded-for']].flat()[0] : undefined;
  const entry = host.service.registry.dialect.forwardedFor === 'last' ? -1 : 0;
  const named = forwarded?.split(',').at(entry)?.trim() ?? '';
  // Without this check each text that is not an address would get its own bucket, so clients could make any number of buckets.
  return clientAddress(named) ?? clientAddress(req.socket.remoteAddress ?? '') ?? '';
}

/** The caller of a request, as far as its buckets depend on it. */
interface CountedCaller {
  readonly ip: string;
  readonly agent: number;
  readonly partner: number;
  readonly body: unknown;
}

/** 4.16: the `target_hash` of a body in lower case; undefined without one. */
function targetOf(body: unknown): string | undefined {
  const hash = typeof body === 'object' && body !== null && 'target_hash' in body ? body.target_hash : undefined;
  return typeof hash === 'string' ? hash.toLowerCase() : undefined;
}

/**
 * 5, rule 3: the key of a bucket. It names the path without the method, except where section 8 has a row for each
 * method.
 */
function bucketKey({ service, path }: Endpoint, bucket: Bucket, caller: CountedCaller): string {
  const row = `${service}${path}|${bucket.limit}`;
  const byIp = `${row}|ip|${caller.ip}`;
  switch (bucket.by) {
    case 'ip':
      return byIp;
    // D-34: without a valid identity a request counts by address, so that it cannot fill the bucket of another caller.
    case 'partner':
      return caller.partner < 0 ? byIp : `${row}|partner|${caller.partner}`;
    case 'target': {
      const target = targetOf(caller.body);
      return caller.agent < 0 || target === undefined ? byIp : `${row}|target|${target}`;
    }
    case 'service':
      return `${row}`;
    // 5, rule 3: by agent, or by address without one.
    case 'subject':
    case 'agent':
      return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;
    default:
      return bucket.by satisfies never;
  }
}

/** A bucket in which a request counts. */
export interface CountedBucket {
  readonly key: string;
  readonly limit: RateLimit;
}

/** The buckets in which this request counts, by the rows of section 8. */
export function bucketsOf(host: Host, endpoint: Endpoint, caller: CountedCaller): readonly CountedBucket[] {
  const { limits } = host.service.registry.protocol;
  const byRow = endpoint.buckets
    .filter(({ when }) => when === undefined || when.test(caller.body))
    .map((bucket) => ({ key: bucketKey(endpoint, bucket, caller), limit: limits[bucket.limit] }));
  return [...byRow, ...dailyBucket(host, endpoint, caller)];
}

/** D-57: the bucket of requests that an address may send in a day. */
function dailyBucket(host: Host, { stem, perDayMax }: Endpoint, { ip }: CountedCaller): readonly CountedBucket[] {
  const count = perDayMax?.(host.service.registry.dialect);
  return count === undefined ? [] : [{ key: `${stem}|day|ip|${ip}`, limit: { count, windowSec: DAY_SEC } }];
}

/** Counts a request in its buckets. Refuses with 429 when one of them is full. */
export function refuseRate(host: Host, buckets: readonly CountedBucket[], nowMs: number): Refusal | null {
  // Every bucket counts the request, even after one that is full.
  const refused = buckets.filter(({ key, limit }) => countInBucket(host.limiter, key, limit, nowMs) > 0);
  if (refused.length === 0) return null;
  return withFullWait(host, buckets, refuse('any/RATE_LIMITED', undefined, { retry_after_ms: 0 }), nowMs);
}

/** D-27: undoes the count of a request, because the ledger with its payment did not answer. */
export function uncountRequest(limiter: RateLimiter, buckets: readonly CountedBucket[], countedAtMs: number): void {
  for (const { key, limit } of buckets) uncountInBucket(limiter, key, limit, countedAtMs);
}

/**
 * Section 8: makes the wait that a 429 announces long enough that a request after it is admitted. It covers every full bucket,
 * including one that the refused request itself has filled. It also applies to a 429 by a rule, such as the circuit breaker's.
 */
export function withFullWait(host: Host, buckets: readonly CountedBucket[], refusal: Refusal, nowMs: number): Refusal {
  const own = refusal.fields?.['retry_after_ms'];
  if (typeof own !== 'number') return refusal;
  const waits = buckets.map(({ key, limit }) => bucketWaitMs(host.limiter, key, limit, nowMs));
  return { ...refusal, fields: { ...refusal.fields, retry_after_ms: Math.max(own, ...waits) } };
}
