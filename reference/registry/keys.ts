/**
 * Agent keys: issuing, authenticating and revoking them (5, D-15). Keys of administrators and partners have files of
 * their own.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { API_KEY } from '../../spec/formats.js';
import { type Refusal, refuse } from './refusal.js';
import { revokeOfChild } from './sponsor.js';
import { hashOf, type Registry, rowOf } from './state.js';

function sign(registry: Registry, payload: string): string {
  return createHmac('sha256', registry.keySecret).update(payload).digest('hex');
}

/**
 * 5 and D-15: issues an agent's key. It follows from the agent, the time and the server's secret, so none is stored.
 */
export function issueKey(registry: Registry, row: number, nowMs: number): string {
  const payload = Buffer.from(JSON.stringify({ h: hashOf(registry, row), k: row, iat: nowMs })).toString('base64url');
  return `pvn_${payload}.${sign(registry, payload)}`;
}

/**
 * 5, rule 2: the agent to whom a key belongs. Refuses a missing, malformed, forged or revoked key with 401
 * AUTH_MISSING.
 */
export function authenticate(registry: Registry, key: string | undefined): { ok: true; agent: number } | Refusal {
  if (key === undefined) return refuse('any/AUTH_MISSING', 'send Authorization: Bearer <agent key>');
  if (!API_KEY.test(key)) return refuse('any/AUTH_MISSING', 'the key does not have the form pvn_<payload>.<signature>');
  const dot = key.indexOf('.');
  const payload = key.slice('pvn_'.length, dot);
  const given = Buffer.from(key.slice(dot + 1), 'utf8');
  const wanted = Buffer.from(sign(registry, payload), 'utf8');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    return refuse('any/AUTH_MISSING', "the key's signature does not verify");
  }
  // The signature is valid, so issueKey wrote the payload.
  const { h } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { h: string };
  const agent = rowOf(registry, h);
  if (agent < 0) return refuse('any/AUTH_MISSING', 'the key belongs to no agent of this registry');
  if (registry.agents.columns.keyRevoked[agent] !== 0) return refuse('any/AUTH_MISSING', 'the key has been revoked');
  return { ok: true, agent };
}

/** D-15: revokes an agent's key, and the sponsorships of that agent (3.4). */
export function revokeKey(registry: Registry, agent: number, nowMs: number): void {
  registry.agents.columns.keyRevoked[agent] = 1;
  revokeOfChild(registry, agent, nowMs);
}
