/** Parts of replies that several endpoints share: passports (2.6) and fees (2.9). */

import { solOf } from '../../../spec/formats.js';
import { hasLineageProof, signPassport } from '../../registry/passport.js';
import type { Registry } from '../../registry/state.js';
import type { Service } from '../../service.js';

/** 2.6: a fresh passport and, while it is still offered, its deprecated alias (9, rule 4). */
export function passportReply(service: Service, agent: number, nowMs: number) {
  const passport = signPassport(service.registry, agent, service.authority, nowMs);
  return hasLineageProof(service.registry, nowMs) ? { passport, lineage_proof: passport } : { passport };
}

/** The deposit that a call has paid, where an overlay has one. */
export function depositView({ protocol }: Registry, { depositLamports }: { readonly depositLamports: number }) {
  return protocol.deposit.lamports > 0 ? { deposit_lamports: depositLamports } : {};
}

/** 2.9: the fee object, without the tier of a heartbeat. */
export function feeView(lamports: number, paymentTx: string | undefined) {
  return { amount_sol: solOf(lamports), amount_lamports: lamports, payment_tx: paymentTx ?? '' };
}
