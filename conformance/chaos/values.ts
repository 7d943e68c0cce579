/** Forms that write values in another notation: times, hex, names, tokens. */

import { base58 } from '@scure/base';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { CHAIN_HASH, type JsonObject as Json } from '../../spec/formats.js';
import { DAY_MS } from '../../spec/time.js';
import { eachString, type FormTable, inner, isChild, objectOf, only, renamed } from './form.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const times =
  (write: (text: string) => string) =>
  (json: Json): unknown =>
    eachString(json, (text) => (ISO.test(text) ? write(text) : text));

/** A time two hours east of Greenwich. */
const east = (text: string): string => new Date(Date.parse(text) + 7_200_000).toISOString().replace('Z', '+02:00');

/** A time three and a half hours west of Greenwich. */
const west = (text: string): string => new Date(Date.parse(text) - 12_600_000).toISOString().replace('Z', '-03:30');

const base64 = (text: string): string => Buffer.from(text).toString('base64url');
const plain = (text: string): string => Buffer.from(text, 'base64url').toString();

const LOOKUPS: readonly EndpointId[] = ['status', 'verify', 'verify-batch', 'beat-status'];
/** Calls that show hashes of a beat chain. */
const CHAINS: readonly EndpointId[] = ['init', 'resync', 'beat-status'];

export const valueForms: FormTable = {
  'time-offset-zero': { group: 'time', open: '2: ISO 8601', reply: times((text) => text.replace('Z', '+00:00')) },
  'time-offset-east': { group: 'time', open: '2: ISO 8601', reply: times(east) },
  'time-microseconds': {
    group: 'time',
    open: '2: ISO 8601',
    reply: times((text) => text.replace(/(\.\d+)?Z$/, '.000000Z')),
  },
  'time-whole-seconds': { group: 'time', open: '2: ISO 8601', reply: times((text) => text.replace(/\.\d+Z$/, 'Z')) },
  'time-offset-west': { group: 'time', open: '2: ISO 8601', reply: times(west) },
  'time-basic': {
    group: 'time',
    open: '2: ISO 8601 has a form without hyphens and colons',
    reply: times((text) => text.replaceAll(/[-:]/g, '')),
  },
  'time-comma': {
    group: 'time',
    open: '2: ISO 8601 takes a comma for the point',
    reply: times((text) => text.replace('.', ',')),
  },
  'time-half-hours-east-comma': {
    group: 'time',
    open: '2: ISO 8601 has offsets of half hours, and takes a comma for the point',
    reply: times((text) =>
      new Date(Date.parse(text) + 19_800_000).toISOString().replace('.', ',').replace('Z', '+05:30'),
    ),
  },
  'time-day-of-year': {
    group: 'time',
    open: '2: ISO 8601 counts days of the year, too',
    reply: times((text) => {
      const at = Date.parse(text);
      const day = 1 + Math.floor((at - Date.UTC(new Date(at).getUTCFullYear(), 0, 1)) / DAY_MS);
      return `${text.slice(0, 4)}-${String(day).padStart(3, '0')}${text.slice(10)}`;
    }),
  },
  'updated-fields-with-counter': {
    open: '4.11: whether the counter is an updated field',
    reply: only(['metadata'], (json, at) =>
      at.sent['generation_trigger'] !== undefined && Array.isArray(json['updated_fields'])
        ? { ...json, updated_fields: [...json['updated_fields'], 'generation'] }
        : json,
    ),
  },
  'billing-epoch-from-one': {
    open: '4.5: the number of the first billing epoch',
    reply: only(['heartbeat'], (json) =>
      typeof json['billing_epoch'] === 'number' ? { ...json, billing_epoch: json['billing_epoch'] + 1 } : json,
    ),
  },
  'genesis-to-the-second': {
    open: '2.3: timestamp in ms',
    reply: only(['init'], (json) =>
      inner(json, 'genesis', (one) =>
        typeof one['timestamp'] === 'number'
          ? { ...one, timestamp: Math.floor(one['timestamp'] / 1_000) * 1_000 }
          : one,
      ),
    ),
  },
  'genesis-prev-short': {
    open: '2.3: the number of zeros',
    reply: only(['init'], (json) => inner(json, 'genesis', (one) => ({ ...one, prev: '0' }))),
  },
  'registration-token-upper-case': {
    open: '4.3: case of the hex',
    reply: only(['register-token'], (json) => ({ ...json, token: String(json['token']).toUpperCase() })),
    request: ({ headers, ...request }) => {
      const token = headers['x-registration-token'];
      return {
        ...request,
        headers: token === undefined ? headers : { ...headers, 'x-registration-token': token.toLowerCase() },
      };
    },
  },
  'passport-key-as-hex': {
    open: '2.6: whether a key is shown as a key or as an address',
    reply: (json) =>
      eachString(json, (text, key) =>
        key === 'agent_public_key' && !text.startsWith('0x') ? Buffer.from(base58.decode(text)).toString('hex') : text,
      ),
    lost: 12,
  },
  'child-passport-narrow-task': {
    open: '2.6: identity_class of a child without a SIGIL',
    reply: (json) =>
      ['passport', 'lineage_proof'].reduce<Json>(
        (each, name) =>
          inner(each, name, (one) => ({ ...one, identity_class: one['identity_class'] ?? 'narrow_task' })) as Json,
        json,
      ),
    lost: 3,
  },
  'hex-upper-case': {
    group: 'case',
    open: '2: hex characters',
    // A reply in which an agent learns its own hash keeps that hash unchanged, since signed messages contain it.
    reply: (json, { endpoint }) =>
      endpoint === 'register'
        ? json
        : eachString(json, (text) => (/^0x[0-9a-f]{64}$/.test(text) ? `0x${text.slice(2).toUpperCase()}` : text)),
  },
  'chain-hashes-upper-case': {
    open: '2.3 and 2.4: case of the hex of chain hashes',
    reply: (json, { endpoint }) =>
      CHAINS.includes(endpoint)
        ? eachString(json, (text, key) =>
            CHAIN_HASH.test(text) && /^prev$|hash$/.test(key) ? text.toUpperCase() : text,
          )
        : json,
    request: (request) =>
      request.body === undefined
        ? request
        : {
            ...request,
            body: request.body.replaceAll(/(?<="(?:prev|[a-z_]*hash)":\s*")[0-9A-F]{64}(?=")/g, (hash) =>
              hash.toLowerCase(),
            ),
          },
  },
  'signature-upper-case': {
    open: '2.6: case of the hex',
    reply: (json) => eachString(json, (text, key) => (key === 'service_signature' ? text.toUpperCase() : text)),
  },
  'child-type-child': {
    open: '2.1: type of a child is not shown',
    reply: (json, at) => (isChild(at) ? { ...json, type: 'child' } : json),
  },
  'child-type-in-lookups': {
    open: '2.1: type of a child is not shown',
    reply: (json) => eachString(json, (text, key) => (key === 'type' && text === 'agent' ? 'spawned' : text)),
  },
  'generation-from-zero': {
    open: '2.8: where the counter starts',
    reply: (json) => {
      const less = (value: unknown): unknown => (typeof value === 'number' ? value - 1 : value);
      const one = 'generation' in json ? { ...json, generation: less(json['generation']) } : json;
      return inner(one, 'sigil', (sigil) =>
        'generation' in sigil ? { ...sigil, generation: less(sigil['generation']) } : sigil,
      );
    },
  },
  'lineage-hash-plain': {
    open: '2.6: form of lineage_chain_hash',
    reply: (json) => eachString(json, (text, key) => (key === 'lineage_chain_hash' ? text.replace(/^0x/, '') : text)),
    lost: 3,
  },
  'key-id-other': {
    open: '2.6: the name of the key',
    reply: (json) => eachString(json, (text, key) => (key === 'authority_key_id' || key === 'key_id' ? 'key-1' : text)),
    lost: 12,
  },
  'expired-named-otherwise': {
    open: '3.4: status after expires_at is not shown',
    reply: (json) => eachString(json, (text, key) => (key === 'status' && text === 'expired' ? 'lapsed' : text)),
  },
  'metadata-absent-empty': {
    open: '2.2: metadata that was not given',
    reply: (json, at) =>
      LOOKUPS.includes(at.endpoint) && json['metadata'] === null ? { ...json, metadata: {} } : json,
  },
  'metadata-absent-null': {
    open: '2.1: metadata that was not given',
    reply: only(['register'], (json, at) =>
      at.sent['metadata'] === undefined && 'metadata' in json ? { ...json, metadata: null } : json,
    ),
  },
  'secret-other-form': {
    open: '2.1: form of secret',
    reply: only(['register'], (json) =>
      typeof json['secret'] === 'string' ? { ...json, secret: `s-${json['secret'].slice(0, 20)}` } : json,
    ),
  },
  'birth-tx-other': {
    open: '2.1: form of birth_tx',
    reply: only(['register'], (json) => ('birth_tx' in json ? { ...json, birth_tx: 'birth/1' } : json)),
  },
  'explorer-other': {
    open: '2.7: form of explorer_url',
    reply: (json) => eachString(json, (text, key) => (key === 'explorer_url' ? 'https://explorer.example/tx' : text)),
  },
  'keys-otherwise': {
    open: '5: payload and signature',
    ...renamed(
      'api_key',
      (key) =>
        key.replace(/^pvn_([^.]*)\.(.*)$/, (_, payload: string, mac: string) => `pvn_${base64(payload)}.M${mac}`),
      (key) =>
        key.replace(/^pvn_([\w-]*)\.M(.*)$/, (_, payload: string, mac: string) => `pvn_${plain(payload)}.${mac}`),
    ),
    lost: 3,
  },
  'authorizations-otherwise': {
    open: '4.8: form of a token',
    ...renamed(
      'spawn_authorization',
      (text) => `auth:${base64(text)}`,
      (text) => (text.startsWith('auth:') ? plain(text.slice(5)) : text),
    ),
  },
  'receipts-opaque': {
    open: '2.5: a signed string',
    ...renamed(
      'receipt',
      (text) => `r.${base64(text)}`,
      (text) => (text.startsWith('r.') ? plain(text.slice(2)) : text),
    ),
    lost: 6,
  },
  'resync-nonces-otherwise': {
    open: '4.10: form of a nonce',
    reply: only(['resync'], (json) => inner(json, 'challenge', (one) => ({ ...one, nonce: `rs_${one['nonce']}` }))),
    request: (request) => ({
      ...request,
      ...(request.body?.includes('"rs_') === true ? { body: request.body.replace('"rs_', '"') } : {}),
    }),
  },
  'operator-nonce-field': {
    open: '4.2, mode 2: the field that carries the nonce in phase 2',
    request: (request) => {
      const { wallet_nonce: _, nonce, ...sent } = objectOf(request.body ?? '');
      if (sent['wallet_model'] !== 'operator' || sent['wallet_signature'] === undefined) return request;
      // The text names the field of a wallet link.
      if (!new URL(request.url).pathname.endsWith('/register')) return request;
      return { ...request, body: JSON.stringify({ ...sent, ...(nonce === undefined ? {} : { wallet_nonce: nonce }) }) };
    },
    lost: 6,
  },
  'hints-other': {
    open: '2.3 and 4.3: hint strings',
    reply: (json) => ({
      ...inner(json, '_next_steps', (steps) => eachString(steps, (_, key) => `GET /help/${key}`)),
      ...(typeof json['_info'] === 'string' ? { _info: 'x-registration-token' } : {}),
    }),
  },
  'standings-other': {
    open: '4.14: the words of standing',
    reply: (json) => eachString(json, (text, key) => (key === 'standing' ? `in-${text}` : text)),
    lost: 8,
  },
};
