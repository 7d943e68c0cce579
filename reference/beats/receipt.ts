import type { Dialect } from '../../spec/dialect.js';
import { type ReceiptPayload, receiptPayload } from '../../spec/endpoints/proof-schemas.js';
import { canonicalJson } from './canonical-json.js';
import { type SigningKey, verifyEd25519 } from './signing.js';

export type { ReceiptPayload };

/** D-09: what the beats service vouches for: a receipt's payload without the signature. */
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
 * D-09: reads a receipt in either form. Undefined for whatever has not the form of one, of any type or size, and for
 * one with a field more: the signature is over all of the rest, so that is not the receipt that was signed. Whether the
 * signature holds is `verifyReceiptSignature`'s to say.
 */
export function parseReceipt(input: unknown): ReceiptPayload | undefined {
  const result = receiptPayload.safeParse(typeof input === 'string' ? jsonOf(input) : input);
  return result.success ? result.data : undefined;
}

function jsonOf(text: string): unknown {
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The last character may have spare bits: one spelling of the bytes is the receipt, with padding or without.
  if (bytes.toString('base64url') !== text.replace(/=+$/, '')) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** D-09: whether the receipt's signature is that key's over the canonical JSON of the rest. */
export function verifyReceiptSignature(payload: ReceiptPayload, publicKeyHex: string): boolean {
  const { signature, ...claim } = payload;
  const bytes = Buffer.from(signature, 'base64');
  // Base64 has spare bits at its end and Node skips what is no base64: one spelling of the bytes is the signature.
  return bytes.toString('base64') === signature && verifyEd25519(publicKeyHex, canonicalJson(claim), bytes);
}
