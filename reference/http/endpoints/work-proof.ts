/**
 * Handlers of POST and GET /beat/work-proof of the beats service (D-08). The proof is checked in beats/work-proof.ts.
 */

import { workProofGet, workProofPost } from '../../../spec/endpoints/index.js';
import { isoOf } from '../../../spec/formats.js';
import { receiptInForm, signReceipt } from '../../beats/receipt.js';
import { checkWorkProof } from '../../beats/work-proof.js';
import { graceAnchorHash } from '../../service.js';
import { type EndpointCall, type HandlerResult, reply, route } from '../request/route.js';

/** POST /beat/work-proof, D-08: a valid proof earns a receipt; an invalid one is answered with 200 and the reason. */
export const workProofPostRoute = route(workProofPost, receipt, { recomputes: verdictOf });

function verdictOf({ service, registry: { protocol }, body: proof, checkBeat }: EndpointCall<typeof workProofPost>) {
  return checkWorkProof(proof, { protocol, anchorHash: graceAnchorHash(service, proof.anchor_index), checkBeat });
}

function receipt(call: EndpointCall<typeof workProofPost>): HandlerResult {
  const { service, registry, body: proof, nowMs } = call;
  const verdict = verdictOf(call);
  if (!verdict.ok) return reply({ ok: false, valid: false, reason: verdict.reason });
  const signed = signReceipt(
    {
      type: 'work_proof',
      beats_verified: proof.beats_computed,
      difficulty: proof.difficulty,
      anchor_index: proof.anchor_index,
      anchor_hash: proof.anchor_hash,
      from_hash: proof.from_hash,
      to_hash: proof.to_hash,
      utc: isoOf(nowMs),
    },
    service.workProofKey,
  );
  return reply({ ok: true, valid: true, receipt: receiptInForm(signed, registry.dialect.receiptForm) });
}

/** GET /beat/work-proof, D-08: the requirements for a work proof. */
export const workProofGetRoute = route(workProofGet, ({ registry: { protocol } }) =>
  reply({
    ok: true,
    service: 'work-proof',
    difficulty_min: protocol.work.difficultyMin,
    difficulty_max: protocol.work.difficultyMax,
    spot_checks_min: protocol.proof.spotChecksMin,
    spot_checks_max: protocol.proof.spotChecksMax,
    grace_anchors: protocol.anchor.graceAnchors,
  }),
);
