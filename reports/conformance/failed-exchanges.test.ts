import { expect, it } from 'vitest';
import type { ConformanceResult, Exchange } from '../../results/conformance-result.js';
import { failedExchanges, numbersOf, untilFailed } from './failed-exchanges.js';

const sent: Exchange = { request: { method: 'POST', url: '/x', headers: {} } };
const note: Exchange = { request: { method: 'NOTE', url: '', headers: {} }, left_out: 50 };

/** A result with evidence against one clause. */
const resultOf = (...evidence: readonly object[]) => ({ clauses: [{ evidence }] }) as unknown as ConformanceResult;
const against = { check: 'a/b', step: '', level: 'must', about: 'status', ok: false, expected: '429', actual: '200' };

it('numbers exchanges as evidence does, over those that a note leaves out', () => {
  expect(numbersOf([sent, sent, note, sent])).toEqual([1, 2, 52, 53]);
});

it('says in which exchanges a check met something, against the text first, each once', () => {
  const transcript = [sent, sent, note, sent, sent];
  const result = resultOf(
    { ...against, n: 53, level: 'decision', about: 'code' },
    { ...against, n: 53 },
    { ...against, n: 53 },
    { ...against, n: 2, ok: true },
    { ...against, n: 1, check: 'c/d' },
  );
  const marks = failedExchanges(result, 'a/b', transcript);
  expect([...marks]).toEqual([
    [3, ['failed: status: expected 429, got 200', 'decision not followed: code: expected 429, got 200']],
  ]);
  expect(untilFailed(transcript, marks)).toHaveLength(4);
  expect(untilFailed(transcript, new Map())).toHaveLength(5);
});
