import { createHash } from 'node:crypto';
import { computeBeat } from '../reference/beats/beat.js';
import { type SigningKey, signingKey } from '../reference/beats/signing.js';
import { derivedKey } from '../reference/registry/stream.js';
import type { WorkProof } from '../spec/endpoints/proof-schemas.js';
import type { Protocol } from '../spec/protocol.js';

/** A request to the target, and its reply: the caller has the network. */
export type Send = (request: HttpRequest) => Promise<HttpReply>;

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; absent: no body. */
  readonly body?: unknown;
}

export interface HttpReply {
  readonly status: number;
  /** The body as it was read; a map of nothing for one that is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server whose clock and money the control API moves, and which takes a client's address from X-Forwarded-For. */
export interface HttpTarget {
  readonly baseUrl: string;
  readonly beatsUrl: string;
  readonly control: { readonly url: string; readonly token: string };
  /** The prefix of signed messages (D-01). */
  readonly messagePrefix: string;
  readonly protocol: Protocol;
  readonly send: Send;
}

/** What came of a call: `accepted`, or the code of the refusal. */
export type HttpOutcome = string;

/** The server cannot be driven, or does not do what its control API says. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
}

interface Client {
  readonly key: SigningKey;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hash: string;
  /** A transaction whose call was refused: it is unused, and pays the next call of the same fee (D-27). */
  unspent: { readonly signature: string; readonly lamports: number } | null;
  receipts: number;
}

const MS = 1_000;
/** How far apart the beats of a proof lie that shows three of them: neighbours would have to link. */
const SHOWN_GAP = 2;
const SHOWN = 3;

/** Plays the calls of simulated agents against a server, each at its second of protocol time. */
export class HttpDriver {
  private readonly clients = new Map<number, Client>();
  private second = 0;
  private paymentAddress = '';

  constructor(
    private readonly target: HttpTarget,
    private readonly seed: number,
  ) {}

  /** Makes sure that the server stands where a scenario begins. Throws DriverError. */
  async begin(startMs: number): Promise<void> {
    const { now_ms: nowMs, anchor_index: anchorIndex } = await this.control('clock/advance', { ms: 0 });
    if (nowMs === startMs && anchorIndex === 0) return;
    const stands = `its clock stands at ${String(nowMs)} and its latest anchor is ${String(anchorIndex)}`;
    throw new DriverError(`a scenario begins at ${startMs} with anchor 0, and ${stands}: start a fresh server`);
  }

  /** Moves the server's clock to a second of the scenario. */
  async moveTo(second: number): Promise<void> {
    if (second > this.second) await this.control('clock/advance', { ms: (second - this.second) * MS });
    this.second = second;
  }

  /** 4.2, mode 4: registers an agent with a wallet of its own that holds `lamports`. */
  async register(agent: number, name: string, lamports: number): Promise<HttpOutcome> {
    const key = signingKey(derivedKey(this.seed, `simulated wallet ${agent}`));
    const address = key.publicKeyBase58;
    await this.control('ledger/wallets', { address, lamports });
    const headers = { 'x-forwarded-for': addressOf(agent) };
    const challenge = await this.post('/api/v1/register', headers, { name, action: 'challenge' });
    const nonce = String(challenge.body['nonce']);
    const reply = await this.post('/api/v1/register', headers, {
      name,
      wallet_public_key: key.publicKeyHex,
      wallet_signature: key.signHex(`${this.target.messagePrefix}-register:${nonce}:${key.publicKeyHex}:${name}`),
      wallet_nonce: nonce,
    });
    const signedIn = { ...headers, authorization: `Bearer ${String(reply.body['api_key'])}` };
    const hash = String(reply.body['hash']);
    this.clients.set(agent, { key, address, headers: signedIn, hash, unspent: null, receipts: 0 });
    return outcomeOf(reply);
  }

  /** 4.4. */
  async init(agent: number): Promise<HttpOutcome> {
    return outcomeOf(await this.post('/api/v1/agent/init', this.client(agent).headers, {}));
  }

  /** 4.6. */
  async sigil(agent: number, body: object, lamports: number): Promise<HttpOutcome> {
    return this.paid(agent, '/api/v1/sigil', body, lamports);
  }

  /** 4.5. */
  async heartbeat(agent: number, lamports: number): Promise<HttpOutcome> {
    return this.paid(agent, '/api/v1/agent/heartbeat', {}, lamports);
  }

  /** Money arrives in an agent's wallet. */
  async fund(agent: number, lamports: number): Promise<void> {
    await this.control('ledger/wallets', { address: this.client(agent).address, lamports });
  }

  /** 4.10, receipt form. The receipt is of as many beats as the agent has spent protocol time on. */
  async resync(agent: number, beats: number): Promise<HttpOutcome> {
    const client = this.client(agent);
    const anchorReply = await this.get(`${this.target.beatsUrl}/api/v1/beat/anchor`, client.headers);
    const anchor = anchorReply.body['anchor'] as { readonly hash: string; readonly beat_index: number };
    client.receipts += 1;
    const start = createHash('sha256').update(`${this.seed}:${agent}:${client.receipts}`).digest('hex');
    const proof = shortProof(this.target.protocol, {
      start,
      beats,
      anchorHash: anchor.hash,
      anchorIndex: anchor.beat_index,
    });
    const earned = await this.target.send({
      method: 'POST',
      url: `${this.target.beatsUrl}/api/v1/beat/work-proof`,
      headers: client.headers,
      body: { work_proof: proof },
    });
    if (earned.body['receipt'] === undefined) return `no receipt: ${JSON.stringify(earned.body)}`;
    return outcomeOf(
      await this.post('/api/v1/agent/resync', client.headers, { beats_receipt: earned.body['receipt'] }),
    );
  }

  /** What GET /status/:hash tells of an agent (D-19). */
  async status(agent: number): Promise<HttpReply> {
    const { hash, headers } = this.client(agent);
    return this.get(`${this.target.baseUrl}/api/v1/status/${hash}`, headers);
  }

  /** What GET /fees/summary tells (D-22). */
  async feesSummary(): Promise<HttpReply> {
    return this.get(`${this.target.baseUrl}/api/v1/fees/summary`, { 'x-forwarded-for': addressOf(-1) });
  }

  /** Pays a fee, or takes the payment that a refusal left, and calls. */
  private async paid(agent: number, path: string, body: object, lamports: number): Promise<HttpOutcome> {
    const client = this.client(agent);
    const payment = client.unspent?.lamports === lamports ? client.unspent : await this.transfer(client, lamports);
    const outcome = outcomeOf(await this.post(path, client.headers, { ...body, payment_tx: payment.signature }));
    client.unspent = outcome === 'accepted' ? null : payment;
    return outcome;
  }

  private async transfer(client: Client, lamports: number) {
    if (client.unspent !== null) {
      // In the simulation a payment is made by an accepted call alone: what this one cost comes back.
      await this.control('ledger/wallets', { address: client.address, lamports: client.unspent.lamports });
    }
    if (this.paymentAddress === '') {
      this.paymentAddress = String((await this.feesSummary()).body['payment_address']);
    }
    const transfer = { from: client.address, to: this.paymentAddress, lamports };
    const { signature } = await this.control('ledger/transfers', transfer);
    return { signature: String(signature), lamports };
  }

  private client(agent: number): Client {
    const client = this.clients.get(agent);
    if (client === undefined) throw new Error(`agent ${agent} has not registered`);
    return client;
  }

  private get(url: string, headers: Readonly<Record<string, string>>): Promise<HttpReply> {
    return this.target.send({ method: 'GET', url, headers });
  }

  private post(path: string, headers: Readonly<Record<string, string>>, body: object): Promise<HttpReply> {
    return this.target.send({ method: 'POST', url: `${this.target.baseUrl}${path}`, headers, body });
  }

  private async control(call: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const { url, token } = this.target.control;
    const headers = { authorization: `Bearer ${token}` };
    const reply = await this.target.send({ method: 'POST', url: `${url}/control/v1/${call}`, headers, body });
    if (reply.status !== 200) throw new DriverError(`${call} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }
}

/** An address of its own for each agent, since limits are by address (section 8). */
function addressOf(agent: number): string {
  const n = agent + 1;
  return `10.${(n >> 16) & 0xff}.${(n >> 8) & 0xff}.${n & 0xff}`;
}

function outcomeOf({ status, body }: HttpReply): HttpOutcome {
  if (status >= 200 && status < 300) return 'accepted';
  return typeof body['code'] === 'string' ? body['code'] : `status ${status}`;
}

/**
 * A work proof of `beats` beats of which three were computed. The beats service takes it (D-07 says why), and here it stands
 * for work that the agent has spent protocol time on: computing it would take as long again.
 */
export function shortProof(
  protocol: Protocol,
  given: { readonly start: string; readonly beats: number; readonly anchorHash: string; readonly anchorIndex: number },
): WorkProof {
  const { start, beats, anchorHash, anchorIndex } = given;
  const difficulty = Math.max(protocol.work.difficultyMin, protocol.work.receiptDifficultyMin);
  const whole = beats <= SHOWN * SHOWN_GAP;
  const indexes = whole
    ? Array.from({ length: beats }, (_, i) => i + 1)
    : Array.from({ length: SHOWN }, (_, i) => beats - (SHOWN - 1 - i) * SHOWN_GAP);
  let prev = start;
  const checks = indexes.map((index) => {
    const check = { index, prev, hash: computeBeat({ prev, index, anchorHash, difficulty }) };
    prev = check.hash;
    return check;
  });
  return {
    from_hash: start,
    to_hash: prev,
    beats_computed: beats,
    difficulty,
    anchor_hash: anchorHash,
    anchor_index: anchorIndex,
    spot_checks: checks,
  };
}
