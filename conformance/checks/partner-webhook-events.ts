/** The events that each partner gets, for every way to cause them. Signatures and retries of deliveries are in partner-webhook-delivery.ts. */

import { unreachable } from '../assertions/unjudged.js';
import { resync } from '../moves/resync.js';
import { sponsor } from '../moves/sponsor.js';
import { latestAnchor, pause, sleepNearEpochEnd } from '../steps/beat-clock.js';
import { freshPartner } from '../steps/keys.js';
import { buy, heartbeat, heartbeatFee, purchase } from '../steps/paid.js';
import {
  ARRIVAL_MS,
  allArrived,
  assertAllDelivered,
  assertProbeDelivered,
  bought,
  causing,
  deliveryOf,
  eventIs,
  eventsIn,
  isAbout,
  noDeliveryOf,
  subscribed,
} from '../steps/partner-webhook-call.js';
import { comeBack, lapse, penalty, proveBack } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { heartbeatPaidBy } from '../steps/sponsor-call.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilPriceLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = {
  needs: ['webhooks', 'control', 'payments'],
  controls: ['partners'],
} as const;

const sigilPurchased: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-sigil-purchased',
  title: 'A SIGIL purchase is delivered to the partner whose ref the registration of the agent named',
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, init: true });
    const { data } = await bought(t, agent);
    // Another event of the same agent shows that deliveries about it come.
    t.mustSucceed(await heartbeat(t, agent));
    const clauses = ['service.webhook', 'sigil.transition.event', 'event.sigil-purchased'];
    const got = await deliveryOf(t, partner, 'sigil.purchased', [...clauses, 'event.ref']);
    t.shows('delivery.post').equal('method of the delivery', got.method, 'POST');
    eventIs(t, got, 'sigil.purchased', agent.hash, data, 'event.sigil-purchased.data');
  },
};

const heartbeatRecorded: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-heartbeat-recorded',
  title: 'Each heartbeat is delivered to the partner of its agent',
  needs: ['webhooks', 'control', 'payments', 'clock'],
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    const reply = t.mustSucceed(await heartbeat(t, agent));
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
    for (const n of [2, 3]) {
      await pause(t);
      t.mustSucceed(await heartbeat(t, agent, n));
      await deliveryOf(t, partner, 'heartbeat.recorded', ['event.heartbeat-recorded'], n);
    }
    // Events of another agent under the partner are delivered like those of the first.
    t.mustSucceed(await heartbeat(t, await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' })));
    await deliveryOf(t, partner, 'heartbeat.recorded', ['event.heartbeat-recorded'], 4);
  },
};

const registeredBefore: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-registered-before',
  title: 'Events of an agent that was registered before its partner had a webhook are delivered',
  async run(t) {
    const partner = await freshPartner(t);
    const agent = await t.walletRoot({ ref: partner.ref, init: true });
    const told = await subscribed(t, ['sigil.purchased'], partner);
    await bought(t, agent);
    await deliveryOf(t, told, 'sigil.purchased', ['event.sigil-purchased', 'sigil.transition.event']);
  },
};

const sponsoredHeartbeat: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-heartbeat-sponsored',
  title:
    'The events of a child under the partner are delivered like those of a root: purchase, heartbeats, freeze and resync',
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'heartbeat.recorded', 'agent.frozen', 'agent.unfrozen']);
    const parent = await t.walletRoot({ ref: partner.ref });
    const young = await makeChild(t, parent, { init: true });
    const wallet = t.wallet();
    t.mustSucceed(await linkWith(t, young, wallet));
    const { lamports } = heartbeatFee(t.protocol, 1);
    await t.fund(wallet, sigilPriceLamports(t.protocol, 'autonomous') + 2 * lamports);
    const child = { ...young, wallet };
    await t.send(sponsor(parent, child.hash));
    t.mustSucceed(await buy(t, child, purchase(t, { identity_class: 'autonomous' }), 'autonomous'));
    t.mustSucceed(await heartbeat(t, child));
    await pause(t);
    t.mustSucceed(await heartbeatPaidBy(t, child, parent, 2));
    const missed = await lapse(t, child);
    t.mustSucceed(await comeBack(t, child, penalty(t, missed)));
    await allArrived(partner.inbox, 5);
    assertAllDelivered(t, partner, child, 'a child', causing(2));
  },
};

const ofOrchestrator: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-of-orchestrator',
  title: 'Purchase and heartbeats of an orchestrator are delivered like those of other classes',
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'orchestrator' });
    t.mustSucceed(await heartbeat(t, agent));
    await allArrived(partner.inbox, 2);
    await deliveryOf(t, partner, 'heartbeat.recorded', ['event.heartbeat-recorded']);
    await deliveryOf(t, partner, 'sigil.purchased', ['sigil.transition.event', 'event.sigil-purchased']);
  },
};

/** The expected data of a freeze at an anchor, with further fields. */
const frozenAt = (t: Trial, anchor: number, more: Readonly<Record<string, unknown>>) => ({
  ...more,
  frozen_at_beat: anchor * t.protocol.anchor.beatsPerAnchor,
});

const frozenAndBack: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-frozen-and-back',
  title: 'The first and the second freeze and resync of an agent are delivered to its partner',
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'agent.frozen', 'agent.unfrozen']);
    const started = await latestAnchor(t);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    const missed = await lapse(t, agent);
    const { index } = await latestAnchor(t);
    const frozen = await deliveryOf(t, partner, 'agent.frozen', ['dms.freeze.event', 'event.agent-frozen']);
    const atFreeze = frozenAt(t, index, { missed_anchors: missed, last_global_sync: started.index });
    eventIs(t, frozen, 'agent.frozen', agent.hash, atFreeze, 'event.agent-frozen.data');
    // The agent of the probe has been silent for longer, so it is frozen, too.
    await assertProbeDelivered(t, 'agent.frozen', 'dms.freeze.event', 'event.agent-frozen');
    const beats = penalty(t, missed);
    t.mustSucceed(await comeBack(t, agent, beats));
    const back = { gap_anchors: missed, beats_proven: beats };
    const clauses = ['resync.transition.event', 'event.agent-unfrozen'];
    const unfrozen = await deliveryOf(t, partner, 'agent.unfrozen', clauses);
    eventIs(t, unfrozen, 'agent.unfrozen', agent.hash, back, 'event.agent-unfrozen.data');
    // An event that happens again is delivered again.
    const again = await lapse(t, agent);
    await deliveryOf(t, partner, 'agent.frozen', ['dms.freeze.event', 'event.agent-frozen'], 2);
    t.mustSucceed(await comeBack(t, agent, penalty(t, again)));
    await deliveryOf(t, partner, 'agent.unfrozen', clauses, 2);
  },
};

const backByChallenge: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-unfrozen-by-challenge',
  title: 'A resync by challenge is delivered, and its freeze only to a partner that subscribed to freezes',
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'agent.unfrozen']);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    await deliveryOf(t, partner, 'sigil.purchased', []);
    await lapse(t, agent);
    t.mustSucceed(await proveBack(t, agent));
    await deliveryOf(t, partner, 'agent.unfrozen', ['resync.transition.event', 'event.agent-unfrozen']);
    noDeliveryOf(t, partner, 'agent.frozen');
  },
};

const twoFreeze: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-frozen-together',
  title: 'Two agents that freeze at one anchor cause an event each, and a resync without a subscription causes none',
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  async run(t) {
    const partner = await subscribed(t, ['agent.frozen']);
    const agents = [
      await t.walletRoot({ ref: partner.ref, init: true }),
      await t.walletRoot({ ref: partner.ref, init: true }),
    ] as const;
    const clauses = ['dms.freeze.event', 'event.agent-frozen'];
    const missed = await lapse(t, agents[0]);
    await deliveryOf(t, partner, 'agent.frozen', clauses, 2);
    const about = (hash: string): number => partner.inbox.got.filter((made) => isAbout(made, hash)).length;
    const each = agents.map(({ hash }) => about(hash));
    // The text does not show how a delivery names its agent. If it does by hash, each agent must have its own delivery.
    if (each.some((count) => count > 0)) {
      const own = each.every((count) => count === 1);
      t.shows(...clauses).that('deliveries about two agents', own, 'one each', each.join(' and '));
    }
    for (const agent of agents) t.mustSucceed(await comeBack(t, agent, penalty(t, missed)));
    // Freezes the agents a second time, after their reactivation.
    await lapse(t, agents[0]);
    await deliveryOf(t, partner, 'agent.frozen', clauses, 4);
    noDeliveryOf(t, partner, 'agent.unfrozen');
  },
};

/** Heartbeats of one agent: more than ten, so that a number has two digits. */
const MANY_HEARTBEATS = 14;

const manyHeartbeats: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-heartbeats-many',
  title: 'The fourteenth heartbeat of an agent is delivered like the first',
  needs: ['webhooks', 'control', 'payments', 'clock'],
  async run(t) {
    if (t.protocol.heartbeat.autonomousCap < MANY_HEARTBEATS)
      throw unreachable(`a class has a cap of fewer than ${MANY_HEARTBEATS} heartbeats`);
    const partner = await subscribed(t, ['heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'autonomous' });
    for (let n = 1; n <= MANY_HEARTBEATS; n += 1) {
      if (n > 1) await pause(t);
      t.mustSucceed(await heartbeat(t, agent, n));
    }
    await deliveryOf(t, partner, 'heartbeat.recorded', ['event.heartbeat-recorded'], MANY_HEARTBEATS);
  },
};

const refusedCalls: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-refused',
  title: 'A refused purchase, heartbeat or resync is not delivered',
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'heartbeat.recorded', 'agent.unfrozen']);
    const agent = await t.walletRoot({ ref: partner.ref, init: true });
    const { key, wallet } = agent;
    const tooMuch = (lamports: number): Promise<string> => t.pay({ from: wallet, lamports: lamports + 1 });
    const buying = { ...purchase(t), payment_tx: await tooMuch(sigilPriceLamports(t.protocol, 'narrow_task')) };
    const unbought = await t.call('sigil', { key, body: buying });
    await bought(t, agent);
    const beating = { payment_tx: await tooMuch(heartbeatFee(t.protocol, 1).lamports) };
    const unrecorded = await t.call('heartbeat', { key, body: beating });
    const unneeded = await t.send(resync(agent));
    t.mustSucceed(await heartbeat(t, agent));
    // The delivery of the last accepted event shows that the others had time to arrive.
    await deliveryOf(t, partner, 'heartbeat.recorded', []);
    for (const [event, refused, caused] of [
      ['sigil.purchased', unbought, 1],
      ['heartbeat.recorded', unrecorded, 1],
      ['agent.unfrozen', unneeded, 0],
    ] as const) {
      if (refused.status < 400) continue;
      const told = partner.inbox.got.filter((delivered) => eventsIn(delivered).includes(event));
      const count = new Set(told.map(({ text }) => text)).size;
      const clause = `event.${event.replace('.', '-')}`;
      t.shows(clause).that(`deliveries of ${event}`, count <= caused, `${caused} at most`, `${count}`);
    }
  },
};

const scope: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-scope',
  title: 'A partner gets the events of the agents under it, and of no others',
  async run(t) {
    const [one, other] = [await subscribed(t, ['sigil.purchased']), await subscribed(t, ['sigil.purchased'])];
    const nobodys = await t.walletRoot();
    const [ofOne, ofOther] = [await t.walletRoot({ ref: one.ref }), await t.walletRoot({ ref: other.ref })];
    // The deliveries of the last purchases show that a wrong one would have arrived by now.
    await bought(t, nobodys);
    const [first, second] = [await bought(t, ofOne), await bought(t, ofOther)];
    for (const { inbox } of [one, other]) await inbox.arrived(1, ARRIVAL_MS);
    for (const [{ inbox }, { hash }] of [[one, ofOne] as const, [other, ofOther] as const]) {
      const count = inbox.got.length;
      t.shows('event.scope').that('deliveries to a partner with one agent', count <= 1, 'one at most', `${count}`);
      const astray = t.session.receiver?.elsewhere(inbox, hash) ?? 0;
      t.shows('event.scope').that('deliveries about its agent to other partners', astray === 0, 'none', `${astray}`);
    }
    eventIs(t, await deliveryOf(t, one, 'sigil.purchased', []), 'sigil.purchased', ofOne.hash, first.data);
    eventIs(t, await deliveryOf(t, other, 'sigil.purchased', []), 'sigil.purchased', ofOther.hash, second.data);
  },
};

const descendants: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-descendants',
  title: "The freeze of an agent's child is delivered to the agent's partner",
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  async run(t) {
    const partner = await subscribed(t, ['agent.frozen']);
    const parent = await t.walletRoot({ ref: partner.ref });
    const started = await latestAnchor(t);
    // The parent's chain has not started: it is never frozen, and its child alone is.
    const child = await makeChild(t, parent, { init: true });
    const missed = await lapse(t, child);
    const { index } = await latestAnchor(t);
    const got = await deliveryOf(t, partner, 'agent.frozen', ['event.ref.descendants']);
    const atFreeze = frozenAt(t, index, { missed_anchors: missed, last_global_sync: started.index });
    eventIs(t, got, 'agent.frozen', child.hash, atFreeze, 'event.ref.descendants');
  },
};

const laterEpoch: WrittenCheck = {
  ...base,
  id: 'partner-webhook/event-later-epoch',
  title: 'A heartbeat is delivered in the epochs after the first, too',
  needs: ['webhooks', 'control', 'payments', 'clock'],
  exclusive: true,
  async run(t) {
    const { beatsPerAnchor } = t.protocol.anchor;
    await sleepNearEpochEnd(t, beatsPerAnchor);
    await t.sleep({ anchors: 1 });
    const partner = await subscribed(t, ['heartbeat.recorded']);
    t.mustSucceed(await heartbeat(t, await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' })));
    await deliveryOf(t, partner, 'heartbeat.recorded', ['event.heartbeat-recorded']);
  },
};

/** The event of a later epoch, until which the clock moves by months. */
export const partnerWebhookEpochChecks: readonly WrittenCheck[] = [laterEpoch];

export const partnerWebhookEventChecks: readonly WrittenCheck[] = [
  sigilPurchased,
  heartbeatRecorded,
  registeredBefore,
  sponsoredHeartbeat,
  ofOrchestrator,
  frozenAndBack,
  backByChallenge,
  twoFreeze,
  manyHeartbeats,
  refusedCalls,
  scope,
  descendants,
];
