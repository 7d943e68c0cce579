/**
 * Resync in the challenge form (4.10): the challenge and its answer by a beat proof. The receipt form is in resync.ts.
 */

import { latestHash } from './beat-status.js';
import { checkChainProof, continuesChain, extendChain, type ProvenBeats } from './beats-submit.js';
import { unfreeze } from './dead-man-switch.js';
import { issueOneTime, peekOneTime, spendOneTime } from './one-time.js';
import type { NamedPayment } from './payment.js';
import { tooFewBeats } from './receipt-use.js';
import { type Refusal, refuse } from './refusal.js';
import { penaltyBeats } from './resync.js';
import { type ResyncPaid, resyncPayment, takeResyncPayment } from './resync-payment.js';
import { FROZEN, missedAnchors, type Registry } from './state.js';

const FLOW = 'resync';

/** The challenge: the beats that a frozen agent has to prove, and their start. */
interface IssuedResyncChallenge {
  readonly ok: true;
  readonly nonce: string;
  readonly requiredBeats: number;
  readonly startFromHash: string;
  readonly startFromBeat: number;
  /** Index of the anchor to catch up with. */
  readonly syncToGlobal: number;
  /** D-42: the gap in global beats. */
  readonly gapBeats: number;
}

/**
 * 4.10, challenge form: fixes the penalty at this moment (D-35) and binds it to a nonce. It is offered whether
 * BEATS_REQUIRED is on or off.
 */
export function resyncChallenge(
  registry: Registry,
  { agent }: { readonly agent: number },
  nowMs: number,
): IssuedResyncChallenge | Refusal {
  const { columns, line } = registry.agents;
  if (line.status(agent) !== FROZEN) return refuse('resync/AGENT_WRONG_STATE');
  const gapAnchors = missedAnchors(registry, agent);
  const requiredBeats = penaltyBeats(registry, gapAnchors);
  const { nonceBytes, nonceTtlSec } = registry.protocol.resync;
  const nonce = issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent, requiredBeats, gapAnchors });
  return {
    ok: true,
    nonce,
    requiredBeats,
    startFromHash: latestHash(registry, agent),
    startFromBeat: columns.latestBeat[agent]!,
    syncToGlobal: registry.anchorIndex,
    gapBeats: gapAnchors * registry.protocol.anchor.beatsPerAnchor,
  };
}

interface ResyncProof extends ProvenBeats {
  readonly agent: number;
  readonly nonce: string;
  /** The payment of the fee and the deposit, where an overlay has them. */
  readonly payment?: NamedPayment;
}

/**
 * 4.10: accepts the answer to a challenge. The proof extends the agent's chain, but earns no beats for spawning (D-42).
 */
export function resyncProve(
  registry: Registry,
  input: ResyncProof,
  nowMs: number,
): ({ readonly ok: true; readonly totalBeats: number } & ResyncPaid) | Refusal {
  const { agent, nonce, proof } = input;
  const { columns, line } = registry.agents;
  if (line.status(agent) !== FROZEN) return refuse('resync/AGENT_WRONG_STATE');
  const bound = peekOneTime(registry, nonce, FLOW, nowMs)?.bound;
  if (bound?.['agent'] !== agent) return refuse('resync/VALIDATION', 'challenge_nonce: is unknown, used or expired');
  const paid = resyncPayment(registry, agent, input.payment);
  if (paid !== null && 'row' in paid) return paid;
  const requiredBeats = Number(bound['requiredBeats']);
  if (!continuesChain(registry, agent, proof)) {
    return refuse('resync/VALIDATION', "proof: does not start at the agent's latest beat");
  }
  if (proof.beats_computed < requiredBeats) {
    return refuse('resync/VALIDATION', `proof: ${tooFewBeats(proof.beats_computed, requiredBeats)}`);
  }
  const held = checkChainProof(registry, input);
  if (!held.ok) return refuse('resync/VALIDATION', `proof: ${held.reason}`);
  spendOneTime(registry, nonce);
  const taken = takeResyncPayment(registry, agent, paid, nowMs);
  extendChain(registry, agent, proof);
  unfreeze(registry, agent, { gapAnchors: Number(bound['gapAnchors']), beatsProven: proof.beats_computed }, nowMs);
  return { ok: true, totalBeats: columns.totalBeats[agent]!, ...taken };
}
