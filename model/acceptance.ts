/** Which refusals count as evidence: an endpoint that refuses everything is right by chance. */

import type { Facts } from '../spec/endpoint.js';
import { endpointIds, endpointOf, nameOf } from '../spec/endpoint-ids.js';

/** The endpoints that have accepted a request, by method and path. */
export class Acceptance {
  readonly #accepting = new Set<string>();
  /** Retired endpoints, which always answer with an error. */
  readonly #retired: ReadonlySet<string>;

  constructor(facts: Facts) {
    const isRetired = (id: (typeof endpointIds)[number]): boolean =>
      Object.keys(endpointOf(id).replies(facts)).every((status) => Number(status) >= 400);
    this.#retired = new Set(endpointIds.filter(isRetired).map(nameOf));
  }

  /** Notes a reply. Returns whether it is a refusal, which counts only if the endpoint accepts another request. */
  isRefusal(endpoint: string, status: number | undefined): boolean {
    const isRefused = (status ?? 0) >= 400 && !this.#retired.has(endpoint);
    if (!isRefused) this.#accepting.add(endpoint);
    return isRefused;
  }

  /** The evidence from refusals that counts; `refused`: by endpoint. */
  counting<T>(refused: ReadonlyMap<string, T>): readonly T[] {
    return [...refused].flatMap(([endpoint, each]) => (this.#accepting.has(endpoint) ? [each] : []));
  }
}
