/** Passports of section 2.6: made, signed and shown. */

import { ed25519Sign } from './crypto.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { type Agent, HOUR_MS, type World } from './world.js';

/** After this moment the deprecated alias lineage_proof is gone. */
const SUNSET_MS = Date.parse('2026-09-02T00:00:00Z');

/** The id of the key that signs passports. */
const authorityKeyId = (world: World): string => `authority-${world.authorityPublic.slice(0, 12)}`;

/** Signs a new passport for an agent and keeps it. The signature is over the fields before it, in the order of the table. */
export function issuePassport(world: World, agent: Agent): Record<string, unknown> {
  const fields = {
    format_version: 1,
    agent_hash: agent.hash,
    agent_public_key: agent.wallet?.shown ?? null,
    authority_key_id: authorityKeyId(world),
    identity_class: agent.sigil?.identityClass ?? 'narrow_task',
    registered_at_beat: agent.beat,
    sigil_issued_at_beat: agent.sigil?.beat ?? null,
    last_heartbeat_beat: agent.lastHeartbeat ?? 0,
    lineage_chain_hash: agent.lineage,
    issued_at: world.now,
    valid_until: world.now + 24 * HOUR_MS,
  };
  const passport = {
    ...fields,
    [`${world.messagePrefix}_signature`]: ed25519Sign(world.authority, JSON.stringify(fields)),
  };
  agent.passport = passport;
  return passport;
}

/** The fields by which a reply shows a passport: its alias goes with the sunset. */
export const shown = (world: World, passport: Record<string, unknown>): Record<string, unknown> =>
  world.now < SUNSET_MS ? { passport, lineage_proof: passport } : { passport };

/** GET /agent/passport */
export function latestPassport(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  world.limit('passport', agent.hash);
  if (agent.passport === null) throw new Refusal(404, 'NO_PASSPORT', 'No passport has been issued yet.');
  const credential = {
    type: ['VerifiableCredential', 'ProvenoncePassport'],
    issuer: { id: 'https://provenonce.io' },
    credentialSubject: { id: `provenonce:agent:${agent.hash}` },
  };
  const { published } = world.settings;
  return {
    body: { agent_hash: agent.hash, passport: agent.passport, ...(published ? { passport_vc: credential } : {}) },
  };
}

/** GET /.well-known/authority-key. The name of the field is that of docs/decisions.md (D-13), since the text has none. */
export function authorityKey(world: World): Reply {
  return {
    body: { key_id: authorityKeyId(world), algorithm: 'Ed25519', authority_public_key_hex: world.authorityPublic },
  };
}
