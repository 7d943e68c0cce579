/**
 * The mock ledger's subscriptions by WebSocket: a client waits for a signature, or follows the slots. Calls that are answered at
 * once are in ledger-rpc.ts.
 */

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { exactJson, parseExactly } from '../../../spec/exact-json.js';
import { type Commitment, commitmentOf, reaches, slotAt, slotOf } from '../../ledger/chain.js';
import {
  answerRequest,
  invalidParams,
  method,
  type RpcMethod,
  type RpcResponse,
  refusedBody,
  rpcError,
  rpcResult,
} from '../../ledger/json-rpc.js';
import { findTransaction } from '../../ledger/ledger.js';
import { faultOf } from '../../ledger/rpc-history.js';
import { API_VERSION, config, signature, wantedCommitment, wholeNumber } from '../../ledger/rpc-params.js';
import { isDurable } from '../request/keeper.js';
import { refuseWebPage } from '../request/local-callers.js';
import { contextOf, type LedgerHost } from './ledger-rpc.js';
import { serverOf } from './listen.js';

/** The bounds of all clients together, and of one. */
export interface SubscriptionLimits {
  readonly clientsMax: number;
  readonly subscriptionsMax: number;
  readonly subscriptionsOfOneMax: number;
  /** The largest size of unsent notifications of a client. */
  readonly unsentBytesMax: number;
}

const LIMITS: SubscriptionLimits = {
  clientsMax: 500,
  subscriptionsMax: 2_000,
  subscriptionsOfOneMax: 1_000,
  unsentBytesMax: 262_144,
};
/** A subscription has some 250 bytes. Fragments and chunks are kept each by itself, so they are few. */
const WEB_SOCKET = {
  noServer: true,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: 4_096,
  maxFragments: 16,
  maxBufferedChunks: 64,
} as const;
/** How often the ledger is read while a client is subscribed; slots in between are skipped. */
const LOOK_EVERY_MS = 50;
/** Milliseconds between two pings; a client that does not answer one before the next is disconnected. */
const PING_EVERY_MS = 30_000;

type Subscription =
  | { readonly kind: 'signature'; readonly name: string; readonly commitment: Commitment }
  | { readonly kind: 'slot'; seen: number };

interface Client {
  readonly socket: WebSocket;
  readonly subscriptions: Map<number, Subscription>;
  alive: boolean;
}

/** The subscriptions of one ledger. */
export class LedgerSubscriptions {
  readonly #server = new WebSocketServer(WEB_SOCKET);
  readonly #clients = new Set<Client>();
  readonly #pinging: NodeJS.Timeout;
  #looking: NodeJS.Timeout | undefined;
  #lastId = 0;
  #total = 0;

  constructor(
    readonly host: LedgerHost,
    readonly options: { readonly loopback: boolean },
    readonly limits: SubscriptionLimits = LIMITS,
  ) {
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS).unref();
  }

  /** A server of their own: on the port of other calls, upgrades that are to be ignored there, such as h2c, would end here too. */
  listener(): Server {
    const server = serverOf((_req, res) => {
      res.writeHead(426, {
        'Content-Type': 'application/json; charset=utf-8',
        Upgrade: 'websocket',
        Connection: 'close',
      });
      res.end(JSON.stringify(refusedBody(-32600, 'connect by WebSocket; other calls go to the port of JSON-RPC')));
    });
    return server.on('upgrade', (req, socket, head) => this.#upgrade(req, socket, head));
  }

  #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    // The client may leave before it has its reply.
    socket.on('error', () => socket.destroy());
    const refusal = refuseWebPage(req, { ...this.options, localPages: true });
    if (refusal !== undefined) refuseUpgrade(socket, '403 Forbidden', refusal.reason);
    else if (this.#clients.size >= this.limits.clientsMax)
      refuseUpgrade(socket, '503 Service Unavailable', 'there are too many WebSocket clients');
    else this.#server.handleUpgrade(req, socket as Socket, head, (accepted) => this.#accept(accepted));
  }

  /** Ends all connections. */
  close(): void {
    clearInterval(this.#pinging);
    clearInterval(this.#looking);
    for (const { socket } of this.#clients) socket.terminate();
  }

  #accept(socket: WebSocket): void {
    const client: Client = { socket, subscriptions: new Map(), alive: true };
    const methods = this.#methodsOf(client);
    this.#clients.add(client);
    socket.on('message', (data: Buffer) => {
      const reply = answerText(methods, this.host, data.toString('utf8'));
      if (reply !== undefined) this.#send(client, reply);
    });
    socket.on('ping', (data: Buffer) => {
      if (socket.bufferedAmount <= this.limits.unsentBytesMax) socket.pong(data);
      else socket.terminate();
    });
    socket.on('pong', () => {
      client.alive = true;
    });
    // A faulty frame: the connection is closed with the code that says why.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#clients.delete(client);
      for (const id of client.subscriptions.keys()) this.#unsubscribe(client, id);
    });
  }

  #methodsOf(client: Client): Readonly<Record<string, RpcMethod>> {
    const ending = method(z.tuple([wholeNumber]), (_context, [id]) =>
      this.#unsubscribe(client, id) ? rpcResult(true) : invalidParams('Invalid subscription id.'),
    );
    return {
      signatureSubscribe: method(z.tuple([signature, config.nullish()]), (_context, [name, given]) =>
        this.#subscribe(client, { kind: 'signature', name, commitment: wantedCommitment(given) }),
      ),
      slotSubscribe: method(z.tuple([]), ({ chain, nowMs }) =>
        this.#subscribe(client, { kind: 'slot', seen: slotAt(chain, nowMs) }),
      ),
      signatureUnsubscribe: ending,
      slotUnsubscribe: ending,
    };
  }

  #subscribe(client: Client, subscription: Subscription): RpcResponse {
    const { subscriptionsMax, subscriptionsOfOneMax } = this.limits;
    if (this.#total >= subscriptionsMax || client.subscriptions.size >= subscriptionsOfOneMax)
      return rpcError(-32603, 'Subscription refused: there are too many');
    this.#lastId += 1;
    this.#total += 1;
    client.subscriptions.set(this.#lastId, subscription);
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return rpcResult(this.#lastId);
  }

  #unsubscribe(client: Client, id: number): boolean {
    if (!client.subscriptions.delete(id)) return false;
    this.#total -= 1;
    if (this.#total > 0) return true;
    clearInterval(this.#looking);
    this.#looking = undefined;
    return true;
  }

  /** Reads the ledger, and sends new results once they are on the disk. */
  async #look(): Promise<void> {
    const { chain, nowMs } = contextOf(this.host);
    const found: (readonly [Client, object])[] = [];
    for (const client of this.#clients) {
      for (const [id, subscription] of client.subscriptions) {
        const result = outcomeOf(chain, subscription, nowMs);
        if (result === undefined) continue;
        const params = { result, subscription: id };
        found.push([client, { jsonrpc: '2.0', method: `${subscription.kind}Notification`, params }]);
        // A signature is notified once.
        if (subscription.kind === 'signature') this.#unsubscribe(client, id);
      }
    }
    const keeper = this.host.keeper?.();
    if (found.length === 0 || keeper === undefined || (await isDurable({ keeper }))) {
      for (const [client, message] of found) this.#send(client, message);
    } else this.close();
  }

  #send({ socket }: Client, message: object): void {
    if (socket.bufferedAmount > this.limits.unsentBytesMax) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.send(exactJson(message));
  }

  #ping(): void {
    for (const client of this.#clients) {
      if (!client.alive) client.socket.terminate();
      else if (client.socket.readyState === WebSocket.OPEN) client.socket.ping();
      client.alive = false;
    }
  }
}

/** The result to notify a subscriber of; undefined if there is none yet. */
function outcomeOf(chain: Parameters<typeof slotOf>[0], subscription: Subscription, nowMs: number): object | undefined {
  if (subscription.kind === 'slot') {
    const slot = slotAt(chain, nowMs);
    if (slot === subscription.seen) return undefined;
    subscription.seen = slot;
    return { parent: slot - 1, root: slotOf(chain, 'finalized', nowMs), slot };
  }
  const { name, commitment } = subscription;
  const record = findTransaction(chain.ledger, name);
  if (record === undefined || !reaches(commitmentOf(chain, record, nowMs), commitment)) return undefined;
  const context = { slot: slotOf(chain, commitment, nowMs), apiVersion: API_VERSION };
  return { context, value: { err: faultOf(record) } };
}

function answerText(methods: Readonly<Record<string, RpcMethod>>, host: LedgerHost, text: string): object | undefined {
  let request: unknown;
  try {
    request = parseExactly(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refusedBody(-32700, 'Parse error: the message is not JSON');
  }
  return answerRequest(methods, () => contextOf(host), request);
}

function refuseUpgrade(socket: Duplex, status: string, reason: string): void {
  const body = JSON.stringify(refusedBody(-32600, reason));
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
