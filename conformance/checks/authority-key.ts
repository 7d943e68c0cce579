/** Checks of GET /.well-known/authority-key. Checks that verify passports under the key are in heartbeat.ts and passport.ts. */
import { publicKeysIn } from '../../model/reading/places.js';
import type { WrittenCheck } from '../trial/check.js';
import { lookupLimit } from './lookup.js';

const reply: WrittenCheck = {
  id: 'authority-key/reply',
  title: 'The Ed25519 key of the registry authority is published',
  async run(t) {
    const reply = t.mustSucceed(await t.call('authority-key'));
    // The specification shows neither the name of the field nor the encoding of the key.
    const some = publicKeysIn(reply.json ?? reply.text).length > 0;
    t.shows('authority-key.purpose').that('the key', some, 'a public key of 32 bytes', reply.excerpt(), reply);
    const mark = reply.hasByteOrderMark ? 'U+FEFF' : 'none';
    t.shows('convention.no-byte-order-mark').equal('the byte order mark before the JSON', mark, 'none');
    const key = String(reply.get('authority_public_key_hex'));
    t.shows('passport.key-id').field(reply, 'key_id', `pvn-ed25519-${key.slice(0, 16)}`);
  },
};

export const authorityKeyChecks: readonly WrittenCheck[] = [reply, lookupLimit('authority-key', 'limit.authority-key')];
