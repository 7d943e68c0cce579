/** Rate limits as a client meets them (section 8): the refusal, and the wait that it requests. */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import { limitsOf } from '../../spec/limits.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';

/** The longest window of the limits that a request counts in; undefined where none is known. */
export function windowSecOf({ limits }: Protocol, id: EndpointId, body: unknown): number | undefined {
  const windows = limitsOf(id, body).map((limit) => limits[limit].windowSec);
  return windows.length === 0 ? undefined : Math.max(...windows);
}

/** The wait that a reply requests, in seconds: Retry-After holds seconds, or a moment by the clock of Date. */
export function retryAfterSec(headers: Reply['headers'], nowMs: number): number | undefined {
  const { 'retry-after': asked = '', date = '' } = headers;
  if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked);
  const atMs = Date.parse(asked);
  if (Number.isNaN(atMs)) return undefined;
  const sinceMs = Date.parse(date);
  return Math.max(0, Math.ceil((atMs - (Number.isNaN(sinceMs) ? nowMs : sinceMs)) / 1_000));
}

/** Whether a 429 is that of a rate limit, not of an interval or a cap. */
export function isRateLimited(reply: Reply): boolean {
  if (reply.status !== 429) return false;
  const code = reply.get('code');
  return code === 'RATE_LIMITED' || (typeof code !== 'string' && reply.headers['retry-after'] !== undefined);
}
