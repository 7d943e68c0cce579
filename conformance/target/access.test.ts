// Headers of a target file: where they go, and that reports do not show them.
import { expect, it } from 'vitest';
import { check, controlled, fake, json, run, TOKEN } from '../../test/fixtures/fake-target.js';
import { hiddenOf } from '../trial/session.js';
import type { WireRequest } from '../wire/transport.js';
import { withOwnHeaders } from './access.js';
import { parseTarget } from './target.js';

const PASSWORD = 'the password of the gateway';
const BASIC = Buffer.from(`user:${PASSWORD}`, 'utf8').toString('base64');
const KEY = 'gw-key-0123456789';

function targetWith(headers: string) {
  const text = `base_url: ${controlled.baseUrl}\nheaders: ${headers}\n`;
  const parsed = parseTarget(text, 'target.yaml', { env: { GATEWAY_KEY: KEY }, readText: () => undefined });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { ...controlled, headers: parsed.value.headers };
}

it('headers of the target file go to its own URLs, unless a request has its own of that name, and nowhere else', () => {
  const headersOf = withOwnHeaders(targetWith(`{ Authorization: Basic ${BASIC}, X-Tenant: one }`));
  const both = { authorization: `Basic ${BASIC}`, 'x-tenant': 'one' };
  expect(headersOf(`${controlled.baseUrl}/api/v1/x`, {})).toEqual(both);
  expect(headersOf(`${controlled.control?.url}/control`, { authorization: 'Bearer k' })).toEqual({
    ...both,
    authorization: 'Bearer k',
  });
  expect(headersOf('https://ledger.example/', {})).toEqual({});
});

it('they are sent with every request of a run, and hidden in its reports and scripts, even where a reply repeats them', async () => {
  const target = targetWith(
    `{ X-Gateway-Key: '$\{GATEWAY_KEY}', Authorization: Basic ${BASIC}, Accept: application/json }`,
  );
  const echo = ({ headers }: WireRequest) => json(200, { headers, decoded: `password ${PASSWORD}` });
  const { transport, seen } = fake({ 'GET /api/v1/fees/summary': echo });
  const looks = check('a/look', async (t) => void (await t.raw({ method: 'GET', path: '/api/v1/fees/summary' })));
  const result = await run(target, [looks], transport);
  expect(seen.map(({ headers }) => headers['x-gateway-key'])).toEqual(seen.map(() => KEY));
  const written = JSON.stringify(result);
  for (const secret of [KEY, BASIC, PASSWORD, TOKEN]) expect(written).not.toContain(secret);
  const [exchange] = result.checks[0]?.transcript ?? [];
  expect(exchange?.request.headers).toMatchObject({
    'x-gateway-key': '[HEADER_X_GATEWAY_KEY]',
    authorization: 'Basic [HEADER_AUTHORIZATION]',
    accept: 'application/json',
  });
});

it('the password of a proxy is hidden too', () => {
  expect(hiddenOf({ ...controlled, proxy: 'http://u:pass%40word@p:1' })).toMatchObject({ PROXY_PASSWORD: 'pass@word' });
});
