import { expect, it } from 'vitest';
import { meaningText } from './change-run-words.js';

const seen = { title: 'a', expected: '1', actual: '2', times: 1, check: 'a/b', n: 1 };
const broken = { ...seen, clauses: ['x.y', 'x.z'], level: 'must' };
const decided = { ...seen, clauses: ['x.d'], level: 'decision' };

it.each([
  [{ seen: [], counts: { pass: 4 } }, "Nothing of today's text breaks, and no decision either."],
  [
    { seen: [decided], counts: { pass: 4, advisory: 1 } },
    "Nothing of today's text breaks; 1 check of a decision fails, where the text leaves the choice open.",
  ],
  [{ seen: [broken], counts: { fail: 1 } }, "The change breaks 2 clauses of today's text."],
  [
    { seen: [broken, decided], counts: { fail: 1, advisory: 2 } },
    "The change breaks 2 clauses of today's text, and 2 checks of a decision.",
  ],
  [{ seen: [], counts: { 'not-tested': 4 } }, 'Nothing was judged, so nothing is known of what the change breaks.'],
])('a run under a change means: %j', (run, sentence) => {
  expect(meaningText(run)).toBe(sentence);
});
