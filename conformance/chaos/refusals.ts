/** Forms of refusals whose status, code or body the specification leaves open, or that report the other of two faults. */

import { dialects } from '../../spec/dialect.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import { errors } from '../../spec/errors.js';
import { isObject, jsonOf } from '../../spec/formats.js';
import { protocol } from '../../spec/protocol.js';
import type { WireReply, WireRequest } from '../wire/transport.js';
import { answered, type FormTable, isChild, objectOf, type ReplyContext, refusals, without } from './form.js';

const LOOKUPS: readonly EndpointId[] = ['status', 'verify', 'verify-batch', 'beat-status'];

/** Paid endpoints other than heartbeat: section 7 shows fewer errors of their payments. */
const PAID_OTHERS: readonly EndpointId[] = ['sigil', 'reissue-proof'];

const isHash = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);

/** Replaces the status and code of refusals that have this code, for some endpoints. */
const coded = (endpoints: readonly EndpointId[], code: string, status: number, other: string) =>
  answered(
    ({ endpoint }, json) => endpoints.includes(endpoint) && json['code'] === code,
    status,
    () => ({ error: other, code: other }),
  );

const facts = { protocol, dialect: dialects.service, loopbackWebhooks: true };

/** Replaces the refusal of a body that the endpoint's schema refuses; for any other body the reply stays as it is. */
function bodyRefused(reply: WireReply, { endpoint, body, sent }: ReplyContext): WireReply {
  const { body: schema, invalid } = endpointOf(endpoint);
  if (schema === null || body === undefined) return reply;
  // An empty body counts as an empty object (D-40).
  const isJson = body === '' || isObject(jsonOf(body));
  const row = errors[isJson ? (invalid ?? 'any/INVALID_JSON') : 'any/INVALID_JSON'];
  if (isJson && (invalid === null || schema(facts).safeParse(sent).success)) return reply;
  return { ...reply, status: row.status, body: JSON.stringify({ error: row.cause, code: row.code }) };
}

/** Sends another payment_tx than that of a heartbeat. */
const paymentSent =
  (change: (tx: unknown) => unknown) =>
  (request: WireRequest): WireRequest => {
    const { pathname } = new URL(request.url);
    const sent = objectOf(request.body ?? '');
    const tx = change(sent['payment_tx']);
    const isSame =
      !pathname.endsWith('/agent/heartbeat') || tx === sent['payment_tx'] || !isObject(jsonOf(request.body ?? ''));
    return isSame ? request : { ...request, body: JSON.stringify({ ...sent, payment_tx: tx }) };
  };

export const refusalForms: FormTable = {
  'error-texts': {
    open: '7: error is any string',
    reply: (json) => (typeof json['error'] === 'string' ? { ...json, error: 'Nein.' } : json),
  },
  'error-details': {
    open: '7: further fields',
    reply: (json) =>
      typeof json['error'] === 'string' ? { ...json, details: [{ field: 'x' }], status: 'error' } : json,
  },
  'register-errors-other': {
    open: '7: error bodies of register are not shown',
    reply: refusals(['register'], () => ({ message: 'no' })),
    lost: 6,
  },
  'init-errors-other': {
    open: '7: error bodies of init are not shown',
    reply: refusals(['init'], (json) => ({ ...json, error: undefined, message: 'no' })),
    lost: 4,
  },
  'submit-errors-other': {
    open: '7: error bodies of beats/submit are not shown',
    reply: refusals(['beats-submit'], (json) => ({ ...json, error: undefined, message: 'no' })),
    lost: 4,
  },
  'metadata-errors-codeless': {
    open: '7: codes of metadata errors are not shown',
    reply: refusals(['metadata'], (json) => without(json, 'code')),
    lost: 2,
  },
  'wallet-errors-codeless': {
    group: 'wallet-codes',
    open: '7: (no code)',
    reply: refusals(['wallet'], (json) => without(json, 'code')),
    lost: 2,
  },
  'wallet-errors-coded-otherwise': {
    group: 'wallet-codes',
    open: '7: (no code)',
    reply: refusals(['wallet'], (json, at) => (at.status === 401 ? json : { ...json, code: 'OTHER' })),
  },
  'checkin-coded': {
    open: '4.15: code of the 410',
    reply: refusals(['checkin'], (json) => ({ ...json, code: 'GONE' })),
  },
  'frozen-heartbeat-409': {
    open: '7: the refusal of a frozen agent',
    answer: answered(({ endpoint }, { code }) => endpoint === 'heartbeat' && code === 'AGENT_FROZEN', 409),
  },
  'frozen-heartbeat-coded-otherwise': {
    open: '7: the refusal of a frozen agent',
    reply: (json) => (json['code'] === 'AGENT_FROZEN' ? { ...json, code: 'FROZEN' } : json),
  },
  'not-initialized-400': {
    open: '7: a chain that has not started',
    answer: answered((_, { code }) => code === 'AGENT_NOT_INITIALIZED', 400),
  },
  'refused-heartbeat-423': {
    open: '3.5: how heartbeats are refused',
    answer: answered((_, { code }) => code === 'HEARTBEAT_REFUSED', 423),
  },
  'token-refused-403': {
    open: '7: errors of register are not shown',
    answer: answered(({ endpoint }, { code }) => endpoint === 'register' && code === 'AUTH_INVALID', 403),
  },
  'authorization-refused-400': {
    open: '7: errors of register are not shown',
    answer: answered(({ endpoint }, { code }) => endpoint === 'register' && code === 'SPAWN_CONFLICT', 400),
  },
  'content-type-400': {
    open: '4: how another content type is refused',
    answer: answered(({ endpoint, status }) => status === 415 && endpoint !== 'register-token', 400),
  },
  'bad-json-422': {
    open: '7: a body that is not JSON',
    answer: answered((_, { code }) => code === 'INVALID_JSON', 422),
  },
  'too-large-400': { open: '8: size limits are not shown', answer: answered(({ status }) => status === 413, 400) },
  'retry-after-none': {
    open: '8: Retry-After',
    answer: (reply) => ({ ...reply, headers: without(reply.headers, 'retry-after') as Record<string, string> }),
  },
  'retry-after-ms-none': { open: '8: the body of a 429', reply: (json) => without(json, 'retry_after_ms') },
  'unknown-agent-other': {
    open: '4.1: shape of lookups',
    reply: (json, at) =>
      at.status === 404 && LOOKUPS.includes(at.endpoint) ? { error: 'not found', code: 'NOT_FOUND_AGENT' } : json,
    lost: 2,
  },
  'lookup-bad-hash-404': {
    open: '4.1: shape of lookups',
    answer: answered(
      ({ endpoint, status }) => status === 400 && ['status', 'verify', 'beat-status'].includes(endpoint),
      404,
    ),
  },
  'work-proof-refused-422': {
    open: '4.8: how a bad proof is refused',
    answer: answered(
      ({ endpoint }, { ok, reason }) => endpoint === 'work-proof.post' && ok === false && reason !== undefined,
      422,
    ),
  },
  'work-proof-reasons-other': {
    open: '4.8: words of reason',
    reply: (json, at) =>
      at.endpoint === 'work-proof.post' && typeof json['reason'] === 'string' ? { ...json, reason: 'bad proof' } : json,
  },
  'unconfigured-404': {
    open: '4.18: GET without configuration',
    answer: answered(
      ({ endpoint }, { configured }) => endpoint === 'partner-webhook.get' && configured === false,
      404,
      () => ({ error: 'none', code: 'NOT_CONFIGURED' }),
    ),
  },
  'body-before-key': {
    open: '7: which of two faults is reported',
    answer: (reply, at) => (at.status === 401 ? bodyRefused(reply, at) : reply),
  },
  'body-before-state': {
    open: '7: which of two faults is reported',
    answer: (reply, at) => ([402, 403, 404, 409].includes(at.status) ? bodyRefused(reply, at) : reply),
  },
  'body-before-limit': {
    open: '7: which of two faults is reported',
    answer: (reply, at) => (at.status === 429 ? bodyRefused(reply, at) : reply),
  },
  'used-payment-invalid': {
    open: '7: a used payment, elsewhere than on heartbeat',
    answer: coded(PAID_OTHERS, 'PAYMENT_ALREADY_USED', 400, 'PAYMENT_INVALID'),
  },
  'other-sender-invalid': {
    open: '7: the sender, elsewhere than on heartbeat',
    answer: coded(PAID_OTHERS, 'PAYMENT_SENDER_MISMATCH', 403, 'FORBIDDEN'),
  },
  'payment-missing-validation': {
    open: '7: a missing payment, elsewhere than on heartbeat',
    answer: coded(PAID_OTHERS, 'PAYMENT_REQUIRED', 400, 'VALIDATION'),
  },
  'payment-not-text-validation': {
    group: 'payment-not-text',
    open: '7: a payment_tx that is no string',
    answer: (reply, at) =>
      at.sent['payment_tx'] === undefined
        ? reply
        : coded(['heartbeat'], 'PAYMENT_REQUIRED', 400, 'VALIDATION')(reply, at),
  },
  'payment-not-text-looked-up': {
    group: 'payment-not-text',
    open: '7: a payment_tx that is no string',
    request: paymentSent((tx) => (tx === undefined || typeof tx === 'string' ? tx : JSON.stringify(tx))),
  },
  'payment-missing-first': {
    group: 'payment-missing',
    open: '7: which of two faults is reported',
    answer: answered(
      ({ endpoint, sent, status }, { code }) =>
        endpoint === 'heartbeat' &&
        sent['payment_tx'] === undefined &&
        [400, 403, 409, 429].includes(status) &&
        code !== 'RATE_LIMITED',
      400,
      () => ({ error: 'payment_tx', code: 'PAYMENT_REQUIRED' }),
    ),
  },
  'payment-missing-last': {
    group: 'payment-missing',
    open: '7: which of two faults is reported',
    request: paymentSent((tx) => tx ?? 'nobody paid'),
    answer: (reply, at) =>
      at.sent['payment_tx'] === undefined
        ? coded(['heartbeat'], 'PAYMENT_INVALID', 400, 'PAYMENT_REQUIRED')(reply, at)
        : reply,
  },
  'passport-null-before-the-first': {
    open: '4.1: GET passport before there is a passport',
    answer: answered(
      ({ endpoint }, { code }) => endpoint === 'passport' && code === 'SIGIL_REQUIRED',
      200,
      () => ({ passport: null }),
    ),
  },
  'global-anchor-coded-otherwise': {
    open: '4.5: how global_anchor is validated',
    answer: coded(['heartbeat'], 'VALIDATION', 422, 'ANCHOR_INVALID'),
  },
  'name-taken-validation': {
    open: '4.6: a name that is taken',
    answer: coded(['sigil'], 'SIGIL_NAME_TAKEN', 400, 'VALIDATION'),
  },
  'prove-refused-422': {
    open: '4.10: how a bad proof is refused',
    answer: answered(
      ({ endpoint, status, sent }) => endpoint === 'resync' && sent['action'] === 'prove' && status === 400,
      422,
      () => ({ error: 'no', code: 'PROOF_INVALID' }),
    ),
  },
  'submit-refused-422': {
    open: '4.9: how a bad proof is refused',
    answer: answered(({ endpoint, status }) => endpoint === 'beats-submit' && [400, 409].includes(status), 422),
  },
  'frozen-elsewhere-409': {
    open: '3.1: what else a frozen agent is refused',
    answer: coded(['beats-submit', 'spawn'], 'AGENT_FROZEN', 409, 'AGENT_WRONG_STATE'),
  },
  'subsidy-bad-hash-not-found': {
    open: '7: a hash of another form',
    answer: (reply, at) =>
      isHash(at.sent['agent_hash'])
        ? reply
        : coded(['subsidy.post', 'subsidy.delete'], 'SUBSIDY_INVALID', 404, 'AGENT_NOT_FOUND')(reply, at),
  },
  'flag-bad-hash-not-found': {
    open: '7: a hash of another form',
    answer: (reply, at) =>
      isHash(at.sent['target_hash']) ? reply : coded(['flag'], 'VALIDATION', 404, 'FLAG_TARGET_NOT_FOUND')(reply, at),
  },
  'unknown-child-has-no-sponsor': {
    open: '7: which of two faults is reported',
    answer: coded(['sponsor.delete'], 'AGENT_NOT_FOUND', 404, 'SPONSOR_NOT_FOUND'),
  },
  'unknown-agent-has-no-subsidy': {
    open: '7: which of two faults is reported',
    answer: coded(['subsidy.delete'], 'AGENT_NOT_FOUND', 404, 'SUBSIDY_NOT_FOUND'),
  },
  'batch-items-that-are-no-text': {
    open: '7: the code of a batch with items that are not strings',
    answer: (reply, at) => {
      const { hashes } = at.sent;
      const texts = Array.isArray(hashes) && hashes.every((hash) => typeof hash === 'string');
      return texts ? reply : coded(['verify-batch'], 'INVALID_HASH', 400, 'INVALID_INPUT')(reply, at);
    },
  },
  'batch-hashes-before-their-number': {
    open: '7: which of two faults is reported',
    answer: (reply, at) => {
      const { hashes } = at.sent;
      const good = Array.isArray(hashes) && hashes.every(isHash);
      return good ? reply : coded(['verify-batch'], 'BATCH_TOO_LARGE', 400, 'INVALID_HASH')(reply, at);
    },
  },
  'errors-problem-json': {
    open: '7: content type of errors',
    answer: (reply, { status }) =>
      status >= 400 ? { ...reply, headers: { ...reply.headers, 'content-type': 'application/problem+json' } } : reply,
  },
  'errors-null-codes': {
    open: '7: (no code)',
    reply: refusals(['wallet', 'metadata', 'checkin'], (json) => ({ ...json, code: null })),
    lost: 2,
  },
  'register-refused-422': {
    open: '7: errors of register are not shown',
    answer: answered(
      ({ endpoint, status }, { code }) =>
        endpoint === 'register' && status === 400 && code !== 'WALLET_CHAIN_UNSUPPORTED',
      422,
    ),
  },
  'registration-closed-403': {
    open: '7: errors of register are not shown',
    answer: answered((at, { code }) => at.endpoint === 'register' && code === 'AUTH_MISSING' && !isChild(at), 403),
  },
  'www-authenticate': {
    open: 'HTTP: headers',
    answer: (reply, { status }) =>
      status === 401 ? { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Bearer realm="x"' } } : reply,
  },
};
