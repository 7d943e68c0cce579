/**
 * The rule of POST /agent/reissue-proof (4.7): takes the fee for another print of the passport, which is
 * signed by passport.ts.
 */

import { bookFee } from './fee-book.js';
import { reissueFee } from './fee-resolution.js';
import { type NamedPayment, usePayment, validPayment } from './payment.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

interface ReissueInput {
  readonly agent: number;
  readonly payment: NamedPayment;
}

interface ReissueAccepted {
  readonly ok: true;
  readonly feeLamports: number;
}

/**
 * 4.7: takes the fee for a reissued passport. It is no heartbeat: it extends nothing and keeps no agent from freezing.
 */
export function reissueProof(registry: Registry, input: ReissueInput, nowMs: number): ReissueAccepted | Refusal {
  const { line } = registry.agents;
  const { agent, payment } = input;
  if (line.identityClass(agent) === 0 && line.depth(agent) === registry.protocol.agent.rootDepth) {
    return refuse('reissue-proof/SIGIL_REQUIRED');
  }
  const wallet = line.wallet(agent);
  if (wallet < 0 && registry.policy.byoWallet) return refuse('reissue-proof/WALLET_REQUIRED');
  if (payment === 'missing') return refuse('reissue-proof/PAYMENT_REQUIRED');
  const feeLamports = reissueFee(registry, agent, nowMs);
  const paid = validPayment(registry, 'reissue-proof', payment, feeLamports);
  if ('row' in paid) return paid;
  if (wallet >= 0 && paid.sender !== wallet) return refuse('reissue-proof/PAYMENT_SENDER_MISMATCH');
  usePayment(registry, paid);
  bookFee(registry.feeBook, 'reissuance', feeLamports, nowMs);
  return { ok: true, feeLamports };
}
