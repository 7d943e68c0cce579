import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONTROL_TOKEN, Deployment, sendRaw } from '../../../test/fixtures/http.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';

let deployment: Deployment;

beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const ADDRESS = 'So11111111111111111111111111111111111111112';
const OTHER = '4QuaxTrwSZcqWb9ozCmyYJaSVcCxd5Bb5cHvEQRw7Rkt';
const control = (path: string, body?: unknown) => deployment.control('POST', path, body);
const fingerprint = async (): Promise<string> =>
  (await deployment.control('GET', '/fingerprint')).body.sha256 as string;

describe('the token', () => {
  it.each([
    ['absent', {}],
    ['wrong', { Authorization: 'Bearer control-token-of-the-testz' }],
    ['short', { Authorization: `Bearer ${CONTROL_TOKEN.slice(1)}` }],
    ['without scheme', { Authorization: CONTROL_TOKEN }],
    ['of the registry', { 'x-registration-token': CONTROL_TOKEN }],
  ])('%s is 401, on every path', async (_what, headers) => {
    for (const path of ['/control/v1/fingerprint', '/control/v1/openapi.json', '/control/v1/nothing', '/']) {
      const reply = await deployment.send('GET', path, { headers }, 'control');
      expect([reply.status, reply.body.code]).toEqual([401, 'AUTH_MISSING']);
    }
  });

  it('opens nothing on the registry', async () => {
    const reply = await deployment.send('GET', '/control/v1/fingerprint', {
      headers: { Authorization: `Bearer ${CONTROL_TOKEN}` },
    });
    expect(reply.status).toBe(404);
  });
});

describe('clock/advance', () => {
  it.each([
    [{ ms: 0 }, 0, 0],
    [{ ms: 59_999 }, 59_999, 0],
    [{ ms: 60_000 }, 60_000, 1],
    [{ anchors: 1 }, 60_000, 1],
    [{ anchors: 61 }, 3_660_000, 61],
    [{ ms: 86_400_000 }, 86_400_000, 1_440],
  ])('%o moves by %i ms to anchor %i', async (body, elapsedMs, index) => {
    const reply = await control('/clock/advance', body);
    expect(reply.body).toEqual({ now_ms: GENESIS_MS + elapsedMs, anchor_index: index });
    expect((await deployment.get('/beat/anchor')).body.anchor.beat_index).toBe(index);
    expect(deployment.clock.nowMs()).toBe(GENESIS_MS + elapsedMs);
  });

  it('by anchors ends at the very moment of the last', async () => {
    await control('/clock/advance', { ms: 30_001 });
    expect((await control('/clock/advance', { anchors: 1 })).body).toEqual({
      now_ms: GENESIS_MS + 60_000,
      anchor_index: 1,
    });
    expect((await control('/clock/advance', { anchors: 2 })).body).toEqual({
      now_ms: GENESIS_MS + 180_000,
      anchor_index: 3,
    });
  });

  it.each([
    [{}],
    [{ ms: -1 }],
    [{ ms: 1.5 }],
    [{ ms: '1' }],
    [{ ms: null }],
    [{ ms: 1, anchors: 1 }],
    [{ anchors: 0 }],
    [{ anchors: 1_000_001 }],
    [{ ms: 60_000_060_000 }],
    [{ ms: 9_007_199_254_740_991 }],
    [{ seconds: 1 }],
  ])('%o is refused, and the clock stands', async (body) => {
    const reply = await control('/clock/advance', body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION']);
    expect(deployment.clock.nowMs()).toBe(GENESIS_MS);
  });

  it('serves others on its way, and is replayed to the same end', async () => {
    let arrived = false;
    const advanced = control('/clock/advance', { anchors: 20_000 }).then((reply) => {
      arrived = true;
      return reply.body.anchor_index;
    });
    const seen = new Set<number>();
    while (!arrived) seen.add((await deployment.get('/beat/anchor')).body.anchor.beat_index);
    expect(await advanced).toBe(20_000);
    expect([...seen].some((index) => index > 0 && index < 20_000)).toBe(true);
    const again = await Deployment.start({ commands: deployment.commands });
    expect((await again.control('GET', '/fingerprint')).body.sha256).toBe(await fingerprint());
    await again.close();
  });

  it('follows another that is under way', async () => {
    const [first, second] = await Promise.all(
      [{ anchors: 5_000 }, { anchors: 7 }].map((body) => control('/clock/advance', body)),
    );
    expect([first?.body.anchor_index, second?.body.anchor_index]).toEqual([5_000, 5_007]);
  });

  it('does not leave the years of four digits, however often it advances', async () => {
    await control('/anchors/stall', { on: true });
    const century = { ms: 100 * 366 * 86_400_000 };
    let last = 200;
    for (let i = 0; i < 100 && last === 200; i++) last = (await control('/clock/advance', century)).status;
    expect(last).toBe(400);
    await control('/clock/advance', { ms: 253_402_214_399_999 - deployment.clock.nowMs() });
    const agent = await deployment.agent();
    expect((await agent.get('/agent/passport')).body.passport_vc.expirationDate).toBe('9999-12-31T23:59:59.999Z');
    expect((await deployment.get('/beat/anchor')).status).toBe(200);
    expect((await control('/clock/advance', { ms: 1 })).status).toBe(400);
  });
});

describe('ledger/wallets and ledger/transfers', () => {
  it('mint money and move it', async () => {
    expect((await control('/ledger/wallets', { address: ADDRESS, lamports: 1_000 })).body).toEqual({
      address: ADDRESS,
      lamports: 1_000,
    });
    expect((await control('/ledger/wallets', { address: ADDRESS, lamports: 500 })).body.lamports).toBe(1_500);
    const moved = await control('/ledger/transfers', { from: ADDRESS, to: OTHER, lamports: 1_500 });
    expect(moved.body.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    const broke = await control('/ledger/transfers', { from: ADDRESS, to: OTHER, lamports: 1 });
    expect([broke.status, broke.body.code]).toEqual([409, 'INSUFFICIENT_FUNDS']);
    expect((await control('/ledger/wallets', { address: OTHER, lamports: 0 })).body.lamports).toBe(1_500);
  });

  it('make several transfers in one call, all or none', async () => {
    await control('/ledger/wallets', { address: ADDRESS, lamports: 100 });
    const [there, back] = [
      { from: ADDRESS, to: OTHER, lamports: 100 },
      { from: OTHER, to: ADDRESS, lamports: 40 },
    ];
    const spent = await control('/ledger/transfers', { transfers: [there, back, { ...there, lamports: 41 }] });
    expect([spent.status, spent.body]).toMatchObject([409, { error: `${ADDRESS} holds 40 lamports` }]);
    expect((await control('/ledger/wallets', { address: ADDRESS, lamports: 0 })).body.lamports).toBe(100);
    const { body } = await control('/ledger/transfers', { transfers: [there, back] });
    expect(new Set(body.signatures).size).toBe(2);
    expect((await control('/ledger/wallets', { address: ADDRESS, lamports: 0 })).body.lamports).toBe(40);
    const wrong = await control('/ledger/transfers', { transfers: [{ ...there, lamports: -1 }] });
    expect([wrong.status, wrong.body.error]).toMatchObject([400, expect.stringMatching(/^transfers\.0\.lamports: /)]);
    const none = await control('/ledger/transfers', { from: ADDRESS, to: OTHER, lamports: -1 });
    expect(none.body.error).toMatch(/^lamports: /);
    expect((await control('/ledger/transfers', { transfers: Array(401).fill(back) })).status).toBe(400);
  });

  it.each([
    ['/ledger/wallets', { address: 'short', lamports: 1 }],
    ['/ledger/wallets', { address: `0${ADDRESS.slice(1)}`, lamports: 1 }],
    ['/ledger/wallets', { address: ADDRESS, lamports: -1 }],
    ['/ledger/wallets', { address: ADDRESS, lamports: 0.5 }],
    ['/ledger/wallets', { address: ADDRESS, lamports: 9_007_199_254_740_992 }],
    ['/ledger/wallets', { address: ADDRESS, lamports: 1, more: 1 }],
    ['/ledger/transfers', { from: ADDRESS, to: OTHER, lamports: 1, status: 'lost' }],
    ['/ledger/transfers', { from: ADDRESS, lamports: 1 }],
  ])('%s %o is refused', async (path, body) => {
    const reply = await control(path, body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION']);
  });

  it('no more money is minted than a ledger can count', async () => {
    const most = { address: ADDRESS, lamports: 9_007_199_254_740_991 };
    expect((await control('/ledger/wallets', most)).status).toBe(200);
    expect((await control('/ledger/wallets', { address: OTHER, lamports: 1 })).status).toBe(400);
  });
});

describe('anchors/stall', () => {
  it('stops the anchors, and with them the freezes, until it is lifted', async () => {
    const agent = await deployment.agent();
    expect((await control('/anchors/stall', { on: true })).body).toEqual({ stalled: true });
    expect((await control('/clock/advance', { anchors: 100 })).body.anchor_index).toBe(0);
    const stalled = (await deployment.get(`/verify/${agent.hash}`)).body;
    expect([stalled.standing, stalled.network]).toEqual(['active', { current_anchor_index: 0, anchor_degraded: true }]);
    expect((await control('/anchors/stall', { on: false })).body).toEqual({ stalled: false });
    expect((await control('/clock/advance', { anchors: 61 })).body.anchor_index).toBe(61);
    expect((await deployment.get(`/verify/${agent.hash}`)).body.standing).toBe('frozen');
  });

  it.each([[{}], [{ on: 'yes' }], [{ on: 1 }]])('%o is refused', async (body) => {
    expect((await control('/anchors/stall', body)).status).toBe(400);
  });
});

describe('agents/:hash/revoke-key', () => {
  it('revokes, by a hash in either case', async () => {
    const agent = await deployment.register();
    const shouted = `0x${agent.hash.slice(2).toUpperCase()}`;
    expect((await control(`/agents/${shouted}/revoke-key`, {})).body).toEqual({ ok: true, agent_hash: agent.hash });
    expect((await agent.post('/agent/init')).status).toBe(401);
  });

  it.each([`0x${'0'.repeat(64)}`, `0x${'0'.repeat(65)}`, '0x', 'x', '%00'])('%s is nobody', async (hash) => {
    const reply = await control(`/agents/${hash}/revoke-key`, {});
    expect([reply.status, reply.body.code]).toEqual([404, 'AGENT_NOT_FOUND']);
  });
});

describe('fingerprint and reset', () => {
  it('a reset starts over: the same seed gives the same state, another seed another state', async () => {
    const empty = await fingerprint();
    await deployment.agent();
    expect(await fingerprint()).not.toBe(empty);
    expect((await control('/reset', {})).body).toEqual({ ok: true, seed: 7 });
    expect(await fingerprint()).toBe(empty);
    expect((await control('/reset', { seed: 8 })).body).toEqual({ ok: true, seed: 8 });
    expect(await fingerprint()).not.toBe(empty);
    expect((await control('/reset', {})).body).toEqual({ ok: true, seed: 8 });
    const long = 'ab'.repeat(32);
    expect((await control('/reset', { seed: long })).body).toEqual({ ok: true, seed: long });
    expect((await control('/reset', { seed: 'ab' })).body).toMatchObject({ code: 'VALIDATION' });
  });

  it.each<[string, () => PromiseLike<{ status: number }>]>([
    ['a wallet of the ledger', () => control('/ledger/wallets', { address: ADDRESS, lamports: 1 })],
    ['a stall', () => control('/anchors/stall', { on: true })],
    ['the time of the next anchor', () => control('/clock/advance', { anchors: 1 })],
  ])('%s changes the fingerprint', async (_, change) => {
    const before = await fingerprint();
    expect((await change()).status).toBe(200);
    expect(await fingerprint()).not.toBe(before);
  });

  it('a transfer that changes no account of the service changes the fingerprint', async () => {
    await control('/ledger/wallets', { address: ADDRESS, lamports: 10 });
    const before = await fingerprint();
    expect((await control('/ledger/transfers', { from: ADDRESS, to: ADDRESS, lamports: 1 })).status).toBe(200);
    expect(await fingerprint()).not.toBe(before);
  });

  it('a reset keeps the time, ends a stall, and starts at anchor 0', async () => {
    await control('/clock/advance', { ms: 3_600_001 });
    await control('/anchors/stall', { on: true });
    await control('/reset', {});
    const { anchor } = (await deployment.get('/beat/anchor')).body;
    expect([anchor.beat_index, anchor.utc]).toEqual([0, GENESIS_MS + 3_600_001]);
    expect((await control('/clock/advance', { anchors: 1 })).body).toEqual({
      now_ms: GENESIS_MS + 3_660_001,
      anchor_index: 1,
    });
  });

  it('a key from before the reset is unknown', async () => {
    const agent = await deployment.register();
    await control('/reset', {});
    expect((await agent.post('/agent/init')).status).toBe(401);
  });

  it.each([[{ seed: -1 }], [{ seed: 0.5 }], [{ seed: '1' }], [{ seed: 2 ** 53 }]])('%o is refused', async (body) => {
    expect((await control('/reset', body)).status).toBe(400);
  });

  it('reads change nothing', async () => {
    const agent = await deployment.agent();
    const before = await fingerprint();
    for (const path of [`/status/${agent.hash}`, `/verify/${agent.hash}`, `/agent/beat-status/${agent.hash}`]) {
      expect((await deployment.get(path)).status).toBe(200);
    }
    for (const path of ['/beat/anchor', '/fees/summary', '/.well-known/authority-key']) await deployment.get(path);
    expect((await agent.get('/agent/passport')).status).toBe(200);
    expect(await fingerprint()).toBe(before);
  });
});

describe('bodies and paths', () => {
  it.each([
    ['[]', 400, 'INVALID_JSON'],
    ['{', 400, 'INVALID_JSON'],
    ['null', 400, 'INVALID_JSON'],
    [`{"seed":${' '.repeat(70_000)}1}`, 413, 'BODY_TOO_LARGE'],
  ])('a body %.20s is %i %s', async (body, status, code) => {
    const reply = await control('/reset', body);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('another content type is 415', async () => {
    const reply = await deployment.control('POST', '/reset', '{}', { 'Content-Type': 'text/plain' });
    expect([reply.status, reply.body.code]).toEqual([415, 'CONTENT_TYPE_REQUIRED']);
  });

  it.each([
    ['GET', '/control/v1/reset'],
    ['POST', '/control/v1/fingerprint'],
    ['GET', '/control/v2/fingerprint'],
    ['GET', '/control/v1/FINGERPRINT'],
    ['POST', '/control/v1/agents/%zz/revoke-key'],
    ['POST', '/control/v1/agents/%E0%A4%A/revoke-key'],
  ])('%s %s is not found, in JSON', async (method, path) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${CONTROL_TOKEN}`;
    const reply = await sendRaw(deployment.port('control'), `${head}\r\nContent-Length: 0\r\n\r\n`);
    expect([reply.status, JSON.parse(reply.text)]).toEqual([404, { error: expect.any(String), code: 'NOT_FOUND' }]);
  });
});
