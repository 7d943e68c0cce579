/**
 * The rules of POST /agent/wallet (4.12): links a wallet to an agent that registered without one. Registration with a
 * wallet is in register-wallet.ts.
 */

import { issueOneTime, peekOneTime, spendOneTime } from './one-time.js';
import { type Refusal, refuse } from './refusal.js';
import { linkWallet } from './register.js';
import { hashOf, type Registry } from './state.js';
import { ownedWallet, verifyOwnership } from './wallet-ownership.js';

/** One flow of nonces for both forms, since a challenge does not say which of them will follow. */
const FLOW = 'link-wallet';

/** 4.12, 1: issues a nonce for this agent. */
export function walletChallenge(
  registry: Registry,
  { agent }: { readonly agent: number },
  nowMs: number,
): { readonly ok: true; readonly nonce: string } | Refusal {
  const linked = refuseLinked(registry, agent);
  if (linked !== null) return linked;
  const { nonceBytes, nonceTtlSec } = registry.protocol.wallet;
  return { ok: true, nonce: issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent }) };
}

interface WalletLinkInput {
  readonly agent: number;
  readonly form: 'link-wallet' | 'link-wallet-operator';
  readonly nonce: string;
  /** As sent: hex of the public key, or the operator's address (D-46). */
  readonly address: string;
  readonly signature: string;
}

/** 4.12, 2 and 3: links the wallet that has signed the nonce. A link is permanent (3.2). */
export function finalizeWallet(
  registry: Registry,
  { agent, form, nonce, address, signature }: WalletLinkInput,
  nowMs: number,
): { readonly ok: true } | Refusal {
  const linked = refuseLinked(registry, agent);
  if (linked !== null) return linked;
  if (peekOneTime(registry, nonce, FLOW, nowMs)?.bound?.['agent'] !== agent) return refuse('wallet/NONCE_INVALID');
  const subject = hashOf(registry, agent);
  if (!verifyOwnership(registry, form, { nonce, address, subject, signature })) {
    return refuse('wallet/SIGNATURE_INVALID');
  }
  spendOneTime(registry, nonce);
  linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);
  return { ok: true };
}

/** 3.2: the refusal of an agent that has a linked wallet; null for one that has none. */
export function refuseLinked(registry: Registry, agent: number): Refusal | null {
  return registry.agents.line.wallet(agent) >= 0 ? refuse('wallet/WALLET_ALREADY_LINKED') : null;
}
