/**
 * Checks of one heartbeat: its payment, its reply and its refusals. Heartbeats over time are in heartbeat-march.ts,
 * those that a sponsor pays in sponsor-heartbeat.ts.
 */
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { listSponsorships, sponsor } from '../moves/sponsor.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { buy, heartbeat, heartbeatFee, purchase } from '../steps/paid.js';
import { signatureIs } from '../steps/passport.js';
import { family, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { agentLimitCheck, paymentCheck } from './payment.js';

const base = { needs: ['payments'] } as const;
const own: WrittenCheck = {
  ...base,
  id: 'heartbeat/own-wallet',
  title: "A heartbeat paid from the agent's own wallet is counted, and returns a passport that verifies offline",
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const bought = t.mustSucceed(await buy(t, agent, purchase(t)));
    await signatureIs(t, t.mustSucceed(await heartbeat(t, agent)), bought);
  },
};

const refusals: WrittenCheck = {
  ...base,
  id: 'heartbeat/refusals',
  title: 'A heartbeat without SIGIL or chain, with an invalid global_anchor, or with a used payment is refused',
  async run(t) {
    const wallet = t.wallet();
    const [agent, other] = [await t.walletRoot({ init: true, wallet }), await t.walletRoot({ wallet })];
    await heartbeat(t, agent);
    t.mustSucceed(await buy(t, agent, purchase(t)));
    t.mustSucceed(await buy(t, other, purchase(t)));
    await heartbeat(t, other);
    t.mustSucceed(await t.call('init', { key: other.key }));
    const payment_tx = await t.pay({ from: wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
    for (const global_anchor of [-1, 0.5, 'seven', '0', undefined])
      await t.send(heartbeatMove(agent, payment_tx, { global_anchor }));
    await t.send(heartbeatMove(other, payment_tx));
    await heartbeat(t, other);
  },
};

const anchorSent: WrittenCheck = {
  ...base,
  id: 'heartbeat/global-anchor',
  title: "A heartbeat with another global_anchor is refused, or accepted with the server's own value",
  async run(t) {
    const { index } = await latestAnchor(t);
    // A server may refuse a wrong value; if it accepts one, it uses its own.
    for (const global_anchor of [index, index + 5, Math.max(0, index - 5)]) {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
      await t.send(heartbeatMove(agent, payment_tx, { global_anchor }));
    }
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

const payment = paymentCheck({
  id: 'heartbeat',
  ready: (t) => t.walletRoot({ sigil: 'narrow_task' }),
  feeLamports: (protocol) => heartbeatFee(protocol, 1).lamports,
  otherFees: ({ heartbeat }) => [heartbeat.tier2FeeLamports, heartbeat.tier3FeeLamports],
  tries: 20,
});

export const heartbeatChecks: readonly WrittenCheck[] = [
  own,
  refusals,
  anchorSent,
  walletOfBoth,
  payment,
  agentLimitCheck('heartbeat', 'heartbeat', 'The 61st heartbeat of an agent in a minute is refused with 429'),
];
