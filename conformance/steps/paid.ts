/**
 * Steps through the paid routes: heartbeat, SIGIL and reissue, each with its fee. Payments themselves are made in
 * trial/payer.ts.
 */

import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { reissue as reissueMove } from '../moves/reissue-proof.js';
import { buySigil, type Purchase, purchaseOf } from '../moves/sigil.js';
import { sigilPriceLamports, type WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** The fee of the n-th heartbeat of an epoch, and its tier (4.5). */
export function heartbeatFee({ heartbeat }: Protocol, n: number): { readonly tier: number; readonly lamports: number } {
  const once = n === 1 ? heartbeat.epochFeeLamports : 0;
  if (n <= heartbeat.tier1HeartbeatsMax) return { tier: 1, lamports: once + heartbeat.tier1FeeLamports };
  if (n <= heartbeat.tier2HeartbeatsMax) return { tier: 2, lamports: once + heartbeat.tier2FeeLamports };
  return { tier: 3, lamports: once + heartbeat.tier3FeeLamports };
}

/** The fees of the first `count` heartbeats of an epoch together, in lamports. */
export function feesOf({ heartbeat }: Protocol, count: number): number {
  const upTo = [heartbeat.tier1HeartbeatsMax, heartbeat.tier2HeartbeatsMax, count].map((most) => Math.min(most, count));
  const fees = [heartbeat.tier1FeeLamports, heartbeat.tier2FeeLamports, heartbeat.tier3FeeLamports];
  const once = count > 0 ? heartbeat.epochFeeLamports : 0;
  return fees.reduce((sum, fee, tier) => sum + fee * ((upTo[tier] ?? 0) - (upTo[tier - 1] ?? 0)), once);
}

/** Pays for the n-th heartbeat of an epoch from `agent.wallet`, and sends it. */
export async function heartbeat(t: Trial, agent: Pick<WalletAgent, 'key' | 'wallet'>, n = 1): Promise<Reply> {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
  return t.send(heartbeatMove(agent, payment_tx));
}

/** Pays for a reissue of the passport, and requests it. */
export async function reissue(t: Trial, agent: WalletAgent): Promise<Reply> {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.reissue.feeLamports });
  return t.send(reissueMove(agent, payment_tx));
}

/** A valid purchase of the cheapest class, without its payment. */
export function purchase(t: Trial, more: Purchase = {}): Purchase {
  return purchaseOf(t.principal(), more);
}

/** Pays for a SIGIL, by the class of the purchase, and sends the purchase. */
export async function buy(t: Trial, agent: WalletAgent, what: Purchase, identityClass = 'narrow_task') {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: sigilPriceLamports(t.protocol, identityClass) });
  return t.send(buySigil(agent, what, payment_tx));
}
