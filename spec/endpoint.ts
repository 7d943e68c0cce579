/**
 * The type of an endpoint's data: path, credential, limits, body, replies. The endpoints are in endpoints/, one file
 * each.
 */

import type { z } from 'zod';
import type { Dialect } from './dialect.js';
import type { ErrorKey } from './errors.js';
import type { OptionalMode } from './parts.js';
import type { LimitName, Protocol } from './protocol.js';

/** The path of the control API, below its address. */
export const CONTROL_PATH = '/control/v1';

/** The numbers and names of a deployment, on which its schemas depend. */
export interface Facts {
  readonly protocol: Protocol;
  readonly dialect: Dialect;
  /** D-37: the deployment delivers webhooks to loopback, for which plain HTTP will do. Absent: it does not. */
  readonly loopbackWebhooks?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Section 5: the credential that an endpoint takes. `registration`: the modes of section 4.2 take different credentials. */
export type Auth = 'none' | 'registration' | 'agent' | 'admin' | 'partner';

/** Section 8: whose requests share a bucket. `subject` is path and agent, falling back to path and client IP (5, rule 3). */
type BucketSubject = 'ip' | 'subject' | 'agent' | 'target' | 'partner' | 'service';

/** One row of section 8 as it applies to an endpoint. */
export interface Bucket {
  readonly limit: LimitName;
  readonly by: BucketSubject;
  /** Which of the endpoint's requests the row counts; absent: all. Judged on the body as received. */
  readonly when?: { readonly text: string; readonly test: (body: unknown) => boolean };
}

/** One row of 4.1: how a call is made and answered. */
export interface Endpoint {
  /** Unique id: the stem, and the method after it where a stem has several (`sponsor.delete`). */
  readonly id: string;
  /** The word under which rule, route, checks and facts of the operation are found. */
  readonly stem: string;
  readonly service: 'registry' | 'beats';
  readonly method: Method;
  readonly path: string;
  readonly section: string;
  readonly purpose: string;
  readonly auth: Auth;
  readonly buckets: readonly Bucket[];
  /** The schema of the body, or null for a call without one. Unknown fields are ignored (D-40). */
  readonly body: ((facts: Facts) => z.ZodType) | null;
  /** The mode that a body as received asks for, of those that a deployment can be without; absent: there is none. */
  readonly mode?: (body: unknown) => OptionalMode | undefined;
  /** The row that answers a body which the schema refuses; null where no JSON object can be refused. */
  readonly invalid: ErrorKey | null;
  /** The schema of each reply that is not an error body, by status. Top-level fields outside it are undocumented. */
  readonly replies: (facts: Facts) => Readonly<Record<number, z.ZodType>>;
  /** The call changes nothing, although its method is not GET. */
  readonly changesNothing?: true;
  /** D-33: how large a body may be, in bytes; absent: `body.bytesMax`. */
  readonly bodyBytesMax?: (facts: Facts) => number;
  /** D-57: how many requests of an address a dialect admits in a day, in addition to the buckets; absent: any number. */
  readonly perDayMax?: (dialect: Dialect) => number | undefined;
  /** Headers that decide what an accepted call does, so that a journal has to keep them. */
  readonly decidingHeaders?: readonly string[];
  /** Section 7: what the text shows of its refusals: the status alone, or nothing; absent: status and code. */
  readonly errorsShown?: 'status' | 'nothing';
  /** The codes with which it refuses, of those of its stem; absent: all of them. */
  readonly refuses?: readonly string[];
}

/** Whether the call changes anything when it is accepted. */
export function changesState({ method, changesNothing }: Endpoint): boolean {
  return method !== 'GET' && changesNothing !== true;
}

/** Whether a request of this method and path, without its query, is for the endpoint; `:name` in a pattern stands for any part. */
export function matches(
  endpoint: { readonly method: string; readonly path: string },
  method: string,
  path: string,
): boolean {
  return endpoint.method === method && fits(endpoint.path, path);
}

/** Whether a path belongs to a pattern; a slash at its end makes no difference, as for the servers. */
export function fits(pattern: string, path: string): boolean {
  const [wanted, sent] = [pattern, path.replace(/\/$/, '')].map((each) => each.split('/'));
  return (
    wanted?.length === sent?.length && wanted?.every((part, i) => part.startsWith(':') || part === sent?.[i]) === true
  );
}

/** The type of an endpoint's body once its schema has accepted it. */
export type BodyOf<E extends Endpoint> = E['body'] extends (facts: Facts) => infer S
  ? S extends z.ZodType
    ? z.output<S>
    : never
  : undefined;
