/**
 * Steps that make families of agents and sponsorships between them. Assertions about sponsorships are in the sponsor
 * checks.
 */

import { sameMeaning } from '../../model/reading/compare.js';
import type { Reply } from '../assertions/reply.js';
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { listSponsorships } from '../moves/sponsor.js';
import type { Agent, WalletAgent, WalletRootOptions } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { heartbeat, heartbeatFee } from './paid.js';
import { makeChild } from './spawn-call.js';
import { linkWith } from './wallet-call.js';

/** A started parent with a wallet, and its linked and started child without a wallet. */
export async function family(
  t: Trial,
  options: WalletRootOptions = { init: true },
): Promise<{ readonly parent: WalletAgent; readonly child: Agent }> {
  const parent = await t.walletRoot(options);
  return { parent, child: await makeChild(t, parent, { init: true }) };
}

/** The n-th heartbeat of the child in an epoch, paid from the wallet of another agent. */
export const heartbeatPaidBy = (
  t: Trial,
  { key }: Agent,
  { wallet }: Pick<WalletAgent, 'wallet'>,
  n = 1,
): Promise<Reply> => heartbeat(t, { key, wallet }, n);

/**
 * A heartbeat of a child that its sponsor may pay. The text contradicts itself on whether the child needs its own wallet (4.2 and 4.13, 4.5): if
 * the target requires one, the child links one and tries again.
 */
export async function sponsoredHeartbeat(
  t: Trial,
  child: Agent,
  payer: Pick<WalletAgent, 'wallet'>,
  { paid, n = 1 }: { readonly paid?: string; readonly n?: number } = {},
): Promise<Reply> {
  const payment_tx = paid ?? (await t.pay({ from: payer.wallet, lamports: heartbeatFee(t.protocol, n).lamports }));
  const send = (): Promise<Reply> => t.send(heartbeatMove(child, payment_tx));
  const reply = await send();
  // A 403 without a code may have any reason; for another reason the child is refused again with its own wallet.
  if (reply.status !== 403 || (reply.get('code') ?? 'WALLET_REQUIRED') !== 'WALLET_REQUIRED') return reply;
  await linkWith(t, child);
  return send();
}

/**
 * Lists the sponsorships of a sponsor, and returns the path to that of a child, such as `sponsorships.0`. `has`: false if the
 * text leaves open whether the listing shows it.
 */
export async function listed(
  t: Trial,
  by: Agent,
  childHash: string,
  has = true,
): Promise<{ reply: Reply; path: string }> {
  const reply = t.accepted(await t.send(listSponsorships(by)), 'sponsor.get.body');
  const all = reply.get('sponsorships');
  const place = Array.isArray(all)
    ? all.findIndex((_, n) => sameMeaning(reply.get(`sponsorships.${n}.child_hash`), childHash))
    : -1;
  const found = place < 0 ? undefined : place;
  if (has || found !== undefined)
    t.shows('sponsor.get.reply').that('sponsorships', found !== undefined, 'the sponsorship of the child', all, reply);
  return { reply, path: `sponsorships.${t.need(found, `the sponsorship of the child in ${reply.name}`)}` };
}
