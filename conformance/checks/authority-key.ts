/** Checks of GET /.well-known/authority-key. That passports verify under the key is in heartbeat and passport. */
import { base58, base64, base64url } from '@scure/base';
import { isHex } from '../assertions/field-tests.js';
import type { Check } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

const base = { needs: [], registers: 0, writes: false } as const;

const reply: Check = {
  ...base,
  id: 'authority-key/reply',
  title: 'The Ed25519 key of the registry authority is published',
  clauses: [
    'authority-key.route',
    'authority-key.purpose',
    'auth.public.authority-key',
    'authority-key.reply',
    'authority-key.reply.schema-version',
    'authority-key.reply.algorithm',
    'authority-key.reply.verification',
    'passport.key-id',
  ],
  requests: 1,
  async run(t) {
    const reply = t.accepted(await t.call('authority-key'), 'auth.public.authority-key');
    // Under which name, and how it is written, is not shown.
    const some = stringsIn(reply.json).some(isPublicKey);
    t.shows('authority-key.purpose').of(reply, 'the key', some, 'a public key of 32 bytes', reply.excerpt());
    t.shows('authority-key.reply').fieldIs(reply, 'authority_public_key_hex', isHex(32));
    const key = String(reply.get('authority_public_key_hex'));
    t.shows('passport.key-id').field(reply, 'key_id', `pvn-ed25519-${key.slice(0, 16)}`);
    const { passportSignatureField } = t.facts.dialect;
    const verification = t.shows('authority-key.reply.verification');
    verification.field(reply, 'verification.proof_signature_field', passportSignatureField);
    verification.field(reply, 'verification.verify_function', 'verifyPassport');
  },
};

/** Every text in a JSON value, at any depth. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const KEY_BYTES = 32;
/** An Ed25519 key as PEM or DER has these bytes before the key itself. */
const DER_BYTES = 44;

/** Whether a text is an Ed25519 public key: in hex, base58, base64 of either alphabet, or as PEM. */
function isPublicKey(text: string): boolean {
  const bare = text.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  if (/^(0x)?[0-9a-f]{64}$/i.test(bare)) return true;
  const padded = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
  const codings = [
    { coder: base58, text: bare },
    { coder: base64, text: padded },
    { coder: base64url, text: padded },
  ];
  return codings.some(({ coder, text: coded }) => [KEY_BYTES, DER_BYTES].includes(lengthOf(coder, coded)));
}

/** The number of bytes that a text stands for; 0 where it is not of that coding. */
function lengthOf(coder: { readonly decode: (text: string) => Uint8Array }, text: string): number {
  try {
    return coder.decode(text).length;
  } catch (error) {
    // The coders throw for any text that is not theirs.
    if (error instanceof Error) return 0;
    throw error;
  }
}

export const authorityKeyChecks: readonly Check[] = [reply, lookupLimit('authority-key', 'limit.authority-key')];
