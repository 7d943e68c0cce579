/**
 * Calls beyond the specification that published clients make, as data. They are served where the dialect says so (D-57), and
 * their forms are those that the clients send and read.
 */

import { z } from 'zod';
import type { Dialect } from '../dialect.js';
import type { Endpoint, Facts } from '../endpoint.js';
import { classesOf } from '../parts.js';
import { standings } from '../vocabulary.js';
import { verification } from './identity-schemas.js';
import { agentHash, count, hexOf, lineageHash, paymentTx } from './shared.js';

const CHILDREN_MAX = 20;
const PARTNER_REF_CHARS = 16;
/** The first characters of an attribution token. */
export const ATTRIBUTION = 'pvr_';

const bootstrap = {
  stem: 'skill-bootstrap',
  service: 'registry',
  path: '/api/v1/skill/bootstrap',
  section: '4.1',
  purpose: 'Tells an agent its own state and what to do next.',
  auth: 'agent',
  buckets: [{ limit: 'lookup', by: 'subject' }],
  invalid: null,
  changesNothing: true,
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      hash: agentHash(facts),
      status: z.enum(standings),
      sigil: z.string().nullable(),
      identity_class: z.enum(classesOf(facts.protocol)).nullable(),
      total_beats: count,
      available_beats: count,
      _hint: z.string().min(1),
    }),
  }),
} as const;

/** The state of the caller, as the MCP server asks for it. */
export const skillBootstrapPost = {
  ...bootstrap,
  id: 'skill-bootstrap.post',
  method: 'POST',
  body: () => z.object({}),
} as const satisfies Endpoint;

/** The same by GET. */
export const skillBootstrapGet = {
  ...bootstrap,
  id: 'skill-bootstrap.get',
  method: 'GET',
  body: null,
} as const satisfies Endpoint;

/** An agent's ancestors, and the hash over its events. */
export const agentLineage = {
  id: 'agent-lineage',
  stem: 'verify',
  service: 'registry',
  method: 'GET',
  path: '/api/v1/agent/lineage/:hash',
  section: '4.1',
  purpose: 'Shows an agent from itself up to its root.',
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      hash: agentHash(facts),
      lineage_chain_hash: lineageHash,
      lineage: verification(facts).shape.lineage,
    }),
    404: z.strictObject({ error: z.string(), code: z.literal('AGENT_NOT_FOUND'), hash: z.string() }),
  }),
} as const satisfies Endpoint;

/** Heartbeats of several sponsored children, for one payment. */
export const heartbeatBatch = {
  id: 'heartbeat.batch',
  stem: 'heartbeat',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/heartbeat/batch',
  section: '4.5',
  purpose: 'Pays once for heartbeats of children that the caller sponsors.',
  auth: 'agent',
  buckets: [{ limit: 'heartbeat', by: 'subject' }],
  body: (facts: Facts) =>
    z.object({ children: z.array(agentHash(facts)).min(1).max(CHILDREN_MAX), payment_tx: paymentTx }),
  invalid: 'heartbeat/VALIDATION',
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.boolean(),
      summary: z.strictObject({ total: count, succeeded: count, failed: count }),
      results: z.array(
        z.union([
          z.strictObject({ agent_hash: agentHash(facts), ok: z.literal(true), heartbeat_count_epoch: count }),
          z.strictObject({ agent_hash: agentHash(facts), ok: z.literal(false), error: z.string(), code: z.string() }),
        ]),
      ),
    }),
  }),
} as const satisfies Endpoint;

/** A token that attributes the caller's SIGIL to a partner. */
export const sigilCheck = {
  id: 'sigil.check',
  stem: 'sigil',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/sigil/check',
  section: '4.6',
  purpose: 'Gives an agent the token of the partner through whom it came.',
  auth: 'agent',
  buckets: [{ limit: 'lookup', by: 'subject' }],
  body: () => z.object({ partner_ref: z.string().length(PARTNER_REF_CHARS) }),
  invalid: 'sigil/VALIDATION',
  replies: () => ({
    200: z.strictObject({
      ok: z.literal(true),
      attribution_token: z.string().startsWith(ATTRIBUTION),
      signup_url: z.string().nullable(),
      already_has_sigil: z.boolean(),
    }),
  }),
} as const satisfies Endpoint;

/** The authority key at a path of the dialect's own. */
export function authorityKeyFile(path: string) {
  return {
    id: 'authority-key.file',
    stem: 'authority-key',
    service: 'registry',
    method: 'GET',
    path,
    section: '4.1',
    purpose: 'Publishes the key with which passports are verified.',
    auth: 'none',
    buckets: [{ limit: 'lookup', by: 'ip' }],
    body: null,
    invalid: null,
    replies: () => ({ 200: z.strictObject({ authority_public_key: hexOf(32) }) }),
  } as const satisfies Endpoint;
}

/** The endpoints that a dialect adds to those of the specification. */
export function addedEndpoints({ clientCalls, authorityKeyPath }: Dialect): readonly Endpoint[] {
  const calls: readonly Endpoint[] = [skillBootstrapPost, skillBootstrapGet, agentLineage, heartbeatBatch, sigilCheck];
  return [
    ...(clientCalls === 'served' ? calls : []),
    ...(authorityKeyPath === undefined ? [] : [authorityKeyFile(authorityKeyPath)]),
  ];
}
