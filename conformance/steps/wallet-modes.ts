/** The modes of registration with a wallet (4.2, modes 2 to 4): their two phases, and agents registered by them. */

import { servesMode } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, Unjudged } from '../assertions/unjudged.js';
import {
  challengeOf,
  finalizeOf,
  NONCE_FIELD,
  type Registration,
  register,
  type Signer,
  signerOf,
  type WalletMode,
} from '../moves/register.js';
import { EthereumWallet } from '../protocol/ethereum-wallet.js';
import type { Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import { type Agent, agentOf } from '../trial/fixtures.js';
import { once } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';

/** A mode of 4.2 with a wallet, and its name in clause ids. */
export interface Mode extends Pick<Check, 'unsuitableFor'> {
  readonly word: WalletMode;
}

/** Why a check of an Ethereum wallet cannot run: mainnet refuses such wallets (4.2). */
export const devnetOnly = ({ network }: Target): string | undefined =>
  network === 'devnet' ? undefined : 'Ethereum wallets are for devnet, and the target is a mainnet';

export const selfCustody: Mode = { word: 'self-custody' };
export const operator: Mode = { word: 'operator' };
export const ethereum: Mode = { word: 'ethereum', unsuitableFor: devnetOnly };

export const walletModes: readonly Mode[] = [selfCustody, operator, ethereum];

/** A fresh wallet for the mode, as its registration shows it. */
export const freshSigner = (t: Trial, { word }: Mode): Signer =>
  signerOf(word, word === 'ethereum' ? new EthereumWallet(t.draws.bytes(32), t.exchanges.onSigned) : t.wallet());

/** Whether a deployment has a mode. */
export const isServed = ({ protocol }: Pick<Trial, 'protocol'>, { word }: Mode): boolean =>
  word === 'self-custody' || servesMode(protocol, `register/${word}`);

/** Sends phase 1. */
export const challenge = (t: Trial, mode: Mode, name: string, more: object = {}, how = {}): Promise<Reply> =>
  t.send(register(t.target, challengeOf(mode.word, name, more)), how);

/** Sends phase 1, and returns its nonce. */
export const nonceOf = async (t: Trial, mode: Mode, name: string): Promise<string> =>
  t.mustSucceed(await challenge(t, mode, name)).string('nonce');

/** The fields of phase 2. Without `signature` the signer signs the sent fields. */
export interface Parts {
  readonly name: string;
  readonly nonce: string;
  readonly signer: Signer;
  readonly shown?: string;
  readonly signature?: string;
  readonly more?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The registration in a mode with the given parts. */
export const registrationOf = (t: Trial, { word }: Mode, { name, nonce, signer, shown }: Parts): Registration => ({
  ...{ dialect: t.facts.dialect, mode: word, name, nonce, signer },
  ...(shown === undefined ? {} : { shown }),
});

/** Other fields in which the nonce of an operator may be: 4.2 names the field of the other modes only. */
const OTHER_NONCE_FIELDS = ['nonce', 'operator_nonce', 'challenge_nonce'];

/** Sends phase 2. */
export function finalize(t: Trial, mode: Mode, parts: Parts, field = NONCE_FIELD): Promise<Reply> {
  const { more, headers, signature } = parts;
  const body = { ...more, ...finalizeOf(registrationOf(t, mode, parts), signature, field) };
  return t.send(register(t.target, body), headers === undefined ? {} : { headers });
}

/** The other field that the target accepts for the nonce of an operator, found once per run; null if it accepts none. */
function otherNonceField(t: Trial): Promise<string | null> {
  return once(t.session, 'operator nonce field', async () => {
    const trial = t.session.runTrial();
    for (const field of OTHER_NONCE_FIELDS) {
      const [name, signer] = [trial.word(), freshSigner(trial, operator)];
      const nonce = (await challenge(trial, operator, name)).get('nonce');
      if (typeof nonce !== 'string') break;
      if ((await finalize(trial, operator, { name, nonce, signer }, field)).status < 300) return field;
    }
    return null;
  });
}

/** A valid phase 2. If it is refused only for the name of its nonce field, the check is not judged. */
export async function finalizeWhole(t: Trial, mode: Mode, parts: Parts): Promise<Reply> {
  const reply = await finalize(t, mode, parts);
  const field = reply.status < 300 || mode.word !== 'operator' ? null : await otherNonceField(t);
  if (field === null) return reply;
  t.shows('register.nonce.field').that('field of the nonce in phase 2', false, NONCE_FIELD, field);
  throw new Unjudged(
    'not-tested',
    notFollowed('D-18', `the nonce of an operator's registration is read from ${field}`),
  );
}

/** Sends both phases with a fresh nonce. */
export async function registerWith(
  t: Trial,
  mode: Mode,
  name = t.word(),
  signer = freshSigner(t, mode),
): Promise<Reply> {
  return finalizeWhole(t, mode, { name, nonce: await nonceOf(t, mode, name), signer });
}

/** A root agent of a mode. Two registrations of the wallet flow. */
async function rootOf(t: Trial, mode: Mode, signer = freshSigner(t, mode)): Promise<Agent> {
  const name = t.word();
  return agentOf(name, t.mustSucceed(await registerWith(t, mode, name, signer)));
}

/** A root agent with a fresh Ethereum wallet. Two registrations of the wallet flow. */
export const ethereumRoot = (t: Trial): Promise<Agent> => rootOf(t, ethereum);
