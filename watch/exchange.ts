/** An exchange as an observer saw it: a proxy, or the author of a file. Readers make it, and the watch judges it. */

import type { Request } from '../model/reading/call.js';

/** Why an exchange is not judged, although it was seen. */
export type Unread =
  /** The connection ended before the reply was complete. */
  | 'aborted'
  /** A body is longer than is kept, or the file leaves it out. */
  | 'body'
  /** The reply did not come from the server: a browser's cache or a mock gave it. */
  | 'not-served'
  /** The file was written without the headers that hold credentials. */
  | 'no-credentials'
  /** Exchanges came faster than they could be judged. */
  | 'dropped'
  /** The file has it after exchanges that came much later. */
  | 'late';

/** A reply with its body as text; names of headers in lower case. */
export interface ObservedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request, and the reply to it. */
export interface Observed {
  /** Names of headers in lower case. The body is absent where there is none, or where `lacksBody` says that it is unknown. */
  readonly request: Request;
  readonly reply: ObservedReply | undefined;
  /** When the request began and the reply ended, in Unix ms by the clock of the observer; undefined where it noted no times. */
  readonly beganMs: number | undefined;
  readonly endedMs: number | undefined;
  /** How far both times may be off, in ms; 0 where it is absent. */
  readonly inexactMs?: number;
  /** The times give the order alone, and no moments. */
  readonly isOrderOnly?: true;
  /** The address of the client; undefined where it is unknown. */
  readonly client: string | undefined;
  /** Its place, as reports name it: `tests.har, entry 12`. */
  readonly source: string;
  readonly unread?: Unread;
  /** The request has a body, but the observer does not have it. */
  readonly lacksBody?: true;
}

/** A longer body is not kept. */
export const BODY_CHARS_MAX = 1_048_576;

/** An exchange without a body that is too long: then it is not judged. */
export function withinBounds(observed: Observed): Observed {
  const { request, reply } = observed;
  if ((request.body?.length ?? 0) > BODY_CHARS_MAX) {
    const { body: _, ...others } = request;
    return { ...observed, request: others, reply: undefined, unread: 'body', lacksBody: true };
  }
  if (reply === undefined || reply.body.length <= BODY_CHARS_MAX) return observed;
  return { ...observed, reply: { ...reply, body: '' }, unread: observed.unread ?? 'body' };
}

/** Headers by lower-case name; repeated ones are joined with a comma. HTTP/2 pseudo headers (`:path`) are left out. */
export function headersOf(pairs: Iterable<readonly [name: string, value: string]>): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (name.startsWith(':')) continue;
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
