/** A run of the suite in words: title, bar and tab. All of it follows from the verdict of the report, once there is one. */

import { CELL_STATES, type CellState } from '../../reports/conformance/clause-states.js';
import { VERDICTS } from '../../reports/conformance/conformance-view.js';
import type { Verdict } from '../../reports/conformance/verdict-text.js';
import { SIGNS } from '../../reports/views/parts.js';
import { countText, numberText } from '../../results/numbers.js';
import type { Watched } from '../server/conformance/conformance-desk.js';

/** A run in words. */
interface RunWords {
  readonly tone: Verdict['tone'];
  readonly title: string;
  /** The sentence below the title; empty while the run is under way. */
  readonly text: string;
  /** In the list of views: how far it is, or the sign of its verdict. */
  readonly badge: string;
  /** The filled share of the bar, from 0 to 1: checks that are done, and at the end clauses that were judged. */
  readonly share: number;
  /** The number of deviations from the text; undefined if nothing was judged. */
  readonly deviations: number | undefined;
  readonly judged: number;
  /** The clauses that are judged, and all that could be. */
  readonly clauses: { readonly judged: number; readonly total: number };
}

/** A run as the page shows it. */
export function runWords(run: Watched): RunWords {
  const { counts, total, done, seen, wrong, state, verdict } = run;
  const judged = (counts.pass ?? 0) + (counts.fail ?? 0) + (counts.advisory ?? 0);
  // A deviation from a decision is not one from the text.
  const found = seen.filter(({ level }) => level === 'must').length;
  const deviations = judged + found === 0 ? undefined : found;
  const clauses = clausesIn(run.states);
  if (state === 'running') {
    const tone = found + wrong.length > 0 ? 'bad' : judged === 0 ? 'open' : 'good';
    const failed = found > 0 ? countText(found, 'deviation') : `${countText(wrong.length, 'check')} failed`;
    const soFar = { bad: `${failed} so far`, open: 'nothing is judged yet', good: 'nothing wrong so far' }[tone];
    const title = `A run is under way: ${soFar}`;
    const share = shareOf(done, total);
    return { tone, title, text: '', badge: `${Math.floor(100 * share)} %`, share, deviations, judged, clauses };
  }
  const { tone, word, text } = verdict ?? {
    tone: 'open' as const,
    word: 'No run was made',
    text: run.error ?? 'it ended without a report',
  };
  const share = shareOf(clauses.judged, clauses.total);
  return { tone, title: word, text, badge: SIGNS[tone], share, deviations, judged, clauses };
}

const shareOf = (count: number, total: number): number => (total === 0 ? 0 : Math.min(1, count / total));

function clausesIn(states: string): RunWords['clauses'] {
  const of = (state: CellState): number => states.split(String(CELL_STATES.indexOf(state))).length - 1;
  return { judged: of('holds') + of('fails'), total: states.length - of('excluded') };
}

/** The sign of a verdict with its sentence; empty while the run is under way. */
export const leadOf = ({ tone, text }: RunWords): string => (text === '' ? '' : `${SIGNS[tone]} ${text}`);

/** `Run 3: 2 of 452 checks judged, 450 not tested`: how far a run is, or how much it has judged. */
export function progressText(run: Watched): string {
  const { judged } = runWords(run);
  const more = VERDICTS.flatMap(({ verdict, label }) => {
    const count = run.counts[verdict] ?? 0;
    return count === 0 ? [] : [`, ${numberText(count)} ${label}`];
  });
  const rest = run.completes === null ? '' : `; the other checks are of run ${run.completes}`;
  return `Run ${run.n}: ${numberText(judged)} of ${numberText(run.total)} checks judged${more.join('')}${rest}`;
}
