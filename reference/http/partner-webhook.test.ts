import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment } from '../../test/fixtures/http.js';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.start();
});
afterAll(() => deployment.close());

describe('the url', () => {
  it.each([
    ['https://hooks.example.com/a', 200],
    ['http://hooks.example.com/a', 400],
    ['https://10.0.0.1/a', 400],
    ['https://localhost/a', 400],
    ['https://[::1]/a', 400],
    ['https://169.254.169.254/latest', 400],
    ['ftp://hooks.example.com/a', 400],
    ['hooks.example.com', 400],
  ])('%s is answered %s without --allow-loopback-webhooks', async (url, status) => {
    const { key } = (await deployment.control('POST', '/partners', { name: 'Acme' })).body;
    const put = await deployment.call('PUT /partner/webhook', { url, events: ['agent.frozen'] }, key);
    expect(put.status).toBe(status);
    if (status === 400) expect(put.body.code).toBe('WEBHOOK_INVALID');
    const get = await deployment.call('GET /partner/webhook', undefined, key);
    expect(get.body.configured).toBe(status === 200);
  });
});

describe('the limit', () => {
  it('is 10 a minute for a partner, each for itself, and its Retry-After holds', async () => {
    const partner = async () => (await deployment.control('POST', '/partners', { name: 'Acme' })).body.key as string;
    const [one, two] = [await partner(), await partner()];
    const get = (key: string) => deployment.call('GET /partner/webhook', undefined, key);
    for (let i = 0; i < 10; i++) expect((await get(one)).status).toBe(200);
    const refused = await get(one);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect((await get(two)).status).toBe(200);
    const waitSec = Number(refused.headers['retry-after']);
    await deployment.control('POST', '/clock/advance', { ms: waitSec * 1_000 });
    expect((await get(one)).status).toBe(200);
  });
});
