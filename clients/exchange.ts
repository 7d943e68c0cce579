/** The requests of a watched client with their replies, and functions that select some of them. It judges nothing. */

import { isObject } from '../spec/formats.js';
import type { Overlay } from '../spec/overlay.js';

/** A change that the proxy makes to a reply, to see how the client reacts. */
export type Alteration = 'stale-anchor' | 'altered-passport' | 'rate-limited';

type Fields = Readonly<Record<string, unknown>>;

/** A request as the client sent it, and the reply as the client got it. */
export interface Exchange {
  /** 1 for the first of the run. */
  readonly n: number;
  readonly service: 'registry' | 'beats';
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as text; empty without one. */
  readonly text: string;
  /** The fields of a body that is a JSON object. */
  readonly body: Fields;
  readonly status: number;
  readonly reply: Fields;
  readonly alteration?: Alteration | undefined;
  /** When the request came and when it was answered, in milliseconds since the run began. */
  readonly cameMs: number;
  readonly answeredMs: number;
}

/** Everything that was recorded of one client. */
export interface WatchedRun {
  readonly exchanges: readonly Exchange[];
  /** The exit status of its command; null where a signal ended it. */
  readonly exitStatus: number | null;
  /** The numbers in which the reference differs from the specification. */
  readonly numbers?: Overlay | undefined;
}

/** The fields of a value; none if it is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The exchanges of a call, by method and path below /api/v1. */
export function callsOf({ exchanges }: WatchedRun, call: string): readonly Exchange[] {
  const [method, path] = call.split(' ') as [string, string];
  return exchanges.filter((each) => each.method === method && each.path === `/api/v1${path}`);
}

/** Whether the request was accepted. */
export function accepted({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** The heartbeats of a client. */
export const heartbeatsOf = (run: WatchedRun): readonly Exchange[] => callsOf(run, 'POST /agent/heartbeat');

/** The calls of spawn, in both phases. */
export const spawnsOf = (run: WatchedRun): readonly Exchange[] => callsOf(run, 'POST /agent/spawn');

/** The calls of resync, in both forms. */
export const resyncsOf = (run: WatchedRun): readonly Exchange[] => callsOf(run, 'POST /agent/resync');

/** The code of the error that answers a request; `undefined` as text without one. */
export const codeOf = ({ reply }: Exchange): string => String(reply['code']);
