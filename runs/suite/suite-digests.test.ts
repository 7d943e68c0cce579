// The digest of a text changes with the text, and not with the numbers that this tool adds and switches off.
import { expect, it } from 'vitest';
import { presentSpec } from '../../spec/released.js';
import { textDigest } from './suite-digests.js';

it('the digest of a text changes with each of its numbers, and with an added one only if that is not 0', () => {
  const present = presentSpec('0.0.0', []);
  const digestWith = (numbers: Readonly<Record<string, number>>): string =>
    textDigest({ ...present, numbers: { ...present.numbers, ...numbers } });
  const { 'deposit.lamports': deposit, ...without } = present.numbers;
  const own = digestWith({});
  expect(deposit).toBe(0);
  expect(textDigest({ ...present, numbers: without })).toBe(own);
  for (const other of [{ 'deposit.lamports': 1 }, { 'dms.missedAnchorsMax': 61 }, { 'dms.other': 0 }])
    expect(digestWith(other)).not.toBe(own);
  expect(textDigest({ ...present, version: '9.0.0', checks: ['a/b'] })).toBe(own);
});
