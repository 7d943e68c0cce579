/** Mistakes that any endpoint can have: it has another path, requires a key, refuses over its limit with another status, or counts too late. */

import { clauses } from '../spec/clauses/index.js';
import { type EndpointId, endpointIds, endpointOf } from '../spec/endpoint-ids.js';
import type { PlantedMutant } from './mistake.js';

/** Stems of several endpoints that share a path: each has a clause for its method. */
const SHARED: readonly string[] = ['sponsor', 'subsidy', 'partner-webhook'];
const schemaOf = (stem: string): string => `spec/endpoints/${stem}.ts`;

const routed = endpointIds.filter((id) => endpointOf(id).service === 'registry' || id === 'work-proof.post');

function elsewhere(id: EndpointId): PlantedMutant {
  const { stem, method, path } = endpointOf(id);
  const clause = SHARED.includes(stem) ? `${stem}.route.${method.toLowerCase()}` : `${stem}.route`;
  if (!SHARED.includes(stem) && id !== 'work-proof.post') {
    const change = [`path: '${path}'`, `path: '${path.replace('/api/v1', '/api/v1/x')}'`] as const;
    const title = `${method} ${path} is served elsewhere`;
    return { id: `${stem}/route-elsewhere`, title, clause, patch: { edits: [{ in: schemaOf(stem), change }] } };
  }
  const change = [`method: '${method}'`, `method: '${method === 'PATCH' ? 'PUT' : 'PATCH'}'`] as const;
  const title = `${method} ${path} is served under another method`;
  const mutant = `${stem}/route-elsewhere-${method.toLowerCase()}`;
  return { id: mutant, title, clause, patch: { edits: [{ in: schemaOf(stem), change }] } };
}

const OPEN = [
  ...['status', 'verify', 'verify-batch', 'beat-status', 'beat-anchor', 'beat-verify'],
  ...['authority-key', 'fees-summary', 'register-token'],
];

const keyWanted = (stem: string): PlantedMutant => ({
  id: `${stem}/key-wanted`,
  title: `${stem} wants an agent key`,
  clause: `auth.public.${stem}`,
  patch: { edits: [{ in: schemaOf(stem), change: ["auth: 'none'", "auth: 'agent'"] }] },
});

const limitIs503 = (id: EndpointId): PlantedMutant => ({
  id: `${endpointOf(id).stem}/limit-of-${id.replaceAll('.', '-')}-is-503`,
  title: `the limit of ${id} answers 503`,
  clause: 'limit.error.rate-limited',
  patch: { endpoint: id, code: 'RATE_LIMITED', answer: 503 },
});

/** Limits whose calls are slow enough that the next one can come before they are handled. */
const COUNTED_LATE = [
  ...['init', 'heartbeat', 'sigil', 'reissue-proof', 'spawn', 'beats-submit', 'metadata', 'sponsor', 'wallet'],
  'verify-batch',
];

const ROUTE = 'reference/http/request/route.ts';

/** Requests that come while others are handled do not see them in their bucket. */
const countedLate = (stem: string): PlantedMutant => ({
  id: `limits/counted-late-${stem}`,
  title: `calls of ${stem} count in their limit when they have been handled`,
  clause: stem === 'sponsor' ? 'limit.sponsor.post' : `limit.${stem}`,
  patch: {
    edits: [
      {
        in: ROUTE,
        import: ["{ bucketWaitMs, countInBucket } from './rate-limit.js'"],
        enter: `async function countLate({ limiter }, buckets, nowMs) {
          await new Promise((resolve) => setTimeout(resolve, 25));
          for (const { key, limit } of buckets) countInBucket(limiter, key, limit, nowMs);
          return null;
        }`,
      },
      {
        in: `${ROUTE} answerRequest(host)`,
        change: [
          'refuseRate(host, buckets, admitted.nowMs)',
          `route.endpoint.stem !== '${stem}' ||
            buckets.some(({ key, limit }) => bucketWaitMs(host.limiter, key, limit, admitted.nowMs) > 0)
            ? $
            : await countLate(host, buckets, admitted.nowMs)`,
        ],
      },
    ],
  },
});

/** Endpoints with a limit of the text. Forms of a call have limits of their own: those of register and resync are planted by hand. */
const limited = endpointIds.filter((id) => {
  const { stem } = endpointOf(id);
  const isOfStem = (clause: string): boolean => clause === `limit.${stem}` || clause.startsWith(`limit.${stem}.`);
  return (
    !['register', 'resync'].includes(stem) && clauses.some(({ id: of, level }) => level === 'must' && isOfStem(of))
  );
});

export const endpointMutants: readonly PlantedMutant[] = [
  ...routed.filter((id) => id !== 'work-proof.get').map(elsewhere),
  ...OPEN.map(keyWanted),
  ...limited.map(limitIs503),
  ...COUNTED_LATE.map(countedLate),
];
