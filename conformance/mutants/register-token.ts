/** Mistakes planted in registration tokens: how they are issued, used and run out. */
import type { Mutant } from './mutant.js';

const registerTokenEndpoint = 'reference/http/endpoints/register-token';
const registerTokenRules = 'reference/registry/register-token';
const oneTimeRules = 'reference/registry/one-time';

export const registerTokenMutants: readonly Mutant[] = [
  {
    id: 'register-token/wants-body-field',
    title: 'a token request must say for whom',
    clause: 'register-token.body',
    patch: {
      file: registerTokenEndpoint,
      before: 'export const registerTokenRoute = route(registerToken, ({ registry, nowMs }) => reply({',
      after:
        "export const registerTokenRoute = route(registerToken, ({ registry, nowMs, body }) => Object.keys(body).length === 0 ? { ok: false, row: { status: 400, code: 'VALIDATION', cause: 'empty' } } : reply({",
    },
  },
  {
    id: 'register-token/reply-wrapped',
    title: 'the token is nested in an object',
    clause: 'register-token.reply',
    patch: {
      file: registerTokenEndpoint,
      before: 'token: registerTokenRule(registry, nowMs).token,',
      after: 'token: { value: registerTokenRule(registry, nowMs).token },',
    },
  },
  {
    id: 'register-token/longer-than-shown',
    title: 'a token lives an hour',
    clause: 'register-token.use.window',
    patch: {
      file: registerTokenRules,
      before: 'issueOneTime(registry, TOKEN_FLOW, tokenBytes, tokenTtlSec, nowMs) };',
      after: 'issueOneTime(registry, TOKEN_FLOW, tokenBytes, 3_600, nowMs) };',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register-token/shorter-than-shown',
    title: 'a token lives a minute',
    clause: 'register-token.use.window',
    patch: {
      file: registerTokenRules,
      before: 'issueOneTime(registry, TOKEN_FLOW, tokenBytes, tokenTtlSec, nowMs) };',
      after: 'issueOneTime(registry, TOKEN_FLOW, tokenBytes, 60, nowMs) };',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register-token/one-at-a-time',
    title: 'a token ends the one before it',
    clause: 'register-token.use.window',
    patch: {
      file: registerTokenRules,
      before: 'const { tokenBytes, tokenTtlSec } = registry.protocol.registration;',
      after:
        'const { tokenBytes, tokenTtlSec } = registry.protocol.registration;\n    for (const [value, { flow }] of registry.oneTime) if (flow === TOKEN_FLOW) registry.oneTime.delete(value);',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register-token/kept-in-operator-mode',
    title: 'a token that opens a registration in the operator mode stays good',
    clause: 'register-token.use.once',
    deployment: 'mainnet',
    patch: {
      file: 'reference/http/endpoints/register',
      before: 'const root = { name, metadata, ref, token };',
      after: "const root = { name, metadata, ref, token: body.mode === 'operator' ? undefined : token };",
    },
  },
  {
    id: 'register-token/kept-in-self-custody-mode',
    title: 'a token that opens a registration with a self-custody wallet stays good',
    clause: 'register-token.use.once',
    deployment: 'mainnet',
    patch: {
      file: 'reference/http/endpoints/register',
      before: 'const root = { name, metadata, ref, token };',
      after: "const root = { name, metadata, ref, token: body.mode === 'self-custody' ? undefined : token };",
    },
  },
  {
    id: 'register-token/any-flow',
    title: 'a nonce of another flow is taken for a token',
    clause: 'key.registration-token',
    patch: {
      file: oneTimeRules,
      before: 'found !== undefined && found.flow === flow && nowMs',
      after: "found !== undefined && (found.flow === flow || flow === 'register-token') && nowMs",
    },
    deployment: 'mainnet',
  },
  {
    id: 'register-token/dead-at-its-end',
    title: 'a token is refused in its last millisecond but one',
    clause: 'register-token.use.window',
    patch: {
      file: oneTimeRules,
      before: 'nowMs <= found.expiresAtMs ? found',
      after: 'nowMs <= found.expiresAtMs - 10_000 ? found',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register-token/of-600',
    title: 'a token lives 600 seconds',
    clause: 'constant.registration-token-ttl',
    patch: {
      file: registerTokenRules,
      before: 'issueOneTime(registry, TOKEN_FLOW, tokenBytes, tokenTtlSec, nowMs) };',
      after: 'issueOneTime(registry, TOKEN_FLOW, tokenBytes, 600, nowMs) };',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register-token/upper-case',
    title: 'a token is in upper case',
    clause: 'constant.registration-token-form',
    patch: {
      file: registerTokenRules,
      before: 'token: issueOneTime(registry, TOKEN_FLOW, tokenBytes, tokenTtlSec, nowMs) };',
      after:
        "token: Buffer.from(issueOneTime(registry, TOKEN_FLOW, tokenBytes, tokenTtlSec, nowMs), 'hex').toString('base64url') };",
    },
  },
  {
    id: 'register-token/same-for-all',
    title: 'every token is the same',
    clause: 'register-token.reply.token',
    patch: {
      file: registerTokenEndpoint,
      before: 'token: registerTokenRule(registry, nowMs).token,',
      after: "token: 'ab'.repeat(32),",
    },
  },
  {
    id: 'register-token/json-in-a-parameter',
    title: 'a content type is taken that names JSON in a parameter alone',
    clause: 'register-token.error.content-type-required',
    patch: {
      file: 'reference/http/request/body',
      before: "const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();",
      after:
        "const mediaType = (contentType ?? '').toLowerCase().includes('application/json') ? 'application/json' : '';",
    },
  },
  {
    id: 'register-token/parameter-refused',
    title: 'a JSON content type with a parameter is refused',
    clause: 'convention.content-type',
    patch: {
      file: 'reference/http/request/body',
      before: "const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();",
      after: "const mediaType = (contentType ?? '').trim().toLowerCase();",
    },
  },
  {
    id: 'register-token/content-type-by-prefix',
    title: 'every media type that begins with application/json is taken for it',
    clause: 'register-token.error.content-type-required',
    patch: {
      file: 'reference/http/request/body',
      before: "if (mediaType !== 'application/json')",
      after: "if (mediaType === undefined || !mediaType.startsWith('application/json'))",
    },
  },
  {
    id: 'register-token/content-type-absent',
    title: 'a body without a media type is taken for JSON',
    clause: 'register-token.error.content-type-required',
    patch: {
      file: 'reference/http/request/body',
      before: "resolve(parseBody(req.headers['content-type'], body))",
      after:
        "resolve(parseBody(req.headers['content-type'] ?? (/\\/register\\/token(\\?|$)/.test(req.url ?? '') ? 'application/json' : undefined), body))",
    },
  },
  {
    id: 'register-token/kept-with-metadata',
    title: 'a token is not used up by a registration that brings metadata',
    clause: 'register-token.use.once',
    patch: {
      file: 'reference/registry/register',
      before: 'if (input.token !== undefined)',
      after: 'if (input.token !== undefined && input.metadata === undefined)',
    },
    deployment: 'mainnet',
  },
];
