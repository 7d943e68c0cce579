/** Lists the stages of building a server in their order, and marks those that a target has reached. next-step.ts chooses the next step, stages.ts has the order. */

import type { ConformanceResult, Finding, Why } from '../../results/conformance-result.js';
import { countText, numberText } from '../../results/numbers.js';
import { placeOf, placeOfEndpoint, placeOfFinding, ROAD } from '../../results/stages.js';
import { causeNames, causeText } from '../../spec/causes.js';
import { endpointOf } from '../../spec/endpoint-ids.js';
import { type ConformanceWriting, isUnjudged } from './conformance-view.js';
import { sortedFindings } from './findings-view.js';
import { adviceOn } from './need-hints.js';

/** One stage, and what a result shows of it. */
interface Reached {
  readonly title: string;
  /** `unclear`: nothing is wrong or missing there, and less than half of it was judged. */
  readonly state: 'done' | 'wrong' | 'lacking' | 'unclear';
  /** The endpoints to build, the settings to give or the number of findings; empty for a stage that is done. */
  readonly detail: string;
}

/** Every stage that the run asked about, in the order in which a server is built. */
export function roadOf(result: ConformanceResult, writing: ConformanceWriting): readonly Reached[] {
  const { failing } = sortedFindings(result, writing);
  return ROAD.flatMap(({ title, endpoints = [], kinds = [] }, at): readonly Reached[] => {
    const wrong = failing.filter((finding) => placeOfFinding(finding) === at);
    const gone = (result.not_served ?? []).filter(({ endpoint }) => placeOfEndpoint(endpoint) === at);
    const lacking = [...gone.map(({ method, path }) => `${method} ${path}`), ...waitingAt(result, at)];
    const found = wrong.length === 0 ? [] : [wrongText(wrong)];
    if (found.length + lacking.length > 0)
      return [{ title, state: wrong.length > 0 ? 'wrong' : 'lacking', detail: [...found, ...lacking].join(', ') }];
    // The beats service has some lookups under the words of the registry's.
    const stems = new Set(endpoints.filter((id) => !id.startsWith('beats.')).map((id) => endpointOf(id).stem));
    const own = result.checks.filter(({ id }) => stems.has(id.split('/')[0] ?? ''));
    const passed = own.filter(({ verdict }) => verdict === 'pass').length;
    if (own.length === 0 && !kinds.some((kind) => result.target.offers.includes(kind))) return [];
    if (passed * 2 >= own.length) return [{ title, state: 'done', detail: '' }];
    return [{ title, state: 'unclear', detail: `${numberText(passed)} of ${countText(own.length, 'check')} passed` }];
  });
}

/** The number of findings of a stage, and their kinds in the order in which to fix them: `3 findings (an error of the server, a field differs)`. */
function wrongText(findings: readonly Finding[]): string {
  const kinds = causeNames.filter((name) => findings.some(({ cause }) => cause === name)).map(causeText);
  return `${countText(findings.length, 'finding')}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`;
}

/** The advice for a stage at which something is not given, with the number of what waits for it: `1 check and 2 must clauses wait: give …`. */
function waitingAt({ checks, clauses }: ConformanceResult, at: number): readonly string[] {
  const waits = ({ why }: { readonly why?: Why }): boolean =>
    why !== undefined && why.kind !== 'endpoint' && placeOf(why) === at;
  const waiting = [...clauses.filter(({ state }) => state === 'not-judged'), ...checks.filter(isUnjudged)].filter(
    waits,
  );
  if (waiting.length === 0) return [];
  const must = waiting.filter((one) => 'state' in one && one.level === 'must').length;
  const counts = `${countText(waiting.filter((one) => 'verdict' in one).length, 'check')} and ${countText(must, 'must clause')} wait`;
  const advice = waiting.flatMap(({ why }) => (why && adviceOn(why)?.text) ?? [])[0];
  return [advice === undefined ? counts : `${counts}: ${advice}`];
}
