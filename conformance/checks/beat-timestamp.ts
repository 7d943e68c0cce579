/** Checks of POST /beat/timestamp of the beats service, which D-08 adds. */

import { canonicalJson } from '../../model/reading/canonical.js';
import { isHex } from '../../model/reading/field-tests.js';
import { verifiesBase64 } from '../../model/reading/signature.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';

const base = { needs: ['beats'] } as const;

const stamped: WrittenCheck = {
  ...base,
  id: 'beat-timestamp/receipt',
  title: 'A timestamp of a hash is written to the ledger, and returns a signed receipt with its time',
  async run(t) {
    const hash = t.hex(32);
    const anchor = await latestAnchor(t);
    const reply = t.accepted(await t.call('beat-timestamp', { body: { hash } }), 'beat-timestamp.route');
    const reported = t.shows('beat-timestamp.reply.receipt');
    reported.field(reply, 'timestamp.hash', hash);
    reported.field(reply, 'timestamp.tx_signature', reply.get('on_chain.tx_signature'));
    if (t.session.offers.has('clock')) {
      reported.field(reply, 'timestamp.utc', t.nowMs());
      reported.field(reply, 'timestamp.anchor_index', anchor.index);
      reported.field(reply, 'timestamp.anchor_hash', anchor.hash);
    }
    const keys = t.mustSucceed(await t.call('beat-key'));
    t.shows('beat-key.reply').field(keys, 'keys.timestamp.public_key_hex', isHex(32));
    const key = keys.string('keys.timestamp.public_key_hex');
    const signature = String(reply.get('receipt.signature'));
    const holds = verifiesBase64(signature, canonicalJson(reply.get('timestamp')), key);
    reported.that('receipt.signature', holds, 'a signature by the timestamp key', 'another', reply);
  },
};

const malformed = (
  [
    ['missing', 'without a hash', {}],
    ['short', 'of a hash that is too short', { hash: 'ab'.repeat(31) }],
    ['not-hex', 'of a hash that is not hex', { hash: 'xy'.repeat(32) }],
  ] as const
).map(
  ([word, what, body]): WrittenCheck => ({
    ...base,
    id: `beat-timestamp/hash-${word}`,
    title: `A timestamp ${what} is refused`,
    async run(t) {
      t.refused(await t.call('beat-timestamp', { body }), 'beat-timestamp/VALIDATION', 'beat-timestamp.route');
      t.mustSucceed(await t.call('beat-timestamp', { body: { hash: t.hex(32) } }));
    },
  }),
);

const limit: WrittenCheck = {
  ...base,
  id: 'beat-timestamp/limit',
  title: 'The sixth timestamp from an address in a minute is refused',
  needs: ['beats', 'clock', 'client-ip'],
  runsAlone: true,
  waits: windowOf('beatTimestamp'),
  async run(t) {
    const elsewhere = t.newAddress();
    const send = (address?: string) => t.call('beat-timestamp', { body: {}, mayLimit: true, address });
    await judgeLimit(t, {
      limit: 'beatTimestamp',
      clause: 'limit.beat-timestamp',
      send: () => send(),
      other: elsewhere === undefined ? undefined : () => send(elsewhere),
    });
  },
};

export const beatTimestampChecks: readonly WrittenCheck[] = [stamped, ...malformed, limit];
