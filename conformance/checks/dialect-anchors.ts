/**
 * Checks of the facts of a dialect about anchors, timestamps, keys and health of the beats service (D-57). They run only where
 * the dialect has the fact; work proofs are in dialect-beats.ts.
 */

import { is } from '../../model/reading/compare.js';
import { isFilled, isString, within } from '../../model/reading/field-tests.js';
import { DAY_MS, MINUTE_MS } from '../../spec/time.js';
import type { Reply } from '../assertions/reply.js';
import { whileAnchorsStall } from '../steps/stalled-anchors.js';
import type { WrittenCheck } from '../trial/check.js';
import { isRateLimited } from '../trial/rate-limit.js';

const base = { needs: ['beats'] } as const;

const info: WrittenCheck = {
  ...base,
  id: 'dialect/work-proof-info',
  title: 'GET work-proof shows its bounds as public_caps',
  async run(t) {
    const reported = t.accepted(await t.call('work-proof.get'), 'dialect.work-proof.info');
    const { work, proof, anchor } = t.protocol;
    for (const [field, value] of Object.entries({
      min_difficulty: work.difficultyMin,
      max_difficulty: work.difficultyMax,
      min_spot_checks: proof.spotChecksMin,
      max_spot_checks: proof.spotChecksMax,
      // The latest anchor does not count in the grace window.
      anchor_grace_window: anchor.graceAnchors - 1,
    })) {
      t.shows('dialect.work-proof.info').field(reported, `public_caps.${field}`, value);
    }
  },
};

const contexts: WrittenCheck = {
  ...base,
  id: 'dialect/signing-contexts',
  title: 'The keys of the beats service name the contexts that they sign',
  async run(t) {
    const keys = t.mustSucceed(await t.call('beat-key'));
    const { signingContexts } = t.facts.dialect;
    const reported = t.shows('dialect.beat-key.signing-context');
    reported.field(keys, 'keys.timestamp.signing_context', is(signingContexts?.timestamp));
    reported.field(keys, 'keys.work_proof.signing_context', is(signingContexts?.workProof));
  },
};

const onChain: WrittenCheck = {
  ...base,
  id: 'dialect/anchor-on-chain',
  title: 'An anchor is on the ledger and names its transaction',
  async run(t) {
    const reported = t.mustSucceed(await t.call('beats.beat-anchor'));
    const chain = t.shows('dialect.anchor.on-chain');
    chain.field(reported, 'on_chain.anchored', true);
    chain.field(reported, 'on_chain.tx_signature', isFilled);
    chain.field(reported, 'anchor.tx_signature', reported.get('on_chain.tx_signature'));
  },
};

const stampReply: WrittenCheck = {
  ...base,
  id: 'dialect/timestamp-reply',
  title: 'A timestamp shows its tier, and the hash in lower case',
  async run(t) {
    const hash = t.hex(32);
    const stamped = t.mustSucceed(await t.call('beat-timestamp', { body: { hash: hash.toUpperCase() } }));
    t.shows('dialect.timestamp.reply').field(stamped, 'timestamp.hash', is(hash));
    t.shows('dialect.timestamp.reply').field(stamped, 'tier', isString);
  },
};

const stampBody: WrittenCheck = {
  ...base,
  id: 'dialect/timestamp-body',
  title: 'A timestamp with a body of more than 256 bytes is refused',
  async run(t) {
    const clause = 'dialect.timestamp.body';
    const { bodyBytesMax = 0 } = t.facts.dialect.timestamps ?? {};
    const bodyOf = (bytes: number): string => {
      const bare = JSON.stringify({ hash: t.hex(32), pad: '' });
      return bare.replace('"pad":""', `"pad":"${'x'.repeat(bytes - bare.length)}"`);
    };
    const send = (bytes: number): Promise<Reply> => t.call('beat-timestamp', { rawBody: bodyOf(bytes) });
    t.refused(await send(bodyBytesMax + 1), 413, clause);
    t.accepted(await send(bodyBytesMax), clause);
  },
};

const stampDay: WrittenCheck = {
  ...base,
  id: 'dialect/timestamp-day',
  title: 'The 11th timestamp from an address in a day is refused',
  needs: ['beats', 'clock', 'client-ip'],
  async run(t) {
    const clause = 'dialect.timestamp.day';
    const { perDay = 0 } = t.facts.dialect.timestamps ?? {};
    const send = (): Promise<Reply> => t.call('beat-timestamp', { body: { hash: t.hex(32) }, mayLimit: true });
    const startMs = t.nowMs();
    for (let n = 1; n <= perDay; n += 1) {
      t.accepted(await send(), clause);
      await t.sleep({ ms: MINUTE_MS });
    }
    const over = await send();
    t.shows(clause).that('a timestamp over the daily limit', isRateLimited(over), 'a rate limit', over.excerpt(), over);
    const other = await t.call('beat-timestamp', {
      body: { hash: t.hex(32) },
      address: t.newAddress(),
      mayLimit: true,
    });
    t.accepted(other, clause);
    await t.sleepUntil(startMs + DAY_MS + MINUTE_MS);
    t.accepted(await send(), clause);
  },
};

export const dialectAnchorsChecks: readonly WrittenCheck[] = [info, contexts, onChain, stampReply, stampBody, stampDay];

const health: WrittenCheck = {
  ...base,
  id: 'dialect/health-status',
  title: 'The beats service is degraded while its latest anchor is older than 3 intervals',
  needs: ['beats', 'clock', 'control'],
  controls: ['anchors/stall'],
  exclusive: true,
  async run(t) {
    const { intervalSec, degradedIntervals } = t.protocol.anchor;
    const is = async (status: string): Promise<void> => {
      t.shows('dialect.health.status').field(t.mustSucceed(await t.call('health')), 'status', status);
    };
    // An earlier check may have stalled the anchors.
    await t.sleep({ sec: intervalSec });
    await is('ok');
    await whileAnchorsStall(t, async () => {
      await t.sleep({ sec: degradedIntervals * intervalSec + 1 });
      await is('degraded');
    });
    await is('ok');
  },
};

/** The largest factor by which a difficulty changes at once, and the factor by which the 100th anchor is late. */
const FACTOR_MAX = 4;
const LATE_INTERVALS = 2;

const pace: WrittenCheck = {
  ...base,
  id: 'dialect/anchor-difficulty',
  title: 'The difficulty of anchors falls only when a 100th anchor comes late',
  needs: ['beats', 'clock', 'control'],
  controls: ['anchors/stall'],
  exclusive: true,
  async run(t) {
    const { anchor } = t.protocol;
    const bounds = t.facts.dialect.anchorDifficulty ?? { min: 0, max: 0 };
    const changes = t.shows('dialect.anchor.difficulty');
    const reported = async (): Promise<{
      readonly reply: Reply;
      readonly index: number;
      readonly difficulty: number;
    }> => {
      const found = t.mustSucceed(await t.call('beats.beat-anchor'));
      changes.field(found, 'anchor.difficulty', within(bounds.min, bounds.max));
      return { reply: found, index: found.number('anchor.beat_index'), difficulty: found.number('anchor.difficulty') };
    };
    const first = await reported();
    await t.sleep({ anchors: anchor.anchorsPerEpoch - 1 - (first.index % anchor.anchorsPerEpoch) });
    const before = await reported();
    changes.field(before.reply, 'anchor.difficulty', first.difficulty);
    await whileAnchorsStall(t, () => t.sleep({ sec: LATE_INTERVALS * anchor.intervalSec }));
    const after = await reported();
    const least = Math.max(bounds.min, Math.floor(before.difficulty / FACTOR_MAX));
    const most = Math.max(bounds.min, before.difficulty - 1);
    changes.field(after.reply, 'anchor.difficulty', within(least, most));
    await t.sleep({ anchors: 1 });
    const next = await reported();
    changes.field(next.reply, 'anchor.difficulty', after.difficulty);
  },
};

/** Checks that stall the anchors, which also affects other checks. */
export const dialectAnchorsLateChecks: readonly WrittenCheck[] = [health, pace];
