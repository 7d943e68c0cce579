import { registeredAgent } from '../../spec/endpoints/register.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

/** As setup: a fresh token. */
function issue(t: Trial): Promise<string> {
  return t.setup('a token', async () => (await t.call('register-token')).string('token'));
}

/** Registers with a token, and no secret. */
function spend(t: Trial, token: string): Promise<Reply> {
  return t.call('register', { body: { name: t.word() }, headers: { 'x-registration-token': token } });
}

/**
 * Devnet lets a root register without any credential, so a target there may ignore a token: that it refuses a bad one
 * is a decision (D-32), while on mainnet the token is what opens registration.
 */
function refusedToken(t: Trial, reply: Reply): void {
  t.refused(reply, 'register/AUTH_INVALID', t.session.target.network === 'devnet' ? 'D-32' : undefined);
}

const reply: Check = {
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
  ],
  needs: [],
  registers: 0,
  tokens: 2,
  requests: 2,
  writes: true,
  async run(t) {
    const [one, other] = [await t.call('register-token'), await t.call('register-token', { body: { any: 'field' } })];
    const different = t.accepted(one).string('token') !== t.accepted(other).string('token');
    t.that('two tokens', different, 'two values', 'the same value twice');
  },
};

const emptyBody: Check = {
  id: 'register-token/empty-body',
  title: 'With a JSON content type, no body at all means {}',
  clauses: ['body.empty'],
  needs: [],
  registers: 0,
  tokens: 1,
  requests: 1,
  writes: true,
  async run(t) {
    t.accepted(await t.call('register-token', { rawBody: '' }));
  },
};

const contentType: Check = {
  id: 'register-token/content-type',
  title: 'A token request of another content type is refused with 415',
  clauses: ['register-token.error.content-type-required', 'convention.content-type', 'error.body.code'],
  needs: [],
  registers: 0,
  tokens: 2,
  requests: 2,
  writes: true,
  refusal: true,
  async run(t) {
    const headers = { 'content-type': 'text/plain' };
    const refused = await t.call('register-token', { rawBody: '{}', headers });
    t.refused(refused, 'register-token/CONTENT_TYPE_REQUIRED');
    t.accepted(await t.call('register-token', { rawBody: '{}' }));
  },
};

const once: Check = {
  id: 'register-token/once',
  title: 'A token opens one root registration',
  clauses: [
    'register-token.use.header',
    'register-token.use.once',
    'register-token.use.replaces-secret',
    'register.header.token',
    'register.error.auth-invalid.token',
    'key.registration-token',
  ],
  needs: [],
  registers: 3,
  tokens: 2,
  requests: 5,
  writes: true,
  refusal: true,
  async run(t) {
    const token = await issue(t);
    t.accepted(await spend(t, token), registeredAgent);
    refusedToken(t, await spend(t, token));
    t.accepted(await spend(t, await issue(t)), registeredAgent);
  },
};

const unknown: Check = {
  id: 'register-token/unknown',
  title: 'A token that was never issued is refused',
  clauses: ['register-token.use.header', 'register.error.auth-invalid.token'],
  needs: [],
  registers: 2,
  tokens: 1,
  requests: 3,
  writes: true,
  refusal: true,
  async run(t) {
    refusedToken(t, await spend(t, t.hex(t.protocol.registration.tokenBytes)));
    t.accepted(await spend(t, await issue(t)), registeredAgent);
  },
};

const window: Check = {
  id: 'register-token/window',
  title: 'A token is good for 300 seconds',
  clauses: [
    'register-token.use.window',
    'constant.registration-token-ttl',
    'key.registration-token',
    'register.error.auth-invalid.token',
  ],
  needs: ['clock'],
  registers: 3,
  tokens: 3,
  requests: 10,
  writes: true,
  refusal: true,
  waits: ({ registration }) => ({ sec: registration.tokenTtlSec }),
  async run(t) {
    const ttlSec = t.protocol.registration.tokenTtlSec;
    const startMs = t.nowMs();
    const [early, last, late] = [await issue(t), await issue(t), await issue(t)];
    const madeMs = t.nowMs();
    await t.sleepUntil(startMs + (ttlSec - 1) * 1_000, true);
    t.accepted(await spend(t, early), registeredAgent);
    await t.sleepUntil(startMs + ttlSec * 1_000, true);
    const atTheEnd = await spend(t, last);
    t.decided('D-32', () => void t.accepted(atTheEnd, registeredAgent));
    await t.sleepUntil(madeMs + (ttlSec + 1) * 1_000);
    refusedToken(t, await spend(t, late));
  },
};

const limit: Check = {
  id: 'register-token/limit',
  title: 'An address gets 3 tokens an hour',
  clauses: ['limit.register-token.ip', 'limit.error.rate-limited', 'limit.window', 'limit.retry-after'],
  needs: ['clock', 'client-ip'],
  registers: 0,
  tokens: 8,
  requests: 8,
  writes: true,
  refusal: true,
  waits: windowOf('registerToken'),
  async run(t) {
    const other = t.newAddress();
    await judgeLimit(t, {
      limit: 'registerToken',
      send: () => t.call('register-token', { mayLimit: true }),
      other: () => t.call('register-token', { mayLimit: true, address: other }),
    });
  },
};

const globalLimit: Check = {
  id: 'register-token/limit-global',
  title: 'The service issues 50 tokens an hour over all callers',
  clauses: ['limit.register-token.global', 'limit.error.rate-limited'],
  needs: ['clock', 'client-ip'],
  registers: 0,
  tokens: 53,
  requests: 58,
  writes: true,
  refusal: true,
  exclusive: true,
  async run(t) {
    const { registerToken, registerTokenGlobal } = t.protocol.limits;
    // Whatever the other checks took of this hour is forgotten by then.
    await t.sleep({ sec: registerTokenGlobal.windowSec });
    const callers = Math.ceil((registerTokenGlobal.count + 3) / registerToken.count);
    const addresses = Array.from({ length: callers }, () => t.newAddress());
    await judgeLimit(t, {
      limit: 'registerTokenGlobal',
      send: (n) => t.call('register-token', { mayLimit: true, address: addresses[(n - 1) % callers] }),
    });
  },
};

export const registerTokenChecks: readonly Check[] = [
  reply,
  emptyBody,
  contentType,
  once,
  unknown,
  window,
  limit,
  globalLimit,
];
