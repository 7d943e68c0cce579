/** The client of the rows in this folder: one server, a new address for every call, the control API beside it. */

import { computeChain } from '../../reference/beats/beat.js';
import { type SigningKey, signingKey } from '../../reference/beats/signing.js';
import { type Registry, rowOf } from '../../reference/registry/state.js';
import type { IdentityClass, SigilTier } from '../../spec/vocabulary.js';
import type { Told, Wire } from '../fixtures/wire.js';
import { type Receiver, startReceiver } from '../webhook-receiver.js';

/** 4.6, in lamports. */
const SIGIL_FEES = { narrow_task: 50_000_000, autonomous: 150_000_000, orchestrator: 350_000_000 } as const;
const PLENTY_LAMPORTS = 10_000_000_000;

/** `ok`, or status and code. */
export function answerOf({ status, body }: Told): string {
  return status < 300 ? 'ok' : `${status} ${body.code ?? ''}`.trim();
}

/** An agent with its key; `wallet` has money. */
export interface Agent {
  readonly hash: string;
  readonly key: string;
  readonly wallet: SigningKey;
}

/** A run of beats to prove. */
export interface Work {
  readonly beats: number;
  /** The least that the beats service takes (D-08), unless told. */
  readonly difficulty?: number;
  /** Which beats to show; five or six of them, unless told. */
  readonly indexes?: readonly number[];
  /** Where the run starts; somewhere new, unless told. */
  readonly fromHash?: string;
}

/** A client of one server, who comes from a new address with every call and can do what the control API can. */
export class Lab {
  #addresses = 0;
  #wallets = 0;
  #runs = 0;
  #paymentAddress: string | undefined;
  readonly #receivers: Receiver[] = [];

  constructor(
    readonly wire: Wire,
    /** The server's own state; null when it runs in a process of its own. */
    readonly registry: Registry | null,
  ) {}

  async close(): Promise<void> {
    await Promise.all(this.#receivers.map((receiver) => receiver.close()));
  }

  freshIp(): string {
    this.#addresses += 1;
    return `10.7.${this.#addresses >> 8}.${this.#addresses & 255}`;
  }

  #freshHash(): string {
    this.#runs += 1;
    return this.#runs.toString(16).padStart(64, '0');
  }

  call(name: string, body?: unknown, key?: string, headers: Record<string, string> = {}): Promise<Told> {
    return this.wire.call(name, body, key, { 'x-forwarded-for': this.freshIp(), ...headers });
  }

  /** A call that a set-up needs to succeed. */
  async done(name: string, body?: unknown, key?: string): Promise<Told['body']> {
    return good(name, await this.call(name, body, key));
  }

  async control(name: string, body: unknown = {}): Promise<Told['body']> {
    return good(name, await this.wire.control(name, body));
  }

  async advance(ms: number): Promise<void> {
    await this.control('POST clock/advance', { ms });
  }

  async anchors(anchors: number): Promise<void> {
    if (anchors > 0) await this.control('POST clock/advance', { anchors });
  }

  /** Lets time pass in which no anchor is issued. */
  async pass(ms: number): Promise<void> {
    await this.control('POST anchors/stall', { on: true });
    await this.advance(ms);
  }

  async anchor(): Promise<{ readonly beat_index: number; readonly hash: string; readonly epoch: number }> {
    return (await this.done('GET beats:/beat/anchor')).anchor;
  }

  /** A root without a wallet. */
  async plain(): Promise<{ readonly hash: string; readonly key: string }> {
    const { hash, api_key: key } = await this.done('POST /register', { name: 'plain' });
    return { hash, key };
  }

  /** A root with a wallet of its own. */
  async agent(extra: object = {}): Promise<Agent> {
    this.#wallets += 1;
    const name = `agent ${this.#wallets}`;
    const wallet = signingKey(Buffer.alloc(32, `wallet ${this.#wallets}`));
    const { nonce } = await this.done('POST /register', { name, action: 'challenge' });
    const wallet_signature = wallet.signHex(`service-register:${nonce}:${wallet.publicKeyHex}:${name}`);
    const signed = { name, wallet_nonce: nonce, wallet_public_key: wallet.publicKeyHex, wallet_signature, ...extra };
    const { hash, api_key: key } = await this.done('POST /register', signed);
    await this.control('POST ledger/wallets', { address: wallet.publicKeyBase58, lamports: PLENTY_LAMPORTS });
    return { hash, key, wallet };
  }

  async pay({ wallet }: Agent, lamports: number): Promise<string> {
    this.#paymentAddress ??= (await this.done('GET /fees/summary')).payment_address as string;
    const transfer = { from: wallet.publicKeyBase58, to: this.#paymentAddress, lamports };
    return (await this.control('POST ledger/transfers', transfer)).signature;
  }

  async buySigil(agent: Agent, identityClass: IdentityClass, lamports: number, extra: object = {}): Promise<Told> {
    const chosen = { identity_class: identityClass, principal: 'tests', tier: 'org' satisfies SigilTier, ...extra };
    return this.call('POST /sigil', { ...chosen, payment_tx: await this.pay(agent, lamports) }, agent.key);
  }

  /** A root with a wallet, a SIGIL and its chain started. */
  async sigilAgent(identityClass: IdentityClass = 'narrow_task', extra: object = {}): Promise<Agent> {
    const agent = await this.agent(extra);
    good('POST /sigil', await this.buySigil(agent, identityClass, SIGIL_FEES[identityClass]));
    await this.done('POST /agent/init', {}, agent.key);
    return agent;
  }

  /** A heartbeat, paid from an agent's wallet. */
  async sendHeartbeat({ key }: Pick<Agent, 'key'>, payer: Agent, lamports = 500_000): Promise<Told> {
    return this.call('POST /agent/heartbeat', { payment_tx: await this.pay(payer, lamports) }, key);
  }

  /** A linked child, on a receipt of so many beats at difficulty 1; 0 where children cost nothing. */
  async child(
    parent: Pick<Agent, 'hash' | 'key'>,
    beats = 0,
  ): Promise<{ readonly hash: string; readonly key: string }> {
    const child_name = `child ${this.freshIp()}`;
    const receipt = beats === 0 ? {} : { beats_receipt: await this.receipt({ beats, difficulty: 1 }) };
    const { spawn_authorization } = await this.done('POST /agent/spawn', { child_name, ...receipt }, parent.key);
    const body = { name: child_name, parent: parent.hash, spawn_authorization };
    const { hash, api_key: key } = await this.done('POST /register', body, parent.key);
    await this.done('POST /agent/spawn', { child_hash: hash }, parent.key);
    return { hash, key };
  }

  /** A work proof that weaves the latest anchor. */
  async workProof({ beats, difficulty = 100, indexes, fromHash = this.#freshHash() }: Work) {
    const { hash: anchor_hash, beat_index: anchor_index } = await this.anchor();
    const keep = indexes === undefined ? { every: Math.ceil(beats / 5) } : { indexes };
    const run = computeChain({ fromHash, fromIndex: 0, beats, difficulty, anchorHash: anchor_hash, keep });
    const ends = { from_hash: fromHash, to_hash: run.toHash, beats_computed: beats, difficulty };
    return { ...ends, anchor_hash, anchor_index, spot_checks: run.spotChecks };
  }

  /** `ok`, or the reason for which a work proof fails. */
  async submitWork(proof: object): Promise<string> {
    const { ok, reason } = await this.done('POST beats:/beat/work-proof', { work_proof: proof });
    return ok ? 'ok' : reason;
  }

  async receipt(work: Work): Promise<unknown> {
    const proof = await this.workProof(work);
    const reply = await this.done('POST beats:/beat/work-proof', { work_proof: proof });
    if (!reply.ok) throw new Error(`no receipt: ${reply.reason}`);
    return reply.receipt;
  }

  /** A proof of beats that go on from some beat of a chain. */
  async chainProof(from: { readonly hash: string; readonly index: number }, beats: number, difficulty: number) {
    const anchor = await this.anchor();
    const keep = { every: Math.ceil(beats / 5) };
    const start = { fromHash: from.hash, fromIndex: from.index };
    const run = computeChain({ ...start, beats, difficulty, anchorHash: anchor.hash, keep });
    return {
      from_beat: from.index,
      to_beat: run.toIndex,
      from_hash: from.hash,
      to_hash: run.toHash,
      beats_computed: beats,
      global_anchor: anchor.beat_index,
      anchor_hash: anchor.hash,
      spot_checks: run.spotChecks,
    };
  }

  /** Somebody who listens for deliveries, until the lab closes. */
  async receiver(): Promise<Receiver> {
    const receiver = await startReceiver(false);
    this.#receivers.push(receiver);
    return receiver;
  }

  /** The server's own state, and an agent's row in it. */
  inside(hash: string): { readonly registry: Registry; readonly row: number } {
    if (this.registry === null) throw new Error('this server runs in a process of its own');
    return { registry: this.registry, row: rowOf(this.registry, hash) };
  }
}

function good(name: string, { status, body }: Told): Told['body'] {
  if (status !== 200) throw new Error(`${name} was answered ${status} ${JSON.stringify(body)}`);
  return body;
}
