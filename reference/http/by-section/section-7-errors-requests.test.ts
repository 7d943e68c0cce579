import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../spec/endpoint.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { expectRefusal } from '../../../test/fixtures/refusals.js';
import { beatsRoutes, registryRoutes } from '../server/routes.js';

let deployment: Deployment;
let agent: TestAgent;
beforeAll(async () => {
  deployment = await Deployment.start();
  agent = await deployment.agent();
});
afterAll(() => deployment.close());

const served: readonly Endpoint[] = [...registryRoutes, ...beatsRoutes].map(({ endpoint }) => endpoint);
const pathOf = ({ path }: Endpoint): string => path.replace(':hash', `0x${'ab'.repeat(32)}`);
const titled = (endpoints: readonly Endpoint[]) => endpoints.map((each) => [each.id, each] as const);
const send = (endpoint: Endpoint, headers: Record<string, string>, body?: unknown) => {
  const sent = body === undefined ? { headers } : { headers, body };
  return deployment.send(endpoint.method, pathOf(endpoint), sent, endpoint.service);
};
/** A caller whom the endpoint admits, so that the body is judged. */
async function admitted({ auth }: Endpoint): Promise<Record<string, string>> {
  const bearer = (key: unknown) => ({ Authorization: `Bearer ${key}` });
  // Each gets an agent of its own, since refused requests count too.
  if (auth === 'agent') return (await deployment.register()).authorization;
  if (auth === 'admin') return bearer((await deployment.control('POST', '/admin-keys', {})).body.key);
  if (auth === 'partner') return bearer((await deployment.control('POST', '/partners', { name: 'p' })).body.key);
  return {};
}

describe('a route that takes an agent key (5, rule 2)', () => {
  /** The rows of 4.1 with an agent or parent key; the retired check-in answers every caller (D-52). */
  const ids =
    'init heartbeat sigil reissue-proof spawn beats-submit resync metadata wallet passport sponsor.post sponsor.delete sponsor.get flag';
  const routes = titled(served.filter(({ id }) => ids.split(' ').includes(id)));

  it.each(routes)('[auth.error.auth-missing] [auth.agent-key.missing] %s without one: 401', async (_id, endpoint) => {
    expectRefusal(await send(endpoint, {}), [401, 'AUTH_MISSING']);
  });

  it.each(routes)(
    '[auth.error.auth-missing.invalid] [auth.agent-key.invalid] [key.agent.signature] %s with a forged one: 401',
    async (_id, endpoint) => {
      const forged = `${agent.apiKey.slice(0, -1)}${agent.apiKey.endsWith('0') ? '1' : '0'}`;
      const reply = await send(endpoint, { Authorization: `Bearer ${forged}` });
      expectRefusal(reply, [401, 'AUTH_MISSING']);
    },
  );

  it.each(routes)(
    '[key.agent.revocation] [key.agent.revoked] %s with one that was revoked: 401',
    async (_id, endpoint) => {
      const revoked = await deployment.register();
      const before = await send(endpoint, revoked.authorization);
      expect(before.status).not.toBe(401);
      await deployment.control('POST', `/agents/${revoked.hash}/revoke-key`, {});
      expectRefusal(await send(endpoint, revoked.authorization), [401, 'AUTH_MISSING']);
    },
  );

  it.each(routes)('[key.agent.header] %s opens with the key as a bearer token alone', async (_id, endpoint) => {
    expect((await send(endpoint, agent.authorization)).status).not.toBe(401);
    const elsewhere = { 'x-api-key': agent.apiKey, Authorization: `Basic ${agent.apiKey}` };
    expectRefusal(await send(endpoint, elsewhere), [401, 'AUTH_MISSING']);
  });

  it('is each of these, and no other', () => {
    expect(served.filter(({ auth }) => auth === 'agent').map(({ id }) => id)).toEqual(ids.split(' '));
  });
});

describe('a route that takes a body (D-33)', () => {
  const routes = titled(served.filter(({ body }) => body !== null));

  it.each(routes)('[error.content-type-required] %s with another content type: 415', async (_id, endpoint) => {
    const headers = { ...(await admitted(endpoint)), 'Content-Type': 'text/plain' };
    expectRefusal(await send(endpoint, headers, '{}'), [415, 'CONTENT_TYPE_REQUIRED']);
  });

  it.each(routes)('[error.invalid-json] %s with half an object: 400', async (_id, endpoint) => {
    const refused = await send(endpoint, await admitted(endpoint), '{"a":');
    expectRefusal(refused, [400, 'INVALID_JSON']);
  });

  const tooLarge = async (endpoint: Endpoint, bytesMax: number): Promise<void> => {
    const headers = await admitted(endpoint);
    const refused = await send(endpoint, headers, `{}${' '.repeat(bytesMax - 1)}`);
    expectRefusal(refused, [413, 'BODY_TOO_LARGE']);
    expect((await send(endpoint, headers, `{}${' '.repeat(bytesMax - 2)}`)).status).not.toBe(413);
  };
  const isLarge = (id: string): boolean => /beat-verify|work-proof/.test(id);

  it.each(routes.filter(([id]) => !isLarge(id)))('[error.body-too-large] %s takes 64 KB', (_id, endpoint) =>
    tooLarge(endpoint, 65_536),
  );

  it.each(routes.filter(([id]) => isLarge(id)))('[error.body-too-large.proofs] %s takes 256 KB', (_id, endpoint) =>
    tooLarge(endpoint, 262_144),
  );
});

describe('paths and methods (D-33)', () => {
  it.each([
    ['registry', '/api/v1/registers'],
    ['registry', '/register'],
    ['registry', '/api/v2/register'],
    ['registry', '/api/v1/beat/work-proof'],
    ['beats', '/api/v1/register'],
    ['beats', '/'],
  ] as const)('[error.not-found] %s %s: 404', async (app, path) => {
    for (const method of ['GET', 'POST']) {
      const reply = await deployment.send(method, path, {}, app);
      expect([reply.status, reply.body]).toEqual([404, { error: expect.stringMatching(/\S/), code: 'NOT_FOUND' }]);
    }
  });

  it.each(titled(served))('[error.method-not-allowed] %s with TRACE or PUT: 405 with Allow', async (_id, endpoint) => {
    const wanted = served.filter(({ path, service }) => path === endpoint.path && service === endpoint.service);
    const method = wanted.some((each) => each.method === 'PUT') ? 'POST' : 'PUT';
    const reply = await deployment.send(method, pathOf(endpoint), {}, endpoint.service);
    expect([reply.status, reply.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(reply.headers['allow']?.split(', ')).toEqual(wanted.map((each) => each.method));
  });
});

describe('the body of an error (7)', () => {
  it('[error.body.error] [error.body.code] is {error, code}, both strings, whatever the fault', async () => {
    const replies = [
      await deployment.post('/agent/init'),
      await deployment.post('/register', {}),
      await agent.post('/agent/heartbeat'),
      await agent.post('/agent/resync'),
      await deployment.post('/verify/batch', { hashes: [] }),
      await deployment.post('/register', '{'),
      await deployment.get('/nowhere'),
      await deployment.send('PUT', '/api/v1/register'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 400, 400, 409, 400, 400, 404, 405]);
    for (const { body } of replies) {
      expect(body).toEqual({ error: expect.stringMatching(/\S/), code: expect.stringMatching(/^[A-Z_]+$/) });
    }
  });
});
