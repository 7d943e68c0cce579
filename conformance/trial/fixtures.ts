/**
 * Makes the agents that checks need: roots with wallets, beat chains and SIGILs. Children are made by the steps of
 * spawn and sponsor.
 */

import { addressesIn, publicKeysIn } from '../../model/reading/places.js';
import { parse } from '../../model/reading/values.js';
import { endpointOf } from '../../spec/endpoint-ids.js';
import { addedClasses, classesOf } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { Unjudged, unreachable } from '../assertions/unjudged.js';
import { challengeOf, finalizeOf, register, signerOf } from '../moves/register.js';
import { buySigil as buyMove, purchaseOf } from '../moves/sigil.js';
import type { Wallet } from '../protocol/wallet.js';
import { lacksSecret, SECRET_LACKING } from './needs.js';
import { once, type Session, type SharedAgent } from './session.js';
import type { Trial } from './trial.js';

/** An agent that a check has made. */
export interface Agent {
  readonly hash: string;
  readonly key: string;
  readonly name: string;
  readonly secret: string;
}

/** An agent with a linked wallet. */
export interface WalletAgent extends Agent {
  readonly wallet: Wallet;
}

/** Settings of a root agent. */
export interface RootOptions {
  /** Whether its beat chain is started, by POST /agent/init. */
  readonly init?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The address from which it is registered; the check's own without one. */
  readonly address?: string | undefined;
}

/** Settings of a root agent with a wallet. */
export interface WalletRootOptions extends Omit<RootOptions, 'metadata'> {
  /** The class of the SIGIL that it buys, after it has started its chain; absent: it buys none. */
  readonly sigil?: string;
  /** The lamports that its wallet starts with; absent: 2 SOL, or more where its check pays more. */
  readonly fundedLamports?: number;
  /** The wallet to register with; a fresh one without it. */
  readonly wallet?: Wallet;
  /** The `ref` of the partner under which it registers (D-37). */
  readonly ref?: string;
}

const FUNDED_LAMPORTS = 2_000_000_000;
/** A wallet gets a multiple of what its check expects to pay, since refused payments cost money, too. */
const FUNDING_FACTOR = 3;

/** The initial balance of a wallet: enough for everything that its check pays by the target's numbers. */
function fundedLamports({ check, protocol }: Trial): number {
  return Math.max(FUNDED_LAMPORTS, FUNDING_FACTOR * (check.lamports?.(protocol) ?? 0));
}

/** The agent of a registration's reply. */
export const agentOf = (name: string, reply: Reply): Agent => ({
  name,
  hash: reply.string('hash'),
  key: reply.string('api_key'),
  secret: String(reply.get('secret')),
});

/** Registers a root agent without a wallet (4.2, mode 1). One registration. */
export async function makeRoot(trial: Trial, options: RootOptions): Promise<Agent> {
  if (lacksSecret(trial.session.target)) throw new Unjudged('not-tested', SECRET_LACKING);
  const name = trial.word();
  const body = { name, ...(options.metadata === undefined ? {} : { metadata: options.metadata }) };
  const reply = await trial.send(register(trial.target, body), { address: options.address });
  trial.mustSucceed(reply);
  const agent = agentOf(name, reply);
  if (options.init === true) trial.mustSucceed(await trial.call('init', { key: agent.key, address: options.address }));
  return agent;
}

/** Registers a root agent with a wallet of its own (4.2, mode 4). Two registrations of the wallet flow. */
export async function makeWalletRoot(trial: Trial, options: WalletRootOptions): Promise<WalletAgent> {
  const wallet = options.wallet ?? trial.wallet();
  const name = trial.word();
  const how = { address: options.address };
  const challenge = await trial.send(register(trial.target, challengeOf('self-custody', name)), how);
  trial.mustSucceed(challenge);
  const nonce = challenge.string('nonce');
  const signed = signedRegistration(trial, { name, nonce, wallet });
  const body = options.ref === undefined ? signed : { ...signed, ref: options.ref };
  const reply = await trial.send(register(trial.target, body), how);
  trial.mustSucceed(reply);
  const agent = { ...agentOf(name, reply), wallet };
  if (options.init === true || options.sigil !== undefined) {
    trial.mustSucceed(await trial.call('init', { key: agent.key, address: options.address }));
  }
  if (trial.session.offers.has('payments')) await trial.fund(wallet, options.fundedLamports ?? fundedLamports(trial));
  if (options.sigil !== undefined) await buySigil(trial, agent, options.sigil);
  return agent;
}

/** The body of phase 2 of a self-custody registration (4.2, mode 4). */
export function signedRegistration(
  { facts: { dialect } }: Trial,
  { wallet, ...parts }: { readonly name: string; readonly nonce: string; readonly wallet: Wallet },
): Record<string, string> {
  return finalizeOf({ ...parts, dialect, mode: 'self-custody', signer: signerOf('self-custody', wallet) });
}

/** The fee of a SIGIL of a class, in lamports (4.6). */
export function sigilFeeLamports(protocol: Protocol, identityClass: string): number {
  const { narrowTaskFeeLamports, autonomousFeeLamports, orchestratorFeeLamports } = protocol.sigil;
  const added = addedClasses(protocol).map(({ name, feeLamports }) => [name, feeLamports] as const);
  const fees = new Map<string, number>([
    ['narrow_task', narrowTaskFeeLamports],
    ['autonomous', autonomousFeeLamports],
    ['orchestrator', orchestratorFeeLamports],
    ...added,
  ]);
  const fee = fees.get(identityClass);
  if (fee === undefined) throw new RangeError(`there is no class ${identityClass}`);
  return fee;
}

/** The price of a SIGIL of a class, in lamports: its fee, and the deposit where a change asks for one. */
export const sigilPriceLamports = (protocol: Protocol, identityClass: string): number =>
  sigilFeeLamports(protocol, identityClass) + protocol.deposit.lamports;

async function buySigil(trial: Trial, agent: WalletAgent, identityClass: string): Promise<void> {
  const { protocol } = trial;
  if (!classesOf(protocol).includes(identityClass)) throw unreachable(`there is no class ${identityClass}`);
  const payment = await trial.pay({ from: agent.wallet, lamports: sigilPriceLamports(protocol, identityClass) });
  const what = purchaseOf(trial.principal(), { identity_class: identityClass });
  trial.mustSucceed(await trial.send(buyMove(agent, what, payment)));
}

/** Whether the DMS may have frozen an agent of this age: at any age if the clock can be moved; in real time after half of the allowed silence. */
function mayBeFrozen({ target: { protocol }, offers, observedSec }: Session, ageMs: number): boolean {
  if (offers.has('clock')) return ageMs !== 0;
  return observedSec > 0 && ageMs > protocol.dms.missedAnchorsMax * protocol.anchor.intervalSec * 500;
}

/** The agent that checks share. It is replaced once the DMS may have frozen it. */
export async function sharedRoot(trial: Trial): Promise<Agent> {
  const { session } = trial;
  const nowMs = session.offers.has('clock') ? session.barrier.nowMs : session.wallMs();
  const make = async (): Promise<SharedAgent> => ({
    agent: await makeRoot(session.runTrial(), { init: true }),
    madeMs: nowMs,
  });
  let shared = await once(session, 'shared agent', make);
  if (mayBeFrozen(session, nowMs - shared.madeMs)) {
    session.once.delete('shared agent');
    shared = await once(session, 'shared agent', make);
  }
  trial.redactor.add('SHARED_API_KEY', shared.agent.key);
  return shared.agent;
}

/** The number of agents that checks reuse, with a started chain and without one. */
const REUSED_AGENTS = { started: 2, unstarted: 1 } as const;
/** The registrations that reused agents cost a run. */
export const REUSED_REGISTRATIONS = REUSED_AGENTS.started + REUSED_AGENTS.unstarted;

/** A reused agent, by its number among those of its kind, from 1. Throws past the last. */
export async function reusedRoot(trial: Trial, { init = false }: RootOptions, place: number): Promise<Agent> {
  if (place > REUSED_AGENTS[init ? 'started' : 'unstarted'])
    throw new Error('a check that reuses agents asks for too many of them');
  const make = (): Promise<Agent> => makeRoot(trial.session.runTrial(), { init });
  const agent = await once(trial.session, `reused agent ${init} ${place}`, make);
  trial.redactor.add(`SHARED_API_KEY_${init ? 'STARTED' : 'UNSTARTED'}_${place}`, agent.key);
  return agent;
}

/** The address to which fees are paid, from fees/summary; requested once per run. */
export async function paymentAddress({ session, exchanges }: Trial): Promise<string> {
  const fees = await once(session, 'fees summary', async () =>
    session.runTrial().mustSucceed(await session.runTrial().call('fees-summary')),
  );
  // D-22 names the field. Under another name the address is found by its form, if the reply has only one.
  const [address, ...others] = addressesIn(fees.json);
  const named = typeof fees.get('payment_address') === 'string' || address === undefined || others.length > 0;
  const found = named ? fees.string('payment_address') : address;
  const path = pathTo(parse(fees.text), found);
  const { path: route } = endpointOf('fees-summary');
  if (path !== undefined) exchanges.onAsked({ value: found, url: `${session.target.baseUrl}${route}`, path });
  return found;
}

/** The dotted path to a text in a JSON value; undefined where it is not there. */
function pathTo(json: unknown, text: string): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  for (const [key, item] of Object.entries(json)) {
    if (item === text) return key;
    const inner = pathTo(item, text);
    if (inner !== undefined) return `${key}.${inner}`;
  }
  return undefined;
}

/** The reply of authority-key; requested once per run. */
export function authorityKeyReply({ session }: Trial): Promise<Reply> {
  return once(session, 'authority key', async () =>
    session.runTrial().mustSucceed(await session.runTrial().call('authority-key')),
  );
}

/** The registry's public key in hex, from authority-key. */
export async function authorityKeyHex(trial: Trial): Promise<string> {
  const reply = await authorityKeyReply(trial);
  // D-13 names the field. Under another name, and in any form, the key is found by its form, if the reply has only one.
  const [key, ...others] = publicKeysIn(reply.json ?? reply.text);
  const named = typeof reply.get('authority_public_key_hex') === 'string' || key === undefined || others.length > 0;
  return named ? reply.string('authority_public_key_hex') : key;
}
