/** Registration with a wallet, in two phases (4.2, modes 2 to 4). Signatures are checked in wallet-ownership.ts. */

import { issueOneTime, peekOneTime, spendOneTime } from './one-time.js';
import { type Refusal, refuse } from './refusal.js';
import { type NewAgent, type RegisterAccepted, registerRoot } from './register.js';
import type { Registry } from './state.js';
import { ownedWallet, verifyOwnership } from './wallet-ownership.js';

/** 4.2: the modes with a wallet, named by the word in their signed message. */
export type WalletMode = 'register' | 'register-operator' | 'register-ethereum';

/** 4.2: refuses Ethereum wallets on mainnet, in either phase. */
function refuseChain(registry: Registry, mode: WalletMode): Refusal | null {
  const barred = mode === 'register-ethereum' && registry.policy.network === 'mainnet';
  return barred ? refuse('register/WALLET_CHAIN_UNSUPPORTED') : null;
}

/** 4.2, phase 1: issues a nonce that is valid for this mode alone (D-18). */
export function registerChallenge(
  registry: Registry,
  mode: WalletMode,
  nowMs: number,
): { readonly ok: true; readonly nonce: string } | Refusal {
  const refused = refuseChain(registry, mode);
  if (refused !== null) return refused;
  const { nonceBytes, nonceTtlSec } = registry.protocol.registration;
  return { ok: true, nonce: issueOneTime(registry, mode, nonceBytes, nonceTtlSec, nowMs) };
}

interface WalletRegistration extends NewAgent {
  readonly nonce: string;
  /** As sent: hex of the public key in mode 4, the address in modes 2 and 3. */
  readonly address: string;
  readonly signature: string;
}

/**
 * 4.2, phase 2: registers a root whose wallet has signed the challenge, over name and address exactly as sent (D-46).
 */
export function registerWithWallet(
  registry: Registry,
  mode: WalletMode,
  input: WalletRegistration,
  nowMs: number,
): RegisterAccepted | Refusal {
  const refused = refuseChain(registry, mode);
  if (refused !== null) return refused;
  const { nonce, address, signature, name } = input;
  if (peekOneTime(registry, nonce, mode, nowMs) === undefined) return refuse('register/NONCE_INVALID');
  if (!verifyOwnership(registry, mode, { nonce, address, subject: name, signature })) {
    return refuse('register/SIGNATURE_INVALID');
  }
  spendOneTime(registry, nonce);
  return registerRoot(registry, { ...input, linked: ownedWallet(registry, mode, address) }, nowMs);
}
