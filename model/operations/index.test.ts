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

it('an operation refuses by rows of its endpoint alone', () => {
  for (const endpoint of endpoints) {
    const rows = operations.get(endpoint.id)?.refusals.map(({ row }) => row.split('/')[0]) ?? [];
    expect(
      rows.filter((stem) => stem !== endpoint.stem),
      endpoint.id,
    ).toEqual([]);
  }
});
