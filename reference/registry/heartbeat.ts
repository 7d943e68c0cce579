/**
 * The rule of POST /agent/heartbeat (4.5): a paid proof of liveness. Fees, sponsors and payments have files of their
 * own.
 */

import type { Sponsorship } from './columns/records.js';
import { unfreeze } from './dead-man-switch.js';
import { bookFee } from './fee-book.js';
import { heartbeatFee } from './fee-resolution.js';
import { billingEpoch, heartbeatCap, heartbeatTier } from './fees.js';
import { appendLineage } from './lineage.js';
import { emit } from './outbox.js';
import { type NamedPayment, usePayment, validPayment } from './payment.js';
import { type Refusal, refuse } from './refusal.js';
import { chargeSponsorship, hasSponsor, payingSponsorship } from './sponsored-heartbeat.js';
import { currentBeat, FROZEN, hashOf, missedAnchors, REGISTERED, type Registry } from './state.js';

interface HeartbeatInput {
  readonly agent: number;
  readonly payment: NamedPayment;
}

/** The result of an accepted heartbeat. */
export interface HeartbeatAccepted {
  readonly ok: true;
  readonly beat: number;
  readonly billingEpoch: number;
  readonly epochHeartbeats: number;
  readonly totalHeartbeats: number;
  readonly tier: 1 | 2 | 3;
  readonly feeLamports: number;
}

/** The agent's heartbeats in an epoch; 0 in a new one. */
export function heartbeatsInEpoch(registry: Registry, row: number, epoch: number): number {
  const { line } = registry.agents;
  return line.epoch(row) === epoch ? line.epochHeartbeats(row) : 0;
}

/**
 * 4.5: accepts a paid proof of liveness. Refuses in the order of `spec/errors`: state, SIGIL, wallet, payment named,
 * interval, cap, payment (D-26). A refused heartbeat changes nothing and leaves its payment unused (D-27).
 */
export function heartbeat(registry: Registry, input: HeartbeatInput, nowMs: number): HeartbeatAccepted | Refusal {
  const { protocol } = registry;
  const { line } = registry.agents;
  const { agent, payment } = input;
  const barred = refuseState(registry, agent, nowMs);
  if (barred !== null) return barred;
  if (payment === 'missing') return refuse('heartbeat/PAYMENT_REQUIRED');

  const beat = currentBeat(registry);
  const lastBeat = line.lastHeartbeatBeat(agent);
  const { intervalBeatsMin } = protocol.heartbeat;
  if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin) {
    return refuse('heartbeat/HEARTBEAT_TOO_SOON', undefined, { next_eligible_beat: lastBeat + intervalBeatsMin });
  }

  const epoch = billingEpoch(protocol, beat);
  const nth = heartbeatsInEpoch(registry, agent, epoch) + 1;
  if (nth > heartbeatCap(protocol, line.identityClass(agent))) return refuse('heartbeat/VOLUME_CAP_REACHED');

  const tier = heartbeatTier(protocol, nth);
  const feeLamports = heartbeatFee(registry, agent, tier, nowMs);
  const paid = validPayment(registry, 'heartbeat', payment, feeLamports);
  if ('row' in paid) return paid;
  let sponsorship: Sponsorship | null = null;
  const wallet = line.wallet(agent);
  // Both an unknown sender and a missing wallet are -1, and do not match.
  if (wallet < 0 || paid.sender !== wallet) {
    const charged = sponsorshipToCharge(registry, agent, paid.sender, nowMs);
    if (!charged.ok) return charged;
    sponsorship = charged.sponsorship;
  }

  usePayment(registry, paid);
  if (line.status(agent) === FROZEN)
    unfreeze(registry, agent, { gapAnchors: missedAnchors(registry, agent), beatsProven: 0 }, nowMs);
  bookFee(registry.feeBook, 'heartbeat', feeLamports, nowMs);
  if (sponsorship !== null) chargeSponsorship(registry, sponsorship, epoch);
  line.setEpochHeartbeats(agent, nth);
  line.setLastHeartbeatBeat(agent, beat);
  line.setEpoch(agent, epoch);
  line.setLastSyncAnchor(agent, registry.anchorIndex);
  const totalHeartbeats = line.totalHeartbeats(agent) + 1;
  line.setTotalHeartbeats(agent, totalHeartbeats);
  appendLineage(registry, agent, 'heartbeat', nowMs);
  if (line.partner(agent) >= 0) {
    emit(registry, 'heartbeat.recorded', agent, nowMs, {
      beat,
      billing_epoch: epoch,
      heartbeat_count_epoch: nth,
      payment_tx: paid.id ?? '',
      fee_lamports: feeLamports,
      sponsor: sponsorship === null ? null : hashOf(registry, sponsorship.parent),
    });
  }
  return { ok: true, beat, billingEpoch: epoch, epochHeartbeats: nth, totalHeartbeats, tier, feeLamports };
}

/**
 * 4.5, sender rule: the sponsorship to charge when the payment is not from the agent's own wallet; null if anyone may
 * pay.
 */
function sponsorshipToCharge(
  registry: Registry,
  agent: number,
  sender: number,
  nowMs: number,
): { readonly ok: true; readonly sponsorship: Sponsorship | null } | Refusal {
  const paying = payingSponsorship(registry, agent, sender, nowMs);
  // Without a wallet and a sponsor an agent gets here only if the wallet policy is off; then anyone may pay for it.
  const anyone = !registry.policy.byoWallet && registry.agents.line.wallet(agent) < 0;
  if (anyone && !paying.ok && paying.row.code === 'PAYMENT_SENDER_MISMATCH') return { ok: true, sponsorship: null };
  return paying;
}

/** Whether an overlay lets a heartbeat bring a frozen agent back, since it has missed few anchors beyond the maximum. */
function isInGrace(registry: Registry, agent: number): boolean {
  const { missedAnchorsMax, graceAnchors } = registry.protocol.dms;
  return graceAnchors > 0 && missedAnchors(registry, agent) <= missedAnchorsMax + graceAnchors;
}

function refuseState(registry: Registry, agent: number, nowMs: number): Refusal | null {
  const { line } = registry.agents;
  const status = line.status(agent);
  if (status === REGISTERED) return refuse('heartbeat/AGENT_NOT_INITIALIZED');
  if (status === FROZEN && !isInGrace(registry, agent)) return refuse('heartbeat/AGENT_FROZEN');
  if (line.complaints(agent) > 0) return refuse('heartbeat/HEARTBEAT_REFUSED');
  // 4.5: roots need a SIGIL, children do not.
  if (line.identityClass(agent) === 0 && line.depth(agent) === registry.protocol.agent.rootDepth) {
    return refuse('heartbeat/SIGIL_REQUIRED');
  }
  if (line.wallet(agent) < 0 && registry.policy.byoWallet && !hasSponsor(registry, agent, nowMs)) {
    return refuse('heartbeat/WALLET_REQUIRED');
  }
  return null;
}
