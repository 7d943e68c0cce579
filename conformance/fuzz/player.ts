/** The player of operations: the things that it can send (agents, keys, wallets, receipts), and its calls of the control API. */

import { hexToBytes } from '@noble/hashes/utils.js';
import type { Agent, Payment, Ticket } from '../../model/facts/state.js';
import { anchorOf } from '../../model/reading/anchor.js';
import { at } from '../../model/reading/values.js';
import { proveWork } from '../moves/work-proof.js';
import { computeChain, proofOf, spotCheck, type WorkProof } from '../protocol/beats.js';
import { EthereumWallet } from '../protocol/ethereum-wallet.js';
import { Wallet } from '../protocol/wallet.js';
import { isInstantMs } from '../trial/control.js';
import type { Agent as OwnAgent } from '../trial/fixtures.js';
import { type Answer, Requests, Unplayable } from './requests.js';

/** An agent of the run, with the keys that the model does not keep. */
type PlayerAgent = Pick<OwnAgent, 'hash' | 'key' | 'name'>;

const PLENTY_LAMPORTS = 1_000_000_000_000;

export class Player extends Requests {
  readonly agents: PlayerAgent[] = [];
  /** Receipts of the beats service. */
  readonly receipts: unknown[] = [];
  /** The calls that the control API has. */
  calls: ReadonlySet<string> = new Set();
  readonly #keys = new Map<string, string>();
  readonly #funded = new Set<string>();

  /** Reads the facts that the model needs before the first action. */
  async begin(): Promise<void> {
    const { calls } = await this.control('GET', 'capabilities');
    this.calls = new Set(Array.isArray(calls) ? calls.map(String) : []);
    await this.advance({ ms: 0 });
    const summary = await this.send({ endpoint: 'fees-summary' });
    if (this.state.paymentAddress === undefined)
      throw this.unplayable('no payment address: GET /fees/summary answered', summary);
    await this.send({ endpoint: 'authority-key' });
  }

  agent(place: number): PlayerAgent {
    const agent = this.agents[place % Math.max(1, this.agents.length)];
    if (agent === undefined) throw new Unplayable('there is no agent yet');
    return agent;
  }

  /** An agent as the model knows it. */
  known(place: number): Agent {
    const { hash } = this.agent(place);
    const agent = this.state.agents.get(hash);
    if (agent === undefined) throw new Error(`the model does not know ${hash}`);
    return agent;
  }

  /** Records an agent that a reply shows. */
  adopt({ json }: Answer, name: string): void {
    const hash = String(at(json, 'hash')).toLowerCase();
    if (this.state.agents.has(hash)) this.agents.push({ hash, key: String(at(json, 'api_key')), name });
  }

  /** The latest ticket of a kind that passes a test, with its id. */
  ticket(
    kind: Ticket['kind'],
    test: (ticket: Ticket) => boolean = () => true,
  ): (Ticket & { readonly id: string }) | undefined {
    for (const id of this.state.tickets.keys().toReversed()) {
      const ticket = this.state.tickets.get(id);
      if (ticket?.kind === kind && test(ticket)) return { ...ticket, id };
    }
    return undefined;
  }

  get nowMs(): number {
    return this.state.nowMs ?? 0;
  }

  get anchorIndex(): number {
    return this.state.anchor ?? 0;
  }

  /** Moves the clock, and the model with it. */
  async advance(by: { readonly ms: number } | { readonly anchors: number }): Promise<void> {
    const { now_ms: nowMs, anchor_index: anchor } = await this.control('POST', 'clock/advance', by);
    if (!isInstantMs(nowMs) || !Number.isSafeInteger(anchor)) throw new Unplayable('clock/advance returns no time');
  }

  /** A key that the control API makes, the same for each call of it. */
  async keyOf(path: string, body: unknown): Promise<string> {
    const key = this.#keys.get(path) ?? String((await this.control('POST', path, body))['key']);
    this.#keys.set(path, key);
    return key;
  }

  /** A hash of the right form that no agent has. */
  unknownHash(): string {
    return `0x${this.draws.hex(this.target.protocol.agent.hashBytes)}`;
  }

  /** A wallet on the ledger. */
  wallet(): Wallet {
    return new Wallet(hexToBytes(this.draws.hex(32)), this.onSigned);
  }

  ethereumWallet(): EthereumWallet {
    return new EthereumWallet(hexToBytes(this.draws.hex(32)), this.onSigned);
  }

  /** Makes a transaction; `to` absent: to the service. */
  async pay(from: string, lamports: number, status: Payment['status'] = 'confirmed', to?: string): Promise<string> {
    if (!this.#funded.has(from))
      await this.control('POST', 'ledger/wallets', { address: from, lamports: PLENTY_LAMPORTS });
    this.#funded.add(from);
    const transfer = { from, to: to ?? this.state.paymentAddress, lamports, status };
    return String((await this.control('POST', 'ledger/transfers', transfer))['signature']);
  }

  /** The latest anchor. */
  async anchor(): Promise<{ readonly index: number; readonly hash: string }> {
    const { json } = await this.send({ endpoint: 'beat-anchor', address: this.newAddress() });
    const { index, hash } = anchorOf({ json });
    if (index === undefined || hash === undefined) throw new Unplayable('GET /beat/anchor shows no anchor');
    return { index, hash };
  }

  /**
   * A proof of `beats` beats after `from`, in the form of 2.5. Only the beats that it shows are computed, since the others cannot be verified: the
   * first three, and the last two.
   */
  async work(beats: number, from = this.draws.hex(32), fromIndex = 0): Promise<WorkProof> {
    const { difficulty } = this.target.protocol.beat;
    const anchor = await this.anchor();
    const start = computeChain(from, Math.min(beats, 3), anchor, { difficulty, fromIndex });
    if (beats <= 5) return proofOf(computeChain(from, beats, anchor, { difficulty, fromIndex }));
    const end = computeChain(this.draws.hex(32), 2, anchor, { difficulty, fromIndex: fromIndex + beats - 2 });
    const shown = [1, 2, 3].map((nth) => spotCheck(start, nth)).concat([1, 2].map((nth) => spotCheck(end, nth)));
    return { ...proofOf(start), to_hash: end.hashes[2] ?? '', beats_computed: beats, spot_checks: shown };
  }

  /** Gets a receipt for `beats` beats from the beats service. */
  async receipt(beats: number): Promise<unknown> {
    const proof = await this.work(Math.max(1, beats));
    const answer = await this.send({ ...proveWork(proof), address: this.newAddress() });
    const receipt = at(answer.json, 'receipt');
    if (receipt === undefined) throw this.unplayable('the beats service answered a proof', answer);
    this.receipts.push(receipt);
    return receipt;
  }
}
