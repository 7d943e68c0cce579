/**
 * Control calls that issue, expire and revoke keys, and that add and suspend partners. The keys' rules are in the
 * registry.
 */

import { z } from 'zod';
import { agentHashPattern } from '../../../spec/formats.js';
import { expireAdminKey, issueAdminKey } from '../../registry/admin-keys.js';
import { revokeKey } from '../../registry/keys.js';
import { addPartner, expirePartnerKey, partnerByRef, suspendPartner } from '../../registry/partner.js';
import { rowOf } from '../../registry/state.js';
import type { Host } from '../request/host.js';
import { accepted, type ControlReply, controlCall, emptyBody, refused } from './call.js';

const NAME_CHARS_MAX = 128;

function revoke(host: Host, hash: string, nowMs: number): ControlReply {
  const { registry } = host.service;
  const agent = agentHashPattern(registry.protocol).test(hash) ? rowOf(registry, hash.toLowerCase()) : -1;
  if (agent < 0) return refused(404, 'AGENT_NOT_FOUND', 'no agent has this hash');
  revokeKey(registry, agent, nowMs);
  return accepted({ ok: true, agent_hash: hash.toLowerCase() });
}

function suspend(host: Host, ref: string): ControlReply {
  const { registry } = host.service;
  const partner = partnerByRef(registry, ref);
  if (partner < 0) return refused(404, 'PARTNER_NOT_FOUND', 'no partner has this ref');
  suspendPartner(registry, partner);
  return accepted({ ok: true, ref });
}

/** Calls about the keys of agents, administrators and partners. */
export const credentialCalls = [
  controlCall('POST agents/:hash/revoke-key', {
    purpose: "Revokes an agent's key, and with it the sponsorships of that agent.",
    body: emptyBody,
    reply: z.strictObject({ ok: z.literal(true), agent_hash: z.string() }),
    refusals: [[404, 'AGENT_NOT_FOUND']],
    run: (host, _body, { nowMs, params }) => revoke(host, params['hash'] ?? '', nowMs),
  }),
  controlCall('POST admin-keys', {
    purpose: 'Creates an admin key.',
    body: emptyBody,
    reply: z.strictObject({ key: z.string().regex(/^pva_/) }),
    run: (host) => accepted({ key: issueAdminKey(host.service.registry) }),
  }),
  controlCall('POST admin-keys/expire', {
    purpose: 'Expires an admin key.',
    body: z.strictObject({ key: z.string() }),
    reply: z.strictObject({ ok: z.literal(true) }),
    refusals: [[404, 'KEY_NOT_FOUND']],
    run: (host, { key }) =>
      expireAdminKey(host.service.registry, key)
        ? accepted({ ok: true })
        : refused(404, 'KEY_NOT_FOUND', 'this admin key is unknown'),
  }),
  controlCall('POST partners', {
    purpose: 'Adds a partner; returns its key, and the ref by which agents register under it.',
    body: z.strictObject({ name: z.string().min(1).max(NAME_CHARS_MAX) }),
    reply: z.strictObject({ key: z.string().regex(/^pv[tp]_/), ref: z.string().regex(/^[0-9a-f]{16}$/) }),
    run: (host, { name }) => accepted(addPartner(host.service.registry, name)),
  }),
  controlCall('POST partner-keys/expire', {
    purpose: 'Expires a partner key. The partner stays, and its webhook still gets deliveries.',
    body: z.strictObject({ key: z.string() }),
    reply: z.strictObject({ ok: z.literal(true) }),
    refusals: [[404, 'KEY_NOT_FOUND']],
    run: (host, { key }) =>
      expirePartnerKey(host.service.registry, key)
        ? accepted({ ok: true })
        : refused(404, 'KEY_NOT_FOUND', 'no partner has this key'),
  }),
  controlCall('POST partners/:ref/suspend', {
    purpose: 'Suspends a partner for good, and drops the deliveries that wait for it.',
    body: emptyBody,
    reply: z.strictObject({ ok: z.literal(true), ref: z.string() }),
    refusals: [[404, 'PARTNER_NOT_FOUND']],
    run: (host, _body, { params }) => suspend(host, params['ref'] ?? ''),
  }),
];
