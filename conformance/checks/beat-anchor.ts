import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import type { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import { canonicalJson } from '../protocol/canonical.js';
import { publicKeyHexOf, verifiesBase64 } from '../protocol/wallet.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';

const base = { needs: [], registers: 0, writes: false } as const;

/** D-05: what the hash of anchor 0 continues. */
const GENESIS_TEXT = 'beats:genesis:v1:';

const first: Check = {
  ...base,
  id: 'beat-anchor/first',
  title: 'A service starts with anchor 0, which continues the hash of the genesis text',
  clauses: ['anchor.first', 'anchor.prev-hash.first'],
  requests: 1,
  async run(t) {
    const anchor = t.accepted(await t.call('beat-anchor'));
    const index = anchor.get('anchor.beat_index');
    if (index !== 0 && index !== null && index !== undefined) {
      throw new Unjudged(
        'not-tested',
        'its first anchor is past: a server that has just started on a manual clock shows it',
      );
    }
    t.equal('anchor.beat_index', index, 0);
    t.equal('anchor.prev_hash', anchor.get('anchor.prev_hash'), bytesToHex(sha256(utf8ToBytes(GENESIS_TEXT))));
  },
};

const reply: Check = {
  ...base,
  id: 'beat-anchor/reply',
  title: 'The latest anchor is told to anybody',
  clauses: [
    'beat-anchor.route',
    'beat-anchor.purpose',
    'auth.public.beat-anchor',
    'beat-anchor.reply',
    'beat-anchor.reply.anchor',
    'beat-anchor.reply.on-chain',
    'beat-anchor.reply.anchor-interval-sec',
    'beat-anchor.reply.next-anchor-at',
    'anchor.difficulty',
    'anchor.epoch',
    'spawn.flow.anchor',
  ],
  requests: 1,
  async run(t) {
    const anchor = t.accepted(await t.call('beat-anchor'));
    t.that('the reply', typeof anchor.json === 'object' && anchor.json !== null, 'JSON', anchor.excerpt());
    const index = anchor.get('anchor.beat_index');
    const epoch = Math.floor(Number(index) / t.protocol.anchor.anchorsPerEpoch);
    t.decided('D-05', () => t.equal('anchor.epoch', anchor.get('anchor.epoch'), epoch));
  },
};

/** The hash that D-05 gives an anchor: the suite's own rule, with another SHA-256 than the server's. */
function anchorHash(t: Trial, anchor: Reply): string {
  const index = new Uint8Array(8);
  new DataView(index.buffer).setBigUint64(0, BigInt(anchor.number('anchor.beat_index')));
  const parts = [
    utf8ToBytes(t.facts.dialect.anchorDomain),
    hexToBytes(anchor.string('anchor.prev_hash')),
    index,
    base58.decode(anchor.string('anchor.solana_entropy')),
  ];
  return bytesToHex(sha256(concatBytes(...parts)));
}

const links: Check = {
  ...base,
  id: 'beat-anchor/links',
  title: 'Anchors hash as D-05 says and link to one another, one a minute',
  clauses: [
    'anchor.hash',
    'clock.anchor-interval',
    'beat-anchor.reply.next-anchor-at',
    'dialect.anchor-prefix',
    'beat.hash.form',
  ],
  needs: ['clock'],
  requests: 16,
  sleeps: 7,
  async run(t) {
    const { intervalSec } = t.protocol.anchor;
    await t.sleep({ anchors: 1 });
    let before = t.accepted(await t.call('beat-anchor'));
    t.equal('anchor.utc', before.get('anchor.utc'), t.nowMs());
    for (let count = 0; count < 3; count += 1) {
      t.equal('anchor.hash', before.get('anchor.hash'), anchorHash(t, before));
      const next = new Date(t.nowMs() + intervalSec * 1_000).toISOString();
      t.equal('next_anchor_at', Date.parse(before.string('next_anchor_at')), Date.parse(next));
      await t.sleep({ ms: intervalSec * 1_000 - 1 });
      const same = t.accepted(await t.call('beat-anchor'));
      t.equal(
        'anchor.beat_index before the interval is over',
        same.get('anchor.beat_index'),
        before.get('anchor.beat_index'),
      );
      await t.sleep({ ms: 1 });
      const after = t.accepted(await t.call('beat-anchor'));
      t.equal('anchor.beat_index', after.get('anchor.beat_index'), before.number('anchor.beat_index') + 1);
      t.equal('anchor.prev_hash', after.get('anchor.prev_hash'), before.get('anchor.hash'));
      before = after;
    }
  },
};

const epochs: Check = {
  ...base,
  id: 'beat-anchor/epoch',
  title: 'An epoch of anchors has 100 of them',
  clauses: ['anchor.epoch'],
  needs: ['clock'],
  requests: 8,
  waits: ({ anchor }) => ({ anchors: anchor.anchorsPerEpoch + 1 }),
  async run(t) {
    const { anchorsPerEpoch } = t.protocol.anchor;
    const now = t.accepted(await t.call('beat-anchor'));
    const epoch = Math.floor(now.number('anchor.beat_index') / anchorsPerEpoch);
    await t.sleep({ anchors: (epoch + 1) * anchorsPerEpoch - 1 - now.number('anchor.beat_index') || 1 });
    const last = t.accepted(await t.call('beat-anchor'));
    await t.sleep({ anchors: 1 });
    const first = t.accepted(await t.call('beat-anchor'));
    for (const anchor of [last, first]) {
      const index = anchor.number('anchor.beat_index');
      t.equal(`epoch of anchor ${index}`, anchor.get('anchor.epoch'), Math.floor(index / anchorsPerEpoch));
    }
  },
};

const signed: Check = {
  ...base,
  id: 'beat-anchor/receipt',
  title: 'An anchor is signed over its canonical JSON',
  clauses: ['beat-anchor.reply.receipt'],
  requests: 1,
  async run(t) {
    const anchor = t.accepted(await t.call('beat-anchor'));
    const key = publicKeyHexOf(anchor.string('receipt.public_key')) ?? anchor.string('receipt.public_key');
    const holds = verifiesBase64(anchor.string('receipt.signature'), canonicalJson(anchor.get('anchor')), key);
    t.that('the signature of the anchor', holds, 'one of receipt.public_key', 'another');
  },
};

const both: Check = {
  ...base,
  id: 'beat-anchor/both-services',
  title: 'Registry and beats service tell the same anchor',
  clauses: ['beat-anchor.route.beats'],
  needs: ['beats', 'clock'],
  requests: 2,
  async run(t) {
    const [registry, beats] = await Promise.all([t.call('beat-anchor'), t.call('beats.beat-anchor')]);
    t.equal('anchor of the beats service', t.accepted(beats).get('anchor'), t.accepted(registry).get('anchor'));
  },
};

/** To be judged before any time passes. */
export const beatAnchorFirstChecks: readonly Check[] = [first];

export const beatAnchorChecks: readonly Check[] = [
  reply,
  links,
  epochs,
  signed,
  both,
  lookupLimit('beat-anchor', 'limit.beat-anchor'),
  lookupLimit('beats.beat-anchor', 'limit.beat-anchor.beats', 'beat-anchor/limit-beats'),
];
