/** Steps that link a wallet to an agent, in both forms. Registration with a wallet is in wallet-modes.ts. */

import { servesMode } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import { type Link, type LinkForm, link, linkBody, linkChallenge, linkForms } from '../moves/wallet.js';
import type { Wallet } from '../protocol/wallet.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** A nonce for linking. */
export const nonceFor = async (t: Trial, agent: Agent): Promise<string> =>
  (await t.send(linkChallenge(agent))).string('nonce');

/** The forms in which a deployment links wallets. */
export const formsOf = ({ protocol }: Pick<Trial, 'protocol'>): readonly LinkForm[] =>
  linkForms.filter((form) => form === 'self-custody' || servesMode(protocol, 'wallet/operator'));

/** A link of a wallet (by default a fresh one) to an agent by a nonce. */
export const linkOf = (
  t: Trial,
  form: LinkForm,
  { hash }: Pick<Agent, 'hash'>,
  nonce: string,
  wallet: Wallet = t.wallet(),
): Link => ({ dialect: t.facts.dialect, form, hash, nonce, wallet });

/** Links a wallet with a fresh nonce. */
export async function linkWith(
  t: Trial,
  agent: Agent,
  wallet = t.wallet(),
  form: LinkForm = 'self-custody',
): Promise<Reply> {
  return t.send(link(agent, linkBody(linkOf(t, form, agent, await nonceFor(t, agent), wallet))));
}
