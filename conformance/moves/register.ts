/** POST /register (4.2): roots without a wallet, the two phases of roots with one, and children. */

import type { Dialect } from '../../spec/dialect.js';
import type { Protocol } from '../../spec/protocol.js';
import type { EthereumWallet } from '../protocol/ethereum-wallet.js';
import type { Wallet } from '../protocol/wallet.js';
import type { Target } from '../target/target.js';
import type { Move, Sender } from './move.js';

/** The header with the registration secret, if the target has one. */
export function secretHeader({
  registrationSecret: secret,
}: Pick<Target, 'registrationSecret'>): Record<string, string> {
  return secret === undefined ? {} : { 'x-registration-secret': secret };
}

/** Registers a root; the body decides the mode (mode 1 if it has no wallet fields). */
export const register = (target: Pick<Target, 'registrationSecret'>, body: unknown): Move => ({
  endpoint: 'register',
  headers: secretHeader(target),
  body,
});

/** Registers a root with a token in place of the secret. */
export const registerByToken = (token: string, body: unknown): Move => ({
  endpoint: 'register',
  headers: { 'x-registration-token': token },
  body,
});

/** Registers a child under its parent's key (mode 5). */
export const registerChild = ({ key }: Sender, body: unknown): Move => ({ endpoint: 'register', key, body });

/** A signing key, and the address or public key of its wallet in a registration. */
export interface Signer {
  readonly shown: string;
  sign(text: string): string;
}

/** The modes of 4.2 with a wallet: the first word of the message (after the prefix of the dialect), phase 1, and the field of the wallet in phase 2. */
const walletModes = {
  'self-custody': {
    word: 'register',
    challenge: { action: 'challenge' },
    shows: (shown: string) => ({ wallet_public_key: shown }),
  },
  operator: {
    word: 'register-operator',
    challenge: { wallet_model: 'operator' },
    shows: (shown: string) => ({ wallet_model: 'operator', operator_wallet_address: shown }),
  },
  ethereum: {
    word: 'register-ethereum',
    challenge: { action: 'challenge', wallet_chain: 'ethereum' },
    shows: (shown: string) => ({ wallet_chain: 'ethereum', wallet_address: shown }),
  },
} as const;
/** A mode of 4.2 with a wallet. */
export type WalletMode = keyof typeof walletModes;

/** The signer of a wallet; it shows the public key in self-custody mode, otherwise the address. */
export function signerOf(mode: WalletMode, wallet: Wallet | EthereumWallet): Signer {
  const shown = mode === 'self-custody' && 'publicKeyHex' in wallet ? wallet.publicKeyHex : wallet.address;
  return { shown, sign: (text) => wallet.sign(text) };
}

/** The body of phase 1. */
export const challengeOf = (mode: WalletMode, name: string, more: object = {}): object => ({
  name,
  ...more,
  ...walletModes[mode].challenge,
});

/** A registration in phase 2. */
export interface Registration {
  readonly dialect: Dialect;
  readonly mode: WalletMode;
  readonly name: string;
  readonly nonce: string;
  readonly signer: Signer;
  /** The key or address in the request; absent: that of the signer. */
  readonly shown?: string;
}

/** The text that a wallet signs; `word`: its first word after the prefix of the dialect. */
export function registrationMessage(made: Registration, word: string = walletModes[made.mode].word): string {
  const { dialect, name, nonce, signer, shown = signer.shown } = made;
  return `${dialect.messagePrefix}-${word}:${nonce}:${shown}:${name}`;
}

/** The field of the nonce in phase 2 (D-18). */
export const NONCE_FIELD = 'wallet_nonce';

/** The body of phase 2, by default with the right signature. */
export function finalizeOf(
  made: Registration,
  wallet_signature = made.signer.sign(registrationMessage(made)),
  nonceField = NONCE_FIELD,
): Record<string, string> {
  const { mode, name, nonce, signer, shown = signer.shown } = made;
  return { name, ...walletModes[mode].shows(shown), [nonceField]: nonce, wallet_signature };
}

/** The key of another wallet, and the nonce of another registration. */
type Forger = Pick<Registration, 'signer' | 'nonce'>;

/** Signs a changed registration. */
const signChanged =
  (change: (made: Registration) => Partial<Registration>) =>
  (made: Registration): string =>
    made.signer.sign(registrationMessage({ ...made, ...change(made) }));

/** Signatures that do not prove a wallet, by name. `name-in-lower-case` is valid for a name without capitals, `half-name` for one of at most 32 characters. */
export const registrationForgeries = {
  'name-in-lower-case': signChanged(({ name }) => ({ name: name.toLowerCase() })),
  'half-name': signChanged(({ name }) => ({ name: name.slice(0, 32) })),
  short: signChanged(({ name }) => ({ name: name.slice(0, -1) })),
  'other-nonce': (made, { nonce }) => signChanged(() => ({ nonce }))(made),
  'other-prefix': (made) => made.signer.sign(registrationMessage(made, 'link-wallet')),
  'other-mode': signChanged(({ mode }) => ({ mode: mode === 'self-custody' ? 'operator' : 'self-custody' })),
  'other-key': (made, { signer }) => signer.sign(registrationMessage({ ...made, shown: made.signer.shown })),
  'no-signature': () => 'not a signature',
} as const satisfies Readonly<Record<string, (made: Registration, forger: Forger) => string>>;

/** Metadata with exactly `bytes` bytes of JSON, filled with the character `fill`. */
export function metadataOf(bytes: number, fill = 'x'): { pad: string } {
  const each = Buffer.byteLength(fill);
  const room = bytes - Buffer.byteLength(JSON.stringify({ pad: '' }));
  return { pad: fill.repeat(Math.floor(room / each)) + 'x'.repeat(room % each) };
}

/** Invalid metadata by 2.2, by name: an object that is too large, and values that are not objects. */
export const unfitMetadata = ({ registration: { metadataBytesMax } }: Protocol) => ({
  'too-large': metadataOf(metadataBytesMax + 1),
  array: ['no', 'object'],
  text: 'no object',
});
