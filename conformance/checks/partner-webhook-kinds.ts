/** Events of agents of several kinds under one partner, before a freeze and after it. Single events are in partner-webhook-events.ts. */
import { tryAll } from '../derived/after.js';
import { root } from '../derived/cast.js';
import { pause } from '../steps/beat-clock.js';
import { flagging } from '../steps/flagging.js';
import { buy, heartbeat, heartbeatFee, purchase } from '../steps/paid.js';
import { allArrived, assertAllDelivered, causing, subscribed } from '../steps/partner-webhook-call.js';
import { comeBack, lapse, penalty, proveBack } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilPriceLamports, type WalletAgent } from '../trial/fixtures.js';

/** The events that each agent causes in this check. */
const CAUSED = causing(3);

const kinds: WrittenCheck = {
  id: 'partner-webhook/event-of-kinds',
  title:
    'The partner gets the same events of a sandbox agent and of its operator grandchild, before and after a freeze',
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  controls: ['partners'],
  async run(t) {
    const partner = await subscribed(
      t,
      CAUSED.map(([event]) => event),
    );
    const root = await t.walletRoot({ ref: partner.ref, init: true });
    const parent = await makeChild(t, root);
    const young = await makeChild(t, parent, { depth: 1, init: true });
    const wallet = t.wallet();
    t.mustSucceed(await linkWith(t, young, wallet, 'operator'));
    await t.fund(wallet, sigilPriceLamports(t.protocol, 'narrow_task') + 4 * heartbeatFee(t.protocol, 1).lamports);
    const grandchild = { ...young, wallet };
    const agents: readonly WalletAgent[] = [root, grandchild];
    const what = purchase(t, { identity_class: 'autonomous', tier: 'sbx' });
    t.mustSucceed(await buy(t, root, what, 'autonomous'));
    t.mustSucceed(await buy(t, grandchild, purchase(t, { tier: 'org' })));
    for (const agent of agents) t.mustSucceed(await heartbeat(t, agent));
    await pause(t);
    for (const agent of agents) t.mustSucceed(await heartbeat(t, agent, 2));
    const missed = await lapse(t, root);
    t.mustSucceed(await proveBack(t, grandchild));
    t.mustSucceed(await comeBack(t, root, penalty(t, missed)));
    for (const agent of agents) t.mustSucceed(await heartbeat(t, agent, 3));
    const all = 2 * CAUSED.reduce((sum, [, count]) => sum + count, 0);
    await allArrived(partner.inbox, all);
    for (const agent of agents)
      assertAllDelivered(t, partner, agent, agent === root ? 'an agent' : 'its grandchild', CAUSED);
  },
};

const life: WrittenCheck = {
  id: 'partner-webhook/event-of-life',
  title: 'Among all valid and faulty requests of an agent, only those that the text names cause events',
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  controls: ['partners', 'flags/:id/review'],
  readsItself: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const caused = causing(2);
      const partner = await subscribed(
        t,
        caused.map(([event]) => event),
      );
      const agent = await t.walletRoot({ ref: partner.ref, init: true });
      const row = { t, flags, subject: { ...agent, line: [], children: [] }, stranger: await root(t, 'narrow_task') };
      // The agent has a SIGIL from the end of the first round on, and sends a heartbeat in the second and in the last round.
      await tryAll(row);
      await pause(t);
      await tryAll(row);
      const missed = await lapse(t, agent);
      await tryAll(row);
      t.mustSucceed(await comeBack(t, agent, penalty(t, missed)));
      await tryAll(row);
      await allArrived(
        partner.inbox,
        caused.reduce((sum, [, count]) => sum + count, 0),
      );
      assertAllDelivered(t, partner, agent, 'an agent that tries all requests', caused);
    }),
};

export const partnerWebhookKindChecks: readonly WrittenCheck[] = [kinds, life];
