/** Checks of GET /.well-known/authority-key. That passports verify under the key is in heartbeat and passport. */
import { publicKeysIn } from '../../model/reading/places.js';
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
    'convention.no-byte-order-mark',
  ],
  requests: 1,
  async run(t) {
    const reply = t.accepted(await t.call('authority-key'));
    // Under which name, and how it is written, is not shown.
    const some = publicKeysIn(reply.json ?? reply.text).length > 0;
    t.shows('authority-key.purpose').of(reply, 'the key', some, 'a public key of 32 bytes', reply.excerpt());
    const mark = reply.hasByteOrderMark ? 'U+FEFF' : 'none';
    t.shows('convention.no-byte-order-mark').equal('the byte order mark before the JSON', mark, 'none');
    const key = String(reply.get('authority_public_key_hex'));
    t.shows('passport.key-id').field(reply, 'key_id', `pvn-ed25519-${key.slice(0, 16)}`);
  },
};

export const authorityKeyChecks: readonly Check[] = [reply, lookupLimit('authority-key', 'limit.authority-key')];
