/**
 * Requests between agents (spawning, sponsoring, complaints) and of reviewers and administrators. An agent's own
 * requests are in http-driver.ts.
 */

import type { HttpDriver } from './http-driver.js';
import { DriverError, type HttpOutcome, outcomeOfReply, textOf } from './http-target.js';

/** Sends these requests through the driver, and keeps what later ones need. */
export class HttpFamilies {
  /** By parent: the price in beats of its latest probe. */
  readonly #quotedBeats = new Map<number, number>();
  /** The authorized parent until its child registers; then the child until its parent has finalized it. */
  #authorized: { readonly parent: number; readonly token: string } | null = null;
  #unlinkedChild: { readonly child: number; readonly name: string } | null = null;
  /** The ids of complaints, in the order in which they were filed. */
  readonly #flagIds: string[] = [];
  readonly #sponsors = new Set<number>();
  #adminKey = '';

  readonly #driver: HttpDriver;

  constructor(driver: HttpDriver) {
    this.#driver = driver;
  }

  /**
   * Makes the next of a parent's spawn calls (4.8): probe, preflight with receipt, or finalize after the child
   * registered.
   */
  async spawn(parent: number, name: string, difficulty: number, probes: boolean): Promise<HttpOutcome> {
    const { headers } = this.#driver.client(parent);
    if (this.#unlinkedChild !== null) {
      const { child, name: childName } = this.#unlinkedChild;
      this.#unlinkedChild = null;
      const body = { child_name: childName, child_hash: this.#driver.client(child).hash };
      return outcomeOfReply(await this.#driver.post('/api/v1/agent/spawn', headers, body));
    }
    // A parent that did not want its child at that price may ask again, with another option.
    const beats = probes ? undefined : this.#quotedBeats.get(parent);
    if (beats === undefined) {
      const reply = await this.#driver.post('/api/v1/agent/spawn', headers, { child_name: name });
      const { required_beats: required } = reply.body;
      if (reply.status === 402 && typeof required === 'number') this.#quotedBeats.set(parent, required);
      return outcomeOfReply(reply);
    }
    this.#quotedBeats.delete(parent);
    const earned = await this.#driver.obtainReceipt(parent, beats, difficulty);
    if (!earned.ok) return earned.outcome;
    const body = { child_name: name, beats_receipt: earned.receipt };
    const reply = await this.#driver.post('/api/v1/agent/spawn', headers, body);
    if (reply.status === 200) this.#authorized = { parent, token: textOf(reply.body, 'spawn_authorization') };
    return outcomeOfReply(reply);
  }

  /** Whether the next registration is that of a child. */
  expectsChild(): boolean {
    return this.#authorized !== null;
  }

  /** Registers the authorized child (4.2, mode 5). Its wallet with `lamports` is linked later. */
  async register(child: number, name: string, lamports: number): Promise<HttpOutcome> {
    if (this.#authorized === null)
      throw new DriverError(`agent ${child} registers as a child without an authorization`);
    const { parent, token } = this.#authorized;
    this.#authorized = null;
    this.#unlinkedChild = { child, name };
    const { headers, hash } = this.#driver.client(parent);
    const body = { name, parent: hash, spawn_authorization: token };
    const outcome = await this.#driver.sendRegistration(
      child,
      { authorization: headers['authorization'] ?? '' },
      () => body,
    );
    if (lamports > 0) await this.#driver.fund(child, lamports);
    return outcome;
  }

  /** Links the wallet of a child (4.12). */
  async linkWallet(child: number): Promise<HttpOutcome> {
    const { headers, hash, key } = this.#driver.client(child);
    const challenge = await this.#driver.post('/api/v1/agent/wallet', headers, { action: 'challenge' });
    const nonce = textOf(challenge.body, 'nonce');
    const message = `${this.#driver.messagePrefix}-link-wallet:${nonce}:${key.publicKeyHex}:${hash}`;
    const signed = {
      wallet_nonce: nonce,
      wallet_public_key: key.publicKeyHex,
      wallet_signature: key.signHex(message),
    };
    return outcomeOfReply(await this.#driver.post('/api/v1/agent/wallet', headers, signed));
  }

  /** Whether an agent sponsors others. */
  paysForOthers(agent: number): boolean {
    return this.#sponsors.has(agent);
  }

  /** Sponsors a child (4.13). */
  async sponsor(parent: number, child: number, cap: number, hours: number | null): Promise<HttpOutcome> {
    this.#sponsors.add(parent);
    const body = {
      child_hash: this.#hashOf(child),
      max_heartbeats_epoch: cap,
      ...(hours === null ? {} : { expires_in_hours: hours }),
    };
    return outcomeOfReply(await this.#driver.post('/api/v1/agent/sponsor', this.#driver.client(parent).headers, body));
  }

  /** Ends the sponsorship of a child (4.13). */
  async unsponsor(parent: number, child: number): Promise<HttpOutcome> {
    const { headers } = this.#driver.client(parent);
    return outcomeOfReply(
      await this.#driver.remove('/api/v1/agent/sponsor', headers, { child_hash: this.#hashOf(child) }),
    );
  }

  /** Files a complaint (4.16). */
  async flag(reporter: number, target: number, assertedClass: string): Promise<HttpOutcome> {
    const body = { target_hash: this.#hashOf(target), asserted_class: assertedClass, reason: 'simulated' };
    const reply = await this.#driver.post('/api/v1/agent/flag', this.#driver.client(reporter).headers, body);
    if (typeof reply.body['flag_id'] === 'string') this.#flagIds.push(reply.body['flag_id']);
    return outcomeOfReply(reply);
  }

  /** Reviews the `index`-th complaint (3.5). */
  async review(index: number, outcome: string): Promise<HttpOutcome> {
    await this.#driver.control(`flags/${encodeURIComponent(this.#flagIds[index] ?? '')}/review`, { outcome });
    return 'accepted';
  }

  /** Revokes an agent's key (D-15). */
  async revokeKey(agent: number): Promise<HttpOutcome> {
    await this.#driver.control(`agents/${encodeURIComponent(this.#hashOf(agent))}/revoke-key`, {});
    return 'accepted';
  }

  /** Grants an agent a subsidy (4.17); `body` is the request without the agent. */
  async subsidise(agent: number, body: object): Promise<HttpOutcome> {
    if (this.#adminKey === '') this.#adminKey = textOf(await this.#driver.control('admin-keys', {}), 'key');
    const client = this.#driver.client(agent);
    const headers = { ...client.headers, authorization: `Bearer ${this.#adminKey}` };
    const request = { agent_hash: client.hash, ...body };
    return outcomeOfReply(await this.#driver.post('/api/v1/admin/agent/subsidy', headers, request));
  }

  #hashOf(agent: number): string {
    return this.#driver.client(agent).hash;
  }
}
