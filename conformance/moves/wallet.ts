/** POST /agent/wallet (4.12): requests a nonce, and links a wallet in either form. */

import type { Dialect } from '../../spec/dialect.js';
import type { Wallet } from '../protocol/wallet.js';
import type { Move, Sender } from './move.js';

export const linkForms = ['self-custody', 'operator'] as const;
/** The owner of the wallet: the agent itself, or its operator. */
export type LinkForm = (typeof linkForms)[number];

/** A request with this body. */
export const link = ({ key }: Sender, body: unknown): Move => ({ endpoint: 'wallet', key, body });

/** Asks for a nonce. */
export const linkChallenge = (by: Sender): Move => link(by, { action: 'challenge' });

/** The data of a link: a wallet, an agent and a nonce. */
export interface Link {
  readonly dialect: Dialect;
  readonly form: LinkForm;
  /** The hash of the agent. */
  readonly hash: string;
  readonly nonce: string;
  readonly wallet: Wallet;
}

const WORDS: Readonly<Record<LinkForm, string>> = { 'self-custody': 'link-wallet', operator: 'link-wallet-operator' };

/** The text that the wallet signs; `word`: its first word after the prefix of the dialect. */
function linkMessage({ dialect, form, hash, nonce, wallet }: Link, word = WORDS[form]): string {
  const shown = form === 'operator' ? wallet.address : wallet.publicKeyHex;
  return `${dialect.messagePrefix}-${word}:${nonce}:${shown}:${hash}`;
}

/** The body that links a wallet, by default with the right signature. */
export function linkBody(made: Link, wallet_signature = made.wallet.sign(linkMessage(made))): Record<string, string> {
  const { form, nonce: wallet_nonce, wallet } = made;
  return form === 'operator'
    ? { wallet_model: 'operator', operator_wallet_address: wallet.address, wallet_nonce, wallet_signature }
    : { wallet_public_key: wallet.publicKeyHex, wallet_nonce, wallet_signature };
}

/** Another wallet, another hash and another nonce. */
type Forger = Pick<Link, 'wallet' | 'hash' | 'nonce'>;

/** Signs with the first word of another form. Each form has its own word, so a signature is valid for one purpose only. */
const signWithWord =
  (...words: readonly string[]) =>
  (made: Link): string =>
    made.wallet.sign(
      linkMessage(
        made,
        words.find((word) => word !== WORDS[made.form]),
      ),
    );
/** Signs another text in place of the agent's hash. */
const signText =
  (change: (hash: string) => string) =>
  (made: Link): string =>
    made.wallet.sign(linkMessage({ ...made, hash: change(made.hash) }));
const otherForm = ({ form }: Link): LinkForm => (form === 'operator' ? 'self-custody' : 'operator');

/** Signatures that do not prove a wallet, by name. For a hash without letters, the one with capitals is valid. */
export const linkForgeries = {
  'word-of-registration': signWithWord('register'),
  'word-of-operator-registration': signWithWord('register-operator'),
  'other-prefix': signWithWord(...Object.values(WORDS)),
  'other-agent': (made, { hash }) => signText(() => hash)(made),
  'bare-hash': signText((hash) => hash.slice(2)),
  'half-hash': signText((hash) => hash.slice(0, 2 + 32)),
  'short-hash': signText((hash) => hash.slice(0, -1)),
  'hash-in-capitals': signText((hash) => `0x${hash.slice(2).toUpperCase()}`),
  'no-hash': signText(() => ''),
  'other-key': (made, { wallet }) => wallet.sign(linkMessage(made)),
  'other-form': (made) => made.wallet.sign(linkMessage({ ...made, form: otherForm(made) })),
  'other-nonce': (made, { nonce }) => made.wallet.sign(linkMessage({ ...made, nonce })),
  'no-signature': () => 'not a signature',
} as const satisfies Readonly<Record<string, (made: Link, forger: Forger) => string>>;
