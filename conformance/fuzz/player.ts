/** Plays operations against a service: sends requests, pays, moves the clock, and has the model judge each reply. */

import { hexToBytes } from '@noble/hashes/utils.js';
import { jsonOf } from '../../spec/formats.js';
import type { Protocol } from '../../spec/protocol.js';
import { anchorOf } from '../assertions/anchor.js';
import { at, parse, Reply } from '../assertions/reply.js';
import { computeChain, proofOf, spotCheck, type WorkProof } from '../protocol/beats.js';
import { EthereumWallet } from '../protocol/ethereum-wallet.js';
import { Wallet } from '../protocol/wallet.js';
import { withOwnHeaders } from '../target/access.js';
import type { Target } from '../target/target.js';
import { isInstantMs } from '../trial/control.js';
import { Draws } from '../trial/random.js';
import { hiddenOf } from '../trial/session.js';
import { Redactor } from '../wire/redact.js';
import { type Transport, TransportFailure, type WireReply } from '../wire/transport.js';
import { type RawExchange, REPLY_BYTES_MAX } from '../wire/wire.js';
import { type Answer, Mismatch } from './expectation.js';
import { type AgentState, emptyState, moveOn, type PaymentState, type State, type WalletState } from './state.js';

/** A request to the service. */
export interface Request {
  readonly method: string;
  /** Below /api/v1. */
  readonly path: string;
  readonly service?: 'beats';
  /** The key in the Authorization header. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Another Content-Type than JSON. */
  readonly contentType?: string;
  /** The client's address; absent: one that nobody else has. */
  readonly address?: string;
}

/** A request that is ready to be sent, and what the model makes of its reply. */
export interface Ready {
  readonly request: Request;
  /** Throws a Mismatch where the text does not allow the reply, and takes down what it changes. */
  readonly judge: (state: State, answer: Answer) => void;
}

/** The service cannot do something that the run needs: it cannot go on. */
export class Unplayable extends Error {
  override readonly name = 'Unplayable';
}

const TIMEOUT_MS = 60_000;
/** How many characters of a reply are shown if it ends the run. */
const ANSWER_CHARS_MAX = 2_000;
const PLENTY_LAMPORTS = 1_000_000_000_000;

/** Numbers without which the model knows what a service has to do; it counts beats as anchors and has no other proofs. */
const MODELLED: readonly (readonly [path: string, holds: (protocol: Protocol) => boolean, wanted: string])[] = [
  ['anchor.beatsPerAnchor', ({ anchor }) => anchor.beatsPerAnchor === 1, '1'],
  ['agent.depthMax', ({ agent }) => agent.depthMax === 0, '0'],
  ['proof.challengeChecks', ({ proof }) => proof.challengeChecks === 0, '0'],
  ['proof.spotChecksMin', ({ proof }) => proof.spotChecksMin <= 3, '3 or less'],
  ['proof.spotChecksMax', ({ proof }) => proof.spotChecksMax >= 5, '5 or more'],
  ['proof.submitBeatsMax', ({ proof }) => proof.submitBeatsMax >= 40, '40 or more'],
  ['flag.breakerPendingMax', ({ flag }) => flag.breakerPendingMax >= 20, '20 or more'],
];

function beyondModel(protocol: Protocol): string | undefined {
  const beyond = MODELLED.find(([, holds]) => !holds(protocol));
  return beyond === undefined ? undefined : `another ${beyond[0]} than ${beyond[2]}`;
}

export class Player {
  readonly exchanges: RawExchange[] = [];
  readonly draws: Draws;
  readonly state: State;
  /** The calls that the control API has. */
  calls: ReadonlySet<string> = new Set();
  /** The address that requests come from, where it is not a new one each time. */
  sharedAddress: string | null = null;
  /** How many lookups an agent has had. */
  looks = 0;
  #addresses = 0;
  #till: string | undefined;
  readonly #funded = new Set<string>();
  readonly #headersOf: ReturnType<typeof withOwnHeaders>;

  private constructor(
    readonly target: Target,
    readonly send: Transport,
    readonly salt: string,
  ) {
    this.draws = new Draws(`fuzz:${salt}`);
    this.#headersOf = withOwnHeaders(target);
    const { protocol, byoWallet, beatsRequired, network, registrationSecret } = target;
    this.state = emptyState({
      protocol,
      byoWallet,
      beatsRequired,
      needsSecret: network === 'mainnet' || registrationSecret !== undefined,
    });
  }

  /** A player at a service whose clock it can move. `salt`: from which names, wallets and addresses follow. */
  static async at(target: Target, send: Transport, salt: string): Promise<Player> {
    const beyond = beyondModel(target.protocol);
    if (beyond !== undefined) throw new Unplayable(`the model does not know ${beyond}`);
    const player = new Player(target, send, salt);
    const { calls } = await player.control('GET', 'capabilities');
    player.calls = new Set(Array.isArray(calls) ? calls.map(String) : []);
    await player.advance({ ms: 0 });
    player.state.baseline = (await player.call({ method: 'GET', path: '/fees/summary' })).json;
    const key = await player.call({ method: 'GET', path: '/.well-known/authority-key' });
    const hex = at(key.json, 'authority_public_key_hex');
    player.state.authority = { keyHex: typeof hex === 'string' ? hex : null, verified: false };
    return player;
  }

  /** A redactor that knows the secrets of the target, and those that its replies have handed out so far. */
  redactor(): Redactor {
    const redactor = new Redactor(hiddenOf(this.target));
    for (const { response } of this.exchanges)
      redactor.learn(response === undefined ? undefined : jsonOf(response.body));
    return redactor;
  }

  /** The end of a run for an answer that it cannot go on from. What the server says is shown without secrets. */
  unplayable(what: string, { status, text }: Answer): Unplayable {
    return new Unplayable(`${what} with ${status} ${this.redactor().redact(text.slice(0, ANSWER_CHARS_MAX))}`);
  }

  agent(place: number): AgentState {
    const agent = this.state.agents[place % Math.max(1, this.state.agents.length)];
    if (agent === undefined) throw new Unplayable('there is no agent yet');
    return agent;
  }

  /** Sends a request, has it judged, and returns the reply. */
  async play({ request, judge }: Ready): Promise<Answer> {
    const answer = await this.call(request);
    judge(this.state, answer);
    return answer;
  }

  async call({ method, path, service, key, headers, body, contentType, address }: Request): Promise<Answer> {
    const base = service === 'beats' ? this.target.beatsUrl : this.target.baseUrl;
    if (base === null) throw new Unplayable('the target has no beats_url');
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return this.#exchange(method, `${base}/api/v1${path}`, sent, {
      ...(sent === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(this.target.clientIp === 'none' ? {} : { 'x-forwarded-for': address ?? this.address() }),
      ...headers,
    });
  }

  /** A call to the control API; its reply. Throws Unplayable for any but a success. */
  async control(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    const { control } = this.target;
    if (control === undefined) throw new Unplayable('the target file has no control');
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.#exchange(method, `${control.url}/control/v1/${path}`, sent, {
      authorization: `Bearer ${control.token}`,
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    });
    const isObject = typeof answer.json === 'object' && answer.json !== null;
    if (answer.status >= 200 && answer.status < 300 && isObject) return answer.json as Record<string, unknown>;
    throw this.unplayable(`the control API answered ${method} ${path}`, answer);
  }

  async #exchange(
    method: string,
    url: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const request = {
      method,
      url,
      headers: this.#headersOf(url, headers),
      ...(body === undefined ? {} : { body }),
      ...(url.endsWith('/clock/advance') ? { once: true as const } : {}),
    };
    const response = await this.#sent(request);
    this.exchanges.push({ request, response, at: new Date(this.state.nowMs).toISOString() });
    const name = `${method} ${new URL(url).pathname}`;
    return { name, status: response.status, json: parse(response.body), text: response.body };
  }

  /** The reply to a request. Throws Unplayable where none comes. */
  async #sent(request: RawExchange['request']): Promise<WireReply> {
    try {
      const reply = await this.send({ ...request, timeoutMs: TIMEOUT_MS, replyBytesMax: REPLY_BYTES_MAX });
      if (reply.resent === undefined || request.method === 'GET') return reply;
      throw new TransportFailure('broken', `${reply.resent}, and the service may have served it: start again`);
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const { pathname } = new URL(request.url);
      throw new Unplayable(
        `no reply to ${request.method} ${pathname} can be read: ${this.redactor().redact(error.message)}`,
      );
    }
  }

  /** An address that nobody has used, unless requests are to share one. */
  address(): string {
    return this.sharedAddress ?? this.newAddress();
  }

  /** An address that nobody has used. */
  newAddress(): string {
    this.#addresses += 1;
    return `10.${this.draws.bytes(1)[0]}.${(this.#addresses >> 8) & 255}.${this.#addresses & 255}`;
  }

  /** Moves the clock, and the model with it. */
  async advance(by: { readonly ms: number } | { readonly anchors: number }): Promise<void> {
    const moved = await this.control('POST', 'clock/advance', by);
    const { now_ms: nowMs, anchor_index: anchor } = moved;
    if (!isInstantMs(nowMs) || !Number.isSafeInteger(anchor)) throw new Unplayable('clock/advance returns no time');
    moveOn(this.state, nowMs, anchor as number);
  }

  /** A hash of the right form that no agent has. */
  unknownHash(): string {
    return `0x${this.draws.hex(this.state.protocol.agent.hashBytes)}`;
  }

  newWallet(kind: WalletState['kind']): WalletState {
    const secret = this.draws.hex(32);
    if (kind === 'ethereum') {
      const { address } = new EthereumWallet(hexToBytes(secret));
      return { kind, secret, address, publicKeyHex: address };
    }
    const { address, publicKeyHex } = new Wallet(hexToBytes(secret));
    return { kind, secret, address, publicKeyHex };
  }

  sign({ kind, secret }: WalletState, text: string): string {
    return kind === 'ethereum'
      ? new EthereumWallet(hexToBytes(secret)).sign(text)
      : new Wallet(hexToBytes(secret)).sign(text);
  }

  /** Where fees are paid to. */
  async till(): Promise<string> {
    const summary = await this.call({ method: 'GET', path: '/fees/summary', address: this.newAddress() });
    this.#till ??= String((summary.json as Record<string, unknown> | undefined)?.['payment_address']);
    return this.#till;
  }

  /** Makes a transaction; `to` absent: to the service. */
  async pay(
    from: string,
    lamports: number,
    status: PaymentState['status'] = 'confirmed',
    to?: string,
  ): Promise<string> {
    const till = this.#till ?? (await this.till());
    if (!this.#funded.has(from))
      await this.control('POST', 'ledger/wallets', { address: from, lamports: PLENTY_LAMPORTS });
    this.#funded.add(from);
    const transfer = await this.control('POST', 'ledger/transfers', { from, to: to ?? till, lamports, status });
    const tx = String(transfer['signature']);
    this.state.payments.push({ tx, from, toService: to === undefined, lamports, status, usedFor: null });
    return tx;
  }

  /** The latest anchor. */
  async anchor(): Promise<{ readonly index: number; readonly hash: string }> {
    const answer = await this.call({ method: 'GET', path: '/beat/anchor', address: this.newAddress() });
    const { index, hash } = anchorOf(new Reply(answer.name, answer.status, {}, answer.text));
    if (index === undefined || hash === undefined) throw new Unplayable('GET /beat/anchor shows no anchor');
    // It is the latest one (4.1), and an anchor that was issued stays as it is.
    if (index !== this.state.anchor)
      throw new Mismatch(`${answer.name} shows anchor ${index}, and ${this.state.anchor} is the latest`);
    const before = this.state.anchorHashes[index];
    if (before !== undefined && before !== hash)
      throw new Mismatch(`${answer.name} shows the hash of anchor ${index} as ${hash}, and it was ${before}`);
    this.state.anchorHashes[index] = hash;
    return { index, hash };
  }

  /**
   * A proof of `beats` beats after `from`, in the form of 2.5. Only the beats that it shows are computed, since no more can be
   * seen of the others: the first three, and the last two.
   */
  async work(beats: number, from = this.draws.hex(32), fromIndex = 0): Promise<WorkProof> {
    const { difficulty } = this.state.protocol.beat;
    const anchor = await this.anchor();
    const start = computeChain(from, Math.min(beats, 3), anchor, { difficulty, fromIndex });
    if (beats <= 5) return proofOf(computeChain(from, beats, anchor, { difficulty, fromIndex }));
    const end = computeChain(this.draws.hex(32), 2, anchor, { difficulty, fromIndex: fromIndex + beats - 2 });
    const shown = [1, 2, 3].map((nth) => spotCheck(start, nth)).concat([1, 2].map((nth) => spotCheck(end, nth)));
    return { ...proofOf(start), to_hash: end.hashes[2] ?? '', beats_computed: beats, spot_checks: shown };
  }
}
