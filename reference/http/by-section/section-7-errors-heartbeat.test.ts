import { afterEach, beforeEach, expect } from 'vitest';
import { childOf, linkWallet } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { complain, thaw } from '../../../test/fixtures/parties.js';
import { describeRefusals, type RefusalRow } from '../../../test/fixtures/refusals.js';
import { putAgent } from '../../../test/fixtures/registry.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const MINUTE = 60_000;
const sendHeartbeat = (agent: TestAgent, body: object = {}) => agent.post('/agent/heartbeat', body);
/** A heartbeat of one agent, paid from another's wallet. */
const paidBy = (agent: TestAgent, payer: TestAgent) => sendHeartbeat(agent, { payment_tx: payer.pay(500_000) });
const sponsor = (parent: TestAgent, { hash }: TestAgent, more: object = {}) =>
  parent.post('/agent/sponsor', { child_hash: hash, ...more });

const payments: readonly RefusalRow[] = [
  {
    ids: 'heartbeat.error.payment-required',
    what: 'no payment_tx',
    is: [400, 'PAYMENT_REQUIRED'],
    pair: async () => {
      const agent = await deployment.agent();
      return [sendHeartbeat(agent), () => agent.heartbeat()];
    },
  },
  {
    ids: 'heartbeat.error.payment-invalid',
    what: 'a transaction that nobody made',
    is: [400, 'PAYMENT_INVALID'],
    pair: async () => {
      const agent = await deployment.agent();
      return [sendHeartbeat(agent, { payment_tx: 'none' }), () => agent.heartbeat()];
    },
  },
  ...[499_999, 500_001].map(
    (lamports): RefusalRow => ({
      ids: 'heartbeat.error.payment-invalid.amount',
      what: `${lamports} lamports`,
      is: [400, 'PAYMENT_INVALID'],
      pair: async () => {
        const agent = await deployment.agent();
        return [agent.heartbeat(lamports), () => agent.heartbeat(500_000)];
      },
    }),
  ),
  {
    ids: 'heartbeat.error.payment-already-used',
    what: 'the payment of the heartbeat before',
    is: [409, 'PAYMENT_ALREADY_USED'],
    pair: async () => {
      const agent = await deployment.agent();
      const payment_tx = agent.pay(500_000);
      expect((await sendHeartbeat(agent, { payment_tx })).status).toBe(200);
      deployment.advance(10 * MINUTE);
      return [sendHeartbeat(agent, { payment_tx }), () => agent.heartbeat()];
    },
  },
  {
    ids: 'heartbeat.error.payment-sender-mismatch',
    what: "a stranger's wallet",
    is: [400, 'PAYMENT_SENDER_MISMATCH'],
    pair: async () => {
      const agent = await deployment.agent();
      return [paidBy(agent, await deployment.register('stranger')), () => agent.heartbeat()];
    },
  },
  ...[-1, 0.5, '1', null].map(
    (global_anchor): RefusalRow => ({
      ids: 'heartbeat.error.validation',
      what: `global_anchor ${JSON.stringify(global_anchor)}`,
      is: [400, 'VALIDATION'],
      pair: async () => {
        const agent = await deployment.agent();
        const payment_tx = agent.pay(500_000);
        return [
          sendHeartbeat(agent, { payment_tx, global_anchor }),
          () => sendHeartbeat(agent, { payment_tx, global_anchor: 0 }),
        ];
      },
    }),
  ),
];

const states: readonly RefusalRow[] = [
  {
    ids: 'heartbeat.error.agent-not-initialized',
    what: 'a chain that has not started',
    is: [409, 'AGENT_NOT_INITIALIZED'],
    pair: async () => {
      const agent = await deployment.register();
      expect((await agent.buySigil()).status).toBe(200);
      const refused = await agent.heartbeat();
      expect((await agent.post('/agent/init')).status).toBe(200);
      return [refused, () => agent.heartbeat()];
    },
  },
  {
    ids: 'heartbeat.error.agent-frozen',
    what: 'a frozen agent',
    is: [403, 'AGENT_FROZEN'],
    pair: async () => {
      const agent = await deployment.agent();
      deployment.advance(61 * MINUTE);
      const refused = await agent.heartbeat();
      await thaw(agent);
      return [refused, () => agent.heartbeat()];
    },
  },
  {
    ids: 'heartbeat.error.heartbeat-refused',
    what: 'a sustained complaint',
    is: [403, 'HEARTBEAT_REFUSED'],
    pair: async () => {
      const agent = await deployment.agent();
      const flag = await complain(deployment, agent);
      const refused = await agent.heartbeat();
      await deployment.control('POST', `/flags/${flag}/review`, { outcome: 'resolve' });
      return [refused, () => agent.heartbeat()];
    },
  },
  {
    ids: 'heartbeat.error.sigil-required',
    what: 'a root without a SIGIL',
    is: [403, 'SIGIL_REQUIRED'],
    pair: async () => {
      const agent = await deployment.register();
      expect((await agent.post('/agent/init')).status).toBe(200);
      const refused = await agent.heartbeat();
      expect((await agent.buySigil()).status).toBe(200);
      return [refused, () => agent.heartbeat()];
    },
  },
  {
    ids: 'heartbeat.error.wallet-required auth.wallet-required',
    what: 'a child with neither wallet nor sponsor',
    is: [403, 'WALLET_REQUIRED'],
    pair: async () => {
      const parent = await deployment.agent();
      const child = await childOf(deployment, parent, 'kid');
      const refused = await paidBy(child, child);
      await linkWallet(deployment, child);
      return [refused, () => paidBy(child, child)];
    },
  },
  {
    ids: 'heartbeat.error.heartbeat-too-soon constant.heartbeat-interval',
    what: '9 beats after the last',
    is: [429, 'HEARTBEAT_TOO_SOON', { next_eligible_beat: 10 }],
    pair: async () => {
      const agent = await deployment.agent();
      expect((await agent.heartbeat()).status).toBe(200);
      deployment.advance(9 * MINUTE);
      const refused = await agent.heartbeat();
      deployment.advance(MINUTE);
      return [refused, () => agent.heartbeat()];
    },
  },
  {
    ids: 'heartbeat.error.volume-cap-reached',
    what: 'the 1,001st of a narrow_task in an epoch',
    is: [429, 'VOLUME_CAP_REACHED'],
    pair: async () => {
      const agent = await deployment.agent();
      const { registry } = deployment.host.service;
      putAgent(registry, agent.row, { epoch: 0, epochHeartbeats: 1_000 });
      const refused = await agent.heartbeat(300_000);
      putAgent(registry, agent.row, { epochHeartbeats: 999 });
      return [refused, () => agent.heartbeat(300_000)];
    },
  },
];

const sponsored: readonly RefusalRow[] = [
  {
    ids: 'heartbeat.error.sponsor-parent-frozen heartbeat.sponsor.frozen',
    what: 'the wallet of a sponsor that froze and still is',
    is: [403, 'SPONSOR_PARENT_FROZEN'],
    pair: async () => {
      const parent = await deployment.agent();
      deployment.advance(30 * MINUTE);
      const child = await childOf(deployment, parent, 'kid');
      expect((await sponsor(parent, child)).status).toBe(200);
      deployment.advance(31 * MINUTE);
      const refused = await paidBy(child, parent);
      await thaw(parent);
      expect((await sponsor(parent, child)).status).toBe(200);
      return [refused, () => paidBy(child, parent)];
    },
  },
  {
    ids: 'heartbeat.error.sponsor-cap-reached',
    what: 'one more than the sponsorship pays in an epoch',
    is: [429, 'SPONSOR_CAP_REACHED'],
    pair: async () => {
      const parent = await deployment.agent();
      const child = await childOf(deployment, parent, 'kid');
      expect((await sponsor(parent, child, { max_heartbeats_epoch: 1 })).status).toBe(200);
      expect((await paidBy(child, parent)).status).toBe(200);
      deployment.advance(10 * MINUTE);
      const refused = await paidBy(child, parent);
      expect((await sponsor(parent, child, { max_heartbeats_epoch: 2 })).status).toBe(200);
      return [refused, () => paidBy(child, parent)];
    },
  },
];

describeRefusals('the payment of a heartbeat (7)', payments);
describeRefusals('the state of who sends a heartbeat (7)', states);
describeRefusals('a sponsored heartbeat (7)', sponsored);
