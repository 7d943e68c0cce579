/** One request of a watched client with what it was answered, and ways to find some of them. It judges nothing. */

import type { Overlay } from '../spec/overlay.js';

/** How the watcher has changed an answer, to see what the client does about it. */
export type Alteration = 'stale-anchor' | 'altered-passport' | 'rate-limited';

type Fields = Readonly<Record<string, unknown>>;

/** A request as it came, and its answer as the client got it. */
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
  /** Milliseconds since the run began, when the request came and when it was answered. */
  readonly cameMs: number;
  readonly answeredMs: number;
}

/** All that was seen of one client. */
export interface WatchedRun {
  readonly exchanges: readonly Exchange[];
  /** The exit status of its command; null where a signal ended it. */
  readonly exitStatus: number | null;
  /** The numbers in which the reference differs from the specification. */
  readonly numbers?: Overlay | undefined;
}

/** The fields of a value; none where it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The exchanges of a call, by method and path below /api/v1. */
export function callsOf({ exchanges }: WatchedRun, call: string): readonly Exchange[] {
  const [method, path] = call.split(' ') as [string, string];
  return exchanges.filter((each) => each.method === method && each.path === `/api/v1${path}`);
}

/** Whether the answer accepts the request. */
export function accepted({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}
