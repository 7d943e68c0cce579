/** Where the services are, as files of traffic show it: the addresses to which most requests with known paths went. */

import { type Endpoint, fits } from '../spec/endpoint.js';
import { endpoints } from '../spec/endpoints/index.js';
import type { Observed } from './exchange.js';

/** The addresses of the services. */
export interface Addresses {
  readonly baseUrl: string;
  readonly beatsUrl: string | null;
}

/** The endpoints that a URL may be of, and the address of their service: the part of the URL before the path. */
function calledBy({ method, url }: Observed['request']): {
  readonly base: string;
  readonly found: readonly Endpoint[];
} {
  const { origin, pathname } = new URL(url);
  const start = pathname.search(/\/(?:api\/v1|\.well-known)\//);
  if (start === -1) return { base: origin, found: [] };
  const path = pathname.slice(start);
  const found = endpoints.filter((each) => each.method === method && fits(each.path, path));
  return { base: origin + pathname.slice(0, start), found };
}

/** The addresses that the first exchanges show; undefined if none of them has a known path. */
export function addressesIn(exchanges: readonly Observed[]): Addresses | undefined {
  const registry = new Map<string, number>();
  const beats = new Map<string, number>();
  for (const { request } of exchanges) {
    const { base, found } = calledBy(request);
    const services = new Set(found.map(({ service }) => service));
    if (services.has('registry')) registry.set(base, (registry.get(base) ?? 0) + 1);
    else if (services.has('beats')) beats.set(base, (beats.get(base) ?? 0) + 1);
  }
  const [baseUrl, beatsUrl] = [mostOf(registry), mostOf(beats)];
  if (baseUrl === undefined && beatsUrl === undefined) return undefined;
  return { baseUrl: baseUrl ?? (beatsUrl as string), beatsUrl: beatsUrl ?? null };
}

function mostOf(counts: ReadonlyMap<string, number>): string | undefined {
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/**
 * Marks requests of a file that was written without credentials, as browsers do by default: calls that need a key and were accepted, in a file in
 * which no request before them has an Authorization header.
 */
export function withoutCredentials(): (observed: Observed) => Observed {
  let hasSeen = false;
  return (observed) => {
    const { request, reply, unread } = observed;
    hasSeen ||= request.headers['authorization'] !== undefined;
    if (hasSeen || unread !== undefined || (reply?.status ?? 400) >= 400) return observed;
    const needsKey = calledBy(request).found.some(({ auth }) => auth !== 'none' && auth !== 'registration');
    return needsKey ? { ...observed, unread: 'no-credentials' } : observed;
  };
}
