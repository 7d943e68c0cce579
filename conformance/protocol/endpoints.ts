import { clauses } from '../../spec/clauses/index.js';
import type { Endpoint } from '../../spec/endpoint.js';
import * as spec from '../../spec/endpoints/index.js';

type Known = Exclude<keyof typeof spec, 'endpoints'>;

/** The id of an endpoint of spec/endpoints. */
export type EndpointId = (typeof spec)[Known]['id'];

const byId = new Map<string, Endpoint>(spec.endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** The endpoint of an id. Throws `RangeError` for an id that none has. */
export function endpointOf(id: EndpointId): Endpoint {
  const endpoint = byId.get(id);
  if (endpoint === undefined) throw new RangeError(`no endpoint has the id ${id}`);
  return endpoint;
}

/** Every endpoint's id. */
export const endpointIds: readonly EndpointId[] = spec.endpoints.map(({ id }) => id as EndpointId);

/** Method and path of an endpoint, as reports name it. */
export function nameOf(id: EndpointId): string {
  const { method, path } = endpointOf(id);
  return `${method} ${path}`;
}

const clauseIds: ReadonlySet<string> = new Set(clauses.map(({ id }) => id));

/** The clause that says that an endpoint exists: `status.route`, `sponsor.route.get`. Throws where there is none. */
export function routeClauseOf(id: EndpointId): string {
  const [stem, more] = id.startsWith('beats.') ? [id.slice('beats.'.length), 'beats'] : id.split('.');
  const found = [`${stem}.route.${more}`, `${stem}.route`].find((clause) => clauseIds.has(clause));
  if (found === undefined) throw new RangeError(`no clause says that ${id} exists`);
  return found;
}

/** Endpoints whose reply shape the specification does not show: the decision that gives it. */
const shapeDecisions: Partial<Record<EndpointId, string>> = {
  status: 'D-19',
  verify: 'D-20',
  'beat-status': 'D-21',
  'beat-anchor': 'D-05',
  'beat-verify': 'D-10',
  'authority-key': 'D-13',
  'fees-summary': 'D-22',
  passport: 'D-12',
  'work-proof.get': 'D-08',
  'beat-key': 'D-08',
  'beat-timestamp': 'D-08',
  health: 'D-08',
  'beats.beat-anchor': 'D-05',
  'beats.beat-verify': 'D-10',
};

/** Fields whose form a decision gives where the specification only names them, by the end of their path. */
const fieldDecisions: readonly (readonly [path: RegExp, decision: string])[] = [
  [/^secret$/, 'D-15'],
  [/^api_key$/, 'D-15'],
  [/(^|\.)nonce$/, 'D-18'],
  [/^expires_in$/, 'D-45'],
  [/(^|\.)lineage_chain_hash$/, 'D-14'],
  [/^genesis\.(hash|prev)$/, 'D-03'],
  [/^(genesis|latest)_hash$/, 'D-02'],
  [/^receipt$/, 'D-09'],
  [/^receipt\./, 'D-09'],
  [/^results\.\d+\.(agent|sigil|beat_state|lineage|root)\./, 'D-20'],
];

/** The decision that a fault at a path of an endpoint's reply rests on; undefined when the specification says it. */
export function decisionBehind(id: EndpointId, path: string): string | undefined {
  return shapeDecisions[id] ?? fieldDecisions.find(([pattern]) => pattern.test(path))?.[1];
}
