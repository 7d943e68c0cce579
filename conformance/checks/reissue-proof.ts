/** Reissues of a passport (4.7): a paid new copy that changes nothing else. Payments are in payment.ts. */

import { unreachable } from '../assertions/unjudged.js';
import { reissue as reissueMove } from '../moves/reissue-proof.js';
import { sponsor } from '../moves/sponsor.js';
import { pause } from '../steps/beat-clock.js';
import { buy, heartbeat, purchase, reissue } from '../steps/paid.js';
import { byoWalletOnly } from '../steps/policies.js';
import { fewest, lapse } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';

import { pauseAnchors } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import { agentLimitCheck, paymentCheck } from './payment.js';

const base = { needs: ['payments'] } as const;
const reissueProofReprint: WrittenCheck = {
  ...base,
  id: 'reissue-proof/reprint',
  title: 'A payment is accepted for one reissue of the passport, and a root without a SIGIL is refused',
  async run(t) {
    // With a second agent a reissue of the wrong passport is visible.
    await t.root();
    const agent = await t.walletRoot({ init: true });
    await reissue(t, agent);
    t.mustSucceed(await buy(t, agent, purchase(t)));
    const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.reissue.feeLamports });
    for (let times = 0; times < 2; times += 1) await t.send(reissueMove(agent, payment_tx));
    t.mustSucceed(await reissue(t, agent));
  },
};

const reissueProofNoHeartbeat: WrittenCheck = {
  ...base,
  id: 'reissue-proof/no-heartbeat',
  title: 'A reissue changes neither counts nor chain nor lineage, and does not keep its agent from being frozen',
  needs: ['payments', 'clock'],
  waits: (protocol) => ({
    anchors: pauseAnchors(protocol) + protocol.dms.missedAnchorsMax + 1 + protocol.dms.graceAnchors,
  }),
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const first = t.mustSucceed(await heartbeat(t, agent));
    const chain = t.mustSucceed(await t.call('init', { key: agent.key }));
    t.mustSucceed(await reissue(t, agent));
    await pause(t, 1);
    // The second reissue must be as fresh as the first.
    t.mustSucceed(await reissue(t, agent));
    const after = t.mustSucceed(await t.call('init', { key: agent.key }));
    for (const field of ['total_beats', 'latest_beat', 'latest_hash'])
      t.shows('reissue-proof.no-beat').field(after, field, chain.get(field));
    // If the reissue counted as a heartbeat, this heartbeat would come too soon.
    await t.sleep({ anchors: 1 });
    const next = t.accepted(await heartbeat(t, agent, 2), 'reissue-proof.no-heartbeat');
    t.shows('reissue-proof.no-heartbeat').field(next, 'total_heartbeats', 2);
    if (next.get('billing_epoch') === first.get('billing_epoch'))
      t.shows('reissue-proof.no-heartbeat').field(next, 'heartbeat_count_epoch', 2);
    const soon = Math.min(30, fewest(t) - 1);
    if (soon === 0) throw unreachable('one missed anchor freezes an agent, so no request fits in between');
    await t.sleep({ anchors: soon });
    t.mustSucceed(await reissue(t, agent));
    await lapse(t, agent, { left: fewest(t) - soon });
    // Until a grace of a change ends, a heartbeat brings the agent back.
    const { graceAnchors } = t.protocol.dms;
    if (graceAnchors > 0) await t.sleep({ anchors: graceAnchors });
    t.refused(await heartbeat(t, agent, 3), '4xx', 'reissue-proof.no-heartbeat');
  },
};

const reissueProofWalletRequired: WrittenCheck = {
  ...base,
  id: 'reissue-proof/wallet-required',
  title: 'A reissue without a wallet is refused, and with one it is accepted',
  needs: ['beats', 'payments'],
  unsuitableFor: byoWalletOnly,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const child = await makeChild(t, agent, { init: true });
    const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.reissue.feeLamports });
    const send = ({ key }: { readonly key: string }) => t.send(reissueMove({ key }, payment_tx));
    // The reply to this purchase shows whether the target requires a wallet.
    await buy(t, { ...child, wallet: agent.wallet }, purchase(t));
    await send(child);
    // A sponsorship pays heartbeats only; the child still has no wallet.
    await t.send(sponsor(agent, child.hash));
    await send(child);
    await send(agent);
  },
};

const payment = paymentCheck({
  id: 'reissue-proof',
  ready: (t) => t.walletRoot({ sigil: 'narrow_task' }),
  feeLamports: ({ reissue }) => reissue.feeLamports,
  tries: 9,
});

export const reissueProofChecks: readonly WrittenCheck[] = [
  reissueProofReprint,
  reissueProofNoHeartbeat,
  reissueProofWalletRequired,
  payment,
  agentLimitCheck('reissue-proof', 'reissueProof', 'The 11th reissue of an agent in an hour is refused with 429'),
];
