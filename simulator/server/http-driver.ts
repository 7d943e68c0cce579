/**
 * Plays agents' own calls against a server over HTTP, at their second of protocol time. When and what they call is
 * decided in-process.
 */

import { createHash } from 'node:crypto';
import { signingKey } from '../../reference/beats/signing.js';
import { derivedKey } from '../../reference/registry/columns/stream.js';
import { HttpFamilies } from './http-families.js';
import {
  DriverError,
  type HttpOutcome,
  type HttpReply,
  type HttpTarget,
  outcomeOfReply,
  type ServerAgent,
  textOf,
} from './http-target.js';
import { shortProof } from './short-proof.js';

const MS = 1_000;

/** The clients of all agents on one server. */
export class HttpDriver {
  readonly #clients = new Map<number, ServerAgent>();
  /** Calls between agents, and of reviewers and administrators. */
  readonly families = new HttpFamilies(this);
  readonly #target: HttpTarget;
  readonly #seed: number;
  #second = 0;
  #paymentAddress = '';

  constructor(target: HttpTarget, seed: number) {
    this.#target = target;
    this.#seed = seed;
  }

  /** Throws DriverError unless the server's clock and anchors are where a scenario begins. */
  async requireFreshServer(startMs: number): Promise<void> {
    const answer = await this.control('clock/advance', { ms: 0 });
    if (answer['now_ms'] === startMs && answer['anchor_index'] === 0) return;
    const [nowMs, anchorIndex] = [textOf(answer, 'now_ms'), textOf(answer, 'anchor_index')];
    const state = `this server's clock is at ${nowMs} and its latest anchor is ${anchorIndex}`;
    throw new DriverError(`a scenario begins at ${startMs} with anchor 0, but ${state}: start a fresh server`);
  }

  /** Moves the server's clock to a second of the scenario. */
  async moveTo(second: number): Promise<void> {
    if (second > this.#second) await this.control('clock/advance', { ms: (second - this.#second) * MS });
    this.#second = second;
  }

  /** Stalls the anchors, or ends the stall. */
  async stall(on: boolean): Promise<void> {
    await this.control('anchors/stall', { on });
  }

  /** Registers an agent with a wallet of its own that holds `lamports` (4.2, mode 4). */
  async register(agent: number, name: string, lamports: number): Promise<HttpOutcome> {
    const key = signingKey(derivedKey(this.#seed, `simulated wallet ${agent}`));
    const address = key.publicKeyBase58;
    await this.control('ledger/wallets', { address, lamports });
    const headers = { 'x-forwarded-for': addressOf(agent) };
    const challenge = await this.post('/api/v1/register', headers, { name, action: 'challenge' });
    const nonce = textOf(challenge.body, 'nonce');
    return this.sendRegistration(agent, {}, () => ({
      name,
      wallet_public_key: key.publicKeyHex,
      wallet_signature: key.signHex(`${this.messagePrefix}-register:${nonce}:${key.publicKeyHex}:${name}`),
      wallet_nonce: nonce,
    }));
  }

  /** Sends a registration, and keeps the agent's credentials. */
  async sendRegistration(
    agent: number,
    credentials: Readonly<Record<string, string>>,
    body: () => object,
  ): Promise<HttpOutcome> {
    const key = signingKey(derivedKey(this.#seed, `simulated wallet ${agent}`));
    const headers = { 'x-forwarded-for': addressOf(agent) };
    const reply = await this.post('/api/v1/register', { ...headers, ...credentials }, body());
    const signedIn = { ...headers, authorization: `Bearer ${textOf(reply.body, 'api_key')}` };
    const hash = textOf(reply.body, 'hash');
    const address = key.publicKeyBase58;
    this.#clients.set(agent, { key, address, headers: signedIn, hash, unspent: null, receipts: 0 });
    return outcomeOfReply(reply);
  }

  /** Starts the chain (4.4). */
  async init(agent: number): Promise<HttpOutcome> {
    return outcomeOfReply(await this.post('/api/v1/agent/init', this.client(agent).headers, {}));
  }

  /** Buys a SIGIL (4.6). */
  async sigil(agent: number, body: object, lamports: number): Promise<HttpOutcome> {
    return this.#payAndCall(agent, '/api/v1/sigil', body, lamports);
  }

  /** Sends a heartbeat (4.5). */
  async heartbeat(agent: number, lamports: number, payer = agent): Promise<HttpOutcome> {
    return this.#payAndCall(agent, '/api/v1/agent/heartbeat', {}, lamports, payer);
  }

  /** Has a passport reissued (4.7). */
  async reissue(agent: number, lamports: number): Promise<HttpOutcome> {
    return this.#payAndCall(agent, '/api/v1/agent/reissue-proof', {}, lamports);
  }

  /** Reads a new passport without a fee (D-12). */
  async passport(agent: number): Promise<HttpOutcome> {
    return outcomeOfReply(await this.#get(`${this.#target.baseUrl}/api/v1/agent/passport`, this.client(agent).headers));
  }

  /** Mints lamports into an agent's wallet. */
  async fund(agent: number, lamports: number): Promise<void> {
    await this.control('ledger/wallets', { address: this.client(agent).address, lamports });
  }

  /** Resyncs with a receipt (4.10) for the beats that the agent has spent protocol time on, and pays what a change asks for it. */
  async resync(agent: number, beats: number, difficulty: number, lamports: number): Promise<HttpOutcome> {
    const earned = await this.obtainReceipt(agent, beats, difficulty);
    if (!earned.ok) return earned.outcome;
    const body = { beats_receipt: earned.receipt };
    if (lamports > 0) return this.#payAndCall(agent, '/api/v1/agent/resync', body, lamports);
    return outcomeOfReply(await this.post('/api/v1/agent/resync', this.client(agent).headers, body));
  }

  /** Gets a receipt of the beats service for a number of beats. */
  async obtainReceipt(
    agent: number,
    beats: number,
    difficulty: number,
  ): Promise<{ readonly ok: true; readonly receipt: unknown } | { readonly ok: false; readonly outcome: HttpOutcome }> {
    const client = this.client(agent);
    const anchor = await this.#latestAnchor(client);
    client.receipts += 1;
    const start = createHash('sha256').update(`${this.#seed}:${agent}:${client.receipts}`).digest('hex');
    const proof = shortProof({
      start,
      beats,
      ...anchor,
      difficulty,
    });
    const { body } = await this.#target.send({
      method: 'POST',
      url: `${this.#target.beatsUrl}/api/v1/beat/work-proof`,
      headers: client.headers,
      body: { work_proof: proof },
    });
    const receipt = body['receipt'];
    return receipt === undefined
      ? { ok: false, outcome: `no receipt: ${JSON.stringify(body)}` }
      : { ok: true, receipt };
  }

  /** The latest anchor, which a proof weaves. Throws DriverError where the server shows none. */
  async #latestAnchor({
    headers,
  }: ServerAgent): Promise<{ readonly anchorHash: string; readonly anchorIndex: number }> {
    const { body } = await this.#get(`${this.#target.beatsUrl}/api/v1/beat/anchor`, headers);
    const { hash, beat_index: anchorIndex } = Object(body['anchor']) as { readonly [field: string]: unknown };
    if (typeof hash !== 'string' || typeof anchorIndex !== 'number') {
      throw new DriverError('GET /beat/anchor of the beats service shows no anchor');
    }
    return { anchorHash: hash, anchorIndex };
  }

  /** The status of an agent (D-19). */
  async status(agent: number): Promise<HttpReply> {
    const { hash, headers } = this.client(agent);
    return this.#get(`${this.#target.baseUrl}/api/v1/status/${encodeURIComponent(hash)}`, headers);
  }

  /** The summary of fees (D-22). */
  async feesSummary(): Promise<HttpReply> {
    return this.#get(`${this.#target.baseUrl}/api/v1/fees/summary`, { 'x-forwarded-for': addressOf(-1) });
  }

  /** Pays a fee, or uses the payment that a refused call left over, and makes the call. */
  async #payAndCall(agent: number, path: string, body: object, lamports: number, payer = agent): Promise<HttpOutcome> {
    const client = this.client(agent);
    const { unspent } = client;
    const reusable = unspent?.lamports === lamports && unspent.payer === payer;
    const payment = reusable ? unspent : await this.#transfer(client, lamports, payer);
    const outcome = outcomeOfReply(await this.post(path, client.headers, { ...body, payment_tx: payment.signature }));
    client.unspent = outcome === 'accepted' ? null : payment;
    return outcome;
  }

  async #transfer({ unspent }: ServerAgent, lamports: number, payer: number) {
    // In the simulation only accepted calls pay, so the cost of an unused payment is refunded.
    if (unspent !== null) await this.fund(unspent.payer, unspent.lamports);
    // A sponsor may hold unused payments of several children; the simulation has checked that it can pay this one.
    if (this.families.paysForOthers(payer)) await this.fund(payer, lamports);
    if (this.#paymentAddress === '') {
      this.#paymentAddress = textOf((await this.feesSummary()).body, 'payment_address');
    }
    const transfer = { from: this.client(payer).address, to: this.#paymentAddress, lamports };
    return { signature: textOf(await this.control('ledger/transfers', transfer), 'signature'), lamports, payer };
  }

  /** The prefix of signed messages (D-01). */
  get messagePrefix(): string {
    return this.#target.messagePrefix;
  }

  /** The client of a registered agent. Throws for others. */
  client(agent: number): ServerAgent {
    const client = this.#clients.get(agent);
    if (client === undefined) throw new Error(`agent ${agent} has not registered`);
    return client;
  }

  /** The client of an agent by its hash; undefined for one that this driver has not registered. */
  clientOf(hash: string): ServerAgent | undefined {
    return [...this.#clients.values()].find((client) => client.hash === hash);
  }

  #get(url: string, headers: Readonly<Record<string, string>>): Promise<HttpReply> {
    return this.#target.send({ method: 'GET', url, headers });
  }

  /** Ends something at the registry. */
  remove(path: string, headers: Readonly<Record<string, string>>, body: object): Promise<HttpReply> {
    return this.#target.send({ method: 'DELETE', url: `${this.#target.baseUrl}${path}`, headers, body });
  }

  /** Calls the registry. */
  post(path: string, headers: Readonly<Record<string, string>>, body: object): Promise<HttpReply> {
    return this.#target.send({ method: 'POST', url: `${this.#target.baseUrl}${path}`, headers, body });
  }

  /** Calls the control API. Throws DriverError where it refuses. */
  async control(call: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const { url, token } = this.#target.control;
    const headers = { authorization: `Bearer ${token}` };
    const reply = await this.#target.send({ method: 'POST', url: `${url}/control/v1/${call}`, headers, body });
    if (reply.status !== 200)
      throw new DriverError(`${call} answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 2_000)}`);
    return reply.body;
  }
}

/** A client address for each agent, because limits are by address (section 8). */
function addressOf(agent: number): string {
  const n = agent + 1;
  return `10.${(n >> 16) & 0xff}.${(n >> 8) & 0xff}.${n & 0xff}`;
}
