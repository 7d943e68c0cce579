/** POST and GET /beat/work-proof of the beats service as data. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { workProofRefusals } from '../vocabulary.js';
import { receiptReturned, type WorkProof, workProofSent } from './proof-schemas.js';

const call = {
  stem: 'work-proof',
  service: 'beats',
  path: '/api/v1/beat/work-proof',
  section: '4.8',
  auth: 'none',
} as const;

/** 4.8 and D-08: a work proof, wrapped or flat, for a receipt. */
export const workProofPost = {
  ...call,
  id: 'work-proof.post',
  method: 'POST',
  purpose: 'Checks a work proof and signs a receipt for its beats.',
  buckets: [{ limit: 'workProof', by: 'ip' }],
  body: (facts: Facts) => {
    const proof = workProofSent(facts);
    return z
      .union([z.object({ work_proof: proof }), proof], wantedOf(facts))
      .transform((body): WorkProof => ('work_proof' in body ? body.work_proof : body));
  },
  invalid: 'work-proof/VALIDATION',
  changesNothing: true,
  bodyBytesMax: ({ protocol }: Facts) => protocol.body.proofBytesMax,
  replies: (facts: Facts) => {
    const refused = { valid: z.literal(false), reason: z.enum(workProofRefusals) };
    const receipt = receiptReturned(facts);
    const alone = facts.dialect.workProofReply === 'valid-alone';
    return {
      200: alone
        ? z.discriminatedUnion('valid', [z.strictObject({ valid: z.literal(true), receipt }), z.strictObject(refused)])
        : z.discriminatedUnion('ok', [
            z.strictObject({ ok: z.literal(true), valid: z.literal(true).optional(), receipt }),
            z.strictObject({ ok: z.literal(false), ...refused }),
          ]),
    };
  },
} as const satisfies Endpoint;

/** D-08: the bounds of a work proof. */
export const workProofGet = {
  ...call,
  id: 'work-proof.get',
  method: 'GET',
  purpose: 'Tells what a work proof must hold.',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: ({ protocol, dialect }: Facts) => {
    const { difficultyMin, difficultyMax } = protocol.work;
    const { spotChecksMin, spotChecksMax } = protocol.proof;
    const caps = z.strictObject({
      min_difficulty: exactly(difficultyMin),
      max_difficulty: exactly(difficultyMax),
      min_spot_checks: exactly(spotChecksMin),
      max_spot_checks: exactly(spotChecksMax),
      anchor_grace_window: z.literal(protocol.anchor.graceAnchors - 1),
    });
    const own = z.strictObject({
      ok: z.literal(true),
      service: z.string().min(1),
      difficulty_min: exactly(difficultyMin),
      difficulty_max: exactly(difficultyMax),
      spot_checks_min: exactly(spotChecksMin),
      spot_checks_max: exactly(spotChecksMax),
      grace_anchors: z.literal(protocol.anchor.graceAnchors),
    });
    const published = z.strictObject({ service: z.string().min(1), public_caps: caps });
    return { 200: dialect.workProofInfo === 'public-caps' ? published : own };
  },
} as const satisfies Endpoint;

function wantedOf({ protocol, dialect }: Facts): string {
  const wanted =
    'must be a work proof: hashes of 64 hex characters, whole numbers, and spot_checks of index, hash and prev';
  const bounds = `; of at least 1 beat, with 1 to ${protocol.proof.spotChecksMax} spot_checks`;
  return dialect.proofShape === undefined ? wanted : wanted + bounds;
}

const exactly = (value: number) => z.literal(value);
