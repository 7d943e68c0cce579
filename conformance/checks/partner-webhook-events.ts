import { latestAnchor } from '../steps/beat-clock.js';
import { heartbeat, heartbeatFee } from '../steps/paid.js';
import { bought, delivery, eventIs, subscribed } from '../steps/partner-webhook-call.js';
import { comeBack, fewest, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';

const base = {
  needs: ['webhooks', 'control', 'payments'],
  controls: ['partners'],
  registers: 0,
  walletRegisters: 2,
  writes: true,
} as const;

const sigilPurchased: Check = {
  ...base,
  id: 'partner-webhook/event-sigil-purchased',
  title: 'The purchase of a SIGIL is delivered to the partner whose ref the agent was registered with',
  clauses: [
    'service.webhook',
    'sigil.transition.event',
    'event.sigil-purchased',
    'event.sigil-purchased.data',
    'event.ref',
    'delivery.post',
    'delivery.body',
  ],
  requests: 14,
  lamports: (protocol) => sigilFeeLamports(protocol, 'narrow_task'),
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased']);
    const agent = await t.walletRoot({ ref: partner.ref });
    const { data } = await bought(t, agent);
    const got = await delivery(t, partner);
    t.equal('method of the delivery', got.method, 'POST');
    eventIs(t, got, 'sigil.purchased', agent.hash, data);
  },
};

const heartbeatRecorded: Check = {
  ...base,
  id: 'partner-webhook/event-heartbeat-recorded',
  title: 'A heartbeat is delivered to the partner of its agent',
  clauses: ['event.heartbeat-recorded', 'event.heartbeat-recorded.data'],
  requests: 16,
  lamports: (protocol) => sigilFeeLamports(protocol, 'narrow_task') + heartbeatFee(protocol, 1).lamports,
  async run(t) {
    const partner = await subscribed(t, ['heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    const reply = t.accepted(await heartbeat(t, agent));
    eventIs(t, await delivery(t, partner), 'heartbeat.recorded', agent.hash, {
      beat: reply.get('current_beat'),
      billing_epoch: reply.get('billing_epoch'),
      heartbeat_count_epoch: 1,
      payment_tx: reply.get('fee.payment_tx'),
      fee_lamports: heartbeatFee(t.protocol, 1).lamports,
      sponsor: null,
    });
  },
};

const frozenAndBack: Check = {
  ...base,
  id: 'partner-webhook/event-frozen-and-back',
  title: 'The freeze of an agent and its return are delivered to its partner, in this order',
  clauses: [
    'dms.freeze.event',
    'event.agent-frozen',
    'event.agent-frozen.data',
    'resync.transition.event',
    'event.agent-unfrozen',
    'event.agent-unfrozen.data',
  ],
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  requests: 20,
  async run(t) {
    const partner = await subscribed(t, ['agent.frozen', 'agent.unfrozen']);
    const started = await latestAnchor(t);
    const agent = await t.walletRoot({ ref: partner.ref, init: true });
    const missed = fewest(t);
    await t.sleep({ anchors: missed });
    const { index } = await latestAnchor(t);
    eventIs(t, await delivery(t, partner), 'agent.frozen', agent.hash, {
      missed_anchors: missed,
      last_global_sync: started.index,
      frozen_at_beat: index,
    });
    const beats = penalty(t, missed);
    t.accepted(await comeBack(t, agent, beats));
    const back = { gap_anchors: missed, beats_proven: beats };
    eventIs(t, await delivery(t, partner, 2), 'agent.unfrozen', agent.hash, back);
  },
};

const scope: Check = {
  ...base,
  id: 'partner-webhook/event-scope',
  title: 'A partner is told of the agents under it, and of no others',
  clauses: ['event.scope'],
  walletRegisters: 6,
  requests: 28,
  lamports: (protocol) => 3 * sigilFeeLamports(protocol, 'narrow_task'),
  async run(t) {
    const [one, other] = [await subscribed(t, ['sigil.purchased']), await subscribed(t, ['sigil.purchased'])];
    const nobodys = await t.walletRoot();
    const [ofOne, ofOther] = [await t.walletRoot({ ref: one.ref }), await t.walletRoot({ ref: other.ref })];
    // The last purchases' deliveries show that what should not come has had its time.
    await bought(t, nobodys);
    const [first, second] = [await bought(t, ofOne), await bought(t, ofOther)];
    eventIs(t, await delivery(t, one), 'sigil.purchased', ofOne.hash, first.data);
    eventIs(t, await delivery(t, other), 'sigil.purchased', ofOther.hash, second.data);
    t.equal('deliveries to the one partner', one.inbox.got.length, 1);
    t.equal('deliveries to the other partner', other.inbox.got.length, 1);
  },
};

const descendants: Check = {
  ...base,
  id: 'partner-webhook/event-descendants',
  title: "A partner is told of the freeze of its agent's child",
  clauses: ['event.ref.descendants'],
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  registers: 1,
  requests: 20,
  async run(t) {
    const partner = await subscribed(t, ['agent.frozen']);
    const parent = await t.walletRoot({ ref: partner.ref });
    const started = await latestAnchor(t);
    // The parent's chain has not started: it is never frozen, and its child alone is.
    const child = await makeChild(t, parent, { init: true });
    await t.sleep({ anchors: fewest(t) });
    const { index } = await latestAnchor(t);
    eventIs(t, await delivery(t, partner), 'agent.frozen', child.hash, {
      missed_anchors: fewest(t),
      last_global_sync: started.index,
      frozen_at_beat: index,
    });
  },
};

export const partnerWebhookEventChecks: readonly Check[] = [
  sigilPurchased,
  heartbeatRecorded,
  frozenAndBack,
  scope,
  descendants,
];
