/**
 * The words for the states of a clause, and how many clauses are in each. The states themselves are decided by the
 * suite.
 */

import type { ReportedClause } from '../../results/conformance-result.js';
import { numberText } from '../../results/numbers.js';

const STATES: readonly {
  readonly state: ReportedClause['state'];
  readonly one: string;
  readonly many: string;
}[] = [
  { state: 'holds', one: 'passes', many: 'pass' },
  { state: 'fails', one: 'fails', many: 'fail' },
  { state: 'not-judged', one: 'not judged', many: 'not judged' },
  { state: 'excluded', one: 'excluded', many: 'excluded' },
];

/** The state of a clause in words. */
export function stateLabel(state: ReportedClause['state']): string {
  return STATES.find((entry) => entry.state === state)?.one ?? state;
}

/** How many clauses are in each state, in its words. */
export function stateCounts(clauses: readonly ReportedClause[]): { state: string; label: string; count: number }[] {
  return STATES.map(({ state, one, many }) => {
    const count = clauses.filter((clause) => clause.state === state).length;
    return { state, label: count === 1 ? one : many, count };
  });
}

/** `9 pass, 1 not judged`: the states that occur, with their counts. */
export function stateText(clauses: readonly ReportedClause[]): string {
  const counts = stateCounts(clauses).filter(({ count }) => count > 0);
  return counts.map(({ label, count }) => `${numberText(count)} ${label}`).join(', ');
}
