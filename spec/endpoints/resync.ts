/** POST /agent/resync as data, in both of its forms. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { servesMode } from '../parts.js';
import type { Protocol } from '../protocol.js';
import { beatProof, receiptSent } from './proof-schemas.js';
import { absent, agentHash, chainHash, count, depositPaid, errorBody, fee, hexOf, paymentTx } from './shared.js';

/** Section 8 limits the two forms of 4.10 separately: a body with `action` is the challenge form, whatever its value. */
function isChallengeForm(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'action' in body;
}

/** 4.10: the reply to action `challenge`. */
function resyncChallenge({ protocol }: Facts) {
  return z.strictObject({
    challenge: z.strictObject({
      nonce: hexOf(protocol.resync.nonceBytes),
      required_beats: count,
      start_from_hash: chainHash,
      start_from_beat: count,
      difficulty: z.literal(protocol.beat.difficulty),
      sync_to_global: count,
    }),
    gap_beats: count,
  });
}

/** The fee and the deposit in a reply, where a change has them. */
const paidOf = (facts: Facts): ReturnType<typeof depositPaid> => ({
  ...(facts.protocol.resync.feeLamports > 0 ? { fee } : {}),
  ...depositPaid(facts),
});

/** Whether a change gives resyncs a payment. */
const isPaid = ({ resync: { feeLamports }, deposit }: Protocol): boolean => feeLamports + deposit.lamports > 0;

/** 4.10: the reply to action `prove`. */
function resyncProved(facts: Facts) {
  const reply = { ok: z.literal(true), status: z.literal('active'), total_beats: count };
  return z.strictObject({ ...reply, ...paidOf(facts) });
}

/** 4.10: the reply of the receipt form. */
function resynced(facts: Facts) {
  return z.strictObject({
    ok: z.literal(true),
    agent_hash: agentHash(facts),
    status: z.literal('active'),
    last_global_sync: count,
    gap_anchors: count,
    required_beats: count,
    beats_proven: count,
    receipt_based: z.boolean(),
    ...paidOf(facts),
  });
}

/** Section 7: the two refusals with 402; what D-35 adds to the first is optional. */
const resyncReceiptRefused = z.discriminatedUnion('code', [
  z.strictObject({
    error: z.string(),
    code: z.literal('RECEIPT_REQUIRED'),
    required_beats: count.optional(),
    gap_anchors: count.optional(),
  }),
  z.strictObject({ error: z.string(), code: z.literal('INVALID_RECEIPT') }),
]);

/** 4.10. */
export const resync = {
  id: 'resync',
  stem: 'resync',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/resync',
  section: '4.10',
  purpose: 'Brings a frozen agent back for penalty beats.',
  auth: 'agent',
  buckets: [
    {
      limit: 'resyncChallenge',
      by: 'ip',
      when: { text: 'the challenge form: action is present', test: isChallengeForm },
    },
    {
      limit: 'resyncReceipt',
      by: 'ip',
      when: { text: 'the receipt form: action is absent', test: (body: unknown) => !isChallengeForm(body) },
    },
  ],
  body: ({ protocol }: Facts) => {
    const challenges = servesMode(protocol, 'resync/challenge');
    return z
      .object({
        action: challenges ? z.enum(['challenge', 'prove']).optional() : absent,
        challenge_nonce: challenges ? z.string().optional() : absent,
        proof: challenges ? beatProof.optional() : absent,
        beats_receipt: receiptSent.optional(),
        ...(isPaid(protocol) ? { payment_tx: paymentTx } : {}),
      })
      .superRefine((body, context) => {
        if (body.action !== 'prove') return;
        for (const field of ['challenge_nonce', 'proof'] as const) {
          if (body[field] !== undefined) continue;
          context.addIssue({ code: 'custom', path: [field], message: 'is required with action prove' });
        }
      });
  },
  mode: (body: unknown) => (isChallengeForm(body) ? 'resync/challenge' : undefined),
  invalid: 'resync/VALIDATION',
  replies: (facts: Facts) => ({
    200: servesMode(facts.protocol, 'resync/challenge')
      ? z.union([resyncChallenge(facts), resyncProved(facts), resynced(facts)])
      : resynced(facts),
    402: resyncReceiptRefused,
    // The refusals of a payment, which only a change brings, are those of reissue-proof.
    ...(isPaid(facts.protocol) ? { 400: errorBody, 409: errorBody } : {}),
  }),
} as const satisfies Endpoint;
