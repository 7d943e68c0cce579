/**
 * Work-proof receipts of the beats service: signing, reading and verifying them (D-09). Whether a receipt may still be
 * used is decided in registry/receipt-use.ts.
 */

import type { Dialect } from '../../spec/dialect.js';
import { type ReceiptPayload, receiptPayload } from '../../spec/endpoints/proof-schemas.js';
import { jsonOf } from '../../spec/formats.js';
import { canonicalJson } from './canonical-json.js';
import { type SigningKey, verifyEd25519 } from './signing.js';

export type { ReceiptPayload };

/** D-09: the claim of a receipt: its payload without the signature. */
export type ReceiptClaim = Omit<ReceiptPayload, 'signature'>;

/** D-09: signs a claim with the work-proof key of the beats service. */
export function signReceipt(claim: ReceiptClaim, key: SigningKey): ReceiptPayload {
  return { ...claim, signature: key.signBase64(canonicalJson(claim)) };
}

/** D-09: a receipt in the form that the dialect returns: the payload itself, or base64url of its JSON. */
export function receiptInForm(payload: ReceiptPayload, form: Dialect['receiptForm']): ReceiptPayload | string {
  return form === 'object' ? payload : Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url');
}

/**
 * D-09: reads a receipt in either form. Returns undefined for input of any other type or form, and for a receipt with
 * an extra field: the signature covers all fields, so that is not the receipt that was signed. The signature itself is
 * checked by `verifyReceiptSignature`.
 */
export function parseReceipt(input: unknown): ReceiptPayload | undefined {
  const result = receiptPayload.safeParse(typeof input === 'string' ? decoded(input) : input);
  return result.success ? result.data : undefined;
}

/** The value that a receipt holds as base64url of JSON; undefined for any other text. */
function decoded(text: string): unknown {
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The last character can have spare bits. Only one spelling of the bytes is accepted, with padding or without.
  if (bytes.toString('base64url') !== text.replace(/=+$/, '')) return undefined;
  return jsonOf(bytes.toString('utf8'));
}

/** D-09: whether the signature is this key's, over the canonical JSON of the other fields. */
export function verifyReceiptSignature(payload: ReceiptPayload, publicKeyHex: string): boolean {
  const { signature, ...claim } = payload;
  const bytes = Buffer.from(signature, 'base64');
  // Base64 can have spare bits at its end, and Node skips characters that are not base64: only one spelling is
  // accepted.
  return bytes.toString('base64') === signature && verifyEd25519(publicKeyHex, canonicalJson(claim), bytes);
}
