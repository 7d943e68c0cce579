import { expect, it } from 'vitest';
import { CELL_STATES } from '../../reports/conformance/clause-states.js';
import type { Watched } from '../server/conformance/conformance-desk.js';
import { progressText, runWords } from './run-words.js';

const run: Watched = {
  ...{ n: 3, only: [], quick: false, changed: false, total: 452, done: 452, wrong: [], seen: [], completes: null },
  ...{ counts: { 'not-tested': 452 }, state: 'ended', verdict: null, first: null, before: null, newest: null },
  ...{ server: { name: 'mine', url: 'http://x' }, states: '', verdicts: '', requests: 0, tookMs: 0 },
};
const verdict = { tone: 'open', word: 'Could not judge', text: 'it was interrupted by the page' } as const;
const seen = {
  title: 'GET /x',
  clauses: ['x.y'],
  level: 'must',
  expected: '1',
  actual: '2',
  times: 1,
  check: 'a/b',
  n: 1,
};

/** Two clauses, of which one is judged, and one that is excluded. */
const HALF = (['holds', 'not-judged', 'excluded'] as const).map((state) => CELL_STATES.indexOf(state)).join('');

it.each<[Partial<Watched>, object]>([
  [{ verdict }, { tone: 'open', title: 'Could not judge', badge: '?', share: 0, deviations: undefined, judged: 0 }],
  [
    {
      verdict: { tone: 'good', word: 'Conformant', text: 'no failure' },
      counts: { pass: 450, advisory: 2 },
      states: HALF,
    },
    { tone: 'good', title: 'Conformant', badge: '✓', share: 0.5, deviations: 0, judged: 452 },
  ],
  [
    {
      verdict: { tone: 'bad', word: 'Not conformant', text: '1 finding' },
      counts: { fail: 226 },
      seen: [seen],
      states: HALF,
    },
    { tone: 'bad', title: 'Not conformant', badge: '✗', share: 0.5, deviations: 1 },
  ],
  [
    { state: 'failed', error: 'no port' },
    { tone: 'open', title: 'No run was made', text: 'no port', badge: '?' },
  ],
  [
    { state: 'running', done: 0, counts: {} },
    { tone: 'open', title: 'A run is under way: nothing is judged yet', badge: '0 %', deviations: undefined },
  ],
  [
    { state: 'running', done: 113, counts: { 'not-tested': 113 } },
    { tone: 'open', title: 'A run is under way: nothing is judged yet', badge: '25 %' },
  ],
  [
    { state: 'running', counts: { pass: 1 } },
    { tone: 'good', title: 'A run is under way: nothing wrong so far' },
  ],
  [
    { state: 'running', seen: [seen] },
    { tone: 'bad', title: 'A run is under way: 1 deviation so far', deviations: 1 },
  ],
  [
    { state: 'running', wrong: ['a/b'] },
    { tone: 'bad', title: 'A run is under way: 1 check failed so far' },
  ],
])('a run that is %j', (part, words) => {
  expect(runWords({ ...run, ...part })).toMatchObject(words);
});

it('counts the checks that were judged, and says of which run the others are', () => {
  expect(progressText(run)).toBe('Run 3: 0 of 452 checks judged, 452 not tested');
  expect(progressText({ ...run, completes: 2, total: 3, counts: { pass: 3 } })).toBe(
    'Run 3: 3 of 3 checks judged, 3 passed; the other checks are of run 2',
  );
});
