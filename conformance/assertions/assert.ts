import { type ErrorKey, errors } from '../../spec/errors.js';
import { assertEqual, assertThat, show } from './mismatch.js';
import type { Reply } from './reply.js';

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
