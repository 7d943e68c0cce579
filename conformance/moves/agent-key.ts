/** Agent keys that are missing, of another agent, forged or cut (section 5: `pvn_<payload>.<signature>`). */

import { near, type Sent } from './move.js';

/** A key in its two parts. */
function partsOf(key: string): readonly [payload: string, signature: string] {
  const at = key.lastIndexOf('.');
  return [key.slice(0, at), key.slice(at + 1)];
}

/** Changes a payload: the time of issue if it has the form of D-15, otherwise one character. */
function altered(payload: string): string {
  const [prefix, encoded = ''] = payload.split('_');
  try {
    const fields: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    if (typeof fields !== 'object' || fields === null || !('iat' in fields)) return near(payload);
    const later = JSON.stringify({ ...fields, iat: Number(fields.iat) + 1 });
    return `${prefix}_${Buffer.from(later).toString('base64url')}`;
  } catch (error) {
    if (error instanceof SyntaxError) return near(payload);
    throw error;
  }
}

/** Makes a change of both parts of a key. */
const joined =
  (change: (payload: string, signature: string) => string) =>
  (key: string): string =>
    change(...partsOf(key));

/** Keys with a signature that does not match the payload, by name. */
export const forgedKeys = {
  signature: joined((payload, signature) => `${payload}.${near(signature)}`),
  payload: joined((payload, signature) => `${altered(payload)}.${signature}`),
} as const;

/** Keys of a wrong form, by name: longer, shorter, with another prefix, or with an empty part. */
export const nearlyKeys = {
  longer: (key) => `${key}0`,
  shorter: (key) => key.slice(0, -1),
  'half-signature': joined(
    (payload, signature) => `${payload}.${signature.slice(0, -Math.ceil(signature.length / 2))}`,
  ),
  'start-of-signature': joined((payload, signature) => `${payload}.${near(signature, 1)}`),
  'end-of-signature': joined((payload, signature) => `${payload}.${near(signature, signature.length - 4)}`),
  'third-part': (key) => `${key}.0`,
  'signature-twice': (key) => `${key}.${partsOf(key)[1]}`,
  'longer-payload': (key) => key.replace(/^pvn_/, 'pvn_0.'),
  twice: (key) => `${key},${key}`,
  'no-signature': (key) => `${partsOf(key)[0]}.`,
  'payload-alone': (key) => partsOf(key)[0],
  'prefix-of-admins': (key) => key.replace(/^pvn_/, 'pva_'),
  'no-prefix': (key) => key.replace(/^pvn_/, ''),
  'prefix-twice': (key) => `pvn_${key}`,
  'prefix-in-capitals': (key) => key.replace(/^pvn_/, 'PVN_'),
} as const satisfies Readonly<Record<string, (key: string) => string>>;

/** Makes an invalid credential from a valid key; `other`: the key of another agent. */
export type BadKey = (key: string, other: string) => Pick<Sent, 'key' | 'headers'>;

/** Invalid credentials, by name: values that are not a key, and keys mixed with that of another agent. */
export const badKeys = {
  none: () => ({ key: undefined }),
  word: () => ({ key: 'not-a-key' }),
  // The key is valid, so accepting it under another scheme breaks only the clause about the scheme.
  basic: (key) => ({ key: undefined, headers: { authorization: `Basic ${key}` } }),
  bare: (key) => ({ key: undefined, headers: { authorization: key } }),
  signature: (key) => ({ key: forgedKeys.signature(key) }),
  payload: (key) => ({ key: forgedKeys.payload(key) }),
  'of-another': (key, other) => ({ key: `${partsOf(key)[0]}.${partsOf(other)[1]}` }),
} as const satisfies Readonly<Record<string, BadKey>>;
