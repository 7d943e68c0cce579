/** Makes the OpenAPI document of a service from its endpoints. How a document is written is in openapi.ts. */

import { z } from 'zod';
import type { Auth, Endpoint, Facts } from './endpoint.js';
import { endpoints } from './endpoints/index.js';
import { type ErrorRow, errors } from './errors.js';
import {
  describedPaths,
  type OpenApiDocument,
  type OpenApiHeader,
  type OpenApiOperation,
  openApiDocument,
} from './openapi.js';
import type { Paths } from './openapi-names.js';
import { errorRow } from './parts.js';

const SCHEMES: Readonly<Record<Exclude<Auth, 'none'>, { readonly name: string; readonly description: string }>> = {
  agent: { name: 'agentKey', description: 'An agent key, pvn_<payload>.<signature>' },
  registration: { name: 'parentKey', description: "The parent's agent key, when a child is registered" },
  admin: { name: 'adminKey', description: 'An admin key, pva_…' },
  partner: { name: 'partnerKey', description: 'A partner key, pvp_… or pvt_…' },
};

const REGISTRATION_HEADERS: readonly OpenApiHeader[] = [
  { name: 'x-registration-secret', description: 'The registration secret: root agents, required on mainnet' },
  { name: 'x-registration-token', description: 'A token of POST /register/token in place of the secret' },
];

/** The rows of section 7 that an endpoint can answer with: its own, and those of `any` that its form allows. */
function rowsOf({ stem, auth, buckets, body }: Endpoint): readonly ErrorRow[] {
  // Refused before the request has come to an endpoint.
  const general = [
    'NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'BAD_REQUEST',
    'REQUEST_TIMEOUT',
    'EXPECTATION_FAILED',
    'HEADERS_TOO_LARGE',
  ];
  const own = Object.values(errors).filter(({ endpoint }) => endpoint === stem);
  const any = Object.values(errors).filter(({ endpoint, code }) => {
    if (endpoint !== 'any' || general.includes(code)) return false;
    if (code === 'AUTH_MISSING') return auth === 'agent';
    // 4.16: the breaker answers with it too, whatever the buckets.
    if (code === 'RATE_LIMITED') return buckets.length > 0;
    // Only paid calls ask a ledger.
    if (code === 'LEDGER_UNAVAILABLE') return own.some((row) => row.code === 'PAYMENT_INVALID');
    if (code === 'STORE_UNAVAILABLE') return true;
    return body !== null;
  });
  return [...own, ...any];
}

/** The body of a refusal with one of these codes; some carry more fields (4.5, D-34), which stay open here. */
function refusalSchema(codes: readonly string[]): z.ZodType {
  const [first, ...rest] = new Set(codes);
  return z.looseObject({ error: z.string(), code: z.enum([first as string, ...rest]) });
}

function repliesOf(endpoint: Endpoint, facts: Facts): Readonly<Record<number, z.ZodType>> {
  const stated = rowsOf(endpoint);
  const rows = stated.map((row) => errorRow(row, facts.protocol));
  // If a refusal with its own body has moved to another status, neither status has that body.
  const left = (status: number): boolean =>
    stated.some((row) => row.status === status) && !rows.some((row) => row.status === status);
  const replies: Record<number, z.ZodType> = Object.fromEntries(
    Object.entries(endpoint.replies(facts)).filter(([status]) => !left(Number(status))),
  );
  const codes = new Map<number, string[]>();
  for (const { status, code } of rows) codes.set(status, [...(codes.get(status) ?? []), code]);
  for (const [status, list] of codes) {
    const own = replies[status];
    replies[status] = own === undefined ? refusalSchema(list) : z.union([own, refusalSchema(list)]);
  }
  return replies;
}

function operationOf(endpoint: Endpoint, facts: Facts): OpenApiOperation {
  const { id, method, path, purpose, body, auth } = endpoint;
  return {
    id,
    method,
    path,
    summary: purpose,
    body: body === null ? null : body(facts),
    replies: repliesOf(endpoint, facts),
    security: auth === 'none' ? null : SCHEMES[auth].name,
    // A root registers without a parent's key.
    ...(auth === 'registration' ? { headers: REGISTRATION_HEADERS, isAnonymousToo: true } : {}),
  };
}

const TITLES: Readonly<Record<Endpoint['service'], string>> = {
  registry: 'Agent Identity and Provenance Service: registry',
  beats: 'Agent Identity and Provenance Service: beats service',
};

/** The operations of a service in full, without references: to compare them. */
export function pathsOf(service: Endpoint['service'], facts: Facts): Paths {
  return describedPaths(operationsOf(service, facts));
}

function operationsOf(service: Endpoint['service'], facts: Facts): readonly OpenApiOperation[] {
  return endpoints.filter((endpoint) => endpoint.service === service).map((endpoint) => operationOf(endpoint, facts));
}

/** The OpenAPI 3.1 document of a service, for one deployment's numbers and names. */
export function openApiOf(service: Endpoint['service'], facts: Facts): OpenApiDocument {
  const own = endpoints.filter((endpoint) => endpoint.service === service);
  const used = new Set(own.map(({ auth }) => auth));
  const schemes = Object.entries(SCHEMES).filter(([auth]) => used.has(auth as Auth));
  return openApiDocument({
    title: TITLES[service],
    description: 'Derived from the schemas that the reference server and the conformance suite use.',
    operations: operationsOf(service, facts),
    securitySchemes: Object.fromEntries(
      schemes.map(([, { name, description }]) => [name, { type: 'http', scheme: 'bearer', description }]),
    ),
  });
}
