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

/** The states of a clause while a run goes on. `inconclusive`: exchanges came to it, and none could judge it. */
export const CELL_STATES = ['not-judged', 'holds', 'fails', 'inconclusive', 'excluded'] as const;
export type CellState = (typeof CELL_STATES)[number];

/** The state of a clause of a report, as a cell shows it. */
export function cellState({ state, exchanges }: Pick<ReportedClause, 'state' | 'exchanges'>): CellState {
  return state === 'not-judged' && exchanges !== undefined && exchanges.open > 0 ? 'inconclusive' : state;
}

/** The state of a report: an inconclusive clause is not judged. */
export const reportedState = (state: CellState): ReportedClause['state'] =>
  state === 'inconclusive' ? 'not-judged' : state;

/** The state of a cell in words. */
export function cellLabel(state: CellState): string {
  return state === 'inconclusive' ? state : stateLabel(state);
}

/** The state of a clause in words. */
export function stateLabel(state: ReportedClause['state']): string {
  return STATES.find((entry) => entry.state === state)?.one ?? state;
}

/** How many clauses are in each state, in its words. */
export function stateCounts(
  clauses: readonly Pick<ReportedClause, 'state'>[],
): { state: string; label: string; count: number }[] {
  return STATES.map(({ state, one, many }) => {
    const count = clauses.filter((clause) => clause.state === state).length;
    return { state, label: count === 1 ? one : many, count };
  });
}

/** `9 pass, 1 not judged`: the states that occur, with their counts. */
export function stateText(clauses: readonly Pick<ReportedClause, 'state'>[]): string {
  const counts = stateCounts(clauses).filter(({ count }) => count > 0);
  return counts.map(({ label, count }) => `${numberText(count)} ${label}`).join(', ');
}
