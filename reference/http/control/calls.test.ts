import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import { openApiFaults } from '../../../test/fixtures/openapi.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { rowOf } from '../../registry/state.js';
import { runningClock } from '../request/clock.js';
import { controlCalls } from './calls.js';
import { controlDocument } from './openapi.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

describe('capabilities', () => {
  it('names every call that is served', async () => {
    const { body } = await deployment.control('GET', '/capabilities');
    expect(body.calls).toEqual([
      'clock/advance',
      'anchors/stall',
      'ledger/wallets',
      'ledger/transfers',
      'agents/:hash/revoke-key',
      'admin-keys',
      'admin-keys/expire',
      'partners',
      'partner-keys/expire',
      'partners/:ref/suspend',
      'flags/:id/review',
      'fees',
      'webhooks/flush',
      'fingerprint',
      'reset',
    ]);
  });

  it('leaves out the clock that nobody can move, in the document too', async () => {
    const other = await Deployment.start({ clock: runningClock(GENESIS_MS, 1) });
    try {
      expect((await other.control('GET', '/capabilities')).body.calls).not.toContain('clock/advance');
      const document = (await other.control('GET', '/openapi.json')).body;
      expect(Object.keys(document.paths)).not.toContain('/control/v1/clock/advance');
      expect((await other.control('POST', '/clock/advance', { ms: 1 })).status).toBe(409);
    } finally {
      await other.close();
    }
  });
});

describe('the document', () => {
  it('is served as it is derived, and describes every call', async () => {
    const answer = await deployment.control('GET', '/openapi.json');
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(controlDocument(controlCalls))));
    expect(answer.body.openapi).toBe('3.1.1');
    expect(Object.keys(answer.body.paths)).toHaveLength(controlCalls.length + 1);
    const review = answer.body.paths['/control/v1/flags/{id}/review'].post;
    expect(Object.keys(review.responses)).toEqual(['200', '400', '401', '403', '404', '409', '413', '415', '503']);
    expect(review.parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]);
  });
});

describe('the document, to a public validator', () => {
  it('is OpenAPI 3.1, and no longer with a fault', async () => {
    const document = (await deployment.control('GET', '/openapi.json')).body;
    expect(await openApiFaults(document)).toBe('');
    delete document.paths['/control/v1/reset'].post.responses['200'].description;
    expect(await openApiFaults(document)).not.toBe('');
  });

  it('states the reply and every refusal of every call, with its code', async () => {
    const { paths, components } = (await deployment.control('GET', '/openapi.json')).body;
    for (const { path, method, body, refusals } of controlCalls) {
      const { responses } = paths[`/control/v1/${path.replaceAll(/:(\w+)/g, '{$1}')}`][method];
      const bodied = [
        [400, 'INVALID_JSON'],
        [400, 'VALIDATION'],
        [413, 'BODY_TOO_LARGE'],
        [415, 'CONTENT_TYPE_REQUIRED'],
      ] as const;
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(['200'])]);
      for (const [status, code] of [
        [401, 'AUTH_MISSING'],
        [503, 'STORE_UNAVAILABLE'],
        ...(body === null ? [] : bodied),
        ...refusals,
      ] as const) {
        const { $ref } = responses[status].content['application/json'].schema;
        const codes = components.schemas[$ref.split('/').at(-1)].properties.code.enum;
        expect([path, status, codes]).toEqual([path, status, expect.arrayContaining([code])]);
      }
    }
  });
});

describe('calls', () => {
  /**
   * The reply of each call on an empty server; the deployment checks replies and refusals against the call's schemas.
   */
  const cases: [method: string, path: string, body: unknown, status: number][] = [
    ['POST', '/clock/advance', { anchors: 1 }, 200],
    ['POST', '/clock/advance', { ms: -1 }, 400],
    ['POST', '/anchors/stall', { on: true }, 200],
    ['POST', '/ledger/wallets', { address: '1'.repeat(32), lamports: 5 }, 200],
    ['POST', '/ledger/transfers', { from: '1'.repeat(32), to: '2'.repeat(32), lamports: 1 }, 409],
    ['POST', `/agents/0x${'ab'.repeat(32)}/revoke-key`, {}, 404],
    ['POST', '/admin-keys', {}, 200],
    ['POST', '/admin-keys/expire', { key: 'pva_x' }, 404],
    ['POST', '/partners', { name: 'Acme' }, 200],
    ['POST', '/partners', {}, 400],
    ['POST', '/partner-keys/expire', { key: 'pvt_x' }, 404],
    ['POST', '/partner-keys/expire', {}, 400],
    ['POST', '/partners/abc/suspend', {}, 404],
    ['POST', '/flags/abc/review', { outcome: 'sustain' }, 404],
    ['POST', '/flags/abc/review', { outcome: 'resolved' }, 400],
    ['PUT', '/fees', { heartbeat_tier1: 1 }, 200],
    ['PUT', '/fees', { heartbeat_tier1: -1 }, 400],
    ['PUT', '/fees', { heartbeat: 1 }, 400],
    ['POST', '/webhooks/flush', {}, 200],
    ['GET', '/fingerprint', undefined, 200],
    ['POST', '/reset', { seed: 3 }, 200],
  ];
  it.each(cases)('%s %s %j is answered %s', async (method, path, body, status) => {
    const answer = await deployment.control(method, path, body);
    expect(answer.status, answer.text).toBe(status);
  });

  it('are all in this table', () => {
    const asked = cases.map(([method, path]) => `${method} ${path}`);
    const missing = controlCalls.filter(({ method, path }) => {
      const pattern = new RegExp(`^${method.toUpperCase()} /${path.replaceAll(/:\w+/g, '[^/]+')}$`);
      return !asked.some((each) => pattern.test(each));
    });
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  it('a refused command is not journaled, nor is a flush', async () => {
    await deployment.control('POST', '/partners/abc/suspend', {});
    await deployment.control('POST', '/webhooks/flush', {});
    expect(deployment.commands).toEqual([]);
    await deployment.control('PUT', '/fees', {});
    expect(deployment.commands.map(({ name }) => name)).toEqual(['control:fees']);
  });
});

describe('partner keys', () => {
  it('[partner-webhook.error.auth-forbidden.expired] expire one by one: the webhook stays, and still gets the events of agents under the partner', async () => {
    const make = async () =>
      (await deployment.control('POST', '/partners', { name: 'a' })).body as { key: string; ref: string };
    const [one, two] = [await make(), await make()];
    const hook = { url: 'https://hooks.example.com/', events: ['agent.frozen'] };
    expect((await deployment.call('PUT /partner/webhook', hook, one.key)).status).toBe(200);
    expect((await deployment.control('POST', '/partner-keys/expire', { key: one.key })).body).toEqual({ ok: true });
    expect((await deployment.control('POST', '/partner-keys/expire', { key: one.key })).body).toEqual({ ok: true });
    for (const [name, body] of [
      ['PUT /partner/webhook', hook],
      ['GET /partner/webhook', undefined],
      ['DELETE /partner/webhook', undefined],
    ] as const) {
      const reply = await deployment.call(name, body, one.key);
      expect([name, reply.status, reply.body]).toEqual([
        name,
        403,
        { code: 'AUTH_FORBIDDEN', error: expect.stringContaining('expired') },
      ]);
    }
    expect((await deployment.call('GET /partner/webhook', undefined, two.key)).status).toBe(200);
    const { registry } = deployment.host.service;
    expect(registry.partners[0]).toMatchObject({ suspended: false, webhook: { url: hook.url } });
    const { hash } = (await deployment.call('POST /register', { name: 'later', ref: one.ref })).body;
    expect(registry.agents.line.partner(rowOf(registry, hash))).toBe(0);
    expect(deployment.commands.map(({ name }) => name)).toContain('control:partner-keys/expire');
  });

  it('begin with pvp_ on mainnet', async () => {
    const main = await Deployment.start({ policy: { network: 'mainnet', registrationSecret: 's' } });
    try {
      expect((await main.control('POST', '/partners', { name: 'a' })).body.key).toMatch(/^pvp_/);
    } finally {
      await main.close();
    }
  });
});
