/** Heartbeats of children and grandchildren, and of agents with both a wallet and a sponsor. Sponsorships are in sponsor.ts. */

import type { Protocol } from '../../spec/protocol.js';
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { listSponsorships, sponsor } from '../moves/sponsor.js';
import { pause } from '../steps/beat-clock.js';
import { buy, feesOf, heartbeat, heartbeatFee, purchase, reissue } from '../steps/paid.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { betweenHeartbeats } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';

const base = { needs: ['beats', 'payments'] } as const;
const fees =
  (count: number) =>
  (protocol: Protocol): number =>
    count * heartbeatFee(protocol, 1).lamports;

const both: WrittenCheck = {
  ...base,
  id: 'heartbeat/own-wallet-beside-sponsor',
  title:
    'Heartbeats of a sponsored child are accepted from its own wallet and from that of its sponsor, and every one counts',
  needs: ['beats', 'payments', 'clock'],
  waits: betweenHeartbeats(3),
  async run(t) {
    const { parent, child } = await family(t);
    const wallet = t.wallet();
    await t.send(sponsor(parent, child.hash));
    // 3.4: linking a wallet does not end a sponsorship.
    t.mustSucceed(await linkWith(t, child, wallet));
    await t.fund(wallet, feesOf(t.protocol, 4) + t.protocol.reissue.feeLamports);
    const payments: string[] = [];
    const send = (payment_tx: string) => t.send(heartbeatMove(child, payment_tx));
    for (const [place, from] of [wallet, parent.wallet, wallet].entries()) {
      if (place > 0) await pause(t);
      payments.push(await t.pay({ from, lamports: heartbeatFee(t.protocol, place + 1).lamports }));
      t.mustSucceed(await send(payments.at(-1) ?? ''));
      await t.send(listSponsorships(parent));
    }
    // 4.7: a reissue returns the same passport as the heartbeat of a child without a SIGIL.
    await reissue(t, { ...child, wallet });
    // A payment can be used once, whichever agent made it.
    await pause(t);
    for (const payment_tx of payments) await send(payment_tx);
    await heartbeat(t, { ...child, wallet }, 4);
  },
};

const grandchild: WrittenCheck = {
  ...base,
  id: 'heartbeat/grandchild',
  title: 'A grandchild without wallet and SIGIL sends a heartbeat that its grandparent pays',
  async run(t) {
    const { parent: root, child: parent } = await family(t);
    const child = await makeChild(t, parent, { depth: 1, init: true });
    await t.send(sponsor(root, child.hash));
    await sponsoredHeartbeat(t, child, root);
  },
};

const classes: WrittenCheck = {
  ...base,
  id: 'heartbeat/fee-of-class',
  title: 'The first heartbeats of an orchestrator, and of a child with a SIGIL, cost the fee of tier 1',
  async run(t) {
    const { parent, child: young } = await family(t);
    t.mustSucceed(await buy(t, parent, purchase(t, { identity_class: 'orchestrator' }), 'orchestrator'));
    const wallet = t.wallet();
    t.mustSucceed(await linkWith(t, young, wallet));
    await t.fund(wallet, sigilFeeLamports(t.protocol, 'autonomous') + fees(2)(t.protocol));
    const child = { ...young, wallet };
    const what = purchase(t, { identity_class: 'autonomous' });
    t.mustSucceed(await buy(t, child, what, 'autonomous'));
    for (const agent of [parent, child]) await heartbeat(t, agent);
  },
};

const walletOfBoth: WrittenCheck = {
  ...base,
  id: 'heartbeat/wallet-of-both',
  title: 'A child that pays from its own wallet uses no sponsorship, even if its sponsor has the same wallet',
  needs: ['beats', 'payments'],
  async run(t) {
    const { parent, child } = await family(t);
    t.mustSucceed(await linkWith(t, child, parent.wallet));
    await t.send(sponsor(parent, child.hash));
    t.mustSucceed(await sponsoredHeartbeat(t, child, parent));
    await t.send(listSponsorships(parent));
  },
};

export const heartbeatFamilyChecks: readonly WrittenCheck[] = [walletOfBoth, both, grandchild, classes];
