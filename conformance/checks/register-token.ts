/** Registration tokens (4.3): their reply, their use and their limits. Those of mainnet alone are in register-secret.ts. */
import { groups } from '../../spec/clauses/groups.js';
import { unreachable } from '../assertions/unjudged.js';
import { register } from '../moves/register.js';
import { judgeLimit } from '../steps/limit.js';
import { issueToken, spendToken } from '../steps/register-call.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import { needReachableCount, REACH } from '../trial/reach.js';

const registerTokenReply: WrittenCheck = {
  id: 'register-token/reply',
  title: 'A token of 64 hex characters is issued for 300 seconds, without a credential',
  async run(t) {
    t.accepted(await t.call('register-token'), 'register-token.body', 'auth.public.register-token');
    // 4.3 names no field of the body. D-40 says that unknown fields are ignored, and that the body may be absent.
    t.accepted(await t.call('register-token', { body: { any: 'field' } }), 'body.unknown-fields');
    t.accepted(await t.call('register-token', { rawBody: '' }), 'body.empty');
  },
};

/** Content types other than JSON, by the word of the check. Three requests fit into a check, since an address gets three tokens an hour. */
const otherTypes = {
  'content-type': ['', 'application/x-www-form-urlencoded'],
  'content-type-like': ['text/plain; as=application/json', 'application/json-patch+json'],
} as const;

const contentTypes = Object.entries(otherTypes).map(
  ([word, types]): WrittenCheck => ({
    id: `register-token/${word}`,
    title: `A token request is refused with 415 for content types such as “${types[1]}”`,
    async run(t) {
      for (const type of types) await t.call('register-token', { rawBody: '{}', headers: { 'content-type': type } });
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      t.mustSucceed(await t.call('register-token', { rawBody: '{}', headers }));
    },
  }),
);

const registerTokenOnce: WrittenCheck = {
  id: 'register-token/once',
  title: 'A token opens one root registration, and an invented token opens none',
  async run(t) {
    await spendToken(t, t.hex(t.protocol.registration.tokenBytes));
    // A token can also be used only once in a body with all fields.
    for (const more of [{}, { metadata: { mark: t.word() } }]) {
      const token = await issueToken(t);
      t.mustSucceed(await spendToken(t, token, more));
      await spendToken(t, token);
    }
  },
};

const registerTokenWindow: WrittenCheck = {
  id: 'register-token/window',
  title: 'A token is accepted within 300 seconds and refused after 301',
  needs: ['clock'],
  waits: ({ registration }) => ({ sec: registration.tokenTtlSec }),
  async run(t) {
    const { tokenTtlSec: ttlSec, tokenBytes } = t.protocol.registration;
    // Where registration needs no credential, a server may ignore the token: accepting it is no evidence then.
    const isRead = (await spendToken(t, t.hex(tokenBytes))).status >= 400;
    const startMs = t.nowMs();
    const [early, last, late] = [await issueToken(t), await issueToken(t), await issueToken(t)];
    const madeMs = t.nowMs();
    await t.sleepUntil(startMs + (ttlSec - 1) * 1_000, true);
    const musts = groups.tokenTtl;
    const taken = await spendToken(t, early);
    if (isRead) t.accepted(taken, ...musts);
    else t.shows(...musts).unjudged('a token that was never issued is accepted too');
    await t.sleepUntil(startMs + ttlSec * 1_000 - 1, true);
    // D-32 says that the 300th second is the last; 4.3 says "within 5 minutes".
    t.accepted(await spendToken(t, last), 'register.error.auth-invalid.token');
    await t.sleepUntil(madeMs + (ttlSec + 1) * 1_000);
    await spendToken(t, late);
    // The tokens of this hour are used up, so another credential shows that registration still works.
    t.mustSucceed(await t.send(register(t.target, { name: t.word() })));
  },
};

const registerTokenLimit: WrittenCheck = {
  id: 'register-token/limit',
  title: 'The fourth token request from an address in an hour is refused',
  needs: ['clock', 'client-ip'],
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

/** The most requests that are sent after the bucket of the service is full. */
const MORE = 9;

const registerTokenLimitGlobal: WrittenCheck = {
  id: 'register-token/limit-global',
  title: 'The 51st token request of all callers in an hour is refused',
  needs: ['clock', 'client-ip'],
  exclusive: true,
  async run(t) {
    const { registerToken, registerTokenGlobal } = t.protocol.limits;
    // After this wait the window no longer holds the tokens of other checks.
    await t.sleep({ sec: registerTokenGlobal.windowSec });
    // If the caller has used up its own limit too, Retry-After is that of the longer window.
    const apart = registerToken.windowSec > registerTokenGlobal.windowSec;
    // If an address may request only one token, its Retry-After is that of its own limit.
    if (registerToken.count < 2)
      throw unreachable(
        `limits.registerToken.count is ${registerToken.count}, so an address meets its own limit first`,
      );
    const callers = Math.ceil((registerTokenGlobal.count + (apart ? MORE : 3)) / (apart ? 1 : registerToken.count));
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

export const registerTokenChecks: readonly WrittenCheck[] = [
  registerTokenReply,
  ...contentTypes,
  registerTokenOnce,
  registerTokenWindow,
  registerTokenLimit,
  registerTokenLimitGlobal,
];
