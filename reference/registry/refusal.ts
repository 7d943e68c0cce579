/** Refusals: rows of spec/errors as values that rules return. A bug is an exception, never a refusal. */

import { type ErrorKey, type ErrorRow, errors } from '../../spec/errors.js';

/** A refused operation: a row of spec/errors, and the fields of its body besides error and code. */
export interface Refusal {
  readonly ok: false;
  readonly row: ErrorRow;
  /** The reason in this case, where the row's cause is general. */
  readonly detail?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The transaction that must be looked up on another ledger before the call can be judged; not part of the body. */
  readonly lookUp?: string;
}

const plain = new Map<ErrorKey, Refusal>(
  (Object.keys(errors) as ErrorKey[]).map((key) => [key, Object.freeze({ ok: false, row: errors[key] })]),
);

/** Refuses by a row of spec/errors. A plain refusal is a shared constant and costs nothing. */
export function refuse(key: ErrorKey, detail?: string, fields?: Readonly<Record<string, unknown>>): Refusal {
  if (detail === undefined && fields === undefined) return plain.get(key) as Refusal;
  return {
    ok: false,
    row: errors[key],
    ...(detail === undefined ? {} : { detail }),
    ...(fields === undefined ? {} : { fields }),
  };
}
