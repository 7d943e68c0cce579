/** Events of agents of several kinds under one partner, before a freeze and after it. Which events there are is in partner-webhook-events.ts. */
import { pause } from '../steps/beat-clock.js';
import { flagging } from '../steps/flagging.js';
import { leadLife } from '../steps/life.js';
import { buy, heartbeat, heartbeatFee, purchase } from '../steps/paid.js';
import {
  allArrived,
  assertAllDelivered,
  causing,
  countEvents,
  isAbout,
  subscribed,
} from '../steps/partner-webhook-call.js';
import { comeBack, lapse, penalty, proveBack } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';

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
    await t.fund(wallet, sigilFeeLamports(t.protocol, 'narrow_task') + 4 * heartbeatFee(t.protocol, 1).lamports);
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

const LIFE_OF = {
  identityClass: 'narrow_task',
  tier: 'ind',
  depth: 0,
  back: 'receipt',
  accused: false,
} as const;

const life: WrittenCheck = {
  id: 'partner-webhook/event-of-life',
  title: 'The whole life of an agent causes the events that the text names, and no others',
  needs: ['webhooks', 'control', 'payments', 'clock', 'beats'],
  controls: ['partners', 'flags/:id/review'],
  run: (t) =>
    flagging(t, async (flags) => {
      const partner = await subscribed(
        t,
        CAUSED.map(([event]) => event),
      );
      const agent = await t.walletRoot({ ref: partner.ref, init: true });
      const led = await leadLife(t, flags, { ...LIFE_OF, agent });
      // Its children are under the partner, too, and their heartbeats that it pays name it as sponsor.
      const own = () =>
        partner.inbox.got.filter(
          (made) => isAbout(made, agent.hash) && !led.children.some(({ hash }) => isAbout(made, hash)),
        );
      const counts = CAUSED.map(
        ([event, count, clauses]) => [event, event === 'heartbeat.recorded' ? led.heartbeats : count, clauses] as const,
      );
      const all = counts.reduce((sum, [, count]) => sum + count, 0);
      // Those of one agent come in the order of their causes, and the last of them is a heartbeat.
      await allArrived(partner.inbox, all, own);
      for (const [event, count, clauses] of counts) {
        const came = countEvents(own(), event, count);
        t.shows(...clauses).that(`deliveries of ${event} of a whole life`, came === count, `${count}`, `${came}`);
      }
    }),
};

export const partnerWebhookKindChecks: readonly WrittenCheck[] = [kinds, life];
