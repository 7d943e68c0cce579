/** Steps that link a wallet to an agent, in both forms. Registration with a wallet is in register-call.ts. */

import { servesMode } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import type { Wallet } from '../protocol/wallet.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** POST /agent/wallet with a body as it is. */
export const link = (t: Trial, { key }: Agent, body: unknown, more: { mayBeOff?: boolean } = {}): Promise<Reply> =>
  t.call('wallet', { key, body, ...more });

/** As setup: a nonce for linking. */
export const nonceFor = (t: Trial, agent: Agent): Promise<string> =>
  t.setup('a wallet nonce', async () => (await link(t, agent, { action: 'challenge' })).string('nonce'));

export type Form = 'self-custody' | 'operator';

const forms: readonly Form[] = ['self-custody', 'operator'];

/** The forms in which a deployment links wallets. */
export const formsOf = ({ protocol }: Pick<Trial, 'protocol'>): readonly Form[] =>
  forms.filter((form) => form === 'self-custody' || servesMode(protocol, 'wallet/operator'));

/** The text of 4.12 that a wallet signs. */
export function messageOf(t: Trial, form: Form, agent: Pick<Agent, 'hash'>, nonce: string, wallet: Wallet): string {
  const prefix = `${t.facts.dialect.messagePrefix}-link-wallet`;
  return form === 'operator'
    ? `${prefix}-operator:${nonce}:${wallet.address}:${agent.hash}`
    : `${prefix}:${nonce}:${wallet.publicKeyHex}:${agent.hash}`;
}

/** The text of the message of 4.12 with the word of another form, and nothing else changed. */
export function messageUnder(t: Trial, word: string, form: Form, agent: Agent, nonce: string, wallet: Wallet): string {
  const prefix = t.facts.dialect.messagePrefix;
  const own = form === 'operator' ? 'link-wallet-operator' : 'link-wallet';
  return messageOf(t, form, agent, nonce, wallet).replace(`${prefix}-${own}:`, `${prefix}-${word}:`);
}

/** The finalize body of either form, with the signature that it needs or another. */
export function finalize(
  t: Trial,
  form: Form,
  parts: { readonly agent: Agent; readonly nonce: string; readonly wallet: Wallet; readonly signature?: string },
): Record<string, string> {
  const { agent, nonce, wallet } = parts;
  const wallet_signature = parts.signature ?? wallet.sign(messageOf(t, form, agent, nonce, wallet));
  return form === 'operator'
    ? { wallet_model: 'operator', operator_wallet_address: wallet.address, wallet_nonce: nonce, wallet_signature }
    : { wallet_public_key: wallet.publicKeyHex, wallet_nonce: nonce, wallet_signature };
}

/** Links a wallet with a nonce of its own. */
export async function linkWith(
  t: Trial,
  agent: Agent,
  wallet = t.wallet(),
  form: Form = 'self-custody',
): Promise<Reply> {
  return link(t, agent, finalize(t, form, { agent, nonce: await nonceFor(t, agent), wallet }));
}
