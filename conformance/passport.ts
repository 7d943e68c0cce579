import type { Dialect } from '../spec/dialect.js';
import { at } from './reply.js';
import { verifies } from './wallet.js';

/** The signed fields of a passport in the order of D-11. */
const signedFields = [
  'format_version',
  'agent_hash',
  'agent_public_key',
  'authority_key_id',
  'identity_class',
  'registered_at_beat',
  'sigil_issued_at_beat',
  'last_heartbeat_beat',
  'lineage_chain_hash',
  'issued_at',
  'valid_until',
] as const;

/** The text over which a passport is signed (D-11): the suite's own rule, which shares no code with the reference. */
export function signedText(passport: unknown): string {
  return JSON.stringify(Object.fromEntries(signedFields.map((field) => [field, at(passport, field)])));
}

/** Whether a passport's signature is that of the authority key. */
export function passportVerifies(passport: unknown, dialect: Dialect, authorityKeyHex: string): boolean {
  const signature = at(passport, dialect.passportSignatureField);
  return typeof signature === 'string' && verifies(signature, signedText(passport), authorityKeyHex);
}
