/** The stages of building a server in their order, and the place of an endpoint, a finding or a reason among them. It reads no result. */

import { causeRank } from '../spec/causes.js';
import type { EndpointId } from '../spec/endpoint-ids.js';
import { endpointNamed, endpointOf } from '../spec/endpoint-ids.js';
import type { Finding, Why } from './conformance-result.js';

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

/** The calls without which there is no clock; a reason without a call is about all of the API. */
const CLOCK_CALLS: readonly string[] = ['', 'capabilities', 'clock/advance'];

export const ROAD: readonly Stage[] = [
  { title: 'the suite may write', kinds: ['writes'] },
  { title: 'registration', endpoints: ['register'] },
  { title: 'beat chains', endpoints: ['init'] },
  {
    title: 'lookups',
    endpoints: ['status', 'verify', 'beat-status', 'beat-anchor', 'verify-batch', 'beat-verify', 'authority-key'],
  },
  { title: 'a clock that can be moved', kinds: ['clock', 'wait', 'control', 'effect'] },
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
  if ((kind === 'control' || kind === 'effect') && !CLOCK_CALLS.includes(of))
    return ROAD.findIndex(({ title }) => title === CALLS);
  return (kind === 'endpoint' ? byEndpoint.get(of) : byKind.get(kind)) ?? ROAD.length;
}

/** The place of an endpoint that is not there. */
export function placeOfEndpoint(endpoint: string): number | undefined {
  return byEndpoint.get(endpoint);
}

/** The stages of the endpoints that checks of a word are about, and of further words of checks. */
const byStem = new Map<string, number>([
  ...[...byEndpoint].toReversed().map(([id, at]) => [endpointOf(id as EndpointId).stem, at] as const),
  ['dms', byEndpoint.get('heartbeat') ?? 0],
]);

/**
 * The place of the endpoint that a finding is about; of one without an endpoint, such as a delivery that does not come, that of the
 * check that met it.
 */
export function placeOfFinding({ endpoint, checks }: Pick<Finding, 'endpoint' | 'checks'>): number {
  const own = byEndpoint.get(endpointNamed(endpoint.replace(MORE, '')) ?? '');
  return own ?? byStem.get(checks[0]?.split('/')[0] ?? '') ?? ROAD.length - 1;
}

/** The end of the endpoint of a finding that several have. */
export const MORE = / and \d+ more$/;

/** The order in which to fix deviations: the text's first, then by kind, by stage, and by how many checks met them. */
export function inOrderToFix(a: Finding, b: Finding): number {
  return (
    Number(a.level === 'decision') - Number(b.level === 'decision') ||
    causeRank(a.cause) - causeRank(b.cause) ||
    placeOfFinding(a) - placeOfFinding(b) ||
    b.checks.length - a.checks.length
  );
}
