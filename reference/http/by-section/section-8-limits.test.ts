import type { Response } from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../spec/endpoint.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { adminKey, partnerOf, walletless } from '../../../test/fixtures/parties.js';
import { expectRefusal, named } from '../../../test/fixtures/refusals.js';
import { beatsRoutes, registryRoutes } from '../server/routes.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const HOUR = 3_600_000;
const MINUTE = 60_000;
const byId = new Map([...registryRoutes, ...beatsRoutes].map(({ endpoint }) => [endpoint.id, endpoint as Endpoint]));

/** A row of section 8, or of D-08, D-12 and D-23. */
interface LimitRow {
  readonly ids: string;
  /** The endpoint's id. */
  readonly at: string;
  readonly count: number;
  readonly windowMs: number;
  /** The scope of a bucket: an address, an authenticated caller, or the whole service. */
  readonly by: 'ip' | 'identity' | 'everybody';
  readonly body?: object;
  /** Further methods of the same path, which are called in turn. */
  readonly with?: readonly string[];
}

const row = (ids: string, at: string, count: number, windowMs: number, by: LimitRow['by'], body?: object): LimitRow =>
  body === undefined ? { ids, at, count, windowMs, by } : { ids, at, count, windowMs, by, body };

/** 5, rule 3: a row that names a path counts all of its methods together. */
const shared = (
  ids: string,
  [at = '', ...others]: readonly string[],
  count: number,
  windowMs: number,
  by: LimitRow['by'],
): LimitRow => ({ ids, at, count, windowMs, by, with: others });
const webhook = ['partner-webhook.put', 'partner-webhook.get', 'partner-webhook.delete'];

const rows: readonly LimitRow[] = [
  row('limit.register', 'register', 10, HOUR, 'ip', { name: 'x' }),
  row('limit.register', 'register', 10, HOUR, 'ip', { name: 'x', spawn_authorization: 'x' }),
  row('limit.register.wallet-flow', 'register', 30, HOUR, 'ip', { name: 'x', action: 'challenge' }),
  row('limit.register.wallet-flow', 'register', 30, HOUR, 'ip', { name: 'x', wallet_nonce: 'x' }),
  row('limit.register-token.ip', 'register-token', 3, HOUR, 'ip'),
  row('limit.register-token.global', 'register-token', 50, HOUR, 'everybody'),
  row('limit.wallet', 'wallet', 30, HOUR, 'ip', { action: 'challenge' }),
  row('limit.init', 'init', 30, HOUR, 'identity'),
  row('limit.heartbeat', 'heartbeat', 60, MINUTE, 'identity'),
  row('limit.sigil', 'sigil', 5, HOUR, 'identity'),
  row('limit.reissue-proof', 'reissue-proof', 10, HOUR, 'identity'),
  row('limit.spawn', 'spawn', 5, HOUR, 'identity', { child_name: 'kid' }),
  row('limit.beats-submit', 'beats-submit', 30, MINUTE, 'identity'),
  row('limit.resync.challenge', 'resync', 5, MINUTE, 'ip', { action: 'challenge' }),
  row('limit.resync.challenge', 'resync', 5, MINUTE, 'ip', { action: 'prove' }),
  row('limit.resync.receipt', 'resync', 10, HOUR, 'ip', { beats_receipt: 'x' }),
  row('limit.metadata', 'metadata', 30, MINUTE, 'identity', { capability: 'witness' }),
  row('limit.sponsor.post', 'sponsor.post', 10, HOUR, 'identity'),
  row('limit.sponsor.delete', 'sponsor.delete', 60, MINUTE, 'identity'),
  row('limit.sponsor.get', 'sponsor.get', 60, MINUTE, 'identity'),
  row('limit.verify-batch', 'verify-batch', 10, MINUTE, 'ip', { hashes: [`0x${'ab'.repeat(32)}`] }),
  shared('limit.subsidy', ['subsidy.post', 'subsidy.delete'], 30, MINUTE, 'ip'),
  shared('limit.subsidy', ['subsidy.delete', 'subsidy.post'], 30, MINUTE, 'ip'),
  shared('limit.partner-webhook', webhook, 10, MINUTE, 'identity'),
  shared('limit.partner-webhook', webhook.toReversed(), 10, MINUTE, 'identity'),
  row('limit.passport', 'passport', 10, HOUR, 'identity'),
  row('limit.status', 'status', 60, MINUTE, 'ip'),
  row('limit.verify', 'verify', 60, MINUTE, 'ip'),
  row('limit.beat-status', 'beat-status', 60, MINUTE, 'ip'),
  row('limit.beat-anchor', 'beat-anchor', 60, MINUTE, 'ip'),
  row('limit.beat-verify', 'beat-verify', 10, MINUTE, 'ip'),
  row('limit.authority-key', 'authority-key', 60, MINUTE, 'ip'),
  row('limit.fees-summary', 'fees-summary', 60, MINUTE, 'ip'),
  row('limit.work-proof', 'work-proof.post', 10, MINUTE, 'ip'),
  row('limit.work-proof.get', 'work-proof.get', 60, MINUTE, 'ip'),
  row('limit.beat-verify.beats', 'beats.beat-verify', 10, MINUTE, 'ip'),
  row('limit.beat-timestamp', 'beat-timestamp', 5, MINUTE, 'ip', { hash: 'ab'.repeat(32) }),
  row('limit.beat-key', 'beat-key', 60, MINUTE, 'ip'),
  row('limit.beat-anchor.beats', 'beats.beat-anchor', 60, MINUTE, 'ip'),
  row('limit.health', 'health', 60, MINUTE, 'ip'),
];

/** Two callers, each with a credential of its own. */
async function callers({ auth }: Endpoint): Promise<readonly [Record<string, string>, Record<string, string>]> {
  if (auth === 'admin') return [await adminKey(deployment), await adminKey(deployment)];
  if (auth === 'partner') return [(await partnerOf(deployment)).headers, (await partnerOf(deployment)).headers];
  const [one, two] = [await walletless(deployment), await walletless(deployment)];
  return [{ ...one.authorization }, { ...two.authorization }];
}

const ONE = '192.0.2.1';
const TWO = '192.0.2.2';
const titled = rows.map((each) => {
  const { ids, at, count, windowMs, body, with: others = [] } = each;
  const what = body === undefined ? [at, ...others].join(', ') : `${at} ${JSON.stringify(body)}`;
  return [`${named(ids)} ${what}: ${count} in ${windowMs} ms`, each] as const;
});

describe('a limit of section 8', () => {
  it.each(titled)(
    '[limit.error.rate-limited] %s',
    async (_title, { at, count, windowMs, by, body = {}, with: others = [] }) => {
      const endpoints = [at, ...others].map((id) => byId.get(id) as Endpoint);
      const [own, other] = await callers(endpoints[0] as Endpoint);
      let calls = 0;
      const call = (caller: Record<string, string>, ip: string): PromiseLike<Response> => {
        const endpoint = endpoints[calls++ % endpoints.length] as Endpoint;
        const path = endpoint.path.replace(':hash', `0x${'ab'.repeat(32)}`);
        const headers = { ...caller, 'X-Forwarded-For': ip };
        const sent = endpoint.body === null ? { headers } : { headers, body };
        return deployment.send(endpoint.method, path, sent, endpoint.service);
      };
      const admitted = async (caller: Record<string, string>, ip: string): Promise<boolean> =>
        (await call(caller, ip)).body.code !== 'RATE_LIMITED';
      // The scope of the bucket stays the same; everything else changes with every request.
      for (let i = 0; i < count; i++) {
        expect(await admitted(own, by === 'ip' ? ONE : `198.51.100.${i}`), `request ${i + 1}`).toBe(true);
        deployment.advance(10);
      }
      const waitMs = windowMs - count * 10;
      const refused = await call(own, ONE);
      expectRefusal(refused, [429, 'RATE_LIMITED', { retry_after_ms: waitMs }]);
      expect(refused.headers['retry-after']).toBe(String(Math.ceil(waitMs / 1_000)));
      expect(await admitted(own, TWO), 'another address').toBe(by === 'ip');
      expect(await admitted(other, ONE), 'another caller').toBe(by === 'identity');
      deployment.advance(waitMs - 1);
      // Three refused requests would fill the address's token bucket besides the global one.
      expect(await admitted(own, by === 'everybody' ? TWO : ONE), 'a millisecond early').toBe(false);
      deployment.advance(1);
      expect(await admitted(own, ONE), 'when Retry-After said').toBe(true);
    },
  );

  it('has a row for every bucket of every endpoint but flag, which has a table of its own', () => {
    const limited = [...byId.values()].filter(({ id, buckets }) => id !== 'flag' && buckets.length > 0);
    const covered = new Set(rows.flatMap(({ at, with: others = [] }) => [at, ...others]));
    expect(limited.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });
});

describe('Retry-After is true where two buckets refuse', () => {
  it('waits also for a bucket whose last places refused requests have taken', async () => {
    const token = (ip: string) => deployment.post('/register/token', {}, { 'X-Forwarded-For': ip });
    for (let i = 0; i < 47; i++) expect((await token(`198.51.100.${i}`)).status).toBe(200);
    deployment.advance(HOUR / 2);
    for (let i = 0; i < 3; i++) expect((await token(ONE)).status).toBe(200);
    expect((await token(TWO)).body.retry_after_ms).toBe(HOUR / 2);
    expect((await token(TWO)).status).toBe(429);
    // The third request of this address is refused by the global bucket, and is the last that fits into its own.
    const refused = await token(TWO);
    expect(refused.body.retry_after_ms).toBe(HOUR);
    deployment.advance(HOUR / 2);
    expect((await token(TWO)).status).toBe(429);
    deployment.advance(HOUR / 2);
    expect((await token(TWO)).status).toBe(200);
  });
});

describe('rows of section 8 that name a method', () => {
  it('[limit.sponsor.post] [limit.sponsor.delete] [limit.sponsor.get] keep the methods of one path apart', async () => {
    const { authorization } = await walletless(deployment);
    const sponsor = (method: 'POST' | 'DELETE' | 'GET') =>
      deployment.send(method, '/api/v1/agent/sponsor', { headers: { ...authorization }, body: {} }, 'registry');
    for (let i = 0; i < 10; i++) expect((await sponsor('POST')).status).toBe(400);
    for (let i = 0; i < 60; i++) expect((await sponsor('DELETE')).status).toBe(400);
    for (let i = 0; i < 60; i++) expect((await sponsor('GET')).status).toBe(200);
    for (const method of ['POST', 'DELETE', 'GET'] as const) expect((await sponsor(method)).status, method).toBe(429);
  });

  it('[limit.beat-anchor] [limit.beat-anchor.beats] keep the same path on two services apart', async () => {
    const sent = { headers: { 'X-Forwarded-For': ONE } };
    const anchor = (service: Endpoint['service']) => deployment.send('GET', '/api/v1/beat/anchor', sent, service);
    for (let i = 0; i < 60; i++) expect((await anchor('registry')).status).toBe(200);
    expect((await anchor('registry')).status).toBe(429);
    expect((await anchor('beats')).status).toBe(200);
  });
});
