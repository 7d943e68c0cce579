import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import {
  COMPUTE_BUDGET,
  keyOf,
  memoCall,
  nameOf,
  rpcResult,
  sentAs,
  transferCall,
  wireOf,
} from '../../../test/fixtures/solana.js';
import { signingKey } from '../../beats/signing.js';
import { fingerprint } from '../../registry/fingerprint.js';
import { type RunningLedger, startLedger } from '../server/ledger-server.js';
import { type Clock, manualClock } from './clock.js';

const BYTE = 31;
const TIMEOUT_MS = 500_000;
const wallet = signingKey(new Uint8Array(32).fill(BYTE));
const payer = keyOf(BYTE);
const other = keyOf(32);
const payTo = keyOf(33).address;

/** A proxy between the reference and the ledger; undefined forwards everything. */
let fault: RequestListener | undefined;
let asked: number;
/** The last request that the ledger got. */
let shown: string | undefined;
let clock: Clock;
let ledger: RunningLedger;
let between: Server;
let deployment: Deployment;
let key: string;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const rpc = (method: string, ...params: unknown[]) => rpcResult(ledger.rpcUrl, method, params);

beforeEach(async () => {
  [fault, asked, clock] = [undefined, 0, manualClock(0)];
  ledger = await startLedger({ seed: 5, clock, bind: '127.0.0.1', port: 0 });
  between = createServer(async (req, res) => {
    asked += 1;
    shown = req.headers.authorization;
    if (fault !== undefined) return fault(req, res);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(ledger.rpcUrl, { method: 'POST', body: Buffer.concat(chunks), headers });
    res.end(await reply.text());
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  const rpcUrl = `http://operator:s3cret%3A%20%C3%A9@127.0.0.1:${portOf(between)}/path-key?api-key=query-key`;
  const remote = { rpcUrl, paymentAddress: payTo, timeoutMs: TIMEOUT_MS };
  deployment = await Deployment.start({ remote });
  key = await agentKey();
  for (const { address } of [payer, other]) await rpc('requestAirdrop', address, 1_000_000_000);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await deployment.close();
  between.closeAllConnections();
  between.close();
  await ledger.close();
});

/** Time limits that have been set and not run out, in their order: they run out when the test says so. */
function heldTimeouts(): (() => void)[] {
  const limits: (() => void)[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    limits.push(() => controller.abort(new DOMException('time is up', 'TimeoutError')));
    return controller.signal;
  });
  return limits;
}

async function agentKey(): Promise<string> {
  const { nonce } = (await deployment.post('/register', { name: 'Ada', action: 'challenge' })).body;
  const signed = wallet.signHex(`service-register:${nonce}:${wallet.publicKeyHex}:Ada`);
  const body = { name: 'Ada', wallet_nonce: nonce, wallet_public_key: wallet.publicKeyHex, wallet_signature: signed };
  const { api_key } = (await deployment.post('/register', body)).body;
  await deployment.call('POST /agent/init', {}, api_key);
  return api_key;
}

/** A transaction that the ledger has not seen yet. */
async function unsent(
  calls = [transferCall(payer.address, payTo, 50_000_000)],
  signers = [payer],
): Promise<Uint8Array> {
  const { blockhash } = (await rpc('getLatestBlockhash', { commitment: 'processed' })).value;
  return wireOf({ signers, blockhash, calls });
}

async function send(wire: Uint8Array): Promise<void> {
  await rpc('sendTransaction', sentAs(wire), { encoding: 'base64' });
}

async function paid(...given: Parameters<typeof unsent>): Promise<string> {
  const wire = await unsent(...given);
  await send(wire);
  clock.advance?.(400);
  return nameOf(wire);
}

async function buy(payment_tx: string): Promise<readonly [status: number, code: string | undefined]> {
  const { status, body: told } = await purchase(payment_tx);
  return [status, told.code];
}

function purchase(payment_tx: string) {
  const body = { identity_class: 'narrow_task', principal: 'acme', tier: 'ind', payment_tx };
  return deployment.call('POST /sigil', body, key);
}

describe("a fee on somebody else's ledger", () => {
  it('pays for a SIGIL, a heartbeat and a reissue, each once', async () => {
    expect((await deployment.call('GET /fees/summary')).body.payment_address).toBe(payTo);
    const first = await paid();
    expect(await buy(first)).toEqual([200, undefined]);
    const heartbeatTx = await paid([transferCall(payer.address, payTo, 500_000), memoCall('beat', payer.address)]);
    expect(
      (await deployment.call('POST /agent/heartbeat', { payment_tx: heartbeatTx }, key)).body.fee.amount_lamports,
    ).toBe(500_000);
    const reissue = await paid([transferCall(payer.address, payTo, 200_000)]);
    expect((await deployment.call('POST /agent/reissue-proof', { payment_tx: reissue }, key)).status).toBe(200);
    const again = await deployment.call('POST /agent/reissue-proof', { payment_tx: reissue }, key);
    expect([again.status, again.body.code]).toEqual([409, 'PAYMENT_ALREADY_USED']);
  });

  it('is not confirmed at first, and unknown before it was sent; then it pays', async () => {
    const wire = await unsent();
    expect(await buy(nameOf(wire))).toEqual([400, 'PAYMENT_INVALID']);
    await send(wire);
    expect(await buy(nameOf(wire))).toEqual([400, 'PAYMENT_INVALID']);
    clock.advance?.(400);
    expect(await buy(nameOf(wire))).toEqual([200, undefined]);
  });

  it.each([
    ['a lamport less', [transferCall(payer.address, payTo, 49_999_999)], [payer], 'PAYMENT_INVALID'],
    ['a lamport more', [transferCall(payer.address, payTo, 50_000_001)], [payer], 'PAYMENT_INVALID'],
    ['to somebody else', [transferCall(payer.address, other.address, 50_000_000)], [payer], 'PAYMENT_INVALID'],
    ['nothing but a memo', [memoCall('50000000')], [payer], 'PAYMENT_INVALID'],
    [
      'from two senders',
      [transferCall(payer.address, payTo, 25_000_000), transferCall(other.address, payTo, 25_000_000)],
      [payer, other],
      'PAYMENT_INVALID',
    ],
    ['from another wallet', [transferCall(other.address, payTo, 50_000_000)], [other], 'PAYMENT_SENDER_MISMATCH'],
  ])('%s is refused', async (_, calls, signers, code) => {
    expect(await buy(await paid(calls, signers))).toEqual([400, code]);
  });

  it('may have its fee paid by another, who is not its sender, and may come in two parts', async () => {
    const half = transferCall(payer.address, payTo, 25_000_000);
    expect(await buy(await paid([half, half], [other, payer]))).toEqual([200, undefined]);
  });

  it('may set a price for its compute units, which a node shows without `parsed`', async () => {
    const price = { program: COMPUTE_BUDGET, accounts: [], data: Buffer.from([3, 5, 0, 0, 0, 0, 0, 0, 0]) };
    const limit = { program: COMPUTE_BUDGET, accounts: [], data: Buffer.from([2, 232, 3, 0, 0]) };
    expect(await buy(await paid([price, limit, transferCall(payer.address, payTo, 50_000_000)]))).toEqual([
      200,
      undefined,
    ]);
  });

  /** Changes getTransaction's reply, as another node would write it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reaches into whatever the reply holds
  const shownAs = (change: (result: any) => void): RequestListener => {
    const pass = between.listeners('request')[0] as RequestListener;
    return (req, res) => {
      fault = undefined;
      const end = res.end.bind(res) as (text: string) => ServerResponse;
      res.end = ((text: string) => {
        const answer = JSON.parse(text);
        change(answer.result);
        return end(JSON.stringify({ ...answer, error: null }));
      }) as typeof res.end;
      pass(req, res);
    };
  };
  // biome-ignore lint/suspicious/noExplicitAny: a test reaches into whatever the reply holds
  type Change = (result: any) => void;
  const alien = { programId: other.address, accounts: [payTo], data: '3Bxs4', stackHeight: null };
  const strange = [alien, { ...alien, parsed: null }, { ...alien, parsed: 'x' }, null, 7, { program: 'vote' }];

  it.each<readonly [string, Change]>([
    [
      'with instructions that it cannot parse',
      ({ transaction }) => transaction.message.instructions.unshift(...strange),
    ],
    [
      'with inner instructions of every kind',
      ({ meta }) => {
        meta.innerInstructions = [{ index: 0, instructions: strange }, { index: 1 }, null];
      },
    ],
    [
      'with the transfer among the inner instructions of a program that it does not know',
      ({ meta, transaction }) => {
        const { message } = transaction;
        meta.innerInstructions = [{ index: 0, instructions: [alien, ...message.instructions] }];
        message.instructions = [alien];
      },
    ],
    [
      'without any field that does not tell who paid',
      ({ meta }) => {
        for (const name of Object.keys(meta)) if (!name.endsWith('Balances')) delete meta[name];
      },
    ],
    [
      'with null for the same',
      ({ meta }) => {
        for (const name of Object.keys(meta)) if (!/^(pre|post)Balances/.test(name)) meta[name] = null;
      },
    ],
    [
      'with keys as texts, the payee from an address table',
      ({ meta, transaction: { message } }) => {
        message.accountKeys = message.accountKeys.map(({ pubkey }: { pubkey: string }) => pubkey);
        const place = message.accountKeys.indexOf(payTo);
        message.accountKeys.splice(place, 1);
        for (const list of [meta.preBalances, meta.postBalances]) list.push(...list.splice(place, 1));
        meta.loadedAddresses = { writable: [payTo], readonly: [] };
      },
    ],
  ])('is read from a node that shows it %s', async (_, change) => {
    const payment_tx = await paid();
    fault = shownAs(change);
    expect(await buy(payment_tx)).toEqual([200, undefined]);
  });

  it.each<readonly [string, Change]>([
    [
      'a transfer that another program names',
      ({ transaction }) => {
        for (const each of transaction.message.instructions) each.programId = other.address;
      },
    ],
    ['lamports that no transfer names', ({ transaction }) => transaction.message.instructions.pop()],
    [
      'an account that is made with the fee',
      ({ transaction: { message } }) => {
        const [{ parsed }] = message.instructions;
        const { source, destination: newAccount, lamports } = parsed.info;
        Object.assign(parsed, { type: 'createAccount', info: { source, newAccount, lamports, space: 0 } });
      },
    ],
    [
      'a transfer that failed',
      ({ meta }) => {
        meta.err = { InstructionError: [0, { Custom: 1 }] };
      },
    ],
  ])('%s is none', async (_, change) => {
    const payment_tx = await paid();
    fault = shownAs(change);
    expect(await buy(payment_tx)).toEqual([400, 'PAYMENT_INVALID']);
  });

  it('failed is none', async () => {
    const wire = await unsent([
      transferCall(payer.address, payTo, 50_000_000),
      transferCall(payer.address, payTo, 5e9),
    ]);
    await rpc('sendTransaction', sentAs(wire), { encoding: 'base64', skipPreflight: true });
    clock.advance?.(400);
    expect(await buy(nameOf(wire))).toEqual([400, 'PAYMENT_INVALID']);
  });

  it('is asked for by those alone who get as far as their payment', async () => {
    const first = await paid();
    expect((await deployment.call('POST /agent/heartbeat', { payment_tx: first }, key)).body.code).toBe(
      'SIGIL_REQUIRED',
    );
    expect(await buy('not a signature')).toEqual([400, 'PAYMENT_INVALID']);
    expect(asked).toBe(0);
    expect(await buy(first)).toEqual([200, undefined]);
    expect(asked).toBe(1);
  });

  it('is looked up with the user and password of the URL, as HTTP Basic credentials', async () => {
    expect(await buy(await paid())).toEqual([200, undefined]);
    expect(shown).toBe(`Basic ${Buffer.from('operator:s3cret: é', 'utf8').toString('base64')}`);
  });

  it('is in the journal as it was seen, so that a restart asks no ledger', async () => {
    await buy(await paid());
    await deployment.control('POST', '/clock/advance', { anchors: 11 });
    const heartbeatTx = await paid([transferCall(payer.address, payTo, 500_000)]);
    expect((await deployment.call('POST /agent/heartbeat', { payment_tx: heartbeatTx }, key)).status).toBe(200);
    const before = asked;
    const remote = { rpcUrl: 'http://127.0.0.1:9', paymentAddress: payTo };
    const second = await Deployment.start({ remote, commands: structuredClone(deployment.commands) });
    const [one, two] = [deployment, second].map(({ host }) => fingerprint(host.service.registry));
    expect(two).toBe(one);
    expect(asked).toBe(before);
    await second.close();
  });

  it('is not to be had from the control API', async () => {
    const reply = await deployment.control('POST', '/ledger/wallets', { address: payer.address, lamports: 5 });
    expect([reply.status, reply.body.code]).toEqual([409, 'LEDGER_ELSEWHERE']);
    const { calls } = (await deployment.control('GET', '/capabilities')).body;
    expect(calls).not.toContain('ledger/transfers');
    expect(calls).toContain('clock/advance');
  });

  it('a key that is revoked while the ledger is asked pays nothing', async () => {
    const payment_tx = await paid();
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    const pass = between.listeners('request')[0] as RequestListener;
    fault = async (req, res) => {
      fault = undefined;
      await deployment.control('POST', `/agents/${agentHash()}/revoke-key`, {});
      release();
      pass(req, res);
    };
    const response = await buy(payment_tx);
    await held;
    expect(response).toEqual([401, 'AUTH_MISSING']);
  });

  function agentHash(): string {
    const payload = key.slice('pvn_'.length).split('.')[0] ?? '';
    return (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { h: string }).h;
  }
});

describe('[fee.payment.ledger-unavailable] a ledger that does not answer', () => {
  const says =
    (status: number, text: string): RequestListener =>
    (_req, res) => {
      res.statusCode = status;
      res.end(text);
    };
  const result = (value: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result: value });
  const error = (code: number): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'no: http://operator:s3cret@node' } });

  const silences: readonly (readonly [what: string, why: string, fault: RequestListener])[] = [
    ['limits', 'answered with HTTP status 429', says(429, error(-32005))],
    ['fails', 'answered with HTTP status 500', says(500, 'oops')],
    [
      'sends elsewhere',
      'answered with HTTP status 307',
      (_req, res) => void res.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    ],
    ['hangs up', 'cannot be reached', (req) => void req.socket.destroy()],
    ['is no JSON', 'answered with what is no JSON', says(200, '<html>')],
    ['is another JSON', 'answered with something else than a transaction', says(200, '{"ok":true}')],
    [
      'answers another question',
      'answered with something else than a transaction',
      says(200, JSON.stringify({ jsonrpc: '2.0', id: 2, result: null })),
    ],
    ['tells of no transaction', 'answered with something else than a transaction', says(200, result({ slot: 5 }))],
    [
      'tells half of one',
      'answered with something else than a transaction',
      says(200, result({ meta: { err: null, preBalances: [], postBalances: [] }, transaction: 'AQ==' })),
    ],
    ['is unhealthy', 'refused the question with JSON-RPC error code -32005', says(200, error(-32005))],
    [
      'talks for ever',
      'answered with too long a reply',
      (_req, res) => void res.end(`{"x":"${'x'.repeat(2_000_000)}"}`),
    ],
  ];

  it.each(silences)('it %s: 503, nothing is used up, and the same request pays later', async (_, why, given) => {
    const payment_tx = await paid();
    const commands = deployment.commands.length;
    fault = given;
    const response = await purchase(payment_tx);
    expect(response.status).toBe(503);
    expect(response.body).toEqual({ error: `the ledger ${why}`, code: 'LEDGER_UNAVAILABLE' });
    expect(deployment.commands).toHaveLength(commands);
    fault = undefined;
    expect(await buy(payment_tx)).toEqual([200, undefined]);
  });

  it.each<readonly [string, RequestListener]>([
    ['is slow', () => undefined],
    ['is slow in the middle', (_req, res) => void res.write('{"jsonrpc"')],
  ])('it %s: 503 when its time is up, nothing is used up, and the same request pays later', async (_, given) => {
    const payment_tx = await paid();
    const commands = deployment.commands.length;
    const limits = heldTimeouts();
    fault = (req, res) => {
      given(req, res);
      for (const runOut of limits) runOut();
    };
    const response = await purchase(payment_tx);
    expect(response.status).toBe(503);
    expect(response.body).toEqual({ error: 'the ledger did not answer within 500000 ms', code: 'LEDGER_UNAVAILABLE' });
    expect(deployment.commands).toHaveLength(commands);
    vi.restoreAllMocks();
    fault = undefined;
    expect(await buy(payment_tx)).toEqual([200, undefined]);
  });

  it('as often as it may be: none of the 5 purchases an hour is used up, while refusals and the purchase itself are', async () => {
    const payment_tx = await paid();
    const unpaid = nameOf(await unsent());
    expect(await buy(unpaid)).toEqual([400, 'PAYMENT_INVALID']);
    fault = says(500, 'oops');
    for (let i = 0; i < 12; i++) expect(await buy(payment_tx)).toEqual([503, 'LEDGER_UNAVAILABLE']);
    fault = undefined;
    for (let i = 0; i < 3; i++) expect(await buy(unpaid)).toEqual([400, 'PAYMENT_INVALID']);
    expect(await buy(payment_tx)).toEqual([200, undefined]);
    expect(await buy(payment_tx)).toEqual([429, 'RATE_LIMITED']);
  });

  it('while it is asked a request keeps its place', async () => {
    const payment_tx = await paid();
    fault = () => undefined;
    const limits = heldTimeouts();
    const statuses: number[] = [];
    const bought = Array.from({ length: 7 }, async () => void statuses.push((await buy(payment_tx))[0]));
    await expect.poll(() => [asked, statuses]).toEqual([5, [429, 429]]);
    for (const runOut of limits) runOut();
    await Promise.all(bought);
    expect(statuses.slice(2)).toEqual([503, 503, 503, 503, 503]);
    expect(asked).toBe(5);
  });

  it('at all: 503', async () => {
    const payment_tx = await paid();
    between.closeAllConnections();
    between.close();
    const reply = await purchase(payment_tx);
    expect(reply.status).toBe(503);
    expect(reply.body).toEqual({ error: 'the ledger cannot be reached', code: 'LEDGER_UNAVAILABLE' });
  });
});
