/**
 * Finds values in replies for which the specification gives no name and place: a passport, the credentials of a child, the nonce for a wallet, a
 * public key, an address. It judges nothing, and never moves a value that has a place in the text.
 */
import { base58, base64, base64url } from '@scure/base';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { registrationMode } from '../../spec/endpoints/register.js';
import { isObject as isJson, type JsonObject as Json } from '../../spec/formats.js';
import { isAgentHash } from './field-tests.js';

/** The objects of a reply, the outermost first, without objects that repeat what the client sent. */
function objectsIn(value: unknown): readonly Json[] {
  const found: Json[] = [];
  let level = [value];
  while (level.length > 0) {
    found.push(...level.filter(isJson));
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null
        ? Object.entries(each).flatMap(([name, inner]) => (name === 'metadata' ? [] : [inner]))
        : [],
    );
  }
  return found;
}

/** A reply in which values without a place in the text are at the places that our decisions give. */
export function placed(id: EndpointId, json: unknown, sent: unknown): unknown {
  if (!isJson(json)) return json;
  if (id === 'passport') return withPassport(json);
  if (id === 'register' && isJson(sent)) return withRegistration(json, sent);
  return json;
}

/** 4.1: GET /agent/passport returns a signed passport, in the form of 2.6. */
function withPassport(json: Json): Json {
  if (isJson(json['passport'])) return json;
  const passport = objectsIn(json).find((one) => 'agent_hash' in one && 'valid_until' in one);
  return passport === undefined ? json : { ...json, passport };
}

/** 4.2: the text shows neither the reply of a child's registration nor the place of the nonce of modes 2 and 3. */
function withRegistration(json: Json, sent: Json): Json {
  const mode = registrationMode(sent);
  if (mode === 'child' && !('api_key' in json)) {
    const child = objectsIn(json).find(({ api_key }) => typeof api_key === 'string');
    const hash = child && (child['hash'] ?? child['agent_hash'] ?? child['child_hash']);
    return child === undefined ? json : { ...json, ...child, ...(isAgentHash.holds(hash) ? { hash } : {}) };
  }
  if ((mode === 'operator-challenge' || mode === 'ethereum-challenge') && !('nonce' in json)) {
    const nonce = objectsIn(json).find((one) => typeof one['nonce'] === 'string')?.['nonce'];
    return nonce === undefined ? json : { ...json, nonce };
  }
  return json;
}

/** Every text in a JSON value, at any depth, with the name of its field; for a list item, that of the list. */
function textsIn(value: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name));
  return isJson(value) ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, key)) : [];
}

const KEY_BYTES = 32;
/** DER and PEM have these bytes before an Ed25519 key. */
const DER_PREFIX = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/** The bytes that a text encodes; undefined if it is not valid in that encoding. */
function decoded(coder: { readonly decode: (text: string) => Uint8Array }, text: string): Uint8Array | undefined {
  try {
    return coder.decode(text);
  } catch (error) {
    // Coders throw for a text that is not in their encoding.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** The member of a JSON Web Key with the key in base64url (RFC 8037). */
const JWK_MEMBER = 'x';

/**
 * Reads an Ed25519 public key from hex, base58, base64 of either alphabet, or PEM, and returns it in hex. One key in a hundred can be read both as
 * base58 and as base64; in a JSON Web Key the name of the field decides.
 */
function publicKeyHex(text: string, name = ''): string | undefined {
  const bare = text.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  if (/^(0x)?[0-9a-f]{64}$/i.test(bare)) return bare.replace(/^0x/i, '');
  const padded = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
  const inBase64 = [
    [base64, padded],
    [base64url, padded],
  ] as const;
  const codings = name === JWK_MEMBER ? inBase64 : ([[base58, bare], ...inBase64] as const);
  for (const [coder, coded] of codings) {
    const bytes = decoded(coder, coded);
    const isDer = bytes?.length === KEY_BYTES + DER_PREFIX.length && DER_PREFIX.every((byte, n) => bytes[n] === byte);
    if (bytes !== undefined && (bytes.length === KEY_BYTES || isDer))
      return Buffer.from(bytes.slice(-KEY_BYTES)).toString('hex');
  }
  return undefined;
}

/** Names of fields with the name of a key, not the key. */
const NAMES_A_KEY = /(^|_)(k?id|name|fingerprint|thumbprint|x5t.*)$/i;

/** All public keys in a reply, in hex, without duplicates. */
export function publicKeysIn(json: unknown): readonly string[] {
  const keys = textsIn(json).flatMap(([name, text]) =>
    NAMES_A_KEY.test(name) ? [] : (publicKeyHex(text, name) ?? []),
  );
  return [...new Set(keys.map((key) => key.toLowerCase()))];
}

/** All Solana addresses in a reply, without duplicates. */
export function addressesIn(json: unknown): readonly string[] {
  const texts = textsIn(json).map(([, text]) => text);
  return [...new Set(texts.filter((text) => text.length >= KEY_BYTES && decoded(base58, text)?.length === KEY_BYTES))];
}
