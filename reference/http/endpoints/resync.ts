/**
 * Handler of POST /agent/resync (4.10), in the challenge form and the receipt form. The rules are in registry/resync.ts
 * and registry/resync-challenge.ts.
 */

import { resync } from '../../../spec/endpoints/index.js';
import type { BeatProof } from '../../../spec/endpoints/proof-schemas.js';
import { checkChainProof, type ProvenBeats } from '../../registry/beats-submit.js';
import { resync as resyncRule } from '../../registry/resync.js';
import { resyncChallenge, resyncProve } from '../../registry/resync-challenge.js';
import type { ResyncPaid } from '../../registry/resync-payment.js';
import { hashOf, type Registry } from '../../registry/state.js';
import { graceAnchorHash } from '../../service.js';
import { type EndpointCall, type HandlerResult, reply, route } from '../request/route.js';
import { depositView, feeView } from './reply-parts.js';

/** POST /agent/resync, 4.10, in either form. */
export const resyncRoute = route(resync, answer, {
  recomputes: (call) => {
    if (call.body.action === 'prove') checkChainProof(call.registry, proven(call));
  },
});

function answer(call: EndpointCall<typeof resync>): HandlerResult {
  switch (call.body.action) {
    case 'challenge':
      return challenge(call);
    case 'prove':
      return prove(call);
    case undefined:
      return withReceipt(call);
    default:
      return call.body.action satisfies never;
  }
}

function challenge({ registry, agent, nowMs }: EndpointCall<typeof resync>): HandlerResult {
  const made = resyncChallenge(registry, { agent }, nowMs);
  if (!made.ok) return made;
  return reply({
    challenge: {
      nonce: made.nonce,
      required_beats: made.requiredBeats,
      start_from_hash: made.startFromHash,
      start_from_beat: made.startFromBeat,
      difficulty: registry.protocol.beat.difficulty,
      sync_to_global: made.syncToGlobal,
    },
    gap_beats: made.gapBeats,
  });
}

function proven({ service, body, checkBeat }: EndpointCall<typeof resync>): ProvenBeats {
  // The schema requires it, and the nonce, with action `prove`.
  const proof = body.proof as BeatProof;
  return { proof, anchorHash: graceAnchorHash(service, proof.global_anchor), checkBeat };
}

function prove(call: EndpointCall<typeof resync>): HandlerResult {
  const { registry, agent, nowMs, body } = call;
  const input = {
    agent,
    nonce: body.challenge_nonce as string,
    ...proven(call),
    payment: call.payment(paymentTx(body)),
  };
  const done = resyncProve(registry, input, nowMs);
  if (!done.ok) return done;
  return reply({ ok: true, status: 'active', total_beats: done.totalBeats, ...paid(registry, done, body) });
}

/** The transaction of the fee, which a body has where an overlay gives resyncs one. */
function paymentTx(body: object): string | undefined {
  return 'payment_tx' in body ? (body.payment_tx as string | undefined) : undefined;
}

/** 2.9: the fee and the deposit in a reply, where an overlay has them. */
function paid(registry: Registry, shares: ResyncPaid, body: object) {
  const { feeLamports } = shares;
  return {
    ...(feeLamports === 0 ? {} : { fee: feeView(feeLamports, paymentTx(body)) }),
    ...depositView(registry, shares),
  };
}

function withReceipt({ registry, agent, body, nowMs, payment }: EndpointCall<typeof resync>): HandlerResult {
  const input = { agent, receipt: body.beats_receipt, payment: payment(paymentTx(body)) };
  const done = resyncRule(registry, input, nowMs);
  if (!done.ok) return done;
  return reply({
    ok: true,
    agent_hash: hashOf(registry, agent),
    status: 'active',
    last_global_sync: registry.agents.line.lastSyncAnchor(agent),
    gap_anchors: done.gapAnchors,
    required_beats: done.requiredBeats,
    beats_proven: done.beatsProven,
    receipt_based: done.receiptBased,
    ...paid(registry, done, body),
  });
}
