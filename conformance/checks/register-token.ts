/** Registration tokens (4.3): their reply, their use and their limits. Those of mainnet alone are in register-secret.ts. */
import { isHex, isString } from '../../model/reading/field-tests.js';
import { judgeLimit } from '../steps/limit.js';
import { issueToken, register, spendToken, tokenRefused } from '../steps/register-call.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import { needReachableCount, REACH } from '../trial/reach.js';

const registerTokenReply: Check = {
  id: 'register-token/reply',
  title: 'A token of 64 hex characters is issued for 300 seconds, without a credential',
  clauses: [
    'register-token.route',
    'register-token.body',
    'register-token.reply',
    'register-token.reply.ok',
    'register-token.reply.token',
    'register-token.reply.expires-in-sec',
    'register-token.reply.info',
    'constant.registration-token-ttl',
    'constant.registration-token-form',
    'auth.public.register-token',
    'body.unknown-fields',
  ],
  needs: [],
  registers: 0,
  tokens: 3,
  requests: 3,
  writes: true,
  async run(t) {
    const [empty, filled] = [
      await t.call('register-token'),
      await t.call('register-token', { body: { any: 'field' } }),
    ];
    const one = t.accepted(empty, 'register-token.body', 'auth.public.register-token');
    // 4.3 names no field of the body: that one which nobody knows is passed over is D-40's.
    t.shows('body.unknown-fields').succeeds(filled);
    const other = filled.status < 300 ? filled : await t.call('register-token');
    t.accepted(other, 'auth.public.register-token');
    t.shows('constant.registration-token-ttl').field(one, 'expires_in_sec', t.protocol.registration.tokenTtlSec);
    t.shows('constant.registration-token-form').fieldIs(one, 'token', isHex(t.protocol.registration.tokenBytes));
    const differ = one.get('token') !== other.get('token');
    t.shows('register-token.reply.token').of(one, 'two tokens', differ, 'two values', 'the same value twice');
  },
};

const registerTokenEmptyBody: Check = {
  id: 'register-token/empty-body',
  title: 'With a JSON content type, no body at all means {}; without any, or as a form, a body is refused with 415',
  clauses: [
    'body.empty',
    'register-token.error.content-type-required',
    'convention.content-type',
    'error.body.error',
    'error.body.code',
  ],
  needs: [],
  registers: 0,
  tokens: 3,
  requests: 3,
  writes: true,
  refusal: true,
  async run(t) {
    for (const type of ['', 'application/x-www-form-urlencoded']) {
      const refused = await t.call('register-token', { rawBody: '{}', headers: { 'content-type': type } });
      const clauses = ['register-token.error.content-type-required', 'convention.content-type'];
      t.refused(refused, 'register-token/CONTENT_TYPE_REQUIRED', ...clauses);
    }
    t.accepted(await t.call('register-token', { rawBody: '' }), 'body.empty');
  },
};

const registerTokenContentType: Check = {
  id: 'register-token/content-type',
  title: 'A token request of another content type is refused with 415',
  clauses: [
    'register-token.error.content-type-required',
    'convention.content-type',
    'error.body.error',
    'error.body.code',
  ],
  needs: [],
  registers: 0,
  tokens: 3,
  requests: 3,
  writes: true,
  refusal: true,
  async run(t) {
    // A media type is all of the text before its parameters.
    for (const type of ['text/plain; as=application/json', 'application/json-patch+json']) {
      const refused = await t.call('register-token', { rawBody: '{}', headers: { 'content-type': type } });
      const clauses = ['register-token.error.content-type-required', 'convention.content-type'];
      t.refused(refused, 'register-token/CONTENT_TYPE_REQUIRED', ...clauses);
      t.shows('error.body.code').fieldIs(refused, 'code', isString);
    }
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const clauses = ['convention.content-type', 'register-token.error.content-type-required'];
    t.accepted(await t.call('register-token', { rawBody: '{}', headers }), ...clauses);
  },
};

const registerTokenOnce: Check = {
  id: 'register-token/once',
  title: 'A token opens one root registration',
  clauses: [
    'register-token.use.header',
    'register-token.use.once',
    'register.header.token',
    'register.error.auth-invalid.token',
    'key.registration-token',
  ],
  needs: [],
  registers: 6,
  tokens: 2,
  requests: 8,
  writes: true,
  refusal: true,
  async run(t) {
    const token = await issueToken(t);
    const taken = ['register-token.use.header', 'register.header.token', 'key.registration-token'];
    t.accepted(await spendToken(t, token), ...taken);
    await tokenRefused(t, await spendToken(t, token), 'register-token.use.once', 'key.registration-token');
    // Once is once for a body with all its fields too.
    const other = await issueToken(t);
    t.accepted(await spendToken(t, other, { metadata: { mark: t.word() } }), ...taken);
    await tokenRefused(t, await spendToken(t, other), 'register-token.use.once', 'key.registration-token');
  },
};

const registerTokenUnknown: Check = {
  id: 'register-token/unknown',
  title: 'A token that was never issued is refused',
  clauses: ['register-token.use.header', 'key.registration-token', 'register.error.auth-invalid.token'],
  needs: [],
  registers: 3,
  tokens: 1,
  requests: 4,
  writes: true,
  refusal: true,
  async run(t) {
    const reply = await spendToken(t, t.hex(t.protocol.registration.tokenBytes));
    await tokenRefused(t, reply, 'register-token.use.header', 'key.registration-token');
    t.accepted(await spendToken(t, await issueToken(t)), 'register-token.use.header');
  },
};

const registerTokenWindow: Check = {
  id: 'register-token/window',
  title: 'A token is good for 300 seconds',
  clauses: [
    'register-token.use.window',
    'constant.registration-token-ttl',
    'key.registration-token',
    'register.error.auth-invalid.token',
  ],
  needs: ['clock'],
  registers: 5,
  tokens: 3,
  requests: 12,
  writes: true,
  refusal: true,
  waits: ({ registration }) => ({ sec: registration.tokenTtlSec }),
  async run(t) {
    const ttlSec = t.protocol.registration.tokenTtlSec;
    const musts = ['register-token.use.window', 'constant.registration-token-ttl', 'key.registration-token'];
    const startMs = t.nowMs();
    const [early, last, late] = [await issueToken(t), await issueToken(t), await issueToken(t)];
    const madeMs = t.nowMs();
    await t.sleepUntil(startMs + (ttlSec - 1) * 1_000, true);
    t.accepted(await spendToken(t, early), ...musts);
    await t.sleepUntil(startMs + ttlSec * 1_000, true);
    // That the 300th second is the last is D-32's; 4.3 says "within 5 minutes".
    t.shows('register.error.auth-invalid.token').succeeds(await spendToken(t, last));
    await t.sleepUntil(madeMs + (ttlSec + 1) * 1_000);
    await tokenRefused(t, await spendToken(t, late), ...musts);
    // The tokens of this hour are used up: what else opens registration shows that it is open.
    t.accepted(await register(t, { name: t.word() }));
  },
};

const registerTokenLimit: Check = {
  id: 'register-token/limit',
  title: 'An address gets 3 tokens an hour',
  clauses: ['limit.register-token.ip', 'limit.error.rate-limited', 'limit.window', 'limit.retry-after'],
  needs: ['clock', 'client-ip'],
  registers: 0,
  tokens: 10,
  requests: 10,
  writes: true,
  refusal: true,
  waits: windowOf('registerToken'),
  async run(t) {
    const other = t.newAddress();
    await judgeLimit(t, {
      limit: 'registerToken',
      clause: 'limit.register-token.ip',
      send: () => t.call('register-token', { mayLimit: true }),
      other: () => t.call('register-token', { mayLimit: true, address: other }),
    });
  },
};

const registerTokenLimitGlobal: Check = {
  id: 'register-token/limit-global',
  title: 'The service issues 50 tokens an hour over all callers',
  clauses: ['limit.register-token.global', 'limit.error.rate-limited'],
  needs: ['clock', 'client-ip'],
  registers: 0,
  tokens: 56,
  requests: 61,
  writes: true,
  refusal: true,
  exclusive: true,
  async run(t) {
    const { registerToken, registerTokenGlobal } = t.protocol.limits;
    // Whatever the other checks took of this hour is forgotten by then.
    await t.sleep({ sec: registerTokenGlobal.windowSec });
    const callers = Math.ceil((registerTokenGlobal.count + 3) / registerToken.count);
    needReachableCount(callers, REACH.bucket, 'addresses fill the bucket of the service');
    const addresses = Array.from({ length: callers }, () => t.newAddress());
    await judgeLimit(t, {
      limit: 'registerTokenGlobal',
      clause: 'limit.register-token.global',
      send: (n) => t.call('register-token', { mayLimit: true, address: addresses[(n - 1) % callers] }),
      soon: () => t.call('register-token', { mayLimit: true, address: t.newAddress() }),
    });
  },
};

export const registerTokenChecks: readonly Check[] = [
  registerTokenReply,
  registerTokenEmptyBody,
  registerTokenContentType,
  registerTokenOnce,
  registerTokenUnknown,
  registerTokenWindow,
  registerTokenLimit,
  registerTokenLimitGlobal,
];
