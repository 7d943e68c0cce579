/**
 * Replies that are spoiled one at a time, to see whether an assertion can fail at all where no planted mistake makes it: another
 * status, a field with another value or gone, the reply before it once more. It judges no server.
 */

import type { Transport, WireReply, WireRequest } from '../conformance/wire/transport.js';
import { matches } from '../spec/endpoint.js';
import { endpointIds, endpointOf, nameOf } from '../spec/endpoint-ids.js';
import { jsonOf } from '../spec/formats.js';

/** A way to spoil the reply to the n-th request of a check to an endpoint, counted from 0. */
export interface ReplyChange {
  readonly nth: number;
  readonly words: string;
  readonly apply: (reply: WireReply) => WireReply;
}

/** An assertion, by the endpoint that it looks at (method and path; empty: any) and what it looks at there. */
interface AssertionPlace {
  readonly check: string;
  readonly endpoint: string;
  readonly about: string;
}

/** Whether a request of a check goes to the endpoint that an assertion looks at. */
function requestsOf({ check, endpoint }: AssertionPlace): (request: WireRequest) => boolean {
  const id = endpointIds.find((each) => nameOf(each) === endpoint);
  if (id === undefined) return ({ owner }) => owner === check;
  return ({ owner, method, url }) => owner === check && matches(endpointOf(id), method, new URL(url).pathname);
}

/** A transport that keeps the replies to those requests in their order, and spoils one of them on request. */
export function changingTransport(
  send: Transport,
  looked: AssertionPlace,
  spoil?: ReplyChange,
): { send: Transport; replies: WireReply[] } {
  const wanted = requestsOf(looked);
  const replies: WireReply[] = [];
  let asked = 0;
  const spoiled: Transport = async (request) => {
    if (!wanted(request)) return send(request);
    const nth = asked;
    asked += 1;
    const reply = await send(request);
    const given = spoil?.nth === nth ? spoil.apply(reply) : reply;
    replies[nth] = given;
    return given;
  };
  return { send: spoiled, replies };
}

/** The ways to spoil one of these replies that an assertion may notice, the likeliest first, and the last replies before those that lead there. */
export function replyChanges({ about }: AssertionPlace, replies: readonly WireReply[]): readonly ReplyChange[] {
  const each = replies.flatMap((reply, nth) => {
    const of = (words: string, apply: ReplyChange['apply']): ReplyChange => ({
      nth,
      words: `reply ${nth + 1}: ${words}`,
      apply,
    });
    const statuses = [403, 429, 400, 200]
      .filter((status) => status !== reply.status && (status !== 200 || reply.status >= 400))
      .map((status) => of(`status ${status}`, (own) => ({ ...own, status, body: bodyFor(own, status) })));
    const fields = pathsOf(jsonOf(reply.body)).flatMap((path) =>
      Object.entries(CHANGES)
        .map(([words, change]) => of(`${words} ${path}`, (own) => withField(own, path, change)))
        .map((spoil) => ({ spoil, rank: rankOf(about, path) })),
    );
    const before = replies[nth - 1];
    const again = before === undefined ? [] : [of('as the one before', () => before)];
    const success = replies.find(({ status }, other) => status < 400 && other !== nth);
    if (success !== undefined) again.push(of('as another success', () => success));
    return [
      ...statuses.map((spoil) => ({ spoil, rank: about === 'status' ? 0 : 3 })),
      ...again.map((spoil) => ({ spoil, rank: 4 })),
      ...fields,
    ];
  });
  const later = (one: ReplyChange, other: ReplyChange): number => other.nth - one.nth;
  return each
    .toSorted((one, other) => one.rank - other.rank || later(one.spoil, other.spoil))
    .map(({ spoil }) => spoil);
}

/** The body of a reply of another status: a refusal's own, a refusal in general, or nothing. */
function bodyFor({ status: own, body }: WireReply, status: number): string {
  if (status < 400) return '{}';
  if (status === 429) return '{"error":"RATE_LIMITED","code":"RATE_LIMITED"}';
  return own < 400 ? '{"error":"spoiled"}' : body;
}

/** How likely an assertion is to notice a change at a path: it names the path, a word of it, or neither. */
function rankOf(about: string, path: string): number {
  if (about.endsWith(path)) return 1;
  const words = path.split(/[._]/).filter((word) => word.length > 3);
  return words.some((word) => about.includes(word)) ? 2 : 5;
}

/** Items of a list that are spoiled by themselves. */
const ITEMS_MAX = 3;

/** The paths of the values of a reply, of its objects too, and for lists those of their first items. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS_MAX).flatMap((item, place) => pathsOf(item, below(String(place))));
    return [path, ...items].filter((each) => each !== '');
  }
  if (typeof value !== 'object' || value === null) return path === '' ? [] : [path];
  const inside = Object.entries(value).flatMap(([key, one]) => pathsOf(one, below(key)));
  return path === '' ? inside : [path, ...inside];
}

/** A value of the same type, where it has one, that is another. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return 2 * value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return value === '' ? 'x' : value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
  return Array.isArray(value) && value.length > 0 ? [] : 'spoiled';
}

/** The changes of a value that are tried, by their descriptions. */
const CHANGES: Readonly<Record<string, (value: unknown) => unknown>> = {
  another: otherThan,
  no: () => undefined,
  'an empty or negative': (value) => (typeof value === 'number' ? -1 : ''),
  'another beginning of': (value) => `x${String(value).slice(1)}`,
};

/** The reply with the value at a path changed; undefined takes it away. */
function withField(reply: WireReply, path: string, change: (value: unknown) => unknown): WireReply {
  const json = jsonOf(reply.body) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() as string;
  const owner = keys.reduce<Record<string, unknown> | undefined>(
    (inside, key) => inside?.[key] as Record<string, unknown> | undefined,
    json,
  );
  if (owner === undefined || owner === null) return reply;
  const value = change(owner[last]);
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return { ...reply, body: JSON.stringify(json) };
}
