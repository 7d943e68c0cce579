/**
 * Acts for agents of the lab's reference, as their clients would: the lab holds keys and wallets of agents that it made, and those of the
 * living population are held by its driver. Requests are moves of the suite; money comes from the mock ledger, so that an act takes nothing
 * from the wallets of a population.
 */

import { complaint, flag } from '../../../conformance/moves/flag.js';
import { heartbeat } from '../../../conformance/moves/heartbeat.js';
import { callOf, type Move, requestOf } from '../../../conformance/moves/move.js';
import { challengeOf, finalizeOf, register, registerChild, signerOf } from '../../../conformance/moves/register.js';
import { resync } from '../../../conformance/moves/resync.js';
import { buySigil, purchaseOf } from '../../../conformance/moves/sigil.js';
import { spawn } from '../../../conformance/moves/spawn.js';
import { sponsor } from '../../../conformance/moves/sponsor.js';
import { proveWork } from '../../../conformance/moves/work-proof.js';
import { Wallet } from '../../../conformance/protocol/wallet.js';
import { derivedKey } from '../../../reference/registry/columns/stream.js';
import { depositWithSigil } from '../../../reference/registry/deposit.js';
import { heartbeatFee, sigilFee } from '../../../reference/registry/fee-resolution.js';
import { billingEpoch, heartbeatTier } from '../../../reference/registry/fees.js';
import { heartbeatsInEpoch } from '../../../reference/registry/heartbeat.js';
import { penaltyBeats } from '../../../reference/registry/resync.js';
import { resyncLamports } from '../../../reference/registry/resync-payment.js';
import { sponsorshipStatus } from '../../../reference/registry/sponsor.js';
import { currentBeat, FROZEN, hashOf, missedAnchors, REGISTERED, rowOf } from '../../../reference/registry/state.js';
import { status } from '../../../reference/registry/status.js';
import type { HttpReply } from '../../../simulator/server/http-target.js';
import { shortProof } from '../../../simulator/server/short-proof.js';
import type { IdentityClass } from '../../../spec/vocabulary.js';
import { ActionRefused } from '../action.js';
import type { LivingReference } from './living-reference.js';
import type { LoggedRequest } from './request-log.js';

/** The credentials of an agent that the lab acts for. */
interface Actor {
  readonly hash: string;
  readonly key: string;
  /** The client address of its requests: limits are by address. */
  readonly from: string;
  /** The wallet that pays where the agent has none linked. */
  readonly wallet: string;
}

/** One thing that an agent can do. */
type Act =
  | { readonly do: 'heartbeat' | 'resync' }
  | { readonly do: 'sigil'; readonly identityClass: IdentityClass }
  | { readonly do: 'sponsor'; readonly child: string; readonly cap: number }
  | { readonly do: 'flag'; readonly target: string; readonly assertedClass: string; readonly reason: string }
  | { readonly do: 'spawn'; readonly name: string };

const START_LAMPORTS = 10_000_000_000;
const PRINCIPAL = 'lab';

/** The acts of one reference. */
export class Acting {
  readonly #reference: LivingReference;
  readonly #made = new Map<string, Actor>();
  #wallets = 0;
  #proofs = 0;

  constructor(reference: LivingReference) {
    this.#reference = reference;
  }

  /** Says how the lab acts for an agent: it made the agent, it uses the key of the population, or it has no key. */
  holds(hash: string): 'made' | 'lives' | 'nothing' {
    if (this.#made.has(hash)) return 'made';
    return this.#reference.clientOf(hash) === undefined ? 'nothing' : 'lives';
  }

  /** Registers a root with a wallet of its own (4.2), and starts its chain (4.4). Returns every request, the last one decides. */
  async make(name: string): Promise<readonly LoggedRequest[]> {
    const sent: LoggedRequest[] = [];
    const { wallet, from } = this.#newWallet();
    await this.#reference.control('POST', 'ledger/wallets', { address: wallet.address, lamports: START_LAMPORTS });
    const { dialect } = this.#reference.running.host.service.options;
    const challenge = await this.#send(sent, { ...register({}, challengeOf('self-custody', name)), address: from });
    const nonce = String(challenge.body['nonce']);
    if (challenge.status >= 400) return sent;
    const made = { dialect, mode: 'self-custody', name, nonce, signer: signerOf('self-custody', wallet) } as const;
    const registered = await this.#send(sent, { ...register({}, finalizeOf(made)), address: from });
    if (registered.status < 400) await this.#adopt(sent, registered, from, wallet.address);
    return sent;
  }

  /** Does an act of an agent by its row. Returns every request, the last one decides. Refuses where the lab has no key of it. */
  async act(row: number, wanted: Act): Promise<readonly LoggedRequest[]> {
    const sent: LoggedRequest[] = [];
    const actor = this.#actorOf(row);
    const { from: address } = actor;
    const send = (move: Move): Promise<HttpReply> => this.#send(sent, { ...move, address });
    const { registry } = this.#reference.running.host.service;
    switch (wanted.do) {
      case 'heartbeat':
        await send(heartbeat(actor, await this.#payHeartbeat(row, actor)));
        return sent;
      case 'resync': {
        const isFrozen = registry.agents.line.status(row) === FROZEN;
        // An anchor may come between the proof and the resync.
        const receipt = isFrozen
          ? await this.#receipt(sent, address, penaltyBeats(registry, missedAnchors(registry, row) + 1))
          : undefined;
        const due = resyncLamports(registry, row);
        const paid = due === 0 ? {} : { payment_tx: await this.#pay(actor.wallet, due) };
        const move = resync(actor, receipt);
        if (!isFrozen || receipt !== undefined) await send({ ...move, body: { ...Object(move.body), ...paid } });
        return sent;
      }
      case 'sigil': {
        const { nowMs } = this.#reference.running.host.clock;
        const fee = sigilFee(registry, row, wanted.identityClass, nowMs()) + depositWithSigil(registry, row);
        const paid = await this.#pay(this.#walletOf(row) ?? actor.wallet, fee);
        await send(buySigil(actor, purchaseOf(PRINCIPAL, { identity_class: wanted.identityClass }), paid));
        return sent;
      }
      case 'sponsor':
        await send(sponsor(actor, this.#hashOf(wanted.child), { max_heartbeats_epoch: wanted.cap }));
        return sent;
      case 'flag': {
        const { assertedClass: asserted_class, reason } = wanted;
        await send(flag(actor, complaint({ hash: this.#hashOf(wanted.target) }, { asserted_class, reason })));
        return sent;
      }
      case 'spawn':
        await this.#spawn(sent, actor, wanted.name);
        return sent;
      default:
        return wanted satisfies never;
    }
  }

  /** Silences an agent, and lets time pass until the Dead Man's Switch has frozen it (3.1). */
  async freeze(row: number): Promise<void> {
    const { hash } = this.#actorOf(row);
    const { host } = this.#reference.running;
    const { registry } = host.service;
    const { line } = registry.agents;
    if (line.status(row) === REGISTERED)
      throw new ActionRefused(409, 'NOT_STARTED', 'its chain has not started: only active agents freeze');
    if (host.service.stalled)
      throw new ActionRefused(409, 'STALLED', 'the anchors are stalled, and none is missed: let them go on first');
    this.#reference.silence(hash, true);
    const { dms, anchor } = registry.protocol;
    const left = (): number => dms.missedAnchorsMax + 1 - missedAnchors(registry, row);
    // Others may move time, too: then less is left.
    while (line.status(row) !== FROZEN && left() > 0) {
      const untilMs = host.service.nextAnchorMs + (left() - 1) * anchor.intervalSec * 1_000;
      await this.#reference.advance(Math.max(1, untilMs - host.clock.nowMs()));
      if (line.status(row) === FROZEN) return;
      if (left() > dms.missedAnchorsMax)
        throw new ActionRefused(409, 'NOT_FROZEN', 'another client has sent a heartbeat of this agent meanwhile');
    }
  }

  /** True if the lab leaves out the heartbeats of an agent. Refuses an agent whose heartbeats the lab does not send. */
  silence(row: number, on: boolean): void {
    const { hash } = this.#actorOf(row);
    if (this.#made.has(hash))
      throw new ActionRefused(409, 'SILENT_ANYWAY', 'an agent that the lab made sends only what you let it send');
    this.#reference.silence(hash, on);
  }

  #actorOf(row: number): Actor {
    const hash = hashOf(this.#reference.running.host.service.registry, row);
    const made = this.#made.get(hash);
    if (made !== undefined) return made;
    const client = this.#reference.clientOf(hash);
    if (client === undefined)
      throw new ActionRefused(409, 'NO_KEY', 'the lab has no key of this agent: another client registered it');
    const { authorization = '', 'x-forwarded-for': from = '' } = client.headers;
    return { hash, key: authorization.replace(/^Bearer /, ''), from, wallet: client.address };
  }

  /** Keeps the credentials of a registered agent, and starts its chain. */
  async #adopt(sent: LoggedRequest[], { body }: HttpReply, from: string, wallet: string): Promise<Actor> {
    const actor = { hash: String(body['hash']), key: String(body['api_key']), from, wallet };
    this.#made.set(actor.hash, actor);
    await this.#send(sent, { endpoint: 'init', key: actor.key, address: from });
    return actor;
  }

  /** The steps of 4.8: probe, preflight with the receipt that the probe asks for, the child's registration and chain, and its link. */
  async #spawn(sent: LoggedRequest[], parent: Actor, child_name: string): Promise<void> {
    const send = (body: object): Promise<HttpReply> =>
      this.#send(sent, { ...spawn(parent, body), address: parent.from });
    let reply = await send({ child_name });
    const beats = reply.body['required_beats'];
    if (reply.status === 402 && typeof beats === 'number') {
      const beats_receipt = await this.#receipt(sent, parent.from, beats);
      if (beats_receipt === undefined) return;
      reply = await send({ child_name, beats_receipt });
    }
    if (reply.status >= 400) return;
    const { wallet, from } = this.#newWallet();
    const { spawn_authorization } = reply.body;
    const body = { name: child_name, parent: parent.hash, spawn_authorization };
    const registered = await this.#send(sent, { ...registerChild(parent, body), address: from });
    if (registered.status >= 400) return;
    const child = await this.#adopt(sent, registered, from, wallet.address);
    await send({ child_name, child_hash: child.hash });
  }

  #newWallet(): { readonly wallet: Wallet; readonly from: string } {
    const n = ++this.#wallets;
    const { seed } = this.#reference.running.host.service.options;
    // The addresses of a population begin at 10.0.0.1.
    const from = `10.255.${(n >> 8) & 255}.${n & 255}`;
    return { wallet: new Wallet(derivedKey(seed, `wallet of the lab ${n}`)), from };
  }

  /** The wallet of an agent by its row; undefined where none is linked. */
  #walletOf(row: number): string | undefined {
    const { registry } = this.#reference.running.host.service;
    return status(registry, row, registry.anchorAtMs).wallet ?? undefined;
  }

  /** Pays the fee of the next heartbeat: from the agent's wallet, else from that of a sponsor (4.5). */
  #payHeartbeat(row: number, actor: Actor): Promise<string> {
    const { host } = this.#reference.running;
    const { registry } = host.service;
    const epoch = billingEpoch(registry.protocol, currentBeat(registry));
    const tier = heartbeatTier(registry.protocol, heartbeatsInEpoch(registry, row, epoch) + 1);
    const nowMs = host.clock.nowMs();
    const sponsors = registry.sponsorships.byChild.get(row) ?? [];
    const paying = sponsors.find((each) => sponsorshipStatus(each, nowMs) === 'active');
    const sponsored = paying === undefined ? undefined : this.#walletOf(paying.parent);
    return this.#pay(this.#walletOf(row) ?? sponsored ?? actor.wallet, heartbeatFee(registry, row, tier, nowMs));
  }

  /** Mints lamports into a wallet and pays them to the service; returns the signature. */
  async #pay(from: string, lamports: number): Promise<string> {
    const to = this.#reference.running.host.service.paymentAddress;
    await this.#reference.control('POST', 'ledger/wallets', { address: from, lamports });
    const { body } = await this.#reference.control('POST', 'ledger/transfers', { from, to, lamports });
    return String(body['signature']);
  }

  /** A receipt of the beats service for a number of beats (2.5); undefined where it gives none. */
  async #receipt(sent: LoggedRequest[], address: string, beats: number): Promise<unknown> {
    const { registry, options } = this.#reference.running.host.service;
    const { difficulty } = registry.protocol.beat;
    const { body } = await this.#send(sent, { endpoint: 'beats.beat-anchor', address });
    const { hash, beat_index } = Object(body['anchor']) as Readonly<Record<string, unknown>>;
    this.#proofs += 1;
    const start = derivedKey(options.seed, `work of the lab ${this.#proofs}`).toString('hex');
    const anchor = { anchorHash: String(hash), anchorIndex: Number(beat_index) };
    const proof = shortProof({ start, beats, ...anchor, difficulty });
    return (await this.#send(sent, { ...proveWork(proof), address })).body['receipt'];
  }

  async #send(sent: LoggedRequest[], move: Move): Promise<HttpReply> {
    const call = callOf(move);
    const { baseUrl, beatsUrl } = this.#reference.running;
    return this.#reference.answer(requestOf(call.service === 'beats' ? beatsUrl : baseUrl, call), (entry) =>
      sent.push(entry),
    );
  }

  /** The hash of the agent that a text names, by row or hash; the text itself where none has it, for the server to refuse. */
  #hashOf(name: string): string {
    const { registry } = this.#reference.running.host.service;
    const row = /^\d{1,9}$/.test(name) ? Number(name) : rowOf(registry, name.toLowerCase());
    return row >= 0 && row < registry.agents.rows ? hashOf(registry, row) : name;
  }
}
