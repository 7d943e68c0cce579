import type { Dialect } from '../../spec/dialect.js';
import { passportFields } from '../../spec/vocabulary.js';
import { isString } from '../assertions/field-tests.js';
import { at, type Reply } from '../assertions/reply.js';
import { verifies } from '../protocol/wallet.js';
import { authorityKeyHex } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** The signature of a passport, verified offline with another library than the reference signs with. */

/** The text over which a passport is signed (D-11): the suite's own rule, which shares no code with the reference. */
export function signedText(passport: unknown): string {
  return JSON.stringify(Object.fromEntries(passportFields.map((field) => [field, at(passport, field)])));
}

/** Whether a passport's signature is that of the authority key. */
export function passportVerifies(passport: unknown, dialect: Dialect, authorityKeyHex: string): boolean {
  const signature = at(passport, dialect.passportSignatureField);
  return typeof signature === 'string' && verifies(signature, signedText(passport), authorityKeyHex);
}

/** Clauses of the text that can be judged where the signed bytes are those of D-11, and only there. */
const SIGNED = ['passport.signed', 'service.passport.offline', 'auth.passport.offline'] as const;

/**
 * The signature of a passport beside that of another one: 64 bytes, of its own, and by the authority key over the bytes of
 * D-11. Which bytes are signed is not shown, so where those of D-11 do not verify, nobody can say whether it is signed.
 */
export async function signatureIs(t: Trial, reply: Reply, other: Reply): Promise<void> {
  const field = t.facts.dialect.passportSignatureField;
  const [made, others] = [reply, other].map((one) => one.get(`passport.${field}`));
  const differ = signedText(reply.get('passport')) !== signedText(other.get('passport'));
  if (differ) {
    const alike = typeof made === 'string' && made === others;
    const assertion = t.alsoShows('passport.field.service-signature');
    assertion.of(reply, `${field} of two passports that differ`, !alike, 'two signatures', 'one and the same');
  }
  const keyHex = await t.setup('the authority key', () => authorityKeyHex(t));
  const passport = reply.get('passport');
  const verified = passportVerifies(passport, t.facts.dialect, keyHex);
  t.alsoShows('passport.bytes').of(reply, `passport.${field}`, verified, 'a signature of the authority key', made);
  t.alsoShows('dialect.passport-signature-field').fieldIs(reply, `passport.${field}`, isString);
  t.alsoShows('authority-key.purpose').that(
    'the published key',
    /^[0-9a-f]{64}$/i.test(keyHex),
    '32 bytes in hex',
    keyHex,
  );
  if (verified) t.alsoShows(...SIGNED).of(reply, `passport.${field}`, true, '', '');
  else t.alsoShows(...SIGNED).unjudged('D-11 is not followed: the signature does not verify over its bytes');
  const named = `pvn-ed25519-${keyHex.slice(0, 16)}`;
  t.alsoShows('passport.key-id').field(reply, 'passport.authority_key_id', named);
}
