import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { authorityKey, endpoints } from '../../../spec/endpoints/index.js';
import { Deployment, type RawReply, sendRaw, type TestAgent } from '../../../test/fixtures/http.js';
import { route } from '../request/route.js';
import { createApp } from './app.js';
import { beatsRoutes, registryRoutes } from './routes.js';

let deployment: Deployment;
let agent: TestAgent;

beforeAll(async () => {
  deployment = await Deployment.start({
    overlay: { limits: { lookup: { count: 10_000 }, passport: { count: 1_000 } } },
  });
  agent = await deployment.agent();
});
afterAll(() => deployment.close());

/** Sends a request line and headers unchanged. */
function raw(requestLine: string, headers: readonly string[] = [], app: 'registry' | 'control' = 'registry') {
  const lines = [requestLine, 'Host: x', 'Connection: close', ...headers];
  return sendRaw(deployment.port(app), `${lines.join('\r\n')}\r\n\r\n`);
}

const codeOf = ({ status, text }: Pick<RawReply, 'status' | 'text'>): string =>
  `${status} ${(JSON.parse(text) as { code?: string }).code ?? ''}`.trim();

describe('paths (D-33)', () => {
  it.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v2/register',
    '/register',
    '/api/v1/registers',
    '/API/V1/REGISTER',
    '//api/v1/register',
    '/api/v1//register',
    '/api/v1/status',
    '/api/v1/status/',
    '/api/v1/status/0x12/more',
    '/api/v1/agent%2Finit',
    '/api/v1/agent/heartbeat%00',
    '/api/v1/../v1/register',
    '/api/health',
    '/api/v1/beat/key',
    '/%',
    '/__proto__',
    '/api/v1/constructor',
  ])('%s is not found', async (path) => {
    const reply = await raw(`GET ${path} HTTP/1.1`);
    expect(codeOf(reply)).toBe('404 NOT_FOUND');
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['%', '404 NOT_FOUND'],
    ['%zz', '404 NOT_FOUND'],
    ['%E0%A4%A', '404 NOT_FOUND'],
    ['%ff', '404 NOT_FOUND'],
    ['%00', '400 INVALID_HASH'],
    ['0x12', '400 INVALID_HASH'],
    ['..%2F..', '400 INVALID_HASH'],
    ['%F0%9F%98%80', '400 INVALID_HASH'],
    [`0x${'0'.repeat(63)}`, '400 INVALID_HASH'],
    [`0x${'0'.repeat(65)}`, '400 INVALID_HASH'],
    [`0x${'0'.repeat(66)}`, '400 INVALID_HASH'],
    [`0X${'0'.repeat(64)}`, '400 INVALID_HASH'],
    [`0x${'g'.repeat(64)}`, '400 INVALID_HASH'],
    [`0x${'0'.repeat(64)}%0A`, '400 INVALID_HASH'],
    ['0'.repeat(66), '400 INVALID_HASH'],
    [`0x${'0'.repeat(64)}`, '404 AGENT_NOT_FOUND'],
    ['x'.repeat(8_000), '400 INVALID_HASH'],
  ])('a lookup of %.70s: %s', async (hash, outcome) => {
    for (const path of ['status', 'verify', 'agent/beat-status']) {
      expect(codeOf(await raw(`GET /api/v1/${path}/${hash} HTTP/1.1`))).toBe(outcome);
    }
  });

  it('a hash is accepted in either case, and returned in lower case (D-39)', async () => {
    const shouted = `0x${agent.hash.slice(2).toUpperCase()}`;
    expect((await deployment.get(`/status/${shouted}`)).body.hash).toBe(agent.hash);
    expect((await deployment.get(`/verify/${shouted}`)).body.agent.hash).toBe(agent.hash);
    expect((await deployment.get(`/agent/beat-status/${shouted}`)).body.agent_hash).toBe(agent.hash);
  });

  it('a slash at the end, a query and a whole URL are put up with', async () => {
    for (const target of ['/api/v1/beat/anchor/', '/api/v1/beat/anchor?a=%zz&b', 'http://other/api/v1/beat/anchor']) {
      expect((await raw(`GET ${target} HTTP/1.1`)).status).toBe(200);
    }
  });
});

describe('methods (D-33)', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
  const served = [
    ...registryRoutes.map(({ endpoint }) => ['registry', endpoint] as const),
    ...beatsRoutes.map(({ endpoint }) => ['beats', endpoint] as const),
  ];
  const others = served.flatMap(([app, { path }]) => {
    const own = served.filter(([service, one]) => service === app && one.path === path).map(([, one]) => one.method);
    return methods.filter((method) => !own.includes(method as 'GET')).map((method) => ({ app, path, method, own }));
  });

  it.each(others)(
    '$method $path ($app) is 405, and Allow names those that are served',
    async ({ app, path, method, own }) => {
      const request = `${method} ${path.replace(':hash', agent.hash)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const reply = await sendRaw(deployment.port(app), request);
      expect(codeOf(reply)).toBe('405 METHOD_NOT_ALLOWED');
      expect(reply.headers['allow']?.split(', ').toSorted()).toEqual(own.toSorted());
    },
  );

  it('HEAD is GET without its body', async () => {
    const head = await raw('HEAD /api/v1/beat/anchor HTTP/1.1');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-type']).toBe('application/json; charset=utf-8');
    const absent = await raw('HEAD /api/v1/nothing HTTP/1.1');
    expect([absent.status, absent.text]).toEqual([404, '']);
    const wrong = await raw('HEAD /api/v1/register HTTP/1.1');
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'POST']);
  });

  it('a method that overrides another is not heard', async () => {
    const reply = await raw('GET /api/v1/register HTTP/1.1', ['X-HTTP-Method-Override: POST']);
    expect(codeOf(reply)).toBe('405 METHOD_NOT_ALLOWED');
  });
});

describe('the Authorization header (5)', () => {
  const passport = async (headers: readonly string[]): Promise<number> =>
    (await raw('GET /api/v1/agent/passport HTTP/1.1', headers)).status;

  it.each([
    ['as documented', (key: string) => [`Authorization: Bearer ${key}`], 200],
    ['in lower case', (key: string) => [`authorization: bearer ${key}`], 200],
    ['with more space', (key: string) => [`Authorization:   Bearer    ${key}   `], 200],
    [
      'twice, the first of which counts',
      (key: string) => [`Authorization: Bearer ${key}`, 'Authorization: Bearer x'],
      200,
    ],
    [
      'twice, the first of which is bad',
      (key: string) => ['Authorization: Bearer x', `Authorization: Bearer ${key}`],
      401,
    ],
    ['absent', () => [], 401],
    ['empty', () => ['Authorization:'], 401],
    ['without scheme', (key: string) => [`Authorization: ${key}`], 401],
    ['of another scheme', (key: string) => [`Authorization: Basic ${key}`], 401],
    ['without space', (key: string) => [`Authorization: Bearer${key}`], 401],
    ['with two keys', (key: string) => [`Authorization: Bearer ${key} ${key}`], 401],
    ['with a comma', (key: string) => [`Authorization: Bearer ${key}, Bearer ${key}`], 401],
    ['with a tab', (key: string) => [`Authorization: Bearer\t${key}`], 401],
    ['of 15,000 characters', () => [`Authorization: Bearer pvn_${'A'.repeat(15_000)}.00`], 401],
    ['of spaces', () => [`Authorization: Bearer ${' '.repeat(15_000)}x x`], 401],
  ])('%s', async (_what, headers, status) => {
    expect(await passport(headers(agent.apiKey))).toBe(status);
  });

  it('that is larger than Node takes is refused by Node, and the server lives on', async () => {
    expect(await passport([`Authorization: Bearer ${'A'.repeat(20_000)}`])).toBe(431);
    expect((await deployment.get('/beat/anchor')).status).toBe(200);
  });

  it('is not looked at by who needs none', async () => {
    for (const { endpoint } of registryRoutes.filter(({ endpoint: { auth } }) => auth === 'none')) {
      const sent = { headers: { Authorization: 'Bearer pvn_x.00' }, ...(endpoint.body !== null && { body: {} }) };
      const { status } = await deployment.send(endpoint.method, endpoint.path.replace(':hash', agent.hash), sent);
      expect([endpoint.id, [200, 400, 410].includes(status)]).toEqual([endpoint.id, true]);
    }
  });

  it("is an agent's alone: a revoked one is 401 at once (5, rule 2)", async () => {
    const other = await deployment.agent();
    expect((await other.get('/agent/passport')).status).toBe(200);
    await deployment.control('POST', `/agents/${other.hash}/revoke-key`, {});
    expect((await other.get('/agent/passport')).body.code).toBe('AUTH_MISSING');
    expect((await agent.get('/agent/passport')).status).toBe(200);
  });
});

describe('the order of checks (D-26)', () => {
  const call = (path: string, headers: readonly string[], body: string) =>
    sendRaw(
      deployment.port(),
      [
        `POST /api/v1${path} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        `Content-Length: ${body.length}`,
        ...headers,
        '',
        body,
      ].join('\r\n'),
    );

  it('a key is asked for before the body is looked at', async () => {
    expect(codeOf(await call('/agent/heartbeat', ['Content-Type: text/plain'], '{'))).toBe('401 AUTH_MISSING');
    const key = `Authorization: Bearer ${agent.apiKey}`;
    expect(codeOf(await call('/agent/heartbeat', [key, 'Content-Type: text/plain'], '{'))).toBe(
      '415 CONTENT_TYPE_REQUIRED',
    );
    expect(codeOf(await call('/agent/heartbeat', [key, 'Content-Type: application/json'], '{'))).toBe(
      '400 INVALID_JSON',
    );
  });

  it('a body is judged before the state of the agent', async () => {
    const bare = await deployment.register();
    expect((await bare.post('/agent/heartbeat', { global_anchor: -1 })).body.code).toBe('VALIDATION');
    expect((await bare.post('/agent/heartbeat', {})).body.code).toBe('AGENT_NOT_INITIALIZED');
  });
});

describe('a bug of ours', () => {
  it('is a 500 in JSON, shown on the console', async () => {
    const shown = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const bug = new Error('a bug');
    const broken = route(authorityKey, () => {
      throw bug;
    });
    const reply = await request(createApp(deployment.host, [broken])).get(authorityKey.path);
    expect([reply.status, reply.body]).toEqual([500, { error: 'internal error', code: 'INTERNAL' }]);
    expect(shown).toHaveBeenCalledWith(bug);
    shown.mockRestore();
  });
});

describe('what is served', () => {
  it('is of its own service, each endpoint once', () => {
    const served = [...registryRoutes, ...beatsRoutes].map(({ endpoint }) => endpoint);
    expect(registryRoutes.every(({ endpoint }) => endpoint.service === 'registry')).toBe(true);
    expect(beatsRoutes.every(({ endpoint }) => endpoint.service === 'beats')).toBe(true);
    expect(new Set(served.map(({ id }) => id)).size).toBe(served.length);
    expect(served.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([]);
  });

  it('[health.route] is below /api/v1, but for the health of the beats service', () => {
    const paths = [...registryRoutes, ...beatsRoutes].map(({ endpoint }) => endpoint.path);
    expect(paths.filter((path) => !path.startsWith('/api/v1/'))).toEqual(['/api/health']);
  });
});
