/**
 * Handlers of POST and GET /beat/work-proof of the beats service (D-08). The proof is checked in beats/work-proof.ts.
 */

import { workProofGet, workProofPost } from '../../../spec/endpoints/index.js';
import { isoOf } from '../../../spec/formats.js';
import { receiptInForm, signReceipt } from '../../beats/receipt.js';
import { checkShownBeats, checkWorkProof, clampedDifficulty } from '../../beats/work-proof.js';
import { graceAnchorHash, hasGrace } from '../../service.js';
import { type EndpointCall, type HandlerResult, reply, route } from '../request/route.js';

/** POST /beat/work-proof, D-08: a valid proof earns a receipt; an invalid one is answered with 200 and the reason. */
export const workProofPostRoute = route(workProofPost, receipt, { recomputes: verdictOf });

function verdictOf({ service, registry, body: proof, checkBeat }: EndpointCall<typeof workProofPost>) {
  const { protocol, dialect } = registry;
  if (dialect.workProofChecks === 'shown-beats') {
    return checkShownBeats(proof, { protocol, fresh: hasGrace(service, proof.anchor_index), checkBeat });
  }
  return checkWorkProof(proof, { protocol, anchorHash: graceAnchorHash(service, proof.anchor_index), checkBeat });
}

function receipt(call: EndpointCall<typeof workProofPost>): HandlerResult {
  const { service, registry, body: proof, nowMs } = call;
  const { dialect, protocol } = registry;
  const verdict = verdictOf(call);
  const alone = dialect.workProofReply === 'valid-alone';
  if (!verdict.ok) return reply({ ...(alone ? {} : { ok: false }), valid: false, reason: verdict.reason });
  const signed = signReceipt(
    {
      type: 'work_proof',
      beats_verified: proof.beats_computed,
      difficulty: dialect.difficulty === 'clamped' ? clampedDifficulty(proof.difficulty, protocol) : proof.difficulty,
      anchor_index: proof.anchor_index,
      anchor_hash: proof.anchor_hash ?? null,
      from_hash: proof.from_hash,
      to_hash: proof.to_hash,
      utc: isoOf(nowMs),
    },
    service.workProofKey,
  );
  const receipt = receiptInForm(signed, dialect.receiptForm);
  return reply({ ...(alone ? {} : { ok: true }), valid: true, receipt });
}

/** GET /beat/work-proof, D-08: the requirements for a work proof. */
export const workProofGetRoute = route(workProofGet, ({ registry: { protocol, dialect } }) => {
  const { difficultyMin, difficultyMax } = protocol.work;
  const { spotChecksMin, spotChecksMax } = protocol.proof;
  const { graceAnchors } = protocol.anchor;
  const service = 'work-proof';
  if (dialect.workProofInfo === 'public-caps') {
    const public_caps = {
      min_difficulty: difficultyMin,
      max_difficulty: difficultyMax,
      min_spot_checks: spotChecksMin,
      max_spot_checks: spotChecksMax,
      // The age that the oldest of them has.
      anchor_grace_window: graceAnchors - 1,
    };
    return reply({ service, public_caps });
  }
  return reply({
    ok: true,
    service,
    difficulty_min: difficultyMin,
    difficulty_max: difficultyMax,
    spot_checks_min: spotChecksMin,
    spot_checks_max: spotChecksMax,
    grace_anchors: graceAnchors,
  });
});
