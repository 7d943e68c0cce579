/** Verifies the signature of a passport offline, with another library than the one that the reference signs with. */

import { isString } from '../../model/reading/field-tests.js';
import { signedText, verifies } from '../../model/reading/signature.js';
import { at } from '../../model/reading/values.js';
import type { Dialect } from '../../spec/dialect.js';
import { passportFields } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed } from '../assertions/unjudged.js';
import { authorityKeyHex, authorityKeyReply } from '../trial/fixtures.js';
import { NotServed } from '../trial/presence.js';
import { once } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';

/** Whether a passport's signature is that of the authority key. */
function passportVerifies(passport: unknown, dialect: Dialect, authorityKeyHex: string): boolean {
  const signature = at(passport, dialect.passportSignatureField);
  return typeof signature === 'string' && verifies(signature, signedText(passport), authorityKeyHex);
}

/** The fields of a passport without its signature, in the orders in which they may be signed: that of D-11, as sent, or by name. */
function fieldOrders(passport: unknown, { passportSignatureField }: Dialect): readonly (readonly string[])[] {
  const asSent = Object.keys(Object(passport)).filter((field) => field !== passportSignatureField);
  return [passportFields, asSent, asSent.toSorted()];
}

/** Tests which bytes the signature of a passport covers, since the text does not show which are signed. */
interface SignatureRead {
  /** Whether this key signed all fields, in one of the usual orders. */
  readonly whole: (keyHex: string) => boolean;
  /** Whether this key signed only some of the fields, so that anybody can change the others. */
  readonly part: (keyHex: string) => boolean;
}

function readSignature(passport: unknown, dialect: Dialect): SignatureRead {
  const signature = at(passport, dialect.passportSignatureField);
  const textOf = (fields: readonly string[]): string => signedText(passport, fields);
  /** A text with its hashes in lower case: a server may sign hashes in either case. */
  const lower = (text: string): string => text.replaceAll(/"0x[0-9A-F]+"/gi, (hex) => hex.toLowerCase());
  const some = (texts: readonly string[], keyHex: string): boolean =>
    typeof signature === 'string' &&
    [...new Set(texts.flatMap((text) => [text, lower(text)]))].some((text) => verifies(signature, text, keyHex));
  const orders = fieldOrders(passport, dialect);
  const left: readonly (readonly string[])[] = [...passportFields.map((field) => [field]), ...LEFT_OUT];
  const parts = orders.flatMap((order) => left.map((out) => textOf(order.filter((field) => !out.includes(field)))));
  return {
    whole: (keyHex) => some(orders.map(textOf), keyHex),
    part: (keyHex) => some([...parts, String(at(passport, 'agent_hash'))], keyHex),
  };
}

/** Whether a passport names another key than the published one. By D-11 the name of a key is its first characters. */
function namesAnother(reply: Reply, keyHex: string): boolean {
  const [, start] = /^pvn-ed25519-([0-9a-f]{16})$/i.exec(String(reply.get('passport.authority_key_id'))) ?? [];
  return start !== undefined && !keyHex.toLowerCase().startsWith(start.toLowerCase());
}

/** Groups of fields that a signature may leave out. */
const LEFT_OUT = [
  ['issued_at', 'valid_until'],
  ['registered_at_beat', 'sigil_issued_at_beat', 'last_heartbeat_beat'],
  ['format_version', 'authority_key_id'],
] as const;

/** Keys that the target publishes in addition to that of its authority: those of the beats service (D-08). Requested once per run. */
function otherKeys({ session }: Trial): Promise<readonly string[]> {
  return once(session, 'keys of the beats service', async () => {
    if (!session.offers.has('beats')) return [];
    try {
      return (await session.runTrial().call('beat-key')).text.match(/\b[0-9a-f]{64}\b/gi) ?? [];
    } catch (error) {
      if (error instanceof NotServed) return [];
      throw error;
    }
  });
}

/** Clauses that a signature over only some of the fields breaks. */
const COVERS = ['passport.signed', 'passport.field.service-signature'] as const;

/** Clauses of the text that can be judged only if the signed bytes are those of D-11. */
const SIGNED = ['passport.signed', 'service.passport.offline', 'auth.passport.offline'] as const;

/** Clauses that a signature by another key than the published one breaks. */
const BY_AUTHORITY = [...SIGNED, 'authority-key.purpose'] as const;

/**
 * Judges the signature of a passport, with another passport to compare: 64 bytes, different for each, and by the authority key. The text does not
 * show which bytes are signed. If no order of all fields verifies, a signature over some of them, or by another key of the target, is evidence
 * against it; otherwise it cannot be judged.
 */
export async function signatureIs(t: Trial, reply: Reply, other: Reply): Promise<void> {
  const field = t.facts.dialect.passportSignatureField;
  const [made, others] = [reply, other].map((one) => one.get(`passport.${field}`));
  const differ = signedText(reply.get('passport')) !== signedText(other.get('passport'));
  if (differ) {
    const alike = typeof made === 'string' && made === others;
    const assertion = t.shows('passport.field.service-signature');
    assertion.that(`${field} of two passports that differ`, !alike, 'two signatures', 'one and the same', reply);
  }
  const keyHex = await authorityKeyHex(t);
  const passport = reply.get('passport');
  const verified = passportVerifies(passport, t.facts.dialect, keyHex);
  t.shows('passport.bytes').that(`passport.${field}`, verified, 'a signature of the authority key', made, reply);
  t.shows('dialect.passport-signature-field').field(reply, `passport.${field}`, isString);
  t.shows('authority-key.purpose').that('the published key', /^[0-9a-f]{64}$/i.test(keyHex), '32 bytes in hex', keyHex);
  // All passports sign the same fields.
  const known = [reply, other].some((one) => readSignature(one.get('passport'), t.facts.dialect).whole(keyHex));
  for (const one of [reply, other]) {
    const read = readSignature(one.get('passport'), t.facts.dialect);
    const about = 'signature of a passport';
    const byOther = (await otherKeys(t)).filter((key) => key.toLowerCase() !== keyHex.toLowerCase());
    if (read.whole(keyHex)) t.shows(...SIGNED).that(about, true, '', '', one);
    else if (read.part(keyHex)) t.shows(...COVERS).that(about, false, 'over all fields', 'over some of them', one);
    else if (byOther.some((key) => read.whole(key))) {
      t.shows(...BY_AUTHORITY).that(about, false, 'by the authority key', 'by a key of the beats service', one);
    } else if (namesAnother(one, keyHex)) {
      t.shows(...BY_AUTHORITY).that(about, false, 'by the published key', one.get('passport.authority_key_id'), one);
    } else if (known) {
      t.shows(...SIGNED).that(
        about,
        false,
        'a signature that verifies, as in another passport',
        one.get(`passport.${field}`),
        one,
      );
    } else t.shows(...SIGNED).unjudged(notFollowed('D-11', 'the signature does not verify over its bytes'));
  }
  // 2.6: the passport names its key, by the name under which the key is published (D-13).
  const published = (await authorityKeyReply(t)).get('key_id');
  const ownName = t.shows('passport.field.authority-key-id');
  if (published === undefined) ownName.unjudged(notFollowed('D-13', 'key_id is not there'));
  else ownName.field(reply, 'passport.authority_key_id', published);
  const named = `pvn-ed25519-${keyHex.slice(0, 16)}`;
  t.shows('passport.key-id').field(reply, 'passport.authority_key_id', named);
}
