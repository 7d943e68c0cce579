import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import { partnerOf, walletless } from '../../../test/fixtures/parties.js';
import { describeRefusals, expectAccepted, expectRefusal, type RefusalRow } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
let partner: Awaited<ReturnType<typeof partnerOf>>;
beforeEach(async () => {
  deployment = await Deployment.start();
  partner = await partnerOf(deployment);
});
afterEach(() => deployment.close());

const PATH = '/api/v1/partner/webhook';
const GOOD = { url: 'https://hooks.example.com/a', events: ['agent.frozen', 'sigil.purchased'] };
type Headers = Readonly<Record<string, string>>;
const put = (more: object = {}, headers: Headers = partner.headers) =>
  deployment.send('PUT', PATH, { headers, body: { ...GOOD, ...more } });
const get = (headers: Headers = partner.headers) => deployment.send('GET', PATH, { headers });
const remove = (headers: Headers = partner.headers) => deployment.send('DELETE', PATH, { headers });

describe('a webhook (4.18)', () => {
  it('[partner-webhook.put.reply] [delivery.secret.generated] is set, and answered with a secret of 32 bytes in hex', async () => {
    const reply = await put();
    expectAccepted(reply);
    expect(reply.body).toEqual({
      webhook_url: GOOD.url,
      webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      events: GOOD.events,
    });
  });

  it('[partner-webhook.put.new-secret] has another secret after each PUT', async () => {
    const secrets = [await put(), await put(), await put()].map(({ body }) => body.webhook_secret);
    expect(new Set(secrets).size).toBe(3);
  });

  it('[partner-webhook.get.reply] [partner-webhook.get.no-secret] [delivery.secret.only-put] is read, without the secret', async () => {
    const { webhook_secret } = (await put()).body;
    const reply = await get();
    expectAccepted(reply);
    expect(reply.body).toEqual({ webhook_url: GOOD.url, events: GOOD.events, configured: true });
    expect(reply.text + (await remove()).text).not.toContain(webhook_secret);
  });

  it('[partner-webhook.get.unconfigured] reads so where none is configured', async () => {
    expect((await get()).body).toEqual({ configured: false, webhook_url: null, events: [] });
    await put();
    await remove();
    expect((await get()).body).toEqual({ configured: false, webhook_url: null, events: [] });
  });

  it('[partner-webhook.delete.reply] [partner-webhook.delete.unconfigured] is deleted, also where none is configured', async () => {
    await put();
    for (let i = 0; i < 2; i++) {
      const reply = await remove();
      expectAccepted(reply);
      expect(reply.body).toEqual({ ok: true });
      expect((await get()).body.configured).toBe(false);
    }
  });

  it.each(['sigil.purchased', 'heartbeat.recorded', 'agent.frozen', 'agent.unfrozen'])(
    '[partner-webhook.put.body.events] may be of %s',
    async (event) => {
      expect((await put({ events: [event] })).body.events).toEqual([event]);
    },
  );

  it('[partner-webhook.put.body.events] may name an event twice', async () => {
    expect((await put({ events: ['agent.frozen', 'agent.frozen'] })).status).toBe(200);
  });

  it('is of one partner alone', async () => {
    const other = await partnerOf(deployment);
    await put();
    await put({ url: 'https://other.example.com/' }, other.headers);
    await remove(other.headers);
    expect((await get()).body.webhook_url).toBe(GOOD.url);
  });
});

describe('the key (5)', () => {
  it('[key.partner] [partner-webhook.auth] [key.partner.prefix] begins with pvt_ on devnet', async () => {
    expect(partner.key).toMatch(/^pvt_[0-9a-f]{64}$/);
    for (const reply of [await put(), await get(), await remove()]) expect(reply.status).toBe(200);
  });

  it('[key.partner] [partner-webhook.auth] [key.partner.prefix] begins with pvp_ on mainnet', async () => {
    await deployment.close();
    deployment = await Deployment.start({ policy: { network: 'mainnet', registrationSecret: 's' } });
    partner = await partnerOf(deployment);
    expect(partner.key).toMatch(/^pvp_[0-9a-f]{64}$/);
    for (const reply of [await put(), await get(), await remove()]) expect(reply.status).toBe(200);
  });
});

const URL = 'partner-webhook.error.webhook-invalid partner-webhook.put.body.url';
const EVENTS = 'partner-webhook.error.webhook-invalid.events partner-webhook.put.body.events';
const USER = 'partner-webhook.error.webhook-invalid.user';
const PRIVATE = 'partner-webhook.error.webhook-invalid.private';

/** A row in which one field of the body has the fault. */
const field = (ids: string, fault: object): RefusalRow => ({
  ids,
  what: JSON.stringify(fault),
  is: [400, 'WEBHOOK_INVALID'],
  pair: async () => [put(fault), () => put()],
});
const url = (ids: string) => (each: unknown) => field(ids, { url: each });

const ofPut: readonly RefusalRow[] = [
  ...[undefined, 1, 'hooks.example.com', 'http://hooks.example.com/a', 'ftp://hooks.example.com/a'].map(url(URL)),
  ...['https://u:p@hooks.example.com/a', 'https://u@hooks.example.com/a'].map(url(USER)),
  ...[
    'https://10.0.0.1/a',
    'https://172.16.0.1/a',
    'https://192.168.1.1/a',
    'https://127.0.0.1/a',
    'https://localhost/a',
    'https://[::1]/a',
    'https://169.254.169.254/latest',
    'https://[::127.0.0.1]/a',
    'https://[64:ff9b::7f00:1]/a',
    'https://[fec0::1]/a',
    'https://255.255.255.255/a',
    'https://printer.local/a',
  ].map(url(PRIVATE)),
  ...[undefined, 'agent.frozen', ['agent.thawed'], [1]].map((events) => field(EVENTS, { events })),
  field('partner-webhook.error.webhook-invalid.events-empty', { events: [] }),
];

describeRefusals('partner webhook, PUT (7)', ofPut);

describe('partner webhook (7)', () => {
  const calls = [
    ['PUT', (headers: Headers) => put({}, headers)],
    ['GET', get],
    ['DELETE', remove],
  ] as const;

  it.each(calls)(
    '[partner-webhook.error.auth-missing] [partner-webhook.auth] %s without a key: 401',
    async (_method, call) => {
      expectRefusal(await call({}), [401, 'AUTH_MISSING']);
      expectAccepted(await call(partner.headers));
    },
  );

  it.each(calls)('[partner-webhook.error.auth-forbidden] %s with the key of no partner: 403', async (_method, call) => {
    const agent = await walletless(deployment);
    for (const headers of [{ Authorization: `Bearer pvt_${'0'.repeat(64)}` }, agent.authorization]) {
      expectRefusal(await call(headers), [403, 'AUTH_FORBIDDEN']);
    }
    expectAccepted(await call(partner.headers));
  });

  it.each(calls)(
    '[partner-webhook.error.auth-forbidden.suspended] %s of a suspended partner: 403',
    async (_method, call) => {
      const other = await partnerOf(deployment);
      await deployment.control('POST', `/partners/${other.ref}/suspend`, {});
      expectRefusal(await call(other.headers), [403, 'AUTH_FORBIDDEN']);
      expectAccepted(await call(partner.headers));
    },
  );

  it.each(calls)(
    '[partner-webhook.error.auth-forbidden.expired] %s with a key that has expired: 403',
    async (_method, call) => {
      const other = await partnerOf(deployment);
      expectAccepted(await call(other.headers));
      await deployment.control('POST', '/partner-keys/expire', { key: other.key });
      expectRefusal(await call(other.headers), [403, 'AUTH_FORBIDDEN']);
      expectAccepted(await call(partner.headers));
    },
  );

  it(`[${PRIVATE}] a server that allows it takes a loopback address, over plain HTTP too`, async () => {
    await deployment.close();
    deployment = await Deployment.start({ policy: { allowLoopbackWebhooks: true } });
    partner = await partnerOf(deployment);
    for (const address of ['https://127.0.0.1/a', 'http://127.0.0.1:8080/a']) {
      expect((await put({ url: address })).body.webhook_url).toBe(address);
    }
  });
});
