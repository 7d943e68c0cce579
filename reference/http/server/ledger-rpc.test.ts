import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deployment, sendRaw } from '../../../test/fixtures/http.js';
import { keyOf, memoCall, nameOf, sentAs, transferCall, wireOf } from '../../../test/fixtures/solana.js';
import { signingKey } from '../../beats/signing.js';
import { fingerprint } from '../../registry/fingerprint.js';
import { manualClock } from '../request/clock.js';
import { createAllowances } from './airdrop-allowance.js';
import { startLedger } from './ledger-server.js';

const BYTE = 21;
const wallet = signingKey(new Uint8Array(32).fill(BYTE));
const payer = keyOf(BYTE);

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start({ rpc: true });
});
afterEach(() => deployment.close());

/** The key of a root agent whose wallet is `payer`, with its chain started. */
async function agentOf(given: Deployment): Promise<string> {
  const { nonce } = (await given.post('/register', { name: 'Ada', action: 'challenge' })).body;
  const signed = wallet.signHex(`service-register:${nonce}:${wallet.publicKeyHex}:Ada`);
  const body = { name: 'Ada', wallet_nonce: nonce, wallet_public_key: wallet.publicKeyHex, wallet_signature: signed };
  const { api_key } = (await given.post('/register', body)).body;
  await given.call('POST /agent/init', {}, api_key);
  return api_key;
}

async function payment(given: Deployment, lamports: number, note = 'fee'): Promise<string> {
  const { blockhash } = (await given.rpc('getLatestBlockhash', { commitment: 'processed' })).value;
  const to = given.host.service.paymentAddress;
  const calls = [transferCall(payer.address, to, lamports), memoCall(note)];
  const wire = wireOf({ signers: [payer], blockhash, calls });
  return given.rpc('sendTransaction', sentAs(wire), { encoding: 'base64' });
}

const sigil = (payment_tx: string) => ({ identity_class: 'narrow_task', principal: 'acme', tier: 'ind', payment_tx });

describe('a fee paid by JSON-RPC', () => {
  it('pays once it is confirmed, by the wallet that sent it', async () => {
    const key = await agentOf(deployment);
    await deployment.rpc('requestAirdrop', payer.address, 1_000_000_000);
    const payment_tx = await payment(deployment, 50_000_000);
    const early = await deployment.call('POST /sigil', sigil(payment_tx), key);
    expect([early.status, early.body.code]).toEqual([400, 'PAYMENT_INVALID']);
    await deployment.control('POST', '/clock/advance', { ms: 400 });
    expect((await deployment.call('POST /sigil', sigil(payment_tx), key)).status).toBe(200);
    const again = await deployment.call('POST /agent/heartbeat', { payment_tx }, key);
    expect(again.body.code).toBe('PAYMENT_INVALID');
    const heartbeatTx = await payment(deployment, 500_000, 'beat');
    await deployment.control('POST', '/clock/advance', { ms: 400 });
    const reply = await deployment.call('POST /agent/heartbeat', { payment_tx: heartbeatTx }, key);
    expect(reply.body.fee).toEqual({ amount_sol: 0.0005, amount_lamports: 500_000, payment_tx: heartbeatTx, tier: 1 });
    const listed = await deployment.rpc('getSignaturesForAddress', deployment.host.service.paymentAddress, {
      commitment: 'confirmed',
    });
    const memos = listed.map(({ memo }: { memo: string }) => memo.replace(/^\[\d+\] (\S+).*/, '$1'));
    // The memos of the service itself are there too.
    expect(memos).toEqual(['beat', 'sigil', 'fee', 'registered']);
  });

  it('does not pay from two senders', async () => {
    const key = await agentOf(deployment);
    const other = keyOf(22);
    for (const { address } of [payer, other]) await deployment.rpc('requestAirdrop', address, 1_000_000_000);
    const { blockhash } = (await deployment.rpc('getLatestBlockhash', { commitment: 'processed' })).value;
    const to = deployment.host.service.paymentAddress;
    const calls = [transferCall(payer.address, to, 25_000_000), transferCall(other.address, to, 25_000_000)];
    const wire = wireOf({ signers: [payer, other], blockhash, calls });
    await deployment.rpc('sendTransaction', sentAs(wire), { encoding: 'base64' });
    await deployment.control('POST', '/clock/advance', { ms: 400 });
    expect((await deployment.call('POST /sigil', sigil(nameOf(wire)), key)).body.code).toBe('PAYMENT_INVALID');
  });

  it('what the control API paid can be read by JSON-RPC', async () => {
    await deployment.control('POST', '/ledger/wallets', { address: payer.address, lamports: 5_000 });
    const to = keyOf(23).address;
    const paid = (await deployment.control('POST', '/ledger/transfers', { from: payer.address, to, lamports: 700 }))
      .body;
    const read = await deployment.rpc('getTransaction', paid.signature, {
      commitment: 'confirmed',
      encoding: 'jsonParsed',
    });
    const info = { source: payer.address, destination: to, lamports: 700 };
    expect(read.transaction.message.instructions[0].parsed).toEqual({ type: 'transfer', info });
  });

  it('is in the journal, and a restart has the same ledger and state', async () => {
    const key = await agentOf(deployment);
    await deployment.rpc('requestAirdrop', payer.address, 1_000_000_000);
    const payment_tx = await payment(deployment, 50_000_000);
    await deployment.control('POST', '/clock/advance', { ms: 400 });
    await deployment.call('POST /sigil', sigil(payment_tx), key);
    const names = deployment.commands.map(({ name }) => name).filter((name) => name.startsWith('rpc:'));
    expect(names).toEqual(['rpc:requestAirdrop', 'rpc:sendTransaction']);
    const second = await Deployment.start({ rpc: true, commands: deployment.commands });
    const [before, after] = [deployment, second].map(({ host }) => host.service);
    expect(after?.ledger).toEqual(before?.ledger);
    expect(after && fingerprint(after.registry)).toBe(before && fingerprint(before.registry));
    const asked = await second.rpc('getTransaction', payment_tx, { commitment: 'confirmed' });
    expect(asked).toEqual(await deployment.rpc('getTransaction', payment_tx, { commitment: 'confirmed' }));
    await second.close();
  });

  it('a reset makes a new chain', async () => {
    await deployment.rpc('requestAirdrop', payer.address, 5);
    await deployment.control('POST', '/clock/advance', { ms: 40_000 });
    const genesis = await deployment.rpc('getGenesisHash');
    await deployment.control('POST', '/reset', { seed: 2 });
    expect(await deployment.rpc('getSlot', { commitment: 'processed' })).toBe(0);
    expect(await deployment.rpc('getGenesisHash')).not.toBe(genesis);
    expect((await deployment.rpc('getBalance', payer.address)).value).toBe(0);
  });
});

describe('bodies', () => {
  const url = (): string => deployment.running.rpcUrl ?? '';
  const post = async (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') => {
    const reply = await fetch(url(), { method: 'POST', body, headers: { 'content-type': type } });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
  };

  it.each([
    ['not JSON', '{"jsonrpc":', 200, -32700],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 200, -32700],
    ['a number that is too large', '[1e999]', 200, -32700],
    ['nested too deep', '['.repeat(5_000), 200, -32700],
    ['nested a thousand times', '['.repeat(1_000) + ']'.repeat(1_000), 200, -32600],
    ['empty', '', 200, -32600],
    ['a text', '"getHealth"', 200, -32600],
    ['too large', JSON.stringify('x'.repeat(65_536)), 413, -32600],
  ])('%s: an error of JSON-RPC', async (_, body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    const error = Array.isArray(response.body) ? response.body[0] : response.body;
    expect(error).toMatchObject({ jsonrpc: '2.0', error: { code }, id: null });
  });

  it('are JSON by their content type, and notifications get none', async () => {
    expect(await post('{}', 'text/plain')).toMatchObject({ status: 415, body: { error: { code: -32600 } } });
    expect(await post('{"jsonrpc":"2.0","method":"getHealth"}')).toEqual({ status: 204, body: undefined });
    expect(await (await fetch(`${url()}/health`)).text()).toBe('ok');
    const got = await fetch(url());
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    const health = await fetch(`${url()}/health`, { method: 'DELETE' });
    expect([health.status, health.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`${url()}/%zz`)).status).toBe(405);
  });

  it.each(['7', '"x"', '9007199254740993', '-12345678901234567890'])('are answered with their id: %s', async (id) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"getHealth"}`;
    const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const { text } = await sendRaw(Number(new URL(url()).port), Buffer.from(`${head}\r\n\r\n${body}`));
    expect(text).toBe(`{"jsonrpc":"2.0","result":"ok","id":${id}}`);
  });

  it('cut off in the middle leave the server answering', async () => {
    const port = Number(new URL(url()).port);
    const head =
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\nConnection: close\r\n\r\n{';
    await expect(sendRaw(port, head, 200)).rejects.toThrow('no answer');
    expect(await deployment.rpc('getHealth')).toBe('ok');
  });
});

describe('a caller', () => {
  it('gets 10,000 SOL an hour and no more, whatever the account', async () => {
    const SOL = 1_000_000_000;
    for (let i = 0; i < 10; i++) await deployment.rpc('requestAirdrop', keyOf(i + 1).address, 1_000 * SOL);
    await expect(deployment.rpc('requestAirdrop', payer.address, 1)).rejects.toThrow('Too many airdrops');
    await deployment.control('POST', '/clock/advance', { ms: 3_600_000 });
    await deployment.rpc('requestAirdrop', payer.address, 1_000 * SOL);
  });

  it('gets 10,000 airdrops an hour and no more', () => {
    const take = createAllowances().of('192.0.2.1');
    for (let i = 0; i < 10_000; i++) expect(take(1, i)).toBe(true);
    expect([take(1, 3_599_999), take(1, 3_600_000)]).toEqual([false, true]);
  });

  it('finds the index of accounts ready, and passes over what is too new without reading it', async () => {
    const { transactions } = deployment.host.service.ledger;
    await deployment.control('POST', '/clock/advance', { ms: 400 * 50 });
    const batch = Array(100).fill({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [payer.address, 1] });
    const headers = { 'content-type': 'application/json' };
    const url = deployment.running.rpcUrl ?? '';
    await (await fetch(url, { method: 'POST', body: JSON.stringify(batch), headers })).arrayBuffer();
    const [indexed, read] = [vi.spyOn(transactions, 'accountsAt'), vi.spyOn(transactions, 'at')];
    expect((await deployment.rpc('getBalance', payer.address)).value).toBe(0);
    expect(await deployment.rpc('getSignaturesForAddress', payer.address)).toEqual([]);
    expect([indexed.mock.calls, read.mock.calls]).toEqual([[], []]);
  });

  it('that is a web page is refused', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
    const post = (headers: Record<string, string>) =>
      fetch(deployment.running.rpcUrl ?? '', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await post({ origin: 'https://page.example' })).status).toBe(403);
    expect((await post({ origin: new URL(deployment.running.rpcUrl ?? '').origin })).status).toBe(200);
  });

  it.each(['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000', 'moz-extension://0f5d-4c'])(
    'that is a page of this machine or an extension is answered, after its preflight: %s',
    async (origin) => {
      const url = deployment.running.rpcUrl ?? '';
      const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'solana-client' };
      const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin, ...asked } });
      const allowed = ['origin', 'methods', 'headers'].map((name) =>
        preflight.headers.get(`access-control-allow-${name}`),
      );
      expect([preflight.status, ...allowed]).toEqual([204, origin, 'POST, GET', '*']);
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
      const reply = await fetch(url, { method: 'POST', body, headers: { origin, 'content-type': 'application/json' } });
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      expect(
        (await deployment.send('GET', '/control/v1/capabilities', { headers: { origin } }, 'control')).status,
      ).toBe(403);
    },
  );

  it.each([
    'http://localhost.page.example',
    'https://127.0.0.1.page.example',
    'null',
    'file://',
    'chrome-extension://a.b',
  ])('that is another page has no preflight: %s', async (origin) => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const preflight = await fetch(deployment.running.rpcUrl ?? '', { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});

describe('aips serve ledger', () => {
  it('keeps an idle connection for as long as the service does', async () => {
    const alone = await startLedger({ seed: 1, clock: manualClock(0), bind: '127.0.0.1', port: 0 });
    for (const rpcUrl of [alone.rpcUrl, deployment.running.rpcUrl ?? '']) {
      const agent = new Agent({ keepAlive: true });
      const [reply] = (await once(get(`${rpcUrl}/health`, { agent }), 'response')) as [IncomingMessage];
      expect(reply.headers['keep-alive']).toBe('timeout=120');
      agent.destroy();
    }
    await alone.close();
  });

  it('runs by itself; a manual clock is moved by a method of its own, any other by nothing', async () => {
    const alone = await startLedger({ seed: 1, clock: manualClock(0), bind: '127.0.0.1', port: 0 });
    const ask = async (method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      return (await (await fetch(alone.rpcUrl, { method: 'POST', body, headers })).json()) as { result: unknown };
    };
    expect((await ask('getSlot', { commitment: 'processed' })).result).toBe(0);
    expect((await ask('aipsAdvanceClock', 4_000)).result).toEqual({ now_ms: 4_000 });
    expect((await ask('getSlot', { commitment: 'processed' })).result).toBe(10);
    expect(await ask('aipsAdvanceClock', -1)).toMatchObject({ error: { code: -32602 } });
    const batch = ['aipsAdvanceClock', 'getSlot', 'aipsAdvanceClock', 'getSlot'].map((method, id) => {
      const params = method === 'getSlot' ? [{ commitment: 'processed' }] : [400];
      return { jsonrpc: '2.0', id, method, params };
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(alone.rpcUrl, { method: 'POST', body: JSON.stringify(batch), headers });
    const results = ((await answer.json()) as { result: unknown }[]).map(({ result }) => result);
    expect(results).toEqual([{ now_ms: 4_400 }, 11, { now_ms: 4_800 }, 12]);
    await alone.close();
    await expect(deployment.rpc('aipsAdvanceClock', 1)).rejects.toThrow('-32601');
  });
});
