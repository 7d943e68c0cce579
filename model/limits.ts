/** The rate limits of section 8: which buckets a request counts in, and whether they are full. The form of a window is open. */

import type { Bucket as BucketRow } from '../spec/endpoint.js';
import type { LimitName } from '../spec/protocol.js';
import type { Call } from './reading/call.js';
import type { Case } from './settle.js';

/** `must`: the limit has to refuse the request; `may`: it is reached in some form of window. */
interface Limited {
  readonly limit: LimitName;
  readonly verdict: 'no' | 'may' | 'must';
  /** The requests in its bucket, as a share of how many it holds. */
  readonly share: number;
}

/** The rows that count a request; those by partner and target are in their operations. */
function rowsOf({ call }: Pick<Counting, 'call'>): readonly BucketRow[] {
  return call.endpoint.buckets.filter(({ when }) => when === undefined || when.test(call.body ?? {}));
}

/** The name of the bucket of a row; undefined where it is not known which one it is. */
function bucketOf({ call, agent, state }: Counting, { limit, by }: BucketRow): string | undefined {
  // 5, rule 3: buckets are keyed by the path, so the methods of a path share those of one row.
  const { path } = call.endpoint;
  if (by === 'service') return limit;
  if (by === 'target') return `${limit} ${String(call.body?.['target_hash']).toLowerCase()}`;
  if (by === 'ip') return `${limit} ${path} ${call.address}`;
  // 5, rule 3: without an identity that holds, path and address.
  if (by === 'partner') return isPartner(call.bearer, state) ? `${limit} ${call.bearer}` : undefined;
  if (agent === undefined || agent.revoked) return undefined;
  return `${limit} ${path} ${agent.hash}`;
}

function isPartner(key: string | undefined, { partners, settings }: Counting['state']): boolean {
  const partner = partners.get(key ?? '');
  if (partner === undefined) return key !== undefined && key === settings.partnerKey;
  return !partner.suspended && !partner.expired;
}

/** Whether the limits of a request are reached before it. */
export function limited(given: Case): readonly Limited[] {
  const { state } = given;
  return rowsOf(given).map((row): Limited => {
    const { count, windowSec } = state.settings.protocol.limits[row.limit];
    const name = bucketOf(given, row);
    const { nowMs } = state;
    // A limit of 0 switches an endpoint off.
    if (count === 0) return { limit: row.limit, verdict: 'must', share: 1 };
    if (name === undefined || nowMs === undefined) return { limit: row.limit, verdict: 'may', share: 1 };
    const bucket = state.buckets.get(name);
    if (bucket === undefined) return { limit: row.limit, verdict: 'no', share: 0 };
    const within = (times: readonly number[]): number =>
      times.filter((atMs) => atMs > nowMs - windowSec * 1_000).length;
    const atOnce = bucket.takenMs.filter((atMs) => atMs === nowMs).length;
    // A window that begins anywhere lets twice its count through in its length, and none more than its count at once.
    if (atOnce >= count || within(bucket.takenMs) >= 2 * count) return { limit: row.limit, verdict: 'must', share: 1 };
    const sent = within(bucket.sentMs);
    return { limit: row.limit, verdict: sent > count ? 'may' : 'no', share: sent / count };
  });
}

/** Refusals of requests that were understood: they have passed the limit, and so count in it. */
const REACHED: readonly number[] = [402, 403, 404, 409, 429];

interface Counting extends Pick<Case, 'state' | 'agent'> {
  readonly call: Call;
}

function note(given: Counting, which: 'sentMs' | 'takenMs', rows: readonly BucketRow[]): void {
  const { state } = given;
  const { nowMs } = state;
  if (nowMs === undefined) return;
  for (const row of rows) {
    const name = bucketOf(given, row);
    if (name === undefined) continue;
    const bucket = state.buckets.get(name) ?? state.buckets.set(name, { sentMs: [], takenMs: [] });
    const { count, windowSec } = state.settings.protocol.limits[row.limit];
    const times = bucket[which];
    times.push(nowMs);
    // Verdicts ask of the last window whether it holds more requests than the count, and whether it holds twice as many.
    const isOver = (atMs: number | undefined): boolean => atMs !== undefined && atMs <= nowMs - windowSec * 1_000;
    while (times.length > 2 * count + 1 || isOver(times[0])) times.shift();
  }
}

/** Counts a request when it is sent: whether one that is refused counts is open. */
export function noteSent(given: Counting): void {
  note(given, 'sentMs', rowsOf(given));
}

/** Counts a request whose reply shows that the limit let it through. */
export function noteTaken(given: Case, isRateLimited: boolean): void {
  const { call } = given;
  const reached = call.status < 400 || (REACHED.includes(call.status) && !isRateLimited);
  const counts = ({ by }: BucketRow): boolean => (by === 'agent' || by === 'target' ? call.status < 400 : reached);
  note(given, 'takenMs', rowsOf(given).filter(counts));
}
