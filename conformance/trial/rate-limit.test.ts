import { expect, it } from 'vitest';
import { retryAfterSec } from './rate-limit.js';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

it.each([
  ['seconds', { 'retry-after': '90' }, 90],
  [
    'a moment of the clock of Date',
    { 'retry-after': 'Thu, 01 Jan 2026 09:01:00 GMT', date: 'Thu, 01 Jan 2026 09:00:00 GMT' },
    60,
  ],
  ['a moment of protocol time', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
  ['a moment that has passed', { 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
  ['no header', {}, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
])('Retry-After is read from %s', (_, headers, expected) => {
  expect(retryAfterSec(headers as Record<string, string>, NOW_MS)).toBe(expected);
});
