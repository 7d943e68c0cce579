/**
 * The rate limits of section 8: the buckets in which a request counts, and whether they are full. The text does not say whether windows are fixed
 * or sliding, nor whether a limit of the older page replaces the newer one.
 */

import type { Bucket as BucketRow } from '../../spec/endpoint.js';
import { olderLimits } from '../../spec/older-limits.js';
import type { LimitName, RateLimit } from '../../spec/protocol.js';
import type { AnsweredCall, Call } from '../reading/call.js';
import type { Agent, Bucket, State } from './state.js';

/** The state of a limit. `must`: the request has to be refused; `may`: the limit is reached if windows have a certain form. */
export interface Limited {
  readonly limit: LimitName;
  readonly verdict: 'no' | 'may' | 'must';
  /** The limit of the older page may be reached, and the newer one is not. */
  readonly isOlder: boolean;
  /** The used share of its bucket. */
  readonly share: number;
}

/** The rows of section 8 that count a request. Operations judge the rows by partner and by target. */
function rowsOf({ call }: Pick<Counting, 'call'>): readonly BucketRow[] {
  return call.endpoint.buckets.filter(({ when }) => when === undefined || when.test(call.body ?? {}));
}

/** The name of the bucket in which a row counts the request; undefined if that is unknown. */
function bucketOf({ call, agent, state }: Counting, { limit, by }: BucketRow): string | undefined {
  // 5, rule 3: buckets are keyed by path, so all methods of a path share the bucket of a row.
  const { path } = call.endpoint;
  if (by === 'service') return limit;
  if (by === 'target') return `${limit} ${String(call.body?.['target_hash']).toLowerCase()}`;
  if (by === 'ip') return call.address === '' && !state.isWhole ? undefined : `${limit} ${path} ${call.address}`;
  // 5, rule 3: without a valid identity, the key is path and address.
  if (by === 'partner') return isPartner(call.bearer, state) ? `${limit} ${call.bearer}` : undefined;
  // Overlapping requests may leave it unknown whether a key is revoked.
  if (agent === undefined || state.agents.peek(agent.hash)?.revoked !== false) return undefined;
  return `${limit} ${path} ${agent.hash}`;
}

function isPartner(key: string | undefined, { partners, settings }: State): boolean {
  const partner = partners.find(key ?? '');
  if (partner === undefined) return key !== undefined && key === settings.partnerKey;
  return !partner.suspended && !partner.expired;
}

/** The limits that count a request, and whether they are already reached. */
export function limited(given: Counting): readonly Limited[] {
  const { state } = given;
  return rowsOf(given).map((row): Limited => {
    const { limit } = row;
    const own = state.settings.protocol.limits[limit];
    const name = bucketOf(given, row);
    // A limit of 0 disables an endpoint.
    if (own.count === 0) return { limit, verdict: 'must', share: 1, isOlder: false };
    if (name === undefined || state.nowMs === undefined) return { limit, verdict: 'may', share: 1, isOlder: false };
    const reached = reach(given, own, [name]);
    const newer = mayMiss(given, row) ? atLeast(reached) : reached;
    const older = olderLimits[limit];
    if (older === undefined || state.newerLimits.includes(limit)) return { limit, ...newer, isOlder: false };
    const { verdict } = reach(
      given,
      older,
      rowsOn(given).map((each) => olderName(given, each)),
    );
    if (newer.verdict === 'no') return { limit, ...newer, verdict: verdict === 'no' ? 'no' : 'may', isOlder: true };
    return { limit, ...newer, verdict: verdict === 'must' ? newer.verdict : 'may', isOlder: false };
  });
}

/** Sums the buckets of a limit, and says whether the limit is reached. */
function reach(
  { state: { buckets, nowMs = 0, slackMs }, call: { countedIn = [] } }: Counting,
  { count, windowSec }: RateLimit,
  names: readonly string[],
): Pick<Limited, 'verdict' | 'share'> {
  const sinceMs = nowMs - windowSec * 1_000;
  // A request whose bucket was unknown when it was sent is not among those under way.
  let all = names.some((name) => countedIn.includes(name)) ? 0 : 1;
  let [taken, atOnce] = [0, 0];
  for (const name of names) {
    const { underWay, sentMs, takenMs } = buckets.peek(name) ?? NO_REQUESTS;
    all += underWay;
    for (const atMs of sentMs) if (atMs > sinceMs - 2 * slackMs) all += 1;
    for (const atMs of takenMs) {
      if (atMs > sinceMs + 2 * slackMs) taken += 1;
      if (atMs === nowMs) atOnce += 1;
    }
  }
  // Fixed windows admit up to twice the count within one window length; no kind of window admits more than the count at once.
  if ((slackMs === 0 && atOnce >= count) || taken >= 2 * count) return { verdict: 'must', share: 1 };
  return { verdict: all > count ? 'may' : 'no', share: all / count };
}

const NO_REQUESTS: Bucket = { underWay: 0, sentMs: [], takenMs: [] };

/** Whether the service may count requests in a bucket that the observer does not see. */
function mayMiss({ state, agent }: Counting, { by }: BucketRow): boolean {
  return !state.isWhole && !(by === 'agent' && agent?.isPartial === undefined);
}

/** A limit that requests which are not seen may have reached. */
function atLeast<T extends Pick<Limited, 'verdict'>>(reached: T): T {
  return reached.verdict === 'no' ? { ...reached, verdict: 'may' } : reached;
}

/** The rows of a path that the older page lists, too: each may have its own bucket, or all may share one. */
const rowsOn = ({ call }: Pick<Counting, 'call'>): readonly BucketRow[] =>
  call.endpoint.buckets.filter(({ limit }) => limit in olderLimits);

const olderName = ({ call }: Pick<Counting, 'call'>, { limit }: BucketRow): string =>
  `older ${limit} ${call.endpoint.path} ${call.address}`;

/** Statuses of refusals that come after the check of the limit, so the request counts in it. */
const REACHED: readonly number[] = [402, 403, 404, 409, 429];

/** A request to count in limits; `agent`: the agent of its key. */
interface Counting {
  readonly state: State;
  readonly call: Call;
  readonly agent: Agent | undefined;
}

const isName = (name: string | undefined): name is string => name !== undefined;

/** The buckets in which a row counts the request, as far as they are known: its own, and that of the older page. */
const namesIn = (given: Counting, row: BucketRow): readonly string[] =>
  [bucketOf(given, row), row.limit in olderLimits ? olderName(given, row) : undefined].filter(isName);

const bucketIn = ({ buckets }: State, name: string): Bucket =>
  buckets.get(name) ?? buckets.set(name, { underWay: 0, sentMs: [], takenMs: [] });

function note(given: Counting, which: 'sentMs' | 'takenMs', rows: readonly BucketRow[]): void {
  const { state } = given;
  const { nowMs } = state;
  if (nowMs === undefined) return;
  for (const row of rows) {
    const { count, windowSec } = state.settings.protocol.limits[row.limit];
    // `reach` compares with the count and with twice the count, so older entries can be dropped.
    const isOver = (atMs: number | undefined): boolean =>
      atMs !== undefined && atMs <= nowMs - windowSec * 1_000 - 2 * state.slackMs;
    for (const name of namesIn(given, row)) {
      const times = bucketIn(state, name)[which];
      times.push(nowMs);
      while (times.length > 2 * count + 1 || isOver(times[0])) times.shift();
    }
  }
}

/** The newer limit applies if an address gets more requests through at once than the older page allows. */
function learnNewer(given: Counting, rows: readonly BucketRow[]): void {
  const { state } = given;
  for (const row of rows) {
    const { count = Number.POSITIVE_INFINITY } = olderLimits[row.limit] ?? {};
    const { takenMs = [] } = state.buckets.peek(olderName(given, row)) ?? {};
    const isNewer = takenMs.filter((atMs) => atMs === state.nowMs).length > count;
    if (isNewer && !state.newerLimits.includes(row.limit)) state.newerLimits = [...state.newerLimits, row.limit];
  }
}

/**
 * Counts a request when it is sent: the text leaves open whether refused requests count. Until it is judged it may have been served at any time, since
 * the replies that show the time may wait for overlapping ones.
 */
export function countSent(given: Counting): void {
  given.call.countedIn = rowsOf(given).flatMap((row) => namesIn(given, row));
  for (const name of given.call.countedIn) bucketIn(given.state, name).underWay += 1;
}

/** Counts a request that is under way no more, at the time of the state. */
export function countEnded(given: Counting): void {
  for (const name of given.call.countedIn ?? []) {
    const bucket = bucketIn(given.state, name);
    // A reset of the service forgets those under way.
    bucket.underWay = Math.max(0, bucket.underWay - 1);
  }
  note(given, 'sentMs', rowsOf(given));
}

/** Counts a request if its reply shows that the limit admitted it. */
export function countAdmitted(given: Counting & { readonly call: AnsweredCall }, isRateLimited: boolean): void {
  const { call } = given;
  const reached = call.status < 400 || (REACHED.includes(call.status) && !isRateLimited);
  const counts = ({ by }: BucketRow): boolean => (by === 'agent' || by === 'target' ? call.status < 400 : reached);
  const rows = rowsOf(given).filter(counts);
  note(given, 'takenMs', rows);
  learnNewer(given, rows);
}
