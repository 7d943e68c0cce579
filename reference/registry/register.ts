/**
 * Registration of root agents (4.2, mode 1) and the steps that every mode shares. Modes with a wallet and children have
 * files of their own.
 */

import { timingSafeEqual } from 'node:crypto';
import { type WalletChain, type WalletModel, walletChains, walletModels } from '../../spec/vocabulary.js';
import { indexRow } from './columns/hash-index.js';
import { nextBytes, reserveHex } from './columns/stream.js';
import { issueKey } from './keys.js';
import { appendLineage } from './lineage.js';
import { peekOneTime, spendOneTime } from './one-time.js';
import { partnerByRef } from './partner.js';
import { type Refusal, refuse } from './refusal.js';
import { TOKEN_FLOW } from './register-token.js';
import { addAgentRow, currentBeat, type Registry } from './state.js';

/** 4.2: the secret or token that a root's registration carries. */
export interface RegistrationCredential {
  readonly secret?: string | undefined;
  readonly token?: string | undefined;
}

/** A wallet as a number of `registry.wallets`. Its ownership has been proved, or it is simulated. */
export interface LinkedWallet {
  readonly wallet: number;
  readonly model: WalletModel;
  readonly chain: WalletChain;
}

/** A new agent, with its key and its secret, which are returned only once. */
export interface RegisterAccepted {
  readonly ok: true;
  readonly agent: number;
  readonly apiKey: string;
  readonly secret: string;
}

/**
 * 4.2 and D-32: checks the secret or token, if the network asks for one. A secret is ignored where none is configured
 * (D-46). Uses nothing up: the token is spent by the call that registers the agent.
 */
export function refuseCredential(registry: Registry, given: RegistrationCredential, nowMs: number): Refusal | null {
  if (given.token !== undefined) {
    const good = peekOneTime(registry, given.token, TOKEN_FLOW, nowMs);
    return good === undefined ? refuse('register/AUTH_INVALID', 'the token is unknown, used or expired') : null;
  }
  const { registrationSecret, network } = registry.policy;
  const enforced = network === 'mainnet';
  // On mainnet without a configured secret no secret can be right: only tokens are accepted.
  if (given.secret === undefined || (registrationSecret === null && enforced)) {
    return enforced
      ? refuse('register/AUTH_MISSING', 'send x-registration-secret, or a token of POST /register/token')
      : null;
  }
  if (registrationSecret === null) return null;
  const wanted = Buffer.from(registrationSecret, 'utf8');
  const sent = Buffer.from(given.secret, 'utf8');
  const same = wanted.length === sent.length && timingSafeEqual(wanted, sent);
  return same ? null : refuse('register/AUTH_INVALID', 'the registration secret is wrong');
}

export interface NewAgent {
  /** As sent; the registry keeps it trimmed (D-16). */
  readonly name: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly linked?: LinkedWallet;
  readonly token?: string | undefined;
  /** D-37: the partner's `ref` as sent. An unknown one is ignored. */
  readonly ref?: string | undefined;
}

/** 4.2: registers a root agent, in mode 1 or as the last step of another mode. */
export function registerRoot(registry: Registry, input: NewAgent, nowMs: number): RegisterAccepted {
  const agent = addAgent(registry, input, -1, nowMs);
  if (input.ref !== undefined) registry.agents.line.setPartner(agent, partnerByRef(registry, input.ref));
  if (input.token !== undefined) spendOneTime(registry, input.token);
  if (input.linked !== undefined) linkWallet(registry, agent, input.linked, nowMs);
  return credentials(registry, agent, nowMs);
}

/** Adds the row of an agent, under a parent or, with -1, as a root, and starts its lineage. */
export function addAgent(
  registry: Registry,
  { name, metadata }: Pick<NewAgent, 'name' | 'metadata'>,
  parent: number,
  nowMs: number,
): number {
  const { agents } = registry;
  const hash = nextBytes(registry.stream, registry.protocol.agent.hashBytes);
  const agent = addAgentRow(agents);
  const { columns, line } = agents;
  columns.hash.set(hash, agent * registry.index.width);
  indexRow(registry.index, columns.hash, agent);
  columns.parent[agent] = parent;
  line.setDepth(agent, parent < 0 ? registry.protocol.agent.rootDepth : line.depth(parent) + 1);
  columns.registeredAtMs[agent] = nowMs;
  columns.registeredAtBeat[agent] = currentBeat(registry);
  registry.names.push(name.trim());
  if (metadata !== undefined) registry.metadata.set(agent, metadata);
  appendLineage(registry, agent, 'registered', nowMs);
  return agent;
}

/** 2.1: the key and the secret of a new agent. */
export function credentials(registry: Registry, agent: number, nowMs: number): RegisterAccepted {
  return new Credentials(registry, agent, nowMs);
}

/**
 * A simulation registers millions of agents and reads none of their keys, so both texts are made when they are read.
 * The stream is drawn from now in any case, so that reading changes nothing.
 */
class Credentials implements RegisterAccepted {
  readonly ok = true;
  readonly #registry: Registry;
  readonly #nowMs: number;
  readonly #secret: () => string;

  constructor(
    registry: Registry,
    readonly agent: number,
    nowMs: number,
  ) {
    this.#registry = registry;
    this.#nowMs = nowMs;
    this.#secret = reserveHex(registry.stream, registry.protocol.agent.secretBytes);
  }

  get apiKey(): string {
    return issueKey(this.#registry, this.agent, this.#nowMs);
  }

  get secret(): string {
    return this.#secret();
  }
}

/** 3.2: links a wallet to an agent that has none. The caller has proved ownership. */
export function linkWallet(registry: Registry, agent: number, linked: LinkedWallet, nowMs: number): void {
  const { columns, line } = registry.agents;
  line.setWallet(agent, linked.wallet);
  columns.walletModel[agent] = walletModels.indexOf(linked.model);
  columns.walletChain[agent] = walletChains.indexOf(linked.chain);
  appendLineage(registry, agent, 'wallet_linked', nowMs);
}
