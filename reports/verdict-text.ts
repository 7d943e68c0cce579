/** Says in words what a run has shown: the first line of every report. The counts are in the headline of conformance-view.ts. */

import type { ConformanceResult, Why } from './conformance-result.js';
import type { ConformanceWriting } from './conformance-view.js';
import { causesOf, sortedFindings } from './findings-view.js';
import { countText, numberText } from './numbers.js';

/** Kinds of reasons that lie in the deployment, and not in the run. */
const ELSEWHERE: ReadonlySet<Why['kind'] | undefined> = new Set(['mainnet', 'unreachable']);

/**
 * `Not conformant: 3 findings, 1 endpoint not there; 96 % of the specification judged`. A service is conformant where nothing
 * failed and all was judged that holds for such a deployment.
 */
export function verdictText(result: ConformanceResult, writing: ConformanceWriting = {}): string {
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
    return `Not conformant: ${wrong.length === 0 ? other : wrong.join(', ')}; ${share} judged`;
  }
  if (exit_status === 2)
    return `Could not judge: ${stopped ?? 'too little was judged, or not for certain'}; ${share} judged`;
  const isOpen = clauses.some(
    ({ level, state, why }) => level === 'must' && state === 'not-judged' && !ELSEWHERE.has(why?.kind),
  );
  if (isOpen) return `No failure in what was judged: ${share}`;
  return `Conformant: no failure; ${share} judged${must.judged < must.total ? ', and the rest holds for other deployments' : ''}`;
}
