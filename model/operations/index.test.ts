import { expect, it } from 'vitest';
import { endpoints } from '../../spec/endpoints/index.js';
import { judgedByForm, operations } from './index.js';

it('every endpoint has an operation, or a reason why it has none', () => {
  const ids = endpoints.map(({ id }) => id);
  const missing = ids.filter((id) => !operations.has(id) && judgedByForm[id] === undefined);
  expect(missing, 'write model/operations/ID.ts and list it in model/operations/index.ts').toEqual([]);
  expect(Object.keys(judgedByForm).filter((id) => operations.has(id) || !ids.includes(id))).toEqual([]);
  expect([...operations.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});

/** The payment of a resync, where a change gives it a fee, is refused by the rows of a payment of the same kind. */
const BORROWED: Readonly<Record<string, readonly string[]>> = {
  resync: [
    'reissue-proof/PAYMENT_REQUIRED',
    'reissue-proof/PAYMENT_INVALID',
    'reissue-proof/PAYMENT_INVALID',
    'reissue-proof/PAYMENT_ALREADY_USED',
  ],
};

it('an operation refuses by rows of its endpoint alone, but for the fee of a resync', () => {
  for (const endpoint of endpoints) {
    const rows = operations.get(endpoint.id)?.refusals.map(({ row }) => row as string) ?? [];
    const others = rows.filter((row) => row.split('/')[0] !== endpoint.stem);
    expect(others, endpoint.id).toEqual(BORROWED[endpoint.id] ?? []);
  }
});
