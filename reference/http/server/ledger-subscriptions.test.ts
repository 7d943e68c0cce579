// The ledger's subscriptions on the wire: notifications, refusals, bounds. Clients of the chain are in ledger-clients.slow.test.ts.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { keyOf } from '../../../test/fixtures/solana.js';
import { createBlockchain } from '../../ledger/chain.js';
import { airdrop } from '../../ledger/landing.js';
import { createLedger } from '../../ledger/ledger.js';
import { manualClock } from '../request/clock.js';
import { openLedger, type RunningLedger, startLedger } from './ledger-server.js';
import { LedgerSubscriptions, type SubscriptionLimits } from './ledger-subscriptions.js';
import { closeServer, listen, urlOf } from './listen.js';

const ada = keyOf(1).address;
const clock = manualClock(0);
const chain = createBlockchain(createLedger({ seed: 1 }), 0);
const host = { nowMs: clock.nowMs, chain: () => chain };

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a message should hold
type Message = any;

/** A client, with the messages that came and have not been read. */
class Client {
  readonly #came: Message[] = [];
  #wake: () => void = () => undefined;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.#came.push(JSON.parse(data.toString('utf8')));
      this.#wake();
    });
  }

  static async connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
    const socket = new WebSocket(url, { headers });
    const client = new Client(socket);
    await once(socket, 'open');
    return client;
  }

  async next(): Promise<Message> {
    while (this.#came.length === 0) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    return this.#came.shift();
  }

  ask(method: string, ...params: unknown[]): Promise<Message> {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return this.next();
  }
}

/** The status of a refused connection. */
async function refusal(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  response.resume();
  return response.statusCode;
}

describe('subscriptions of a ledger', () => {
  let ledger: RunningLedger;
  beforeEach(async () => {
    ledger = await openLedger(host, '127.0.0.1', 0);
  });
  afterEach(() => ledger.close());

  it('notify of a signature once, at the commitment that was asked for', async () => {
    const client = await Client.connect(ledger.wsUrl);
    const name = airdrop(chain, ada, 5, clock.nowMs()) as string;
    const [processed, confirmed] = [
      (await client.ask('signatureSubscribe', name, { commitment: 'processed' })).result,
      (await client.ask('signatureSubscribe', name, { commitment: 'confirmed' })).result,
    ];
    const notified = (slot: number, subscription: number) => {
      const result = { context: { slot, apiVersion: expect.any(String) }, value: { err: null } };
      return { jsonrpc: '2.0', method: 'signatureNotification', params: { result, subscription } };
    };
    const begin = Math.floor(clock.nowMs() / 400);
    expect(await client.next()).toEqual(notified(begin, processed));
    clock.advance?.(400);
    expect(await client.next()).toEqual(notified(begin, confirmed));
    expect(await client.ask('signatureUnsubscribe', confirmed)).toMatchObject({ error: { code: -32602 } });
  });

  it('follow the slots until they are ended', async () => {
    const client = await Client.connect(ledger.wsUrl);
    const id = (await client.ask('slotSubscribe')).result;
    clock.advance?.(800);
    const slot = Math.floor(clock.nowMs() / 400);
    const root = Math.max(0, slot - 32);
    expect((await client.next()).params).toEqual({ result: { parent: slot - 1, root, slot }, subscription: id });
    expect((await client.ask('slotUnsubscribe', id)).result).toBe(true);
  });

  it.each([
    ['what is no JSON', '{', -32700],
    ['what is no call', '[]', -32600],
    ['deep nesting', '['.repeat(4_000), -32700],
    ['a call that is answered at once', '{"jsonrpc":"2.0","id":1,"method":"getHealth"}', -32601],
    ['a signature that is none', '{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["x"]}', -32602],
    [
      'an unknown commitment',
      `{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["${'1'.repeat(64)}",{"commitment":"sure"}]}`,
      -32602,
    ],
  ])('answer %s with an error, and go on', async (_, text, code) => {
    const client = await Client.connect(ledger.wsUrl);
    client.socket.send(text);
    expect((await client.next()).error.code).toBe(code);
    // A notification has no reply; libraries keep connections alive with this one.
    client.socket.send('{"jsonrpc":"2.0","method":"ping"}');
    expect((await client.ask('slotSubscribe')).result).toEqual(expect.any(Number));
  });

  it.each([
    ['a message of over 4 KB', (socket: WebSocket) => socket.send('x'.repeat(4_097)), 1009],
    [
      'a message in many fragments',
      (socket: WebSocket) => {
        for (let i = 0; i < 17; i++) socket.send('x', { fin: false });
      },
      1008,
    ],
  ])('close the connection after %s', async (_, send, code) => {
    const client = await Client.connect(ledger.wsUrl);
    send(client.socket);
    expect((await once(client.socket, 'close'))[0]).toBe(code);
  });

  it('are for pages of this machine and extensions, and for no other page', async () => {
    for (const origin of ['http://localhost:5173', 'chrome-extension://bfnaelmomeimhlpmgjnjophhpkkoljpa'])
      await Client.connect(ledger.wsUrl, { origin });
    for (const origin of ['https://page.example', 'http://localhost.page.example', 'null'])
      expect(await refusal(ledger.wsUrl, { origin })).toBe(403);
    expect(await refusal(ledger.wsUrl, { host: 'page.example' })).toBe(403);
  });

  it('have a port for themselves', async () => {
    const reply = await fetch(ledger.wsUrl.replace('ws', 'http'));
    expect([reply.status, reply.headers.get('upgrade')]).toEqual([426, 'websocket']);
  });
});

describe('the port of subscriptions', () => {
  it('is the one after that of JSON-RPC, or another if that is in use', async () => {
    const first = await startLedger({ seed: 1, clock, bind: '127.0.0.1', port: 0 });
    const port = Number(new URL(first.rpcUrl).port);
    expect(first.wsUrl).toBe(`ws://127.0.0.1:${port + 1}`);
    await first.close();
    const holder = createServer();
    await listen(holder, '127.0.0.1', port + 1);
    const second = await startLedger({ seed: 1, clock, bind: '127.0.0.1', port });
    expect(second.rpcUrl).toBe(first.rpcUrl);
    expect((await Client.connect(second.wsUrl)).socket.readyState).toBe(WebSocket.OPEN);
    await Promise.all([second.close(), closeServer(holder)]);
  });
});

describe('bounds', () => {
  const limits: SubscriptionLimits = {
    clientsMax: 2,
    subscriptionsMax: 5,
    subscriptionsOfOneMax: 3,
    unsentBytesMax: 1_000,
  };

  async function limited(): Promise<{ url: string; end: () => Promise<void> }> {
    const subscriptions = new LedgerSubscriptions(host, { loopback: true }, limits);
    const server = subscriptions.listener();
    await listen(server, '127.0.0.1', 0);
    const end = async () => {
      subscriptions.close();
      await closeServer(server);
    };
    return { url: urlOf(server).replace('http', 'ws'), end };
  }

  it('of clients and subscriptions are for those of one and of all; what ends makes room', async () => {
    const { url, end } = await limited();
    const [one, other] = [await Client.connect(url), await Client.connect(url)];
    expect(await refusal(url)).toBe(503);
    const ask = async (client: Client) => Object.keys(await client.ask('slotSubscribe'))[1];
    const asked = [one, one, one, one, other, other, other];
    const replies: (string | undefined)[] = [];
    for (const client of asked) replies.push(await ask(client));
    expect(replies).toEqual(['result', 'result', 'result', 'error', 'result', 'result', 'error']);
    one.socket.close();
    await vi.waitFor(async () => expect(await ask(other)).toBe('result'));
    await Client.connect(url);
    await end();
  });

  it('of what a client leaves unread end its connection', async () => {
    const { url, end } = await limited();
    const client = await Client.connect(url);
    const closed = once(client.socket, 'close');
    client.socket.pause();
    const call = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(3_000), method: 'slotSubscribe' });
    const flood = setInterval(() => {
      for (let i = 0; i < 500; i++) client.socket.send(call, () => undefined);
    }, 1);
    client.socket.on('error', () => undefined);
    // The server ends it; a paused client sees that by its writes alone.
    await vi.waitFor(
      () => expect((client.socket as unknown as { _socket: { writable: boolean } })._socket.writable).toBe(false),
      { timeout: 20_000 },
    );
    clearInterval(flood);
    client.socket.resume();
    await closed;
    await end();
  });
});
