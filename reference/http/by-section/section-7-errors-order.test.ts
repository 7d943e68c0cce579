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
const beat = (agent: TestAgent, body: object, headers: Record<string, string> = {}) =>
  agent.post('/agent/heartbeat', body, headers);
const BAD_BODY = { global_anchor: -1 };
const forged = { Authorization: 'Bearer pvn_x.00' };

/** An agent that has just made a heartbeat, with the transaction that paid it. */
async function beaten(): Promise<readonly [agent: TestAgent, used: string]> {
  const agent = await deployment.agent();
  const used = agent.pay(500_000);
  expect((await beat(agent, { payment_tx: used })).status).toBe(200);
  return [agent, used];
}

/** A heartbeat with two faults, and the code of the one that is reported. */
interface TwoFaults {
  readonly first: string;
  readonly second: string;
  readonly code: string;
  readonly reply: () => Promise<Response>;
}

const rows: readonly TwoFaults[] = [
  {
    first: 'a forged key',
    second: 'a bad body',
    code: 'AUTH_MISSING',
    reply: async () => beat(await deployment.agent(), BAD_BODY, forged),
  },
  {
    first: 'a full bucket',
    second: 'a bad body',
    code: 'RATE_LIMITED',
    reply: async () => {
      const agent = await deployment.agent();
      for (let i = 0; i < 60; i++) await beat(agent, BAD_BODY);
      return beat(agent, BAD_BODY);
    },
  },
  {
    first: 'a bad body',
    second: 'a frozen agent',
    code: 'VALIDATION',
    reply: async () => {
      const agent = await deployment.agent();
      deployment.advance(61 * MINUTE);
      return beat(agent, BAD_BODY);
    },
  },
  {
    first: 'a frozen agent',
    second: 'no SIGIL',
    code: 'AGENT_FROZEN',
    reply: async () => {
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
    reply: async () => {
      const agent = await walletless(deployment);
      await agent.post('/agent/init');
      return agent.heartbeat();
    },
  },
  {
    first: 'no wallet',
    second: 'no payment',
    code: 'WALLET_REQUIRED',
    reply: async () => beat(await childOf(deployment, await deployment.agent(), 'kid'), {}),
  },
  {
    first: 'no payment',
    second: 'too soon',
    code: 'PAYMENT_REQUIRED',
    reply: async () => beat((await beaten())[0], {}),
  },
  {
    first: 'too soon',
    second: 'the cap',
    code: 'HEARTBEAT_TOO_SOON',
    reply: async () => {
      const [agent] = await beaten();
      putAgent(deployment.host.service.registry, agent.row, { epochHeartbeats: 1_000 });
      return agent.heartbeat(300_000);
    },
  },
  {
    first: 'the cap',
    second: 'an unknown payment',
    code: 'VOLUME_CAP_REACHED',
    reply: async () => {
      const agent = await deployment.agent();
      putAgent(deployment.host.service.registry, agent.row, { epoch: 0, epochHeartbeats: 1_000 });
      return beat(agent, { payment_tx: 'none' });
    },
  },
  {
    first: 'a wrong amount',
    second: 'a used payment',
    code: 'PAYMENT_INVALID',
    reply: async () => {
      const [agent, used] = await beaten();
      deployment.advance(10 * MINUTE);
      await deployment.control('PUT', '/fees', { heartbeat_tier1: 600_000 });
      return beat(agent, { payment_tx: used });
    },
  },
  {
    first: 'a used payment',
    second: "a stranger's wallet",
    code: 'PAYMENT_ALREADY_USED',
    reply: async () => beat(await deployment.agent(), { payment_tx: (await beaten())[1] }),
  },
];

describe('of two faults the first is reported (D-26)', () => {
  const titled = rows.map((row) => [row.first, row.second, row.code, row.reply] as const);

  it.each(titled)('[error.order] %s before %s: %s', async (_first, _second, code, reply) => {
    expect((await reply()).body.code).toBe(code);
  });
});

/**
 * A request with the faults of two rows of one endpoint: the reply is that of the row that comes first in spec/errors.
 */
const tableRows: readonly (readonly [first: ErrorKey, second: ErrorKey, reply: () => Promise<Response>])[] = [
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

  it.each(tableRows)('%s before %s', async (first, second, reply) => {
    expect(keys.indexOf(first)).toBeLessThan(keys.indexOf(second));
    const { status, code } = errors[first];
    expect(await reply()).toMatchObject({ status, body: { code } });
  });
});
