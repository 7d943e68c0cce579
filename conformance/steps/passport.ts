import type { Dialect } from '../../spec/dialect.js';
import { passportFields } from '../../spec/vocabulary.js';
import { at } from '../assertions/reply.js';
import { verifies } from '../protocol/wallet.js';

/** The text over which a passport is signed (D-11): the suite's own rule, which shares no code with the reference. */
export function signedText(passport: unknown): string {
  return JSON.stringify(Object.fromEntries(passportFields.map((field) => [field, at(passport, field)])));
}

/** Whether a passport's signature is that of the authority key. */
export function passportVerifies(passport: unknown, dialect: Dialect, authorityKeyHex: string): boolean {
  const signature = at(passport, dialect.passportSignatureField);
  return typeof signature === 'string' && verifies(signature, signedText(passport), authorityKeyHex);
}
