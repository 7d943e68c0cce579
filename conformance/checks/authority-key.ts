import type { Check } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

/** The published key of the registry authority. Passports are verified with it in steps/passport.ts. */
const base = { needs: [], registers: 0, writes: false } as const;

const authorityKey: Check = {
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
    const clauses = ['authority-key.purpose', 'auth.public.authority-key'];
    const reply = t.accepted(await t.call('authority-key'), ...clauses);
    // The shape is not shown: 32 bytes of an Ed25519 key stand in it somewhere, in hex or base64.
    const published = /[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}/i.test(reply.text);
    t.shows('authority-key.purpose').of(reply, 'the key', published, '32 bytes in hex or base64', reply.excerpt());
    const key = String(reply.get('authority_public_key_hex'));
    t.shows('passport.key-id').field(reply, 'key_id', `pvn-ed25519-${key.slice(0, 16)}`);
  },
};

export const authorityKeyChecks: readonly Check[] = [authorityKey, lookupLimit('authority-key', 'limit.authority-key')];
