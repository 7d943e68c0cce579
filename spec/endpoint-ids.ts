/** Typed access to the endpoints of spec/endpoints, and their names in reports. It holds no facts of its own. */
import { clauses } from './clauses/index.js';
import type { Endpoint } from './endpoint.js';
import * as spec from './endpoints/index.js';

type EndpointName = Exclude<keyof typeof spec, 'endpoints'>;

/** The id of an endpoint of spec/endpoints. */
export type EndpointId = (typeof spec)[EndpointName]['id'];

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

/** The endpoint of a method and a path pattern, that of the registry where both services have it; undefined where none has. */
export function endpointNamed(name: string): EndpointId | undefined {
  return byName.get(name);
}

// That of the registry comes first in the list.
const byName: ReadonlyMap<string, EndpointId> = new Map(endpointIds.toReversed().map((id) => [nameOf(id), id]));

const clauseIds: ReadonlySet<string> = new Set(clauses.map(({ id }) => id));

const routeClauses = new Map<EndpointId, string>();

/** The clause that says that an endpoint exists: `status.route`, `sponsor.route.get`. Throws where there is none. */
export function routeClauseOf(id: EndpointId): string {
  const known = routeClauses.get(id);
  if (known !== undefined) return known;
  const [stem, more] = id.startsWith('beats.') ? [id.slice('beats.'.length), 'beats'] : id.split('.');
  const found = [`${stem}.route.${more}`, `${stem}.route`].find((clause) => clauseIds.has(clause));
  if (found === undefined) throw new RangeError(`no clause says that ${id} exists`);
  routeClauses.set(id, found);
  return found;
}
