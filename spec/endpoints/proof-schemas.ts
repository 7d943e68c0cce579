/** Schemas of proofs, receipts and anchors. Whether one of them verifies is decided in reference/beats. */

import { z } from 'zod';
import type { Facts } from '../endpoint.js';
import { BASE64_URL, SIGNATURE_BASE64 } from '../formats.js';
import { chainHash, count, isoTime } from './shared.js';

/** 2.4 and 2.5: one recomputable beat of a proof. D-02 gives it the nonce, absent when the beat wove none. */
export const spotCheck = z.object({ index: count, hash: chainHash, prev: chainHash, nonce: z.string().optional() });
export type SpotCheck = z.output<typeof spotCheck>;

/** 2.4: the form of a beat proof. Whether it verifies is decided by the rules (D-07). */
export const beatProof = z.object({
  from_beat: count,
  to_beat: count,
  from_hash: chainHash,
  to_hash: chainHash,
  beats_computed: count,
  global_anchor: count,
  anchor_hash: chainHash,
  spot_checks: z.array(spotCheck),
});
export type BeatProof = z.output<typeof beatProof>;

/** 2.5, and in D-57 without an anchor_hash: its beats weave none then. */
export interface WorkProof extends z.output<typeof wholeWorkProof> {
  readonly anchor_hash?: string | undefined;
}

const unwoven = z.object({
  from_hash: chainHash,
  to_hash: chainHash,
  beats_computed: count,
  difficulty: count,
  anchor_index: count,
  spot_checks: z.array(spotCheck),
});
const wholeWorkProof = unwoven.extend({ anchor_hash: chainHash.optional() });

/** 2.5: the form of a work proof. Whether it earns a receipt is decided by the beats service (D-08). */
export const workProof = unwoven.extend({ anchor_hash: chainHash });

/** 2.5 and D-57: a work proof as the deployment reads it. */
export function workProofSent({ protocol, dialect }: Facts): z.ZodType<WorkProof> {
  const woven = dialect.workProofChecks === 'shown-beats' ? wholeWorkProof : workProof;
  if (dialect.proofShape === undefined) return woven as z.ZodType<WorkProof>;
  return woven.extend({
    beats_computed: count.min(1),
    spot_checks: z.array(spotCheck).min(1).max(protocol.proof.spotChecksMax),
  }) as z.ZodType<WorkProof>;
}

/** D-09: the payload of a receipt, and the form in which a dialect may return it. D-57: without an anchor, null. */
export const receiptPayload = z.strictObject({
  type: z.literal('work_proof'),
  beats_verified: count,
  difficulty: count,
  anchor_index: count,
  anchor_hash: chainHash.nullable(),
  from_hash: chainHash,
  to_hash: chainHash,
  utc: isoTime,
  signature: z.string().regex(SIGNATURE_BASE64),
});
export type ReceiptPayload = z.output<typeof receiptPayload>;

/** A receipt as a request holds it: either form of D-09, unread, since a bad one is refused by a row of its own. */
export const receiptSent = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** 2.5 and D-09: a receipt as the dialect's beats service returns it. */
export function receiptReturned({ dialect }: Facts): z.ZodType<string | ReceiptPayload> {
  if (dialect.receiptForm === 'string') return z.string().regex(BASE64_URL);
  return dialect.workProofChecks === 'shown-beats' ? receiptPayload : receiptPayload.extend({ anchor_hash: chainHash });
}

/** D-05: an anchor. D-57: its difficulty may follow the pace of the anchors. */
function anchor({ protocol, dialect: { anchorDifficulty } }: Facts) {
  const { difficulty } = protocol.beat;
  return z.strictObject({
    type: z.literal('anchor'),
    beat_index: count,
    hash: chainHash,
    prev_hash: chainHash,
    utc: count,
    difficulty:
      anchorDifficulty === undefined
        ? z.literal(difficulty)
        : z.union([z.literal(difficulty), z.int().min(anchorDifficulty.min).max(anchorDifficulty.max)]),
    epoch: count,
    tx_signature: z.string().nullable(),
    solana_entropy: z.string(),
  });
}
export type Anchor = z.output<ReturnType<typeof anchor>>;

/** D-05: the beats service's signature over the canonical JSON of the other fields. */
export const signedBy = z.strictObject({
  signature: z.string().regex(SIGNATURE_BASE64),
  public_key: z.string().min(1),
});

/** D-05: the reply of GET /beat/anchor. Before the first anchor there is none to sign. */
export function anchorReply(facts: Facts) {
  return z.strictObject({
    anchor: anchor(facts).nullable(),
    on_chain: z.strictObject({
      tx_signature: z.string().nullable(),
      explorer_url: z.string().nullable(),
      anchored: z.boolean(),
    }),
    receipt: signedBy.nullable(),
    anchor_interval_sec: z.literal(facts.protocol.anchor.intervalSec),
    next_anchor_at: isoTime,
    // Why an anchor that belongs on a ledger is on none.
    _note: z.string().optional(),
  });
}
