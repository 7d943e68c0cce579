import type { Response } from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ErrorKey, errors } from '../../../spec/errors.js';
import { childOf } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { walletless } from '../../../test/fixtures/parties.js';
import { putAgent } from '../../../test/fixtures/registry.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const MINUTE = 60_000;
const heartbeat = (agent: TestAgent, body: object, headers: Record<string, string> = {}) =>
  agent.post('/agent/heartbeat', body, headers);
const BAD_BODY = { global_anchor: -1 };
const forged = { Authorization: 'Bearer pvn_x.00' };

/** An agent that has just sent a heartbeat, and the signature of the transaction that paid for it. */
async function afterHeartbeat(): Promise<readonly [agent: TestAgent, paymentTx: string]> {
  const agent = await deployment.agent();
  const paymentTx = agent.pay(500_000);
  expect((await heartbeat(agent, { payment_tx: paymentTx })).status).toBe(200);
  return [agent, paymentTx];
}

/** A heartbeat with two faults: `send` sends it, and `code` is that of the fault that is reported. */
interface TwoFaults {
  readonly first: string;
  readonly second: string;
  readonly code: string;
  readonly send: () => Promise<Response>;
}

const heartbeatFaults: readonly TwoFaults[] = [
  {
    first: 'a forged key',
    second: 'a bad body',
    code: 'AUTH_MISSING',
    send: async () => heartbeat(await deployment.agent(), BAD_BODY, forged),
  },
  {
    first: 'a full bucket',
    second: 'a bad body',
    code: 'RATE_LIMITED',
    send: async () => {
      const agent = await deployment.agent();
      for (let i = 0; i < 60; i++) await heartbeat(agent, BAD_BODY);
      return heartbeat(agent, BAD_BODY);
    },
  },
  {
    first: 'a bad body',
    second: 'a frozen agent',
    code: 'VALIDATION',
    send: async () => {
      const agent = await deployment.agent();
      deployment.advance(61 * MINUTE);
      return heartbeat(agent, BAD_BODY);
    },
  },
  {
    first: 'a frozen agent',
    second: 'no SIGIL',
    code: 'AGENT_FROZEN',
    send: async () => {
      const agent = await deployment.register();
      await agent.post('/agent/init');
      deployment.advance(61 * MINUTE);
      return agent.heartbeat();
    },
  },
  {
    first: 'no SIGIL',
    second: 'no wallet',
    code: 'SIGIL_REQUIRED',
    send: async () => {
      const agent = await walletless(deployment);
      await agent.post('/agent/init');
      return agent.heartbeat();
    },
  },
  {
    first: 'no wallet',
    second: 'no payment',
    code: 'WALLET_REQUIRED',
    send: async () => heartbeat(await childOf(deployment, await deployment.agent(), 'kid'), {}),
  },
  {
    first: 'no payment',
    second: 'too soon',
    code: 'PAYMENT_REQUIRED',
    send: async () => heartbeat((await afterHeartbeat())[0], {}),
  },
  {
    first: 'too soon',
    second: 'the cap',
    code: 'HEARTBEAT_TOO_SOON',
    send: async () => {
      const [agent] = await afterHeartbeat();
      putAgent(deployment.host.service.registry, agent.row, { epochHeartbeats: 1_000 });
      return agent.heartbeat(300_000);
    },
  },
  {
    first: 'the cap',
    second: 'an unknown payment',
    code: 'VOLUME_CAP_REACHED',
    send: async () => {
      const agent = await deployment.agent();
      putAgent(deployment.host.service.registry, agent.row, { epoch: 0, epochHeartbeats: 1_000 });
      return heartbeat(agent, { payment_tx: 'none' });
    },
  },
  {
    first: 'a wrong amount',
    second: 'a used payment',
    code: 'PAYMENT_INVALID',
    send: async () => {
      const [agent, used] = await afterHeartbeat();
      deployment.advance(10 * MINUTE);
      await deployment.control('PUT', '/fees', { heartbeat_tier1: 600_000 });
      return heartbeat(agent, { payment_tx: used });
    },
  },
  {
    first: 'a used payment',
    second: "a stranger's wallet",
    code: 'PAYMENT_ALREADY_USED',
    send: async () => heartbeat(await deployment.agent(), { payment_tx: (await afterHeartbeat())[1] }),
  },
];

describe('of two faults the first is reported (D-26)', () => {
  const titled = heartbeatFaults.map((row) => [row.first, row.second, row.code, row.send] as const);

  it.each(titled)('[error.order] %s before %s: %s', async (_first, _second, code, reply) => {
    expect((await reply()).body.code).toBe(code);
  });
});

/**
 * A request with the faults of two rows of one endpoint: the reply is that of the row that comes first in spec/errors.
 */
const otherFaults: readonly (readonly [first: ErrorKey, second: ErrorKey, reply: () => Promise<Response>])[] = [
  [
    'wallet/WALLET_ALREADY_LINKED',
    'wallet/VALIDATION',
    async () => (await deployment.register()).post('/agent/wallet', { wallet_nonce: 7 }),
  ],
  [
    'wallet/WALLET_ALREADY_LINKED',
    'wallet/NONCE_INVALID',
    async () =>
      (await deployment.register()).post('/agent/wallet', {
        wallet_nonce: '00',
        wallet_public_key: 'ab'.repeat(32),
        wallet_signature: '00',
      }),
  ],
  [
    'metadata/VALIDATION',
    'metadata/SIGIL_REQUIRED',
    async () => {
      const { authorization } = await deployment.register();
      const sent = { headers: authorization, body: { substrate: 'paper' } };
      return deployment.send('PATCH', '/api/v1/agent/metadata', sent);
    },
  ],
  [
    'sponsor/VALIDATION',
    'sponsor/SPONSOR_PARENT_FROZEN',
    async () => {
      const agent = await deployment.agent();
      deployment.advance(61 * MINUTE);
      return agent.post('/agent/sponsor', { child_hash: 'x' });
    },
  ],
  [
    'sponsor/SPONSOR_PARENT_FROZEN',
    'sponsor/SPONSOR_INVALID',
    async () => {
      const agent = await deployment.agent();
      deployment.advance(61 * MINUTE);
      return agent.post('/agent/sponsor', { child_hash: agent.hash });
    },
  ],
  [
    'flag/FLAG_REPORTER_INELIGIBLE',
    'flag/FLAG_SELF',
    async () => {
      const agent = await deployment.register();
      const complaint = { target_hash: agent.hash, asserted_class: 'autonomous', reason: 'r' };
      return agent.post('/agent/flag', complaint);
    },
  ],
  [
    'sigil/VALIDATION',
    'sigil/SIGIL_ALREADY_EXISTS',
    async () => (await deployment.agent()).post('/sigil', { identity_class: 'none' }),
  ],
];

describe('the rows of an endpoint stand in the order in which they are checked', () => {
  const keys = Object.keys(errors);

  it.each(otherFaults)('%s before %s', async (first, second, reply) => {
    expect(keys.indexOf(first)).toBeLessThan(keys.indexOf(second));
    const { status, code } = errors[first];
    expect(await reply()).toMatchObject({ status, body: { code } });
  });
});
