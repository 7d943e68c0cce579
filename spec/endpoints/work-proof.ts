/** POST and GET /beat/work-proof of the beats service as data. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { workProofRefusals } from '../vocabulary.js';
import { receiptReturned, workProof } from './proof-schemas.js';

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
  body: () =>
    z
      .union([z.object({ work_proof: workProof }), workProof])
      .transform((body) => ('work_proof' in body ? body.work_proof : body)),
  invalid: 'work-proof/VALIDATION',
  replies: (facts: Facts) => ({
    200: z.discriminatedUnion('ok', [
      z.strictObject({ ok: z.literal(true), valid: z.literal(true).optional(), receipt: receiptReturned(facts) }),
      z.strictObject({ ok: z.literal(false), valid: z.literal(false), reason: z.enum(workProofRefusals) }),
    ]),
  }),
} as const satisfies Endpoint;

/** D-08: what the beats service asks of a work proof. */
export const workProofGet = {
  ...call,
  id: 'work-proof.get',
  method: 'GET',
  purpose: 'Tells what a work proof must hold.',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: ({ protocol }: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      service: z.string().min(1),
      difficulty_min: z.literal(protocol.work.difficultyMin),
      difficulty_max: z.literal(protocol.work.difficultyMax),
      spot_checks_min: z.literal(protocol.proof.spotChecksMin),
      spot_checks_max: z.literal(protocol.proof.spotChecksMax),
      grace_anchors: z.literal(protocol.anchor.graceAnchors),
    }),
  }),
} as const satisfies Endpoint;

export type WorkProofReply = z.output<ReturnType<typeof workProofPost.replies>[200]>;
export type WorkProofInfo = z.output<ReturnType<typeof workProofGet.replies>[200]>;
