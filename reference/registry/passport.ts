/**
 * Passports: their fields, the exact text that is signed, and who gets one free of charge (2.6, D-11, D-12). Signing
 * keys are given, never made here.
 */

import { HOUR_MS } from '../../spec/time.js';
import { textOf } from './columns/interner.js';
import { identityClassOf } from './fees.js';
import { lineageChainHash } from './lineage.js';
import { type Refusal, refuse } from './refusal.js';
import { hashOf, type Registry } from './state.js';

/** 2.6: the signed fields, in the order of D-11. */
export interface PassportFields {
  readonly format_version: number;
  readonly agent_hash: string;
  readonly agent_public_key: string | null;
  readonly authority_key_id: string;
  readonly identity_class: string | null;
  readonly registered_at_beat: number;
  readonly sigil_issued_at_beat: number | null;
  readonly last_heartbeat_beat: number;
  readonly lineage_chain_hash: string;
  readonly issued_at: number;
  readonly valid_until: number;
}

/** The registry's signing authority: its key id, and hex Ed25519 signatures over UTF-8 text. */
export interface Authority {
  readonly keyId: string;
  readonly publicKeyHex: string;
  readonly signHex: (text: string) => string;
}

/** D-11: the exact text that is signed. Fields are always written in the order of the interface. */
export function passportText(fields: PassportFields): string {
  return JSON.stringify(fields);
}

/** The unsigned passport of an agent at this moment. */
function passportFields(registry: Registry, agent: number, keyId: string, nowMs: number): PassportFields {
  const { columns, line } = registry.agents;
  const { formatVersion, validityHours } = registry.protocol.passport;
  const wallet = line.wallet(agent);
  const sigilAtBeat = columns.sigilAtBeat[agent]!;
  return {
    format_version: formatVersion,
    agent_hash: hashOf(registry, agent),
    agent_public_key: wallet < 0 ? null : textOf(registry.wallets, wallet),
    authority_key_id: keyId,
    identity_class: identityClassOf(line.identityClass(agent), registry.protocol),
    registered_at_beat: columns.registeredAtBeat[agent]!,
    sigil_issued_at_beat: sigilAtBeat < 0 ? null : sigilAtBeat,
    last_heartbeat_beat: Math.max(0, line.lastHeartbeatBeat(agent)),
    lineage_chain_hash: lineageChainHash(registry, agent),
    issued_at: nowMs,
    valid_until: nowMs + validityHours * HOUR_MS,
  };
}

/** A passport on the wire: the fields and, under the dialect's name, their signature. */
type SignedPassport = PassportFields & Readonly<Record<string, unknown>>;

/** Signs the passport of an agent. */
export function signPassport(registry: Registry, agent: number, authority: Authority, nowMs: number): SignedPassport {
  const fields = passportFields(registry, agent, authority.keyId, nowMs);
  return { ...fields, [registry.dialect.passportSignatureField]: authority.signHex(passportText(fields)) };
}

/** D-12: whether an agent may have its passport free of charge: children may, and roots with a SIGIL. */
export function passport(registry: Registry, input: { readonly agent: number }): { readonly ok: true } | Refusal {
  const { line } = registry.agents;
  const root = line.depth(input.agent) === registry.protocol.agent.rootDepth;
  return root && line.identityClass(input.agent) === 0 ? refuse('passport/SIGIL_REQUIRED') : { ok: true };
}

/** 9, rule 4: whether replies still contain `lineage_proof` next to `passport`. */
export function hasLineageProof(registry: Registry, nowMs: number): boolean {
  return nowMs <= registry.protocol.passport.lineageProofUntilMs;
}
