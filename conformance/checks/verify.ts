/** The verify lookup: an agent with its lineage and its SIGIL. Batches are in verify-batch.ts. */

import { isBoolean } from '../../model/reading/field-tests.js';
import { pause } from '../steps/beat-clock.js';
import { buy, heartbeat, purchase, reissue } from '../steps/paid.js';
import { send } from '../steps/verify-batch-call.js';
import { pauseAnchors } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import { look, lookupLimit, lookupRefusals } from './lookup.js';

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
    // First the one that is limited more narrowly, so that no wait comes between them.
    const batch = t.accepted(await send(t, [agent.hash]));
    const reply = t.accepted(await look(t, 'verify', agent.hash));
    const { lineage_depth: _, ...rest } = Object(reply.json) as Record<string, unknown>;
    t.shows('verify.reply').field(batch, 'results.0', rest);
    t.shows('verify.reply.anchor-degraded').fieldIs(reply, 'network.anchor_degraded', isBoolean);
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
    t.accepted(await buy(t, agent, purchase(t)));
    t.accepted(await heartbeat(t, agent));
    t.accepted(await look(t, 'verify', agent.hash));
    t.accepted(await send(t, [agent.hash]));
    t.accepted(await look(t, 'status', agent.hash));
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
    const { missedAnchorsMax } = t.protocol.dms;
    const unsent = Math.min(4, missedAnchorsMax - 1);
    await t.sleep({ anchors: 3 });
    const agent = await t.walletRoot({ init: true });
    await t.sleep({ anchors: unsent });
    t.accepted(await buy(t, agent, purchase(t)));
    // The first one comes at any time before the agent is frozen, which has let the time of its purchase pass.
    await t.sleep({ anchors: Math.min(pauseAnchors(t.protocol), missedAnchorsMax - unsent) });
    t.accepted(await heartbeat(t, agent, 1));
    await pause(t);
    t.accepted(await heartbeat(t, agent, 2));
    t.accepted(await look(t, 'verify', agent.hash));
    t.accepted(await send(t, [agent.hash]));
    t.accepted(await t.call('beat-anchor'));
    t.accepted(await reissue(t, agent));
  },
};

export const verifyChecks: readonly Check[] = [
  verify,
  withSigil,
  later,
  ...lookupRefusals('verify'),
  lookupLimit('verify', 'limit.verify'),
];
