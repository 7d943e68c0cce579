/** The modes of registration with a wallet (4.2, modes 2 to 4): their two phases, and agents that are made by them. */

import { servesMode } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, Unjudged } from '../assertions/unjudged.js';
import { EthereumWallet } from '../protocol/ethereum-wallet.js';
import type { Wallet } from '../protocol/wallet.js';
import type { Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import { once } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';
import { register } from './register-call.js';

/** A key that signs, with what a registration shows of it. */
interface Signer {
  readonly shown: string;
  sign(text: string): string;
}

/** A mode of 4.2 with a wallet. */
export interface Mode extends Pick<Check, 'unsuitableFor'> {
  readonly word: 'self-custody' | 'operator' | 'ethereum';
  /** How its message begins, after the prefix of the dialect. */
  readonly message: string;
  readonly challenge: Readonly<Record<string, string>>;
  readonly signer: (t: Trial) => Signer;
  readonly body: (shown: string) => Readonly<Record<string, string>>;
}

/** Where Ethereum wallets are refused, nothing about their agents can be shown (4.2). */
export const devnetOnly = ({ network }: Target): string | undefined =>
  network === 'devnet' ? undefined : 'Ethereum wallets are for devnet, and the target is a mainnet';

const signerOf = (wallet: Wallet, shown: string): Signer => ({ shown, sign: (text) => wallet.sign(text) });

export const selfCustody: Mode = {
  word: 'self-custody',
  message: 'register',
  challenge: { action: 'challenge' },
  signer: (t) => selfCustodySigner(t.wallet()),
  body: (shown) => ({ wallet_public_key: shown }),
};
export const selfCustodySigner = (wallet: Wallet): Signer => signerOf(wallet, wallet.publicKeyHex);

export const operator: Mode = {
  word: 'operator',
  message: 'register-operator',
  challenge: { wallet_model: 'operator' },
  signer: (t) => operatorSigner(t.wallet()),
  body: (shown) => ({ wallet_model: 'operator', operator_wallet_address: shown }),
};
export const operatorSigner = (wallet: Wallet): Signer => signerOf(wallet, wallet.address);

export const ethereum: Mode = {
  word: 'ethereum',
  message: 'register-ethereum',
  challenge: { action: 'challenge', wallet_chain: 'ethereum' },
  signer: (t) => {
    const wallet = new EthereumWallet(Buffer.from(t.hex(32), 'hex'), t.onSigned);
    return { shown: wallet.address, sign: (text) => wallet.sign(text) };
  },
  body: (shown) => ({ wallet_chain: 'ethereum', wallet_address: shown }),
  unsuitableFor: devnetOnly,
};

export const walletModes: readonly Mode[] = [selfCustody, operator, ethereum];

/** Whether a deployment has a mode. */
export const isServed = ({ protocol }: Pick<Trial, 'protocol'>, { word }: Mode): boolean =>
  word === 'self-custody' || servesMode(protocol, `register/${word}`);

/** Phase 1. */
export const challenge = (t: Trial, mode: Mode, name: string, more: object = {}, how = {}): Promise<Reply> =>
  register(t, { name, ...more, ...mode.challenge }, how);

/** Phase 1, as setup: a nonce. */
export const nonceOf = (t: Trial, mode: Mode, name: string): Promise<string> =>
  t.setup('a nonce', async () => t.accepted(await challenge(t, mode, name)).string('nonce'));

/** The fields of phase 2; the signature is over what is sent, unless another is given. */
export interface Parts {
  readonly name: string;
  readonly nonce: string;
  readonly signer: Signer;
  readonly shown?: string;
  readonly signature?: string;
  readonly more?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The text that a wallet signs. */
export const messageOf = (t: Trial, mode: Mode, { nonce, shown, name }: Record<'nonce' | 'shown' | 'name', string>) =>
  `${t.facts.dialect.messagePrefix}-${mode.message}:${nonce}:${shown}:${name}`;

/** The field that carries the nonce in phase 2, by D-18. */
const NONCE_FIELD = 'wallet_nonce';
/** Others in which an operator's may be: 4.2 gives the field of the other modes and not of that one. */
const OTHER_NONCE_FIELDS = ['nonce', 'operator_nonce', 'challenge_nonce'];

/** Phase 2. */
export function finalize(t: Trial, mode: Mode, parts: Parts, field = NONCE_FIELD): Promise<Reply> {
  const { name, nonce, signer, shown = signer.shown, more, headers } = parts;
  const wallet_signature = parts.signature ?? signer.sign(messageOf(t, mode, { nonce, shown, name }));
  const body = { name, ...more, ...mode.body(shown), [field]: nonce, wallet_signature };
  return register(t, body, headers === undefined ? {} : { headers });
}

/** Another field with which an operator's agent is made, found out once for the whole run; null: with none of them. */
function otherNonceField(t: Trial): Promise<string | null> {
  return once(t.session, 'operator nonce field', async () => {
    const trial = t.session.runTrial();
    for (const field of OTHER_NONCE_FIELDS) {
      const [name, signer] = [trial.word(), operator.signer(trial)];
      const nonce = (await challenge(trial, operator, name)).get('nonce');
      if (typeof nonce !== 'string') break;
      if ((await finalize(trial, operator, { name, nonce, signer }, field)).status < 300) return field;
    }
    return null;
  });
}

/** A phase 2 that lacks nothing. Where it is refused for the field of its nonce alone, the check says nothing. */
export async function finalizeWhole(t: Trial, mode: Mode, parts: Parts): Promise<Reply> {
  const reply = await finalize(t, mode, parts);
  const field = reply.status < 300 || mode.word !== 'operator' ? null : await otherNonceField(t);
  if (field === null) return reply;
  t.alsoShows('register.nonce.field').that('field of the nonce in phase 2', false, NONCE_FIELD, field);
  throw new Unjudged(
    'not-tested',
    notFollowed('D-18', `the nonce of an operator's registration is read from ${field}`),
  );
}

/** Both phases, with a nonce of their own. */
export async function registerWith(t: Trial, mode: Mode, name = t.word(), signer = mode.signer(t)): Promise<Reply> {
  return finalizeWhole(t, mode, { name, nonce: await nonceOf(t, mode, name), signer });
}

/** As setup: a root agent of a mode. Two registrations of the wallet flow. */
function rootOf(t: Trial, mode: Mode, signer = mode.signer(t)): Promise<Agent> {
  return t.setup(`a root agent in the ${mode.word} mode`, async () => {
    const name = t.word();
    const reply = t.accepted(await registerWith(t, mode, name, signer));
    return { name, hash: reply.string('hash'), key: reply.string('api_key'), secret: String(reply.get('secret')) };
  });
}

/** As setup: a root agent with a fresh Ethereum wallet. Two registrations of the wallet flow. */
export const ethereumRoot = (t: Trial): Promise<Agent> => rootOf(t, ethereum);

/** As setup: a root agent with a fresh operator wallet, its chain started. Two registrations of the wallet flow. */
export async function operatorRoot(t: Trial): Promise<WalletAgent> {
  const wallet = t.wallet();
  const agent = await rootOf(t, operator, operatorSigner(wallet));
  await t.setup('a started chain', async () => t.accepted(await t.call('init', { key: agent.key })));
  return { ...agent, wallet };
}
