/** Counts and beats of heartbeats before and after other events of an agent: a purchase, a freeze, several freezes. One heartbeat is judged in heartbeat.ts. */

import type { Protocol } from '../../spec/protocol.js';
import { lookup } from '../moves/lookup.js';
import { change as changeMetadata } from '../moves/metadata.js';
import { resync } from '../moves/resync.js';
import { sponsor } from '../moves/sponsor.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { pause } from '../steps/beat-clock.js';
import { buy, heartbeat, heartbeatFee, purchase, reissue } from '../steps/paid.js';
import { comeBack, lapse, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';

import { betweenHeartbeats } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';

const fees =
  (count: number) =>
  (protocol: Protocol): number =>
    count * heartbeatFee(protocol, 1).lamports;

const afterFreeze: WrittenCheck = {
  id: 'heartbeat/after-freeze',
  title:
    'After freezes and resyncs an agent has the same SIGIL, passport, generation and counts, and may sponsor again',
  needs: ['payments', 'clock', 'beats'],
  waits: ({ dms }) => ({ anchors: 1 + 2 * (dms.missedAnchorsMax + 1) }),
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    await t.sleep({ anchors: 1 });
    t.mustSucceed(await buy(t, agent, purchase(t)));
    t.mustSucceed(await heartbeat(t, agent));
    // Its chain does not start, so that it is not frozen.
    const child = await makeChild(t, agent, { link: true });
    const change = (body: object) => t.send(changeMetadata(agent, body));
    await change({ substrate: 'hybrid' });
    await change({ generation_trigger: t.word() });
    t.mustSucceed(await comeBack(t, agent, penalty(t, await lapse(t, agent))));
    await t.send(resync(agent));
    await reissue(t, agent);
    await change({ generation_trigger: t.word() });
    await t.send(sponsor(agent, child.hash));
    await t.send(lookup('verify', agent.hash));
    // No heartbeat comes between, so missed anchors count from the resync and not from the last heartbeat.
    t.mustSucceed(await comeBack(t, agent, penalty(t, await lapse(t, agent))));
    await heartbeat(t, agent, 2);
  },
};

/** Anchors between the registration of a parent and that of its child. */
const LATER_ANCHORS = 12;

const childBuys: WrittenCheck = {
  id: 'heartbeat/child-buys-sigil',
  title: 'A child that buys a SIGIL pays the price of its class and keeps its beats and counts',
  needs: ['payments', 'clock', 'beats'],
  waits: betweenHeartbeats(2),
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    t.mustSucceed(await buy(t, parent, purchase(t)));
    await t.sleep({ anchors: Math.min(LATER_ANCHORS, t.protocol.dms.missedAnchorsMax) });
    const young = await makeChild(t, parent, { init: true });
    const wallet = t.wallet();
    t.mustSucceed(await linkWith(t, young, wallet));
    const prices = ['narrow_task', 'autonomous', 'narrow_task'].map((name) => sigilFeeLamports(t.protocol, name));
    await t.fund(
      wallet,
      prices.reduce((sum, price) => sum + price, fees(4)(t.protocol)),
    );
    const child = { ...young, wallet };
    t.mustSucceed(await heartbeat(t, child));
    const what = purchase(t, { identity_class: 'autonomous', name: t.word() });
    await buy(t, child, what);
    t.mustSucceed(await buy(t, child, what, 'autonomous'));
    await t.send(verifyBatch([child.hash]));
    // A child has one SIGIL, as a root has.
    await buy(t, child, purchase(t));
    await heartbeat(t, child, 2);
    await pause(t);
    await heartbeat(t, child, 2);
  },
};

export const heartbeatStateChecks: readonly WrittenCheck[] = [afterFreeze, childBuys];
