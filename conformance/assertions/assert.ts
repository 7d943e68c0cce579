import type { z } from 'zod';
import type { Facts } from '../../spec/endpoint.js';
import { type ErrorKey, errors } from '../../spec/errors.js';
import { type EndpointId, endpointOf } from '../protocol/endpoints.js';
import { assertEqual, assertThat, show } from './mismatch.js';
import type { Reply } from './reply.js';

/** One thing wrong with a reply body: where, and why. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** What a message begins with that goes on to say what is expected. */
const PREAMBLE = /^Invalid input: expected /;

/**
 * What is wrong with a value under a schema in its loose form: a target may add fields to any reply, so unknown keys
 * count for nothing; a missing or ill-typed field does.
 */
export function looseFaults(schema: z.ZodType, value: unknown): readonly Fault[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues
    .flatMap(faultsOf)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message: message.replace(PREAMBLE, '') }));
}

function faultsOf(issue: Issue): Issue[] {
  if (issue.code === 'unrecognized_keys') return [];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const branches = issue.errors.map((branch) => branch.flatMap(faultsOf));
  return branches.some((branch) => branch.length === 0) ? [] : [issue];
}

type Replies = Readonly<Record<number, z.ZodType>>;
const schemas = new WeakMap<Facts, Map<EndpointId, Replies>>();

/** The reply schemas of an endpoint under a deployment's facts, built once. */
function repliesOf(id: EndpointId, facts: Facts): Replies {
  const known = schemas.get(facts) ?? new Map<EndpointId, Replies>();
  schemas.set(facts, known);
  const replies = known.get(id) ?? endpointOf(id).replies(facts);
  known.set(id, replies);
  return replies;
}

/** The schema of a success with this status, or of any success where the specification gives another one. */
export function successSchema(id: EndpointId, status: number, facts: Facts): z.ZodType | undefined {
  const replies = repliesOf(id, facts);
  const any = Object.keys(replies).find((key) => key.startsWith('2'));
  return replies[status] ?? (any === undefined ? undefined : replies[Number(any)]);
}

/** Throws `Mismatched` unless the status is a success. */
export function assertSuccess(reply: Reply): void {
  const success = reply.status >= 200 && reply.status < 300;
  assertThat(`${reply.name}: status`, success, 'a success (2xx)', `${reply.status} ${reply.excerpt()}`);
}

/** Throws `Mismatched` unless the status is that of a refusal. */
export function assertRefused(reply: Reply): void {
  const refused = reply.status >= 400 && reply.status < 500;
  assertThat(`${reply.name}: status`, refused, 'a refusal (4xx)', `${reply.status} ${reply.excerpt()}`);
}

/** Throws `Mismatched` unless the body has an error string (section 7). */
export function assertErrorBody(reply: Reply): void {
  const error = reply.get('error');
  assertThat(`${reply.name}: error`, typeof error === 'string' && error !== '', 'an error string', show(error));
}

/** Throws `Mismatched` unless the status is that of a row of spec/errors. */
export function assertStatusOf(reply: Reply, key: ErrorKey): void {
  const row = errors[key];
  const expected = `${row.status} (${row.cause})`;
  assertThat(`${reply.name}: status`, reply.status === row.status, expected, `${reply.status} ${reply.excerpt()}`);
}

/** Throws `Mismatched` unless the code is that of a row of spec/errors. */
export function assertCodeOf(reply: Reply, key: ErrorKey): void {
  assertEqual(`${reply.name}: code`, reply.get('code'), errors[key].code);
}
