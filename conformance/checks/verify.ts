/** The verify lookup: an agent with its lineage and its SIGIL. Batches are in verify-batch.ts. */

import { anchorOf } from '../../model/reading/anchor.js';
import { sameMeaning } from '../../model/reading/compare.js';
import { isBoolean, within } from '../../model/reading/field-tests.js';
import type { Reply } from '../assertions/reply.js';
import { type Anchor, latestAnchor, pause } from '../steps/beat-clock.js';
import { buy, heartbeat, passportIs, purchase, reissue } from '../steps/paid.js';
import { foundInBatch, isNamed } from '../steps/verify-batch-call.js';
import { pauseAnchors } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';
import { anchorIs } from './verify-batch.js';

const base = { needs: [], registers: 1, writes: true } as const;

const verify: Check = {
  ...base,
  id: 'verify/reply',
  shares: true,
  title: 'Anybody can verify an agent, with its lineage up to the root',
  clauses: [
    'verify.route',
    'verify.purpose',
    'auth.public.verify',
    'verify.reply',
    'verify.reply.passport',
    'verify.reply.agent',
    'verify.reply.sigil',
    'verify.reply.beat-state',
    'verify.reply.lineage',
    'verify.reply.root',
    'verify.reply.anchor-degraded',
    'lineage.place',
    'lineage.root',
  ],
  requests: 4,
  async run(t) {
    const agent = await t.root({ init: true });
    const reply = t.accepted(await look(t, 'verify', agent.hash), 'verify.purpose', 'auth.public.verify');
    t.shows('verify.purpose', 'lineage.place').through('D-20').field(reply, 'agent.hash', agent.hash);
    t.shows('lineage.root').through('D-20').field(reply, 'agent.depth', 0);
    t.shows('lineage.root').through('D-20').field(reply, 'agent.parent', null);
    // The form of a root is not shown: a hash, or an object with one.
    const root = typeof reply.get('root') === 'string' ? reply.get('root') : reply.get('root.hash');
    if (root === undefined) t.shows('lineage.place').notFollowed('D-20', 'root tells no hash');
    else t.shows('lineage.place').of(reply, 'root', sameMeaning(root, agent.hash), 'the agent itself', root);
    const anchor = anchorOf(t.accepted(await t.call('beat-anchor')));
    const { intervalSec, degradedIntervals } = t.protocol.anchor;
    t.shows('verify.reply.passport').field(reply, 'passport', null);
    t.shows('verify.reply.sigil').field(reply, 'sigil', null);
    t.shows('verify.reply.lineage').field(reply, 'lineage.0.hash', agent.hash);
    t.shows('verify.reply.lineage').field(reply, 'lineage.1', undefined);
    t.shows('verify.reply.root').field(reply, 'root.hash', agent.hash);
    if (anchor.index !== undefined) t.shows('verify.reply').field(reply, 'network.current_anchor_index', anchor.index);
    // The age of an anchor is known only by a clock that can be read.
    const { issuedMs } = anchor;
    const assertion = t.shows('verify.reply.anchor-degraded');
    if (t.session.offers.has('clock') && issuedMs !== undefined) {
      const degraded = t.nowMs() - issuedMs > degradedIntervals * intervalSec * 1_000;
      assertion.field(reply, 'network.anchor_degraded', degraded);
    } else assertion.fieldIs(reply, 'network.anchor_degraded', isBoolean);
  },
};

const withSigil: Check = {
  ...base,
  id: 'verify/sigil',
  title: 'Lookups show the SIGIL of an agent, and its heartbeats',
  clauses: [
    'verify.reply.sigil',
    'sigil.immutable',
    'status.reply',
    'metadata.generation.start',
    'clock.issued-at-beat',
    'verify.purpose',
    'verify-batch.reply.found',
  ],
  needs: ['payments'],
  registers: 0,
  walletRegisters: 2,
  requests: 14,
  lamports: ({ sigil, heartbeat }) => sigil.narrowTaskFeeLamports + heartbeat.tier1FeeLamports,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    const { index } = await latestAnchor(t);
    t.shows('clock.issued-at-beat').field(bought, 'sigil.issued_at_beat', index);
    t.accepted(await heartbeat(t, agent));
    const verified = t.accepted(await look(t, 'verify', agent.hash));
    // The SIGIL of the agent that has one is shown: its name, in any form.
    const name = bought.string('sigil.sigil_name');
    t.shows('verify.purpose').through('D-20').fieldIs(verified, 'sigil', isNamed(name));
    await foundInBatch(t, agent.hash, name);
    for (const [field, value] of Object.entries(Object(bought.get('sigil')))) {
      if (field === 'generation') continue;
      t.shows('sigil.immutable').through('D-20').field(verified, `sigil.${field}`, value);
      t.shows('verify.reply.sigil').field(verified, `sigil.${field}`, value);
    }
    t.shows('metadata.generation.start').field(verified, 'sigil.generation', t.protocol.metadata.generationStart);
    const state = t.accepted(await look(t, 'status', agent.hash));
    const decided = t.shows('status.reply');
    decided.field(state, 'sigil', bought.get('sigil.sigil'));
    decided.field(state, 'identity_class', bought.get('sigil.identity_class'));
    decided.field(state, 'tier', bought.get('sigil.tier'));
    decided.field(state, 'beat_state.total_heartbeats', 1);
  },
};

const later: Check = {
  ...base,
  id: 'verify/sigil-later',
  title:
    'An agent that registers, buys and lives at different anchors is shown with each of them, and none of them moves',
  clauses: [
    'sigil.immutable',
    'passport.field.registered-at-beat',
    'passport.field.sigil-issued-at-beat',
    'passport.field.last-heartbeat-beat',
    'passport.field.last-heartbeat-beat.zero',
    'passport.field.issued-at',
    'passport.field.valid-until',
    'passport.validity',
    'constant.passport-validity',
    'verify.purpose',
    'verify-batch.reply.network',
    'beat-anchor.purpose',
    'clock.registered-at-beat',
    'clock.issued-at-beat',
    'clock.last-heartbeat-beat',
  ],
  needs: ['payments', 'clock'],
  registers: 0,
  walletRegisters: 2,
  requests: 29,
  sleeps: 5,
  lamports: ({ sigil, heartbeat, reissue: { feeLamports } }) =>
    sigil.narrowTaskFeeLamports + 2 * heartbeat.tier1FeeLamports + feeLamports,
  waits: () => ({ anchors: 27 }),
  async run(t) {
    await t.sleep({ anchors: 3 });
    const registered = await latestAnchor(t);
    const agent = await t.walletRoot({ init: true });
    const { missedAnchorsMax } = t.protocol.dms;
    const unsent = Math.min(4, missedAnchorsMax - 1);
    await t.sleep({ anchors: unsent });
    const issued = await latestAnchor(t);
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    t.shows('passport.field.last-heartbeat-beat.zero').field(bought, 'passport.last_heartbeat_beat', 0);
    t.shows('clock.issued-at-beat').field(bought, 'sigil.issued_at_beat', issued.index);
    passportIs(t, bought, agent, 'narrow_task');
    const registeredAt = bought.number('passport.registered_at_beat');
    const issuedAt = bought.number('passport.sigil_issued_at_beat');
    t.shows('passport.field.sigil-issued-at-beat').of(
      bought,
      'passport.sigil_issued_at_beat',
      issuedAt > registeredAt,
      'after registered_at_beat',
      issuedAt,
    );
    t.shows('passport.field.sigil-issued-at-beat').equal(
      'its beat in passport and SIGIL',
      issuedAt,
      bought.get('sigil.issued_at_beat'),
    );
    const ownBeat = t.shows('passport.field.registered-at-beat');
    if (issuedAt === issued.index) {
      const between = within(registered.index, issued.index - 1);
      ownBeat.fieldIs(bought, 'passport.registered_at_beat', between);
    } else ownBeat.notFollowed('D-04', 'beats are not anchors');
    let lastAt = issuedAt;
    for (let count = 1; count <= 2; count += 1) {
      // The first one comes at any time before the agent is frozen, which has let the time of its purchase pass.
      if (count === 1) await t.sleep({ anchors: Math.min(pauseAnchors(t.protocol), missedAnchorsMax - unsent) });
      else await pause(t);
      const sent = await latestAnchor(t);
      const reply = t.accepted(await heartbeat(t, agent, count));
      agesAre(t, reply, { registeredAt, issuedAt }, { registered, issued });
      passportIs(t, reply, agent, 'narrow_task');
      const reported = reply.get('passport.last_heartbeat_beat');
      const moved = typeof reported === 'number' && reported > lastAt;
      t.shows('passport.field.last-heartbeat-beat').of(
        reply,
        'passport.last_heartbeat_beat',
        moved,
        'a later beat',
        reported,
      );
      t.shows('clock.last-heartbeat-beat').field(reply, 'passport.last_heartbeat_beat', sent.index);
      lastAt = reply.number('passport.last_heartbeat_beat');
    }
    const verified = t.accepted(await look(t, 'verify', agent.hash));
    t.shows('sigil.immutable')
      .through('D-20')
      .field(verified, 'sigil.issued_at_beat', bought.get('sigil.issued_at_beat'));
    await networkIs(t, agent.hash);
    const reissued = t.accepted(await reissue(t, agent));
    passportIs(t, reissued, agent, 'narrow_task');
    agesAre(t, reissued, { registeredAt, issuedAt }, { registered, issued });
    t.shows('passport.field.last-heartbeat-beat').field(reissued, 'passport.last_heartbeat_beat', lastAt);
  },
};

/** The anchor that a batch shows, between two looks at the latest one. */
async function networkIs(t: Trial, hash: string): Promise<void> {
  const indexNow = async (): Promise<number | undefined> => anchorOf(t.accepted(await t.call('beat-anchor'))).index;
  const before = await indexNow();
  const batch = t.accepted(await t.call('verify-batch', { body: { hashes: [hash] } }));
  const after = await indexNow();
  if (before === undefined || after === undefined) return;
  anchorIs(t, batch, 'results.0.network.current_anchor_index', { before, after });
}

/** The beats of registration and purchase in a later passport: as before, and by D-04 the anchors of then. */
function agesAre(
  t: Trial,
  reply: Reply,
  before: { readonly registeredAt: number; readonly issuedAt: number },
  anchors: { readonly registered: Anchor; readonly issued: Anchor },
): void {
  t.shows('passport.field.registered-at-beat').field(reply, 'passport.registered_at_beat', before.registeredAt);
  t.shows('passport.field.sigil-issued-at-beat').field(reply, 'passport.sigil_issued_at_beat', before.issuedAt);
  t.shows('clock.registered-at-beat').field(reply, 'passport.registered_at_beat', anchors.registered.index);
  t.shows('clock.issued-at-beat').field(reply, 'passport.sigil_issued_at_beat', anchors.issued.index);
}

export const verifyChecks: readonly Check[] = [
  verify,
  withSigil,
  later,
  ...lookupRefusals('verify'),
  lookupLimit('verify', 'limit.verify'),
];
