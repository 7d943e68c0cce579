import type { Check } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

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
    const reply = t.accepted(await t.call('authority-key'));
    t.that('the reply', typeof reply.json === 'object' && reply.json !== null, 'JSON', reply.excerpt());
    const key = String(reply.get('authority_public_key_hex'));
    t.decided('D-11', () => t.equal('key_id', reply.get('key_id'), `pvn-ed25519-${key.slice(0, 16)}`));
  },
};

export const authorityKeyChecks: readonly Check[] = [authorityKey, lookupLimit('authority-key', 'limit.authority-key')];
