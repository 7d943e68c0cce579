/** The limits of section 8 that a request counts in, and those of 0, by which a change takes a call away. Counting is not here. */

import { type EndpointId, endpointOf } from './endpoint-ids.js';
import type { LimitName, Protocol } from './protocol.js';

/** The limits that a request counts in. */
export function limitsOf(id: EndpointId, body: unknown): readonly LimitName[] {
  const buckets = endpointOf(id).buckets.filter(({ when }) => when === undefined || when.test(body));
  return buckets.map(({ limit }) => limit);
}

/** The limit of 0 that disables an endpoint by the numbers of the target; undefined if there is none. */
export function shutBy({ limits }: Protocol, id: EndpointId, body: unknown): LimitName | undefined {
  return limitsOf(id, body).find((limit) => limits[limit].count === 0);
}
