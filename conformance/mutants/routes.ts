/** Mistakes of routes: a path or a method that is not served, a credential that is wanted where none is, who is counted. */
import { type EndpointId, endpointIds, endpointOf } from '../protocol/endpoints.js';
import type { Mutant } from './mutant.js';

/** Routes that have a clause of their own: the file of the endpoint, and the text that says where it is served. */
const routes = endpointIds.filter((id) => endpointOf(id).service === 'registry' || id === 'work-proof.post');
const stemsOfSeveral = ['sponsor', 'subsidy', 'partner-webhook'];

const clauseOf = (id: EndpointId): string => {
  const { stem, method } = endpointOf(id);
  return stemsOfSeveral.includes(stem) ? `${stem}.route.${method.toLowerCase()}` : `${stem}.route`;
};

const routeMutants: readonly Mutant[] = routes.map((id) => {
  const { stem, method, path } = endpointOf(id);
  const several = stemsOfSeveral.includes(stem) || id === 'work-proof.post';
  const before = several ? `method: '${method}'` : `path: '${path}'`;
  const after = several
    ? `method: '${method === 'PATCH' ? 'PUT' : 'PATCH'}'`
    : `path: '${path.replace('/api/v1', '/api/v1/x')}'`;
  return {
    id: `${stem}/route-elsewhere${several ? `-${method.toLowerCase()}` : ''}`,
    title: several ? `${method} ${path} is served under another method` : `${method} ${path} is served elsewhere`,
    clause: clauseOf(id),
    patch: { file: `spec/endpoints/${stem}`, before, after },
  };
});

const open = [
  'status',
  'verify',
  'verify-batch',
  'beat-status',
  'beat-anchor',
  'beat-verify',
  'authority-key',
  'fees-summary',
  'register-token',
];

const publicMutants: readonly Mutant[] = open.map((stem) => ({
  id: `${stem}/key-wanted`,
  title: `${stem} wants an agent key`,
  clause: `auth.public.${stem}`,
  patch: { file: `spec/endpoints/${stem}`, before: "auth: 'none',", after: "auth: 'agent'," },
}));

const keyed = endpointIds.filter((id) => endpointOf(id).auth === 'agent' && id !== 'checkin');

const keyMutants: readonly Mutant[] = keyed.flatMap((id) => {
  const { method, stem } = endpointOf(id);
  const own = stemsOfSeveral.includes(stem) ? `${stem}/${method.toLowerCase()}-` : `${stem}/`;
  const test = `endpoint.id === '${id}'`;
  const file = 'reference/http/request/route';
  const before = 'return { ...(own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given }), nowMs };';
  return [
    {
      id: `${own}key-missing-403`,
      title: `${id} answers 403 without a key`,
      clause: 'auth.agent-key.missing',
      patch: {
        file,
        before,
        after: `const known = (own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given });\n    return ${test} && !known.ok && given.header('authorization') === undefined ? { ...known, row: { ...known.row, status: 403 }, nowMs } : { ...known, nowMs };`,
      },
    },
    {
      id: `${own}key-invalid-403`,
      title: `${id} answers 403 to an invalid key`,
      clause: 'auth.agent-key.invalid',
      patch: {
        file,
        before,
        after: `const known = (own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given });\n    return ${test} && !known.ok && given.header('authorization') !== undefined ? { ...known, row: { ...known.row, status: 403 }, nowMs } : { ...known, nowMs };`,
      },
    },
    {
      id: `${own}key-revoked-taken`,
      title: `${id} takes a revoked key`,
      clause: 'key.agent.revocation',
      patch: {
        file,
        before,
        after: `const { columns } = registry.agents;\n    const revoked = columns.keyRevoked;\n    if (${test}) columns.keyRevoked = new Uint8Array(revoked.length);\n    const known = (own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given });\n    columns.keyRevoked = revoked;\n    return { ...known, nowMs };`,
      },
    },
  ];
});

/** Whose requests a limit counts: the file, the clause, and what the reference counts instead. */
const counted: readonly (readonly [stem: string, clause: string, before: string, after: string])[] = [
  [
    'register-token',
    'limit.register-token.ip',
    "limit: 'registerToken', by: 'ip'",
    "limit: 'registerToken', by: 'service'",
  ],
  ['wallet', 'limit.wallet', "by: 'ip'", "by: 'agent'"],
  ['init', 'limit.init', "by: 'subject'", "by: 'ip'"],
  ['heartbeat', 'limit.heartbeat', "by: 'subject'", "by: 'ip'"],
  ['sigil', 'limit.sigil', "by: 'subject'", "by: 'ip'"],
  ['reissue-proof', 'limit.reissue-proof', "by: 'subject'", "by: 'ip'"],
  ['spawn', 'limit.spawn', "by: 'subject'", "by: 'ip'"],
  ['beats-submit', 'limit.beats-submit', "by: 'subject'", "by: 'ip'"],
  ['metadata', 'limit.metadata', "by: 'subject'", "by: 'ip'"],
  ['sponsor', 'limit.sponsor.post', "limit: 'sponsorPost', by: 'agent'", "limit: 'sponsorPost', by: 'ip'"],
  ['sponsor', 'limit.sponsor.delete', "limit: 'sponsorDelete', by: 'agent'", "limit: 'sponsorDelete', by: 'ip'"],
  ['sponsor', 'limit.sponsor.get', "limit: 'sponsorGet', by: 'agent'", "limit: 'sponsorGet', by: 'ip'"],
  ['flag', 'limit.flag.ip', "limit: 'flag', by: 'ip'", "limit: 'flag', by: 'service'"],
  ['flag', 'limit.flag.reporter', "limit: 'flagReporter', by: 'agent'", "limit: 'flagReporter', by: 'ip'"],
  ['flag', 'limit.flag.target', "limit: 'flagTarget', by: 'target'", "limit: 'flagTarget', by: 'agent'"],
  ['verify-batch', 'limit.verify-batch', "by: 'ip'", "by: 'service'"],
  ['subsidy', 'limit.subsidy', "by: 'ip'", "by: 'service'"],
  ['partner-webhook', 'limit.partner-webhook', "by: 'partner'", "by: 'ip'"],
];

const countedMutants: readonly Mutant[] = counted.map(([stem, clause, before, after]) => ({
  id: `${stem}/${clause.replaceAll('.', '-')}-counts-others`,
  title: `${clause}: ${after} where ${before} is meant`,
  clause,
  patch: { file: `spec/endpoints/${stem}`, before, after },
}));

/** Endpoints whose limit answers with another status, one by one. */
const limitedMutants: readonly Mutant[] = endpointIds
  .filter((id) => counted.some(([stem]) => stem === endpointOf(id).stem))
  .map((id) => ({
    id: `${endpointOf(id).stem}/limit-of-${id.replaceAll('.', '-')}-is-503`,
    title: `the limit of ${id} answers 503`,
    clause: 'limit.error.rate-limited',
    patch: { endpoint: id, code: 'RATE_LIMITED', answer: 503 },
  }));

export const routesMutants: readonly Mutant[] = [
  ...routeMutants,
  ...publicMutants,
  ...keyMutants,
  ...countedMutants,
  ...limitedMutants,
];
