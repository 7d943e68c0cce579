// Faults of the request itself, and of what it meets: which of two is reported. Those of rules alone are in reference/registry/refusals.test.ts.
import type { Response } from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ErrorKey, errors } from '../../../spec/errors.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';

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
