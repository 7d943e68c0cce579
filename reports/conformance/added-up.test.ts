import { expect, it } from 'vitest';
import type { ReportedClause } from '../../results/conformance-result.js';
import { cleanConformance } from '../../test/fixtures/results.js';
import { addedUpText } from './added-up.js';

const [model] = cleanConformance().clauses;
const run = (...states: readonly ReportedClause['state'][]) => ({
  clauses: states.map((state, at): ReportedClause => ({ ...(model as ReportedClause), id: `x.${at}`, state })),
});

it('one run has nothing to be added to', () => {
  expect(addedUpText([run('holds')])).toBeUndefined();
});

it.each<[string, ReturnType<typeof run>, string]>([
  [
    'what one of them judges is judged',
    run('not-judged', 'holds', 'not-judged'),
    '2 of 3 clauses judged: 2 pass, 0 fail',
  ],
  ['a failure in one is a failure', run('fails', 'not-judged', 'not-judged'), '1 of 3 clauses judged: 0 pass, 1 fail'],
  [
    'what only one excludes is to be judged',
    run('holds', 'holds', 'excluded'),
    '2 of 3 clauses judged: 2 pass, 0 fail',
  ],
])('of several runs %s', (_, second, text) => {
  expect(addedUpText([run('holds', 'not-judged', 'not-judged'), second])).toBe(
    `2 runs together, if they are of one implementation: Specification: ${text}`,
  );
});
