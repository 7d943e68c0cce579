/**
 * Servers that differ from the reference only where the specification is silent: none of them may have a failure against the
 * text. Mistakes, which must be found, are in the other files of this folder.
 */
import type { EndpointId } from '../protocol/endpoints.js';
import { endpointIds, endpointOf } from '../protocol/endpoints.js';
import type { Transport, WireReply, WireRequest } from '../wire/transport.js';

type Json = Readonly<Record<string, unknown>>;

/** One way in which a server may differ. */
export interface PermittedForm {
  readonly id: string;
  /** Where the specification leaves it open. */
  readonly open: string;
  /** Changes a reply of an endpoint; gets its JSON body. */
  readonly reply?: (json: Json, at: Replied) => unknown;
  /** Changes the status or the headers of a reply, or a body that is no object. */
  readonly answer?: (reply: WireReply, at: Replied) => WireReply;
  /** Changes a request on its way in: what the server made of its own form it understands again. */
  readonly request?: (request: WireRequest) => WireRequest;
  /** Must clauses that can no longer be judged, at most: what rests on the form alone. */
  readonly lost: number;
}

/** Which endpoint replied, and how. */
export interface Replied {
  readonly endpoint: EndpointId;
  readonly status: number;
  readonly ok: boolean;
  readonly sent: Json;
}

/** A copy in which every string is changed. */
function eachString(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((item) => eachString(item, change, key));
  // What a client sent comes back as it was.
  if (typeof value !== 'object' || value === null || key === 'metadata') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, eachString(inner, change, name)]));
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const times =
  (write: (text: string) => string) =>
  (json: Json): unknown =>
    eachString(json, (text) => (ISO.test(text) ? write(text) : text));

/** A time two hours east of Greenwich. */
const east = (text: string): string => new Date(Date.parse(text) + 7_200_000).toISOString().replace('Z', '+02:00');

const only =
  (endpoints: readonly EndpointId[], change: (json: Json, at: Replied) => unknown) =>
  (json: Json, at: Replied): unknown =>
    at.ok && endpoints.includes(at.endpoint) ? change(json, at) : json;

const without = (json: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

const inner = (json: Json, name: string, change: (value: Json) => unknown): Json => {
  const value = json[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...json, [name]: change(value as Json) }
    : json;
};

const eachResult = (json: Json, change: (result: Json) => unknown): Json => {
  const results = json['results'];
  return Array.isArray(results) ? { ...json, results: results.map((result) => change(result as Json)) } : json;
};

const refusals =
  (endpoints: readonly EndpointId[], change: (json: Json, at: Replied) => unknown) =>
  (json: Json, at: Replied): unknown =>
    at.status >= 400 && at.status !== 429 && endpoints.includes(at.endpoint) ? change(json, at) : json;

const isChild = ({ sent, endpoint }: Replied): boolean =>
  endpoint === 'register' && sent['spawn_authorization'] !== undefined;
const LOOKUPS: readonly EndpointId[] = ['status', 'verify', 'verify-batch', 'beat-status'];
const CREATING: readonly EndpointId[] = ['register', 'sigil', 'sponsor.post', 'flag', 'subsidy.post', 'register-token'];
const ANCHORS: readonly EndpointId[] = ['beat-anchor', 'beats.beat-anchor'];

const answered =
  (when: (at: Replied, json: Json) => boolean, status: number, change: (json: Json) => unknown = (json) => json) =>
  (reply: WireReply, at: Replied): WireReply => {
    const json = objectOf(reply.body);
    return when(at, json) ? { ...reply, status, body: JSON.stringify(change(json)) } : reply;
  };

function objectOf(text: string): Json {
  try {
    const value: unknown = JSON.parse(text === '' ? 'null' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Opaque names for values that the server issues, and their way back. */
function renamed(field: string, write: (value: string) => string, read: (value: string) => string) {
  return {
    reply: (json: Json): unknown => eachString(json, (text, key) => (key === field ? write(text) : text)),
    request: (request: WireRequest): WireRequest => {
      const { authorization } = request.headers;
      const headers =
        authorization === undefined
          ? request.headers
          : { ...request.headers, authorization: `Bearer ${read(authorization.slice(7))}` };
      const body =
        request.body === undefined
          ? {}
          : { body: JSON.stringify(eachString(objectOf(request.body), (text) => read(text))) };
      return {
        ...request,
        headers,
        ...(request.body?.trimStart().startsWith('{') === true && isJson(request.body) ? body : {}),
      };
    },
  };
}

function isJson(text: string): boolean {
  return Object.keys(objectOf(text)).length > 0;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64url');
const plain = (text: string): string => Buffer.from(text, 'base64url').toString();

/** The permitted forms, by what they change. */
export const permittedForms: readonly PermittedForm[] = [
  { id: 'time-offset-zero', open: '2: ISO 8601', reply: times((text) => text.replace('Z', '+00:00')), lost: 0 },
  { id: 'time-offset-east', open: '2: ISO 8601', reply: times(east), lost: 0 },
  {
    id: 'time-microseconds',
    open: '2: ISO 8601',
    reply: times((text) => text.replace(/(\.\d+)?Z$/, '.000000Z')),
    lost: 0,
  },
  { id: 'time-whole-seconds', open: '2: ISO 8601', reply: times((text) => text.replace(/\.\d+Z$/, 'Z')), lost: 0 },
  {
    id: 'hex-upper-case',
    open: '2: hex characters',
    // Where an agent gets to know its own hash it stays as it is: signed messages hold it.
    reply: (json, { endpoint }) =>
      endpoint === 'register'
        ? json
        : eachString(json, (text) => (/^0x[0-9a-f]{64}$/.test(text) ? `0x${text.slice(2).toUpperCase()}` : text)),
    lost: 0,
  },
  {
    id: 'signature-upper-case',
    open: '2.6: hex',
    reply: (json) => eachString(json, (text, key) => (key === 'service_signature' ? text.toUpperCase() : text)),
    lost: 0,
  },
  {
    id: 'child-type-child',
    open: '2.1: type of a child is not shown',
    reply: (json, at) => (isChild(at) ? { ...json, type: 'child' } : json),
    lost: 0,
  },
  {
    id: 'child-type-in-lookups',
    open: '2.1: type of a child is not shown',
    reply: (json) => eachString(json, (text, key) => (key === 'type' && text === 'agent' ? 'spawned' : text)),
    lost: 0,
  },
  {
    id: 'child-reply-short',
    open: '4.2: response of child registration is not shown',
    reply: (json, at) =>
      isChild(at) && at.ok ? { hash: json['hash'], api_key: json['api_key'], secret: json['secret'] } : json,
    lost: 6,
  },
  {
    id: 'generation-from-zero',
    open: '2.8: where the counter starts',
    reply: (json) => {
      const less = (value: unknown): unknown => (typeof value === 'number' ? value - 1 : value);
      const one = 'generation' in json ? { ...json, generation: less(json['generation']) } : json;
      return inner(one, 'sigil', (sigil) =>
        'generation' in sigil ? { ...sigil, generation: less(sigil['generation']) } : sigil,
      );
    },
    lost: 0,
  },
  {
    id: 'lineage-hash-plain',
    open: '2.6: form of lineage_chain_hash',
    reply: (json) => eachString(json, (text, key) => (key === 'lineage_chain_hash' ? text.replace(/^0x/, '') : text)),
    lost: 3,
  },
  {
    id: 'root-as-text',
    open: '4.14: root',
    reply: only(['verify'], (json) => ({ ...json, root: (json['root'] as Json | undefined)?.['hash'] ?? null })),
    lost: 2,
  },
  {
    id: 'root-as-text-in-batches',
    open: '4.14: root',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => ('root' in one ? { ...one, root: (one['root'] as Json)['hash'] } : one)),
    ),
    lost: 2,
  },
  {
    id: 'status-sigil-object',
    open: '4.1: shape of status',
    reply: only(['status'], (json) =>
      typeof json['sigil'] === 'string' ? { ...json, sigil: { sigil: json['sigil'] } } : json,
    ),
    lost: 4,
  },
  { id: 'status-nested', open: '4.1: shape of status', reply: only(['status'], (json) => ({ agent: json })), lost: 60 },
  {
    id: 'verify-nested',
    open: '4.1: shape of verify',
    reply: only(['verify'], (json) => ({ verification: json })),
    lost: 40,
  },
  {
    id: 'beat-status-other',
    open: '4.1: shape of beat-status',
    reply: only(['beat-status'], (json) => ({ chain: json['heartbeat'], agent: json['agent_hash'] })),
    lost: 30,
  },
  {
    id: 'anchor-flat',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) => ({ ...(json['anchor'] as Json | null) })),
    lost: 12,
  },
  {
    id: 'anchor-renamed',
    open: '4.1: shape of beat/anchor',
    reply: only(ANCHORS, (json) =>
      inner(json, 'anchor', (anchor) => ({ index: anchor['beat_index'], anchor_hash: anchor['hash'] })),
    ),
    lost: 12,
  },
  {
    id: 'authority-key-renamed',
    open: '4.1: shape of authority-key',
    reply: only(['authority-key'], (json) => ({ public_key: json['authority_public_key_hex'], kid: json['key_id'] })),
    lost: 12,
  },
  {
    id: 'fees-short',
    open: '4.1: shape of fees/summary',
    reply: only(['fees-summary'], (json) => ({ payment_address: json['payment_address'] })),
    lost: 30,
  },
  {
    id: 'passport-bare',
    open: '4.1: shape of GET passport',
    reply: only(['passport'], (json) => json['passport']),
    lost: 12,
  },
  {
    id: 'passport-short',
    open: '4.1: shape of GET passport',
    reply: only(['passport'], (json) => ({ passport: json['passport'] })),
    lost: 2,
  },
  {
    id: 'key-id-other',
    open: '2.6: the name of the key',
    reply: (json) => eachString(json, (text, key) => (key === 'authority_key_id' || key === 'key_id' ? 'key-1' : text)),
    lost: 12,
  },
  {
    id: 'extra-fields',
    open: '2: further fields',
    reply: (json) => ({ ...json, request_id: 'r-1', links: { self: '/' } }),
    lost: 0,
  },
  {
    id: 'extra-fields-inside',
    open: '2: further fields',
    reply: (json) =>
      Object.fromEntries(
        Object.entries(json).map(([name, value]) => [
          name,
          typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          name !== 'metadata' &&
          name !== 'passport' &&
          name !== 'lineage_proof'
            ? { ...value, extra: 1 }
            : value,
        ]),
      ),
    lost: 0,
  },
  {
    id: 'fields-backwards',
    open: 'JSON: order of fields',
    reply: (json) => Object.fromEntries(Object.entries(json).toReversed()),
    lost: 0,
  },
  {
    id: 'spaces',
    open: 'JSON: spacing',
    answer: (reply) =>
      isJson(reply.body) ? { ...reply, body: JSON.stringify(JSON.parse(reply.body), null, 2) } : reply,
    lost: 0,
  },
  {
    id: 'charset',
    open: 'HTTP: headers',
    answer: (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'application/json;charset=UTF-8', 'x-powered-by': 'other' },
    }),
    lost: 0,
  },
  {
    id: 'created-201',
    open: '4: statuses of successes',
    answer: (reply, at) => (at.ok && CREATING.includes(at.endpoint) ? { ...reply, status: 201 } : reply),
    lost: 0,
  },
  {
    id: 'events-backwards',
    open: '4.18: order of events',
    reply: (json) => (Array.isArray(json['events']) ? { ...json, events: json['events'].toReversed() } : json),
    lost: 0,
  },
  {
    id: 'updated-fields-backwards',
    open: '4.11: order of updated_fields',
    reply: only(['metadata'], (json) =>
      Array.isArray(json['updated_fields']) ? { ...json, updated_fields: json['updated_fields'].toReversed() } : json,
    ),
    lost: 0,
  },
  {
    id: 'sponsorships-backwards',
    open: '4.13: order of the listing',
    reply: only(['sponsor.get'], (json) =>
      Array.isArray(json['sponsorships']) ? { ...json, sponsorships: json['sponsorships'].toReversed() } : json,
    ),
    lost: 0,
  },
  {
    id: 'revoked-left-out',
    open: '4.13: whether listings show what is revoked',
    reply: only(['sponsor.get'], (json) =>
      Array.isArray(json['sponsorships'])
        ? { ...json, sponsorships: json['sponsorships'].filter((one) => (one as Json)['status'] !== 'revoked') }
        : json,
    ),
    lost: 0,
  },
  {
    id: 'expired-named-otherwise',
    open: '3.4: status after expires_at is not shown',
    reply: (json) => eachString(json, (text, key) => (key === 'status' && text === 'expired' ? 'lapsed' : text)),
    lost: 0,
  },
  {
    id: 'expires-at-left-out',
    open: '4.13: expires_at without expiry',
    reply: only(['sponsor.post'], (json) =>
      inner(json, 'sponsorship', (one) => (one['expires_at'] === null ? without(one, 'expires_at') : one)),
    ),
    lost: 0,
  },
  {
    id: 'created-at-in-post',
    open: '2.10: created_at beside listings',
    reply: only(['sponsor.post'], (json) =>
      inner(json, 'sponsorship', (one) => ({ ...one, created_at: '2026-01-01T00:00:00Z' })),
    ),
    lost: 0,
  },
  {
    id: 'error-texts',
    open: '7: error is any string',
    reply: (json) => (typeof json['error'] === 'string' ? { ...json, error: 'Nein.' } : json),
    lost: 0,
  },
  {
    id: 'error-details',
    open: '7: further fields',
    reply: (json) =>
      typeof json['error'] === 'string' ? { ...json, details: [{ field: 'x' }], status: 'error' } : json,
    lost: 0,
  },
  {
    id: 'register-errors-other',
    open: '7: error bodies of register are not shown',
    reply: refusals(['register'], () => ({ message: 'no' })),
    lost: 6,
  },
  {
    id: 'init-errors-other',
    open: '7: error bodies of init are not shown',
    reply: refusals(['init'], (json) => ({ ...json, error: undefined, message: 'no' })),
    lost: 4,
  },
  {
    id: 'submit-errors-other',
    open: '7: error bodies of beats/submit are not shown',
    reply: refusals(['beats-submit'], (json) => ({ ...json, error: undefined, message: 'no' })),
    lost: 4,
  },
  {
    id: 'metadata-errors-codeless',
    open: '7: codes of metadata errors are not shown',
    reply: refusals(['metadata'], (json) => without(json, 'code')),
    lost: 2,
  },
  {
    id: 'wallet-errors-codeless',
    open: '7: (no code)',
    reply: refusals(['wallet'], (json) => without(json, 'code')),
    lost: 2,
  },
  {
    id: 'wallet-errors-coded-otherwise',
    open: '7: (no code)',
    reply: refusals(['wallet'], (json, at) => (at.status === 401 ? json : { ...json, code: 'OTHER' })),
    lost: 0,
  },
  { id: 'checkin-coded', open: '4.15', reply: refusals(['checkin'], (json) => ({ ...json, code: 'GONE' })), lost: 0 },
  {
    id: 'frozen-heartbeat-409',
    open: '7: the refusal of a frozen agent',
    answer: answered(({ endpoint }, { code }) => endpoint === 'heartbeat' && code === 'AGENT_FROZEN', 409),
    lost: 0,
  },
  {
    id: 'frozen-heartbeat-coded-otherwise',
    open: '7: the refusal of a frozen agent',
    reply: (json) => (json['code'] === 'AGENT_FROZEN' ? { ...json, code: 'FROZEN' } : json),
    lost: 0,
  },
  {
    id: 'not-initialized-400',
    open: '7: a chain that has not started',
    answer: answered((_, { code }) => code === 'AGENT_NOT_INITIALIZED', 400),
    lost: 0,
  },
  {
    id: 'refused-heartbeat-423',
    open: '3.5: how heartbeats are refused',
    answer: answered((_, { code }) => code === 'HEARTBEAT_REFUSED', 423),
    lost: 0,
  },
  {
    id: 'token-refused-403',
    open: '7: errors of register are not shown',
    answer: answered(({ endpoint }, { code }) => endpoint === 'register' && code === 'AUTH_INVALID', 403),
    lost: 0,
  },
  {
    id: 'authorization-refused-400',
    open: '7: errors of register are not shown',
    answer: answered(({ endpoint }, { code }) => endpoint === 'register' && code === 'SPAWN_CONFLICT', 400),
    lost: 0,
  },
  {
    id: 'content-type-400',
    open: '4: how another content type is refused',
    answer: answered(({ endpoint, status }) => status === 415 && endpoint !== 'register-token', 400),
    lost: 0,
  },
  {
    id: 'bad-json-422',
    open: '7: a body that is not JSON',
    answer: answered((_, { code }) => code === 'INVALID_JSON', 422),
    lost: 0,
  },
  {
    id: 'too-large-400',
    open: '8: size limits are not shown',
    answer: answered(({ status }) => status === 413, 400),
    lost: 0,
  },
  {
    id: 'retry-after-none',
    open: '8: Retry-After',
    answer: (reply) => ({ ...reply, headers: without(reply.headers, 'retry-after') as Record<string, string> }),
    lost: 0,
  },
  {
    id: 'retry-after-ms-none',
    open: '8: the body of a 429',
    reply: (json) => without(json, 'retry_after_ms'),
    lost: 0,
  },
  {
    id: 'unknown-agent-other',
    open: '4.1: shape of lookups',
    reply: (json, at) =>
      at.status === 404 && LOOKUPS.includes(at.endpoint) ? { error: 'not found', code: 'NOT_FOUND_AGENT' } : json,
    lost: 2,
  },
  {
    id: 'lookup-bad-hash-404',
    open: '4.1: shape of lookups',
    answer: answered(
      ({ endpoint, status }) => status === 400 && ['status', 'verify', 'beat-status'].includes(endpoint),
      404,
    ),
    lost: 0,
  },
  {
    id: 'metadata-absent-empty',
    open: '2.2: metadata that was not given',
    reply: (json, at) =>
      LOOKUPS.includes(at.endpoint) && json['metadata'] === null ? { ...json, metadata: {} } : json,
    lost: 0,
  },
  {
    id: 'metadata-absent-null',
    open: '2.1: metadata that was not given',
    reply: only(['register'], (json, at) =>
      at.sent['metadata'] === undefined && 'metadata' in json ? { ...json, metadata: null } : json,
    ),
    lost: 0,
  },
  {
    id: 'wallet-finalize-other',
    open: '4.12: response of finalize is not shown',
    reply: only(['wallet'], (json, at) => (at.sent['action'] === 'challenge' ? json : { linked: true })),
    lost: 2,
  },
  {
    id: 'work-proof-bare',
    open: '4.8: fields beside ok and receipt',
    reply: only(['work-proof.post'], (json) => without(json, 'valid')),
    lost: 0,
  },
  {
    id: 'work-proof-refused-422',
    open: '4.8: how a bad proof is refused',
    answer: answered(
      ({ endpoint }, { ok, reason }) => endpoint === 'work-proof.post' && ok === false && reason !== undefined,
      422,
    ),
    lost: 0,
  },
  {
    id: 'work-proof-reasons-other',
    open: '4.8: reasons',
    reply: (json, at) =>
      at.endpoint === 'work-proof.post' && typeof json['reason'] === 'string' ? { ...json, reason: 'bad proof' } : json,
    lost: 0,
  },
  {
    id: 'init-again-short',
    open: '2.3',
    reply: only(['init'], (json) =>
      json['already_initialized'] === true ? without(json, 'difficulty', 'last_heartbeat_beat') : json,
    ),
    lost: 0,
  },
  {
    id: 'resync-402-short',
    open: '4.10: the 402 of resync',
    reply: (json, at) =>
      at.endpoint === 'resync' && at.status === 402 ? without(json, 'required_beats', 'gap_anchors') : json,
    lost: 0,
  },
  {
    id: 'spawn-402-short',
    open: '4.8',
    reply: (json, at) =>
      at.endpoint === 'spawn' && at.status === 402 ? without(json, 'eligible', 'progress_pct', 'deficit', 'ok') : json,
    lost: 0,
  },
  {
    id: 'challenges-short',
    open: '4.2: the nonce alone',
    reply: only(['register'], (json) => without(json, 'expires_in')),
    lost: 0,
  },
  {
    id: 'unconfigured-404',
    open: '4.18: GET without configuration',
    answer: answered(
      ({ endpoint }, { configured }) => endpoint === 'partner-webhook.get' && configured === false,
      404,
      () => ({ error: 'none', code: 'NOT_CONFIGURED' }),
    ),
    lost: 0,
  },
  {
    id: 'valid-until-left-out',
    open: '2.11: a subsidy without end',
    reply: only(['subsidy.post'], (json) =>
      inner(json, 'subsidy', (one) => (one['valid_until'] === null ? without(one, 'valid_until') : one)),
    ),
    lost: 0,
  },
  {
    id: 'secret-other-form',
    open: '2.1: secret',
    reply: only(['register'], (json) =>
      typeof json['secret'] === 'string' ? { ...json, secret: `s-${json['secret'].slice(0, 20)}` } : json,
    ),
    lost: 0,
  },
  {
    id: 'birth-tx-other',
    open: '2.1: birth_tx',
    reply: only(['register'], (json) => ('birth_tx' in json ? { ...json, birth_tx: 'birth/1' } : json)),
    lost: 0,
  },
  {
    id: 'explorer-other',
    open: '2.7: explorer_url',
    reply: (json) => eachString(json, (text, key) => (key === 'explorer_url' ? 'https://explorer.example/tx' : text)),
    lost: 0,
  },
  {
    id: 'batch-extra',
    open: '4.14: further fields',
    reply: only(['verify-batch'], (json) => eachResult(json, (one) => ({ ...one, checked_at: 1 }))),
    lost: 0,
  },
  {
    id: 'batch-errors-texts',
    open: '4.14: error',
    reply: only(['verify-batch'], (json) =>
      eachResult(json, (one) => ('error' in one ? { ...one, error: 'nobody' } : one)),
    ),
    lost: 0,
  },
  { id: 'batch-missing-hash-as-sent', open: '4.14', reply: only(['verify-batch'], (json) => json), lost: 0 },
  {
    id: 'beat-state-other',
    open: '4.14: beat_state',
    reply: only(['verify', 'verify-batch'], (json) =>
      Array.isArray(json['results'])
        ? eachResult(json, (one) => ('beat_state' in one ? { ...one, beat_state: { state: 'running' } } : one))
        : { ...json, beat_state: { state: 'running' } },
    ),
    lost: 6,
  },
  {
    id: 'keys-otherwise',
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
  {
    id: 'authorizations-otherwise',
    open: '4.8: form of a token',
    ...renamed(
      'spawn_authorization',
      (text) => `auth:${base64(text)}`,
      (text) => (text.startsWith('auth:') ? plain(text.slice(5)) : text),
    ),
    lost: 0,
  },
  {
    id: 'receipts-opaque',
    open: '2.5: a signed string',
    ...renamed(
      'receipt',
      (text) => `r.${base64(text)}`,
      (text) => (text.startsWith('r.') ? plain(text.slice(2)) : text),
    ),
    lost: 6,
  },
];

const patterns = endpointIds.map((id) => {
  const { method, path, service } = endpointOf(id);
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
  return { id, method, pattern, service };
});

/** A transport through which a server has a permitted form. `beatsOrigin` is that of its beats service. */
export function permitting(send: Transport, form: PermittedForm, beatsOrigin: string): Transport {
  return async (request) => {
    const url = new URL(request.url);
    const service = url.origin === beatsOrigin ? 'beats' : 'registry';
    const found = patterns.find(
      (one) => one.service === service && one.method === request.method && one.pattern.test(url.pathname),
    );
    if (found === undefined || url.pathname.startsWith('/control/')) return send(request);
    const reply = await send(form.request?.(request) ?? request);
    const sent = objectOf(request.body ?? '');
    const at: Replied = {
      endpoint: found.id,
      status: reply.status,
      ok: reply.status >= 200 && reply.status < 300,
      sent,
    };
    const answer = form.answer?.(reply, at) ?? reply;
    if (form.reply === undefined || !isJson(answer.body)) return answer;
    return { ...answer, body: JSON.stringify(form.reply(objectOf(answer.body), at)) };
  };
}
