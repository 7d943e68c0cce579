/**
 * Schemas that most endpoints use: counts, hashes, text, errors, passports, fees. Schemas of a few endpoints are in
 * identity-schemas.ts and proof-schemas.ts.
 */

import { z } from 'zod';
import { keptName } from '../dialect-settings.js';
import type { Facts } from '../endpoint.js';
import { agentHashPattern, CHAIN_HASH, hexPattern, ISO_UTC, SIGNATURE_HEX } from '../formats.js';
import { classesOf } from '../parts.js';
import type { Protocol } from '../protocol.js';
import type { PassportField } from '../vocabulary.js';

/** A whole number that is never negative: counts, beats, lamports, milliseconds. */
export const count = z.int().min(0);

/** 2: timestamps named `expires_at` and `created_at`. */
export const isoTime = z.string().regex(ISO_UTC);

/** A time that a client sends: ISO 8601 with a zone, or a date alone, which is UTC. */
export const isoTimeSent = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** 2: an agent hash. */
export const agentHash = ({ protocol }: Facts): z.ZodString => z.string().regex(agentHashPattern(protocol));

/** D-02: a hash of a beat chain or of an anchor. */
export const chainHash = z.string().regex(CHAIN_HASH);

/** A nonce, token, secret or key of `bytes` bytes, in lower-case hex. */
export const hexOf = (bytes: number): z.ZodString => z.string().regex(hexPattern(bytes));

/** D-14: the hash of an agent's lineage events. */
export const lineageHash = z.string().regex(/^0x[0-9a-f]{64}$/);

/** The number of Unicode code points of a text, the unit of text lengths (D-47). */
function codePoints(text: string): number {
  return [...text].length;
}

/** Text of `charsMin` to `charsMax` code points (D-47), taken as it was sent. */
export function textOf(charsMin: number, charsMax: number): z.ZodString {
  return z.string().refine((text) => {
    const chars = codePoints(text);
    return chars >= charsMin && chars <= charsMax;
  }, `must have ${charsMin} to ${charsMax} characters`);
}

/** D-16: whether the trimmed name has an allowed length. */
function isAgentName(name: string, { agent }: Protocol): boolean {
  const chars = codePoints(name.trim());
  return chars >= agent.nameCharsMin && chars <= agent.nameCharsMax;
}

/**
 * An agent's name, as sent: signed messages contain the sent text (D-46), but the length is that of the trimmed text. D-57: both leave out
 * the characters that the dialect removes.
 */
export function agentName({ protocol, dialect }: Facts): z.ZodString {
  const { nameCharsMin, nameCharsMax } = protocol.agent;
  const sent =
    dialect.nameCharacters === undefined ? z.string() : z.string().overwrite((name) => keptName(dialect, name));
  return sent.refine(
    (name) => isAgentName(name, protocol),
    `must have ${nameCharsMin} to ${nameCharsMax} characters, trimmed`,
  );
}

/** The signature of the transaction that pays a fee. A missing one is PAYMENT_REQUIRED, a row of its own. */
export const paymentTx = z.string().optional();

/** Section 7: the body of every refusal. The code is optional because some rows of section 7 name none. */
export const errorBody = z.strictObject({ error: z.string(), code: z.string().optional() });

/** D-34: the body of a refusal by a rate limit. */
export const rateLimitedBody = z.strictObject({
  error: z.string(),
  code: z.literal('RATE_LIMITED'),
  retry_after_ms: count.optional(),
});

/** 2.6: the fields that are signed, in the order in which they are signed (D-11). */
export function signedPassportFields(facts: Facts) {
  return {
    format_version: z.literal(facts.protocol.passport.formatVersion),
    agent_hash: agentHash(facts),
    agent_public_key: z.string().nullable(),
    authority_key_id: z.string().min(1),
    identity_class: z.enum(classesOf(facts.protocol)).nullable(),
    registered_at_beat: count,
    sigil_issued_at_beat: count.nullable(),
    last_heartbeat_beat: count,
    lineage_chain_hash: lineageHash,
    issued_at: count,
    valid_until: count,
  } satisfies Record<PassportField, z.ZodType>;
}

/** A passport; its signature is under the name that the dialect gives it. */
type Passport = z.output<z.ZodObject<ReturnType<typeof signedPassportFields>>> & {
  readonly [signatureField: string]: string | number | null;
};

/** 2.6, with the dialect's name for the signature. */
export function passport(facts: Facts): z.ZodType<Passport> {
  return z.strictObject({
    ...signedPassportFields(facts),
    [facts.dialect.passportSignatureField]: z.string().regex(SIGNATURE_HEX),
  }) as unknown as z.ZodType<Passport>;
}

/** 2.9 without the tier: the fee of a SIGIL or of a reissued passport. */
export const fee = z.strictObject({ amount_sol: z.number(), amount_lamports: count, payment_tx: z.string() });

/** 2.9: the fee of a heartbeat. */
export const heartbeatFee = fee.extend({ tier: z.int().min(1).max(3) });

/** The deposit that a call has paid, where a change has one. */
export const depositPaid = ({ protocol }: Facts): Readonly<Record<string, z.ZodType>> =>
  protocol.deposit.lamports > 0 ? { deposit_lamports: count } : {};

/** A field of a disabled mode. A call with it is refused, and not read as a call of another mode. */
export const absent = z.never('is of a mode that is switched off').optional();
