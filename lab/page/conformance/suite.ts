/** The clauses and checks of the suite, which a watched run names by their places. */

import { CELL_STATES, type CellState } from '../../../reports/conformance/clause-states.js';
import { VERDICTS } from '../../../reports/conformance/conformance-view.js';
import type { Verdict } from '../../../results/conformance-result.js';
import type { Suite } from '../../server/conformance/exchange-actions.js';
import { answered, useAnswer } from '../answers.js';

/** The suite as it was read first: it stays the same while the page is open. */
let kept: Suite | undefined;

/** The suite, once it has been read. */
export function useSuite(): Suite | undefined {
  kept = answered(useAnswer<Suite>('conformance/suite', {}, 0)) ?? kept;
  return kept;
}

/** The states of all clauses; not judged where a run has said nothing yet. */
export function statesIn(states: string, { clauses }: Suite): readonly CellState[] {
  return clauses.map((_, at) => CELL_STATES[Number(states[at] ?? 0)] ?? 'not-judged');
}

/** The verdict of a check by its place; undefined for one that has not ended. */
export const verdictAt = (verdicts: string, at: number): Verdict | undefined => VERDICTS[Number(verdicts[at])]?.verdict;
