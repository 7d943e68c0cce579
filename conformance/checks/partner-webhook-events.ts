import { latestAnchor } from '../steps/beat-clock.js';
import { heartbeat, heartbeatFee } from '../steps/paid.js';
import { ARRIVAL_MS, bought, deliveryOf, eventIs, subscribed } from '../steps/partner-webhook-call.js';
import { comeBack, fewest, penalty, proveBack } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { heartbeatPaidBy, sponsored } from '../steps/sponsor-call.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';

/** Which events are delivered, for whom, and by every way that causes them. How they are delivered is in partner-webhook-delivery.ts. */
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
  requests: 18,
  lamports: (protocol) => sigilFeeLamports(protocol, 'narrow_task') + heartbeatFee(protocol, 1).lamports,
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, init: true });
    const { data } = await bought(t, agent);
    // Another event of the same agent shows that deliveries about it come.
    t.accepted(await heartbeat(t, agent));
    const clauses = ['service.webhook', 'sigil.transition.event', 'event.sigil-purchased'];
    const got = await deliveryOf(t, partner, 'sigil.purchased', [...clauses, 'event.ref']);
    t.shows('delivery.post').equal('method of the delivery', got.method, 'POST');
    eventIs(t, got, 'sigil.purchased', agent.hash, data, 'event.sigil-purchased.data');
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
    const partner = await subscribed(t, ['sigil.purchased', 'heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    const reply = t.accepted(await heartbeat(t, agent));
    const got = await deliveryOf(t, partner, 'heartbeat.recorded', ['event.heartbeat-recorded']);
    const data = {
      beat: reply.get('current_beat'),
      billing_epoch: reply.get('billing_epoch'),
      heartbeat_count_epoch: 1,
      payment_tx: reply.get('fee.payment_tx'),
      fee_lamports: heartbeatFee(t.protocol, 1).lamports,
      sponsor: null,
    };
    eventIs(t, got, 'heartbeat.recorded', agent.hash, data, 'event.heartbeat-recorded.data');
  },
};

const sponsoredHeartbeat: Check = {
  ...base,
  id: 'partner-webhook/event-heartbeat-sponsored',
  title: 'A heartbeat that a sponsor pays is delivered as one that its agent pays',
  clauses: ['event.heartbeat-recorded', 'event.ref.descendants'],
  needs: ['webhooks', 'control', 'payments', 'beats'],
  registers: 1,
  walletRegisters: 2,
  requests: 28,
  lamports: (protocol) => sigilFeeLamports(protocol, 'narrow_task') + 2 * heartbeatFee(protocol, 1).lamports,
  async run(t) {
    const partner = await subscribed(t, ['heartbeat.recorded']);
    const parent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    const child = await makeChild(t, parent, { init: true });
    await sponsored(t, parent, child);
    t.accepted(await heartbeat(t, parent));
    await deliveryOf(t, partner, 'heartbeat.recorded', ['event.heartbeat-recorded']);
    t.accepted(await heartbeatPaidBy(t, child, parent));
    // That a child is under the partner of its parent is D-37's.
    await partner.inbox.arrived(2, ARRIVAL_MS);
    const got = partner.inbox.got.filter(({ text }) => text.includes(child.hash)).length;
    t.shows('event.ref.descendants').that('deliveries of a sponsored heartbeat', got === 1, '1', `${got}`);
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
  requests: 24,
  lamports: (protocol) => sigilFeeLamports(protocol, 'narrow_task'),
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'agent.frozen', 'agent.unfrozen']);
    const started = await latestAnchor(t);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    const missed = fewest(t);
    await t.sleep({ anchors: missed });
    const { index } = await latestAnchor(t);
    const frozen = await deliveryOf(t, partner, 'agent.frozen', ['dms.freeze.event', 'event.agent-frozen']);
    const atFreeze = { missed_anchors: missed, last_global_sync: started.index, frozen_at_beat: index };
    eventIs(t, frozen, 'agent.frozen', agent.hash, atFreeze, 'event.agent-frozen.data');
    const beats = penalty(t, missed);
    t.accepted(await comeBack(t, agent, beats));
    const back = { gap_anchors: missed, beats_proven: beats };
    const clauses = ['resync.transition.event', 'event.agent-unfrozen'];
    const unfrozen = await deliveryOf(t, partner, 'agent.unfrozen', clauses);
    eventIs(t, unfrozen, 'agent.unfrozen', agent.hash, back, 'event.agent-unfrozen.data');
  },
};

const backByChallenge: Check = {
  ...base,
  id: 'partner-webhook/event-unfrozen-by-challenge',
  title: 'The return of an agent by the challenge form of resync is delivered too',
  clauses: ['resync.transition.event', 'event.agent-unfrozen'],
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  requests: 24,
  async run(t) {
    const partner = await subscribed(t, ['agent.frozen', 'agent.unfrozen']);
    const agent = await t.walletRoot({ ref: partner.ref, init: true });
    await t.sleep({ anchors: fewest(t) });
    await deliveryOf(t, partner, 'agent.frozen', []);
    t.accepted(await proveBack(t, agent));
    await deliveryOf(t, partner, 'agent.unfrozen', ['resync.transition.event', 'event.agent-unfrozen']);
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
    eventIs(t, await deliveryOf(t, one, 'sigil.purchased', []), 'sigil.purchased', ofOne.hash, first.data);
    eventIs(t, await deliveryOf(t, other, 'sigil.purchased', []), 'sigil.purchased', ofOther.hash, second.data);
    for (const { inbox } of [one, other]) {
      const count = inbox.got.length;
      t.shows('event.scope').that('deliveries to a partner with one agent', count === 1, '1', `${count}`);
    }
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
    const got = await deliveryOf(t, partner, 'agent.frozen', ['event.ref.descendants']);
    const atFreeze = { missed_anchors: fewest(t), last_global_sync: started.index, frozen_at_beat: index };
    eventIs(t, got, 'agent.frozen', child.hash, atFreeze, 'event.ref.descendants');
  },
};

export const partnerWebhookEventChecks: readonly Check[] = [
  sigilPurchased,
  heartbeatRecorded,
  sponsoredHeartbeat,
  frozenAndBack,
  backByChallenge,
  scope,
  descendants,
];
