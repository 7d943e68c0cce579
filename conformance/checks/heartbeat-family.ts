/** Heartbeats of children and grandchildren, and of agents with both a wallet and a sponsor. Sponsorships are in sponsor.ts. */
import type { Protocol } from '../../spec/protocol.js';
import { pause } from '../steps/beat-clock.js';
import { buy, feeIs, feesOf, heartbeat, heartbeatFee, purchase, reissue } from '../steps/paid.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, listed, sponsored, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { betweenHeartbeats } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';

const base = { needs: ['beats', 'payments'], registers: 1, walletRegisters: 2, writes: true } as const;
const fees =
  (count: number) =>
  (protocol: Protocol): number =>
    count * heartbeatFee(protocol, 1).lamports;

const both: Check = {
  ...base,
  id: 'heartbeat/own-wallet-beside-sponsor',
  title: 'A sponsored child that has a wallet pays itself, or has its sponsor pay, and every heartbeat counts',
  clauses: [
    'heartbeat.sender.own',
    'heartbeat.sender.sponsor',
    'heartbeat.sender.charged',
    'heartbeat.reply.total-heartbeats',
    'heartbeat.reply.heartbeat-count-epoch',
    'heartbeat.error.payment-already-used',
    'fee.heartbeat.tier-1',
    'fee.field.tier',
    'reissue-proof.reprint',
  ],
  needs: ['beats', 'payments', 'clock'],
  requests: 44,
  lamports: (protocol) => fees(4)(protocol) + protocol.reissue.feeLamports,
  refusal: true,
  waits: betweenHeartbeats(3),
  async run(t) {
    const { parent, child } = await family(t);
    const wallet = t.wallet();
    await sponsored(t, parent, child);
    // 3.4: a wallet of its own ends no sponsorship.
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, child, wallet)));
    const payers = [wallet, parent.wallet, wallet];
    await t.fund(wallet, feesOf(t.protocol, payers.length + 1) + t.protocol.reissue.feeLamports + 1);
    const payments: string[] = [];
    let charged = 0;
    let epoch: unknown;
    for (const [place, from] of payers.entries()) {
      if (place > 0) await pause(t);
      const { lamports, tier } = heartbeatFee(t.protocol, place + 1);
      const payment = await t.pay({ from, lamports });
      const sent = await t.call('heartbeat', { key: child.key, body: { payment_tx: payment } });
      const rule = from === wallet ? 'heartbeat.sender.own' : 'heartbeat.sender.sponsor';
      const reply = t.accepted(sent, sent.get('code') === 'PAYMENT_INVALID' ? 'fee.heartbeat.tier-1' : rule);
      t.shows('heartbeat.reply.total-heartbeats').field(reply, 'total_heartbeats', place + 1);
      // Where an epoch ends meanwhile, its counts begin again.
      epoch ??= reply.get('billing_epoch');
      t.need(reply.get('billing_epoch') === epoch || undefined, 'three heartbeats in one billing epoch');
      t.shows('heartbeat.reply.heartbeat-count-epoch').field(reply, 'heartbeat_count_epoch', place + 1);
      if (tier === 1) feeIs(t, reply, { lamports, payment, clauses: ['fee.heartbeat.tier-1'] });
      t.shows('fee.field.tier').field(reply, 'fee.tier', tier);
      charged += from === wallet ? 0 : 1;
      const { reply: listing, path } = await listed(t, parent, child.hash);
      t.shows('heartbeat.sender.charged').field(listing, `${path}.heartbeats_used_epoch`, charged);
      payments.push(payment);
    }
    // 4.7: what a heartbeat of a child without a SIGIL returned is printed again.
    t.accepted(await reissue(t, { ...child, wallet }), 'reissue-proof.reprint');
    // A payment is used once, whichever agent has paid.
    if (heartbeatFee(t.protocol, payers.length + 1).lamports !== heartbeatFee(t.protocol, 1).lamports) return;
    await pause(t);
    for (const payment_tx of payments) {
      const again = await t.call('heartbeat', { key: child.key, body: { payment_tx } });
      const clause = 'heartbeat.error.payment-already-used';
      // For how long a payment is good is not shown: one that has become too old has two faults.
      if (payment_tx !== payments.at(-1) && again.get('code') === 'PAYMENT_INVALID')
        t.refusedWith(again, '4xx', clause);
      else t.refused(again, 'heartbeat/PAYMENT_ALREADY_USED', clause);
    }
    const next = await t.pay({ from: wallet, lamports: heartbeatFee(t.protocol, payers.length + 1).lamports });
    t.accepted(await t.call('heartbeat', { key: child.key, body: { payment_tx: next } }));
  },
};

const grandchild: Check = {
  ...base,
  id: 'heartbeat/grandchild',
  title: 'A grandchild without wallet and SIGIL sends a heartbeat that its grandparent pays',
  clauses: ['heartbeat.sigil.child', 'spawn.child.heartbeat', 'heartbeat.sender.sponsor', 'sponsor.pays'],
  registers: 2,
  requests: 26,
  lamports: fees(1),
  async run(t) {
    const { parent: root, child: parent } = await family(t);
    const child = await makeChild(t, parent, { depth: 1, init: true });
    await sponsored(t, root, child);
    const reply = await sponsoredHeartbeat(t, child, root);
    const ofSigil = reply.get('code') === 'SIGIL_REQUIRED';
    const payment = ['heartbeat.sender.sponsor', 'sponsor.pays'];
    const musts = ['heartbeat.sigil.child', 'spawn.child.heartbeat'];
    t.accepted(reply, ...(reply.status < 400 ? [...payment, ...musts] : ofSigil ? musts : payment));
  },
};

const classes: Check = {
  ...base,
  id: 'heartbeat/fee-of-class',
  title: 'The first heartbeats of an orchestrator, and of a child with a SIGIL, cost what those of others do',
  clauses: ['fee.heartbeat.tier-1', 'fee.field.tier', 'sigil.transition.issued'],
  walletRegisters: 2,
  requests: 30,
  lamports: (protocol) =>
    sigilFeeLamports(protocol, 'orchestrator') + sigilFeeLamports(protocol, 'autonomous') + fees(2)(protocol),
  async run(t) {
    const { parent, child: young } = await family(t);
    t.accepted(await buy(t, parent, purchase(t, { identity_class: 'orchestrator' }), 'orchestrator'));
    const wallet = t.wallet();
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, young, wallet)));
    await t.fund(wallet, sigilFeeLamports(t.protocol, 'autonomous') + fees(2)(t.protocol));
    const child = { ...young, wallet };
    const what = purchase(t, { identity_class: 'autonomous' });
    t.accepted(await buy(t, child, what, 'autonomous'), 'sigil.transition.issued');
    const { lamports, tier } = heartbeatFee(t.protocol, 1);
    for (const agent of [parent, child]) {
      const reply = t.accepted(await heartbeat(t, agent), 'fee.heartbeat.tier-1');
      t.shows('fee.heartbeat.tier-1').field(reply, 'fee.amount_lamports', lamports);
      t.shows('fee.field.tier').field(reply, 'fee.tier', tier);
    }
  },
};

const walletOfBoth: Check = {
  ...base,
  id: 'heartbeat/wallet-of-both',
  title: 'What a child pays from its own wallet is its own, be that the wallet of its sponsor too',
  clauses: ['heartbeat.sender.own', 'heartbeat.sender.charged'],
  needs: ['beats', 'payments'],
  requests: 22,
  lamports: fees(1),
  async run(t) {
    const { parent, child } = await family(t);
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, child, parent.wallet)));
    await sponsored(t, parent, child);
    t.accepted(await sponsoredHeartbeat(t, child, parent), 'heartbeat.sender.own');
    const { reply, path } = await listed(t, parent, child.hash);
    t.shows('heartbeat.sender.own', 'heartbeat.sender.charged').field(reply, `${path}.heartbeats_used_epoch`, 0);
  },
};

export const heartbeatFamilyChecks: readonly Check[] = [walletOfBoth, both, grandchild, classes];
