/** The forms of the golden vectors of spec/golden, one for each file: the names and types of the inputs, steps and results of its cases. */

import { z } from 'zod';

const text = z.string();
const count = z.int().nonnegative();
const hex = z
  .string()
  .regex(/^(?:[0-9a-f]{2})*$/)
  .describe('bytes in lower-case hex');
const hex32 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('32 bytes in lower-case hex');
const hex64 = z
  .string()
  .regex(/^[0-9a-f]{128}$/)
  .describe('64 bytes in lower-case hex');
const base64 = z
  .string()
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)
  .describe('bytes in base64');
const agentHash = z.string().regex(/^0x[0-9a-f]{64}$/);
const dialect = z.enum(['service', 'provenonce']);
const key = { seed_hex: hex32, public_key_hex: hex32 };

/** A file: a sentence about its cases, and the cases, each with a name. */
function file(cases: z.ZodType) {
  return z.strictObject({ about: text, cases: z.array(cases).min(1) });
}

const named = (fields: z.core.$ZodLooseShape) => z.strictObject({ name: text, ...fields });
const cases = (fields: z.core.$ZodLooseShape) => file(named(fields));

const beat = { prev: hex32, index: count, nonce: text.nullable(), seed_text: text, hash: hex32 };
const terms = { anchor_hash: hex32.nullable(), difficulty: count };
const shares = z.strictObject({
  ...{ operations: count, contributors: count, development: count },
  ...{ treasury: count, referral: count },
});

const anchor = z.strictObject({
  ...{ type: text, beat_index: count, hash: hex32, prev_hash: hex32, utc: count },
  ...{ difficulty: count, epoch: count, tx_signature: text.nullable(), solana_entropy: text },
});

const passport = z.strictObject({
  ...{ format_version: z.literal(1), agent_hash: agentHash, agent_public_key: text.nullable() },
  ...{ authority_key_id: text, identity_class: text.nullable(), registered_at_beat: count },
  ...{ sigil_issued_at_beat: count.nullable(), last_heartbeat_beat: count, lineage_chain_hash: agentHash },
  ...{ issued_at: count, valid_until: count },
});

const receipt = z.strictObject({
  ...{ type: text, beats_verified: count, difficulty: count, anchor_index: count, anchor_hash: hex32 },
  ...{ from_hash: hex32, to_hash: hex32, utc: text, signature: base64 },
});

const event = z.strictObject({ type: text, agent_hash: agentHash, beat: count, at: count });

const signed = { secret_key_hex: hex32, dialect, flow: text, nonce: hex32, address: text, subject: text };
const written = { text, text_utf8_hex: hex };

/** The form of each file of spec/golden, by its name without `.json`. */
export const goldenSchemas: Readonly<Record<string, z.ZodType>> = {
  anchors: cases({
    ...{ dialect, domain_prefix: text, beat_index: count, prev_hash: hex32, entropy_base58: text, entropy_hex: hex32 },
    ...{ preimage_hex: hex, hash: hex32, anchor, canonical: text, ...key, signature_base64: base64 },
  }),
  'api-keys': cases({
    ...{ server_secret: text, server_secret_hex: hex, payload: z.strictObject({ h: text, k: text, iat: count }) },
    ...{
      payload_json: text,
      payload_base64url: z
        .string()
        .regex(/^[\w-]+$/)
        .describe('bytes in base64url without padding'),
      signature_hex: hex32,
      api_key: text,
    },
  }),
  beats: file(
    z.union([
      named({ kind: z.literal('beat'), ...beat, ...terms }),
      named({
        ...{ kind: z.literal('chain'), agent_hash: agentHash, genesis_hash: hex32, ...terms },
        beats: z.array(z.strictObject({ index: count, prev: hex32, hash: hex32 })),
      }),
    ]),
  ),
  epochs: cases({ beat: count, billing_epoch: count }),
  'fee-splits': cases({
    ...{ fee_lamports: count, elapsed_ms: count, elapsed_days: count, years: count, bps: shares, lamports: shares },
  }),
  'fee-tiers': cases({ heartbeat_in_epoch: count, tier: count, lamports: count, amount_sol: z.number().positive() }),
  genesis: cases({ agent_hash: agentHash, text, index: z.literal(0), prev: hex32, hash: hex32 }),
  lineage: cases({ previous: hex32, event, canonical: text, text, hash: hex32, lineage_chain_hash: agentHash }),
  messages: file(
    z.union([
      named({ ...signed, ...written, algorithm: z.literal('ed25519'), public_key_hex: hex32, signature: hex64 }),
      named({
        ...{ ...signed, ...written, algorithm: z.literal('eip191-secp256k1'), public_key_hex: hex64 },
        ...{ checksum_address: text, digest_hex: hex32, signature: z.string().regex(/^0x[0-9a-f]{130}$/) },
      }),
    ]),
  ),
  passports: cases({
    ...{ ...key, authority_key_id: text, fields: passport, canonical: text, sha256: hex32, signature_hex: hex64 },
  }),
  receipts: cases({
    ...{ ...key, payload: receipt, canonical: text, signature_base64: base64, payload_json: text, string_form: text },
  }),
  'resync-penalties': cases({ missed_anchors: count, beats: count }),
  'sigil-names': cases({ sigil_name: text, principal: text, tier: text, valid: z.boolean(), sigil: text.nullable() }),
  'spawn-costs': cases({
    ...{ depth: count, siblings: count, depth_cost: count, cost: count },
    ...{ check_value: z.boolean(), float_trap: z.boolean() },
  }),
  'webhook-signatures': cases({ webhook_secret: hex32, body: text, header_value: text }),
};
