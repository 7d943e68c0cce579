/** Checks of GET /beat/anchor on both services: what it shows, how anchors hash and link, and how often they come. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { anchorOf } from '../../model/reading/anchor.js';
import { canonicalJson } from '../../model/reading/canonical.js';
import { sameMeaning } from '../../model/reading/compare.js';
import { publicKeyHexOf, verifiesBase64 } from '../../model/reading/signature.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, Unjudged } from '../assertions/unjudged.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';

/** D-05: the text from which the hash of anchor 0 is computed. */
const GENESIS_TEXT = 'beats:genesis:v1:';

const first: WrittenCheck = {
  id: 'beat-anchor/first',
  title: 'A service starts with anchor 0, which continues the hash of the genesis text',
  async run(t) {
    const anchor = t.mustSucceed(await t.call('beat-anchor'));
    const { index } = anchorOf(anchor);
    if (index !== undefined && index > 0) {
      throw new Unjudged(
        'not-tested',
        'the first anchor is no longer the latest: only a server that has just started on a manual clock shows it',
      );
    }
    t.shows('anchor.first').field(anchor, 'anchor.beat_index', 0);
    const genesis = bytesToHex(sha256(utf8ToBytes(GENESIS_TEXT)));
    t.shows('anchor.prev-hash.first').field(anchor, 'anchor.prev_hash', genesis);
  },
};

const reply: WrittenCheck = {
  id: 'beat-anchor/reply',
  title: 'GET beat/anchor shows the latest anchor without a credential',
  async run(t) {
    const anchor = t.accepted(await t.call('beat-anchor'), 'auth.public.beat-anchor');
    latestIs(t, anchor, 'beat-anchor.purpose', 'spawn.flow.anchor');
    const index = anchor.get('anchor.beat_index');
    const epoch = Math.floor(Number(index) / t.protocol.anchor.anchorsPerEpoch);
    t.shows('anchor.epoch').field(anchor, 'anchor.epoch', epoch);
    const parts = ['anchor', 'on_chain', 'receipt', 'anchor_interval_sec', 'next_anchor_at'];
    const lacking = parts.filter((part) => anchor.get(part) === undefined);
    t.shows('beat-anchor.reply').that('reply', lacking.length === 0, parts.join(', '), anchor.excerpt(), anchor);
    t.shows('anchor.difficulty').field(anchor, 'anchor.difficulty', t.protocol.beat.difficulty);
  },
};

/** Asserts that the anchor lookup returns an anchor: its index and its hash, in any form. Returns the index. */
function latestIs(t: Trial, reply: Reply, ...clauses: readonly string[]): number | undefined {
  const { index, hash } = anchorOf(reply);
  const assertion = t.shows(...clauses);
  if (index === undefined || hash === undefined) {
    assertion.unjudged(notFollowed('D-05', 'neither index nor hash is found in the reply'));
    return undefined;
  }
  assertion.that('index of the anchor', index >= 0, 'an index of at least 0, with a hash', index, reply);
  return index;
}

/** The hash of an anchor by D-05, computed with another SHA-256 implementation than the server's. */
function anchorHash(t: Trial, anchor: Reply): string {
  const entropy = anchor.string('anchor.solana_entropy');
  t.need(/^[1-9A-HJ-NP-Za-km-z]+$/.test(entropy) || undefined, `base58 as solana_entropy of ${anchor.name}`, 'D-05');
  const index = new Uint8Array(8);
  const count = anchor.number('anchor.beat_index');
  const whole = t.need(
    Number.isSafeInteger(count) ? count : undefined,
    `a whole number as index of the anchor, not ${count}`,
  );
  new DataView(index.buffer).setBigUint64(0, BigInt(whole));
  const parts = [
    utf8ToBytes(t.facts.dialect.anchorDomain),
    hexToBytes(anchor.string('anchor.prev_hash')),
    index,
    base58.decode(entropy),
  ];
  return bytesToHex(sha256(concatBytes(...parts)));
}

const links: WrittenCheck = {
  id: 'beat-anchor/links',
  title: 'One anchor is issued each minute, its hash follows D-05, and it links to the anchor before it',
  needs: ['clock'],
  async run(t) {
    const { intervalSec } = t.protocol.anchor;
    await t.sleep({ anchors: 1 });
    const startMs = t.nowMs();
    const ask = async (): Promise<Reply> => t.mustSucceed(await t.call('beat-anchor'));
    const started = await ask();
    const startIndex = latestIs(t, started, 'beat-anchor.purpose');
    await t.part(async () => {
      const every = t.shows('clock.anchor-interval');
      every.field(started, 'anchor.utc', startMs);
      let before = started;
      for (let count = 0; count < 3; count += 1) {
        for (const clause of ['anchor.hash', 'dialect.anchor-prefix']) {
          t.shows(clause).field(before, 'anchor.hash', anchorHash(t, before));
        }
        const made = before.string('anchor.hash');
        t.shows('beat.hash.form').that('anchor.hash', CHAIN_HASH.test(made), '64 hex characters', made, before);
        const nextMs = t.nowMs() + intervalSec * 1_000;
        t.shows('beat-anchor.reply.next-anchor-at').equal('next_anchor_at', before.instant('next_anchor_at'), nextMs);
        await t.sleep({ ms: intervalSec * 1_000 - 1 });
        every.field(await ask(), 'anchor.beat_index', before.get('anchor.beat_index'));
        await t.sleep({ ms: 1 });
        const after = await ask();
        every.field(after, 'anchor.beat_index', before.number('anchor.beat_index') + 1);
        t.shows('anchor.hash').field(after, 'anchor.prev_hash', before.get('anchor.hash'));
        before = after;
      }
    });
    // After some intervals the reply shows a later anchor. This is judged in any form of the reply.
    const passedMs = t.nowMs() - startMs;
    if (passedMs < 3 * intervalSec * 1_000) await t.sleep({ ms: 3 * intervalSec * 1_000 - passedMs });
    const later = await ask();
    const { index } = anchorOf(later);
    if (startIndex === undefined || index === undefined) return;
    const passed = index > startIndex;
    const current = t.shows('beat-anchor.purpose', 'spawn.flow.anchor');
    current.that('index of the anchor after some intervals', passed, 'a higher one', index, later);
  },
};

/** D-02: a chain hash has no 0x before it. */
const CHAIN_HASH = /^[0-9a-f]{64}$/i;

const epochs: WrittenCheck = {
  id: 'beat-anchor/epoch',
  title: 'The epoch of an anchor is its index divided by 100, rounded down',
  needs: ['clock'],
  waits: ({ anchor }) => ({ anchors: anchor.anchorsPerEpoch + 1 }),
  async run(t) {
    const { anchorsPerEpoch } = t.protocol.anchor;
    const now = t.mustSucceed(await t.call('beat-anchor'));
    const epoch = Math.floor(now.number('anchor.beat_index') / anchorsPerEpoch);
    await t.sleep({ anchors: (epoch + 1) * anchorsPerEpoch - 1 - now.number('anchor.beat_index') || 1 });
    const last = t.mustSucceed(await t.call('beat-anchor'));
    await t.sleep({ anchors: 1 });
    const first = t.mustSucceed(await t.call('beat-anchor'));
    for (const anchor of [last, first]) {
      const index = anchor.number('anchor.beat_index');
      t.shows('anchor.epoch').field(anchor, 'anchor.epoch', Math.floor(index / anchorsPerEpoch));
    }
  },
};

const signed: WrittenCheck = {
  id: 'beat-anchor/receipt',
  title: 'The receipt of an anchor is a signature over its canonical JSON',
  async run(t) {
    const anchor = t.mustSucceed(await t.call('beat-anchor'));
    const key = publicKeyHexOf(anchor.string('receipt.public_key')) ?? anchor.string('receipt.public_key');
    const holds = verifiesBase64(anchor.string('receipt.signature'), canonicalJson(anchor.get('anchor')), key);
    t.shows('beat-anchor.reply.receipt').that(
      'receipt.signature',
      holds,
      'a signature by receipt.public_key',
      'another',
      anchor,
    );
  },
};

const both: WrittenCheck = {
  id: 'beat-anchor/both-services',
  title: 'Registry and beats service show the same anchor',
  needs: ['beats', 'clock'],
  async run(t) {
    const [registry, beats] = await Promise.all([t.call('beat-anchor'), t.call('beats.beat-anchor')]);
    const here = t.mustSucceed(registry).get('anchor') ?? registry.json;
    const there = t.accepted(beats, 'beat-anchor.route.beats');
    t.shows('beat-anchor.route.beats').that(
      'the anchor of the other service',
      sameMeaning(there.get('anchor') ?? there.json, here),
      'the same',
      there.excerpt(),
      there,
    );
  },
};

/** Checks that must run before any time passes. */
export const beatAnchorFirstChecks: readonly WrittenCheck[] = [first];

export const beatAnchorChecks: readonly WrittenCheck[] = [
  reply,
  links,
  epochs,
  signed,
  both,
  lookupLimit('beat-anchor', 'limit.beat-anchor'),
  lookupLimit('beats.beat-anchor', 'limit.beat-anchor.beats', 'beat-anchor/limit-beats'),
];
