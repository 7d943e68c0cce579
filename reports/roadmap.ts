/** Lists the stages of building a server in their order, and marks those that a target has reached. next-step.ts chooses the next step. */

import type { EndpointId } from '../spec/endpoint-ids.js';
import { endpointNamed, endpointOf } from '../spec/endpoint-ids.js';
import type { ConformanceResult, Finding, Why } from './conformance-result.js';
import { type ConformanceWriting, isUnjudged } from './conformance-view.js';
import { sortedFindings } from './findings-view.js';
import { adviceOn } from './need-hints.js';
import { countText, numberText } from './numbers.js';

type Kind = Why['kind'];

/** A stage of building: all that it needs is in the stages before it. */
interface Stage {
  readonly title: string;
  /** The endpoints that it adds. */
  readonly endpoints?: readonly EndpointId[];
  /** The kinds of reasons for not judging that it ends: what the server or its target file gives from then on. */
  readonly kinds?: readonly Kind[];
}

/** Calls of the control API that only single checks need. */
const CALLS = 'every call of the control API';

const ROAD: readonly Stage[] = [
  { title: 'the suite may write', kinds: ['writes'] },
  { title: 'registration', endpoints: ['register'] },
  { title: 'beat chains', endpoints: ['init'] },
  {
    title: 'lookups',
    endpoints: ['status', 'verify', 'beat-status', 'beat-anchor', 'verify-batch', 'beat-verify', 'authority-key'],
  },
  { title: 'a clock that can be moved', kinds: ['clock', 'wait', 'control'] },
  { title: 'clients told apart', kinds: ['client-ip', 'address'] },
  { title: 'wallets', endpoints: ['wallet'] },
  // Only the fees summary says where fees are paid to.
  { title: 'payments', endpoints: ['fees-summary'], kinds: ['payments', 'ledger', 'purse'] },
  { title: 'identity', endpoints: ['sigil', 'metadata'] },
  { title: 'heartbeats', endpoints: ['heartbeat', 'passport', 'reissue-proof'] },
  { title: 'the beats service', kinds: ['beats'] },
  {
    title: 'receipts of work',
    endpoints: [
      'work-proof.post',
      'work-proof.get',
      'beat-key',
      'beats.beat-anchor',
      'beats.beat-verify',
      'beat-timestamp',
      'health',
    ],
  },
  { title: 'work', endpoints: ['beats-submit', 'spawn', 'resync'] },
  {
    title: 'families and flags',
    endpoints: ['sponsor.post', 'sponsor.get', 'sponsor.delete', 'flag', 'register-token', 'checkin'],
  },
  { title: 'subsidies', endpoints: ['subsidy.post', 'subsidy.delete'], kinds: ['admin'] },
  {
    title: 'partners',
    endpoints: ['partner-webhook.put', 'partner-webhook.get', 'partner-webhook.delete'],
    kinds: ['partner', 'webhooks'],
  },
  { title: CALLS },
  { title: 'the rest', kinds: ['mainnet', 'secret', 'budget', 'decision', 'exhaustive'] },
];

const byEndpoint = new Map<string, number>(ROAD.flatMap(({ endpoints = [] }, at) => endpoints.map((id) => [id, at])));
const byKind = new Map<Kind, number>(ROAD.flatMap(({ kinds = [] }, at) => kinds.map((kind) => [kind, at] as const)));

/** The place on the road of what ends a reason for not judging; what has none comes last. */
export function placeOf({ kind, of = '' }: Why): number {
  if ((kind === 'control' || kind === 'effect') && of !== '') return ROAD.findIndex(({ title }) => title === CALLS);
  return (kind === 'endpoint' ? byEndpoint.get(of) : byKind.get(kind)) ?? ROAD.length;
}

/** The place of the endpoint that a finding is about; one about the whole service comes first. */
export function placeOfFinding({ endpoint }: Pick<Finding, 'endpoint'>): number {
  return byEndpoint.get(endpointNamed(endpoint.replace(/ and \d+ more$/, '')) ?? '') ?? 0;
}

/** One stage, and what a result shows of it. */
interface Reached {
  readonly title: string;
  /** `unclear`: nothing is wrong or lacking there, and less than half of it was judged. */
  readonly state: 'done' | 'wrong' | 'lacking' | 'unclear';
  /** The endpoints to build, the settings to give or the number of findings; empty for a stage that is done. */
  readonly detail: string;
}

/** Every stage that the run asked about, in the order in which a server is built. */
export function roadOf(result: ConformanceResult, writing: ConformanceWriting): readonly Reached[] {
  const { failing } = sortedFindings(result, writing);
  return ROAD.flatMap(({ title, endpoints = [], kinds = [] }, at): readonly Reached[] => {
    const wrong = failing.filter((finding) => finding.endpoint !== '' && placeOfFinding(finding) === at).length;
    const gone = (result.not_served ?? []).filter(({ endpoint }) => byEndpoint.get(endpoint) === at);
    const lacking = [...gone.map(({ method, path }) => `${method} ${path}`), ...waitingAt(result, at)];
    const found = wrong === 0 ? [] : [countText(wrong, 'finding')];
    if (found.length + lacking.length > 0)
      return [{ title, state: wrong > 0 ? 'wrong' : 'lacking', detail: [...found, ...lacking].join(', ') }];
    // The beats service has some lookups under the words of the registry's.
    const stems = new Set(endpoints.filter((id) => !id.startsWith('beats.')).map((id) => endpointOf(id).stem));
    const own = result.checks.filter(({ id }) => stems.has(id.split('/')[0] ?? ''));
    const passed = own.filter(({ verdict }) => verdict === 'pass').length;
    if (own.length === 0 && !kinds.some((kind) => result.target.offers.includes(kind))) return [];
    if (passed * 2 >= own.length) return [{ title, state: 'done', detail: '' }];
    return [{ title, state: 'unclear', detail: `${numberText(passed)} of ${countText(own.length, 'check')} passed` }];
  });
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
