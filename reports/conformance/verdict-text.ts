/** The verdict of a run in words, the first line of every report. The counts are in the headline of conformance-view.ts. */

import type { ConformanceResult, Why } from '../../results/conformance-result.js';
import { countText, numberText } from '../../results/numbers.js';
import type { ConformanceWriting } from './conformance-view.js';
import { causesOf, sortedFindings } from './findings-view.js';

/** Kinds of reasons that lie in the deployment, and not in the run. */
const ELSEWHERE: ReadonlySet<Why['kind'] | undefined> = new Set(['mainnet', 'unreachable']);

/** A verdict: how it is shown, its word, and the sentence that goes with it. */
export interface Verdict {
  readonly tone: 'good' | 'bad' | 'open';
  readonly word: string;
  readonly text: string;
}

/** `Not conformant: 3 findings, 1 endpoint not there; 96 % of the specification judged`. */
export function verdictText(result: ConformanceResult, writing: ConformanceWriting = {}): string {
  const { word, text } = verdictOf(result, writing);
  return `${word}: ${text}`;
}

/** The verdict on a run. A service is conformant if nothing failed and every clause for such a deployment was judged. */
export function verdictOf(result: ConformanceResult, writing: ConformanceWriting): Verdict {
  const { exit_status, stopped, clauses, not_served = [] } = result;
  const { must } = result.summary.clauses;
  const share = `${must.total === 0 ? 0 : Math.floor((100 * must.judged) / must.total)} % of the specification`;
  const all = sortedFindings(result, writing).failing;
  const failing = causesOf(all).length;
  if (exit_status === 1 || failing > 0) {
    const wrong = [
      ...(failing === 0 ? [] : [countText(failing, 'finding')]),
      ...(all.length === failing ? [] : [`${numberText(all.length - failing)} that may follow`]),
      ...(not_served.length === 0 ? [] : [`${countText(not_served.length, 'endpoint')} not there`]),
    ];
    const other = 'checks that are flaky, or known failures that are none';
    return verdict('bad', 'Not conformant', `${wrong.length === 0 ? other : wrong.join(', ')}; ${share} judged`);
  }
  if (exit_status === 2) {
    const why = stopped ?? 'too little was judged, or not for certain';
    return verdict('open', 'Could not judge', `${why}; ${share} judged`);
  }
  const isOpen = clauses.some(
    ({ level, state, why }) => level === 'must' && state === 'not-judged' && !ELSEWHERE.has(why?.kind),
  );
  if (isOpen) return verdict('open', 'No failure in what was judged', share);
  const rest = must.judged < must.total ? ', and the rest holds for other deployments' : '';
  return verdict('good', 'Conformant', `no failure; ${share} judged${rest}`);
}

function verdict(tone: Verdict['tone'], word: string, text: string): Verdict {
  return { tone, word, text };
}
