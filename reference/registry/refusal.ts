import { type ErrorKey, type ErrorRow, errors } from '../../spec/errors.js';

/** A refused operation: a row of spec/errors, and the fields that its body has besides error and code. */
export interface Refusal {
  readonly ok: false;
  readonly row: ErrorRow;
  /** What is wrong with this request, where the row's cause leaves it open. */
  readonly detail?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The transaction that must be looked up on another ledger before the call can be judged; it is no part of the body. */
  readonly lookUp?: string;
}

const plain = new Map<ErrorKey, Refusal>(
  (Object.keys(errors) as ErrorKey[]).map((key) => [key, Object.freeze({ ok: false, row: errors[key] })]),
);

/** Refuses by a row of spec/errors. Refusals are values: they cost nothing and are never thrown. */
export function refuse(key: ErrorKey, detail?: string, fields?: Readonly<Record<string, unknown>>): Refusal {
  if (detail === undefined && fields === undefined) return plain.get(key) as Refusal;
  return {
    ok: false,
    row: errors[key],
    ...(detail === undefined ? {} : { detail }),
    ...(fields === undefined ? {} : { fields }),
  };
}
