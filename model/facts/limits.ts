/**
 * The rate limits of section 8: which buckets a request counts in, and whether they are full. The form of a window is open, and so
 * is whether a limit of the older page holds in place of the newer one.
 */

import type { Bucket as BucketRow } from '../../spec/endpoint.js';
import { olderLimits } from '../../spec/older-limits.js';
import type { LimitName, RateLimit } from '../../spec/protocol.js';
import type { AnsweredCall, Call } from '../reading/call.js';
import type { Agent, State } from './state.js';

/** `must`: the limit has to refuse the request; `may`: it is reached in some form of window. */
export interface Limited {
  readonly limit: LimitName;
  readonly verdict: 'no' | 'may' | 'must';
  /** Only the limit of the older page may be reached. */
  readonly isOlder: boolean;
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

function isPartner(key: string | undefined, { partners, settings }: State): boolean {
  const partner = partners.get(key ?? '');
  if (partner === undefined) return key !== undefined && key === settings.partnerKey;
  return !partner.suspended && !partner.expired;
}

/** Whether the limits of a request are reached before it. */
export function limited(given: Counting): readonly Limited[] {
  const { state } = given;
  return rowsOf(given).map((row): Limited => {
    const { limit } = row;
    const own = state.settings.protocol.limits[limit];
    const name = bucketOf(given, row);
    // A limit of 0 switches an endpoint off.
    if (own.count === 0) return { limit, verdict: 'must', share: 1, isOlder: false };
    if (name === undefined || state.nowMs === undefined) return { limit, verdict: 'may', share: 1, isOlder: false };
    const newer = reach(state, own, [name]);
    const older = olderLimits[limit];
    if (older === undefined || state.newerLimits.includes(limit)) return { limit, ...newer, isOlder: false };
    const { verdict } = reach(
      state,
      older,
      rowsOn(given).map((each) => olderName(given, each)),
    );
    if (newer.verdict === 'no') return { limit, ...newer, verdict: verdict === 'no' ? 'no' : 'may', isOlder: true };
    return { limit, ...newer, verdict: verdict === 'must' ? newer.verdict : 'may', isOlder: false };
  });
}

/** Whether the buckets of a limit are full, together. */
function reach(
  { buckets, nowMs = 0 }: State,
  { count, windowSec }: RateLimit,
  names: readonly string[],
): Pick<Limited, 'verdict' | 'share'> {
  const all = names.flatMap((name) => buckets.get(name) ?? []);
  const [taken, sent] = [all.flatMap(({ takenMs }) => takenMs), all.flatMap(({ sentMs }) => sentMs)];
  const within = (times: readonly number[]): number => times.filter((atMs) => atMs > nowMs - windowSec * 1_000).length;
  const atOnce = taken.filter((atMs) => atMs === nowMs).length;
  // A window that begins anywhere lets twice its count through in its length, and none more than its count at once.
  if (atOnce >= count || within(taken) >= 2 * count) return { verdict: 'must', share: 1 };
  return { verdict: within(sent) > count ? 'may' : 'no', share: within(sent) / count };
}

/** The rows of a path, each of which may have had a bucket of the older page, or all of them one. */
const rowsOn = ({ call }: Pick<Counting, 'call'>): readonly BucketRow[] =>
  call.endpoint.buckets.filter(({ limit }) => limit in olderLimits);

const olderName = ({ call }: Pick<Counting, 'call'>, { limit }: BucketRow): string =>
  `older ${limit} ${call.endpoint.path} ${call.address}`;

/** Refusals of requests that were understood: they have passed the limit, and so count in it. */
const REACHED: readonly number[] = [402, 403, 404, 409, 429];

/** A request that counts in limits; `agent`: that of its key. */
interface Counting {
  readonly state: State;
  readonly call: Call;
  readonly agent: Agent | undefined;
}

function note(given: Counting, which: 'sentMs' | 'takenMs', rows: readonly BucketRow[]): void {
  const { state } = given;
  const { nowMs } = state;
  if (nowMs === undefined) return;
  for (const row of rows) {
    const { count, windowSec } = state.settings.protocol.limits[row.limit];
    // Verdicts ask of the last window whether it holds more requests than the count, and whether it holds twice as many.
    const isOver = (atMs: number | undefined): boolean => atMs !== undefined && atMs <= nowMs - windowSec * 1_000;
    for (const name of [bucketOf(given, row), row.limit in olderLimits ? olderName(given, row) : undefined]) {
      if (name === undefined) continue;
      const bucket = state.buckets.get(name) ?? state.buckets.set(name, { sentMs: [], takenMs: [] });
      const times = bucket[which];
      times.push(nowMs);
      while (times.length > 2 * count + 1 || isOver(times[0])) times.shift();
    }
  }
}

/** An address that was let through more often at once than the older page has it shows that the newer limit holds. */
function learnNewer(given: Counting, rows: readonly BucketRow[]): void {
  const { state } = given;
  for (const row of rows) {
    const { count = Number.POSITIVE_INFINITY } = olderLimits[row.limit] ?? {};
    const { takenMs = [] } = state.buckets.get(olderName(given, row)) ?? {};
    const isNewer = takenMs.filter((atMs) => atMs === state.nowMs).length > count;
    if (isNewer && !state.newerLimits.includes(row.limit)) state.newerLimits = [...state.newerLimits, row.limit];
  }
}

/** Counts a request when it is sent: whether one that is refused counts is open. */
export function noteSent(given: Counting): void {
  note(given, 'sentMs', rowsOf(given));
}

/** Counts a request whose reply shows that the limit let it through. */
export function noteTaken(given: Counting & { readonly call: AnsweredCall }, isRateLimited: boolean): void {
  const { call } = given;
  const reached = call.status < 400 || (REACHED.includes(call.status) && !isRateLimited);
  const counts = ({ by }: BucketRow): boolean => (by === 'agent' || by === 'target' ? call.status < 400 : reached);
  const rows = rowsOf(given).filter(counts);
  note(given, 'takenMs', rows);
  learnNewer(given, rows);
}
