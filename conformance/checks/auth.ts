/**
 * Bad and revoked keys on every route that takes an agent key (section 5). Other agents' keys are in
 * auth-of-another.ts.
 */

import { endpointOf } from '../../spec/endpoint-ids.js';
import type { Reply } from '../assertions/reply.js';
import { lacking } from '../assertions/unjudged.js';
import { costOf, type ProtectedRoute, protectedRoutes, sendAs, twoReady } from '../steps/protected-routes.js';
import { fewest } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { untilFrozen } from '../steps/waits.js';
import { type CallOptions, isRateLimited } from '../trial/caller.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

/** A key in its two parts (5: `pvn_<payload>.<signature>`). */
function partsOf(key: string): readonly [payload: string, signature: string] {
  const at = key.lastIndexOf('.');
  return [key.slice(0, at), key.slice(at + 1)];
}

/** A text with one character exchanged, that in its middle without a place: at an end, some encodings have bits that mean nothing. */
function flipped(text: string, at = Math.floor(text.length / 2)): string {
  return text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
}

/** A payload that says something else: another time of issue where it is that of D-15, else another character. */
function altered(payload: string): string {
  const [prefix, encoded = ''] = payload.split('_');
  try {
    const fields: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    if (typeof fields !== 'object' || fields === null || !('iat' in fields)) return flipped(payload);
    const later = JSON.stringify({ ...fields, iat: Number(fields.iat) + 1 });
    return `${prefix}_${Buffer.from(later).toString('base64url')}`;
  } catch (error) {
    if (error instanceof SyntaxError) return flipped(payload);
    throw error;
  }
}

/** Replacements of a valid key, by the name that a report uses. */
interface BadKey {
  /** The clauses that its refusal shows, besides those of every invalid key. */
  readonly clauses: readonly string[];
  readonly of: (key: string, other: Agent) => CallOptions;
}

/** How a credential travels. The key itself is valid, so that a server which takes it breaks no other clause. */
const SCHEME = 'convention.bearer';

const badKeys: Readonly<Record<string, BadKey>> = {
  'no key': { clauses: [], of: () => ({ key: undefined }) },
  'a key of another form': { clauses: [], of: () => ({ key: 'not-a-key' }) },
  'its key under another scheme than Bearer': {
    clauses: [SCHEME],
    of: (key) => ({ key: undefined, headers: { authorization: `Basic ${key}` } }),
  },
  'its key without a scheme': {
    clauses: [SCHEME],
    of: (key) => ({ key: undefined, headers: { authorization: key } }),
  },
  'an altered signature': {
    clauses: ['key.agent.signature'],
    of: (key) => {
      const [payload, signature] = partsOf(key);
      return { key: `${payload}.${flipped(signature)}` };
    },
  },
  'an altered payload under its signature': {
    clauses: ['key.agent.signature'],
    of: (key) => {
      const [payload, signature] = partsOf(key);
      return { key: `${altered(payload)}.${signature}` };
    },
  },
  "its payload under another agent's signature": {
    clauses: ['key.agent.signature', 'key.agent.bound'],
    of: (key, other) => ({ key: `${partsOf(key)[0]}.${partsOf(other.key)[1]}` }),
  },
};

/** The clauses for which a refusal is evidence in whatever form, as a 401, and with the code of section 7. */
interface Unauthorized {
  readonly refused: readonly string[];
  readonly status: readonly string[];
  readonly code: readonly string[];
}

function unauthorized({ id, clause }: ProtectedRoute, isMissing: boolean, more: readonly string[]): Unauthorized {
  const shown = endpointOf(id).errorsShown;
  const own = shown === 'status' ? [`${id}.error.auth-missing`] : [];
  return {
    refused: [clause, ...more],
    status: [...own, isMissing ? 'auth.agent-key.missing' : 'auth.agent-key.invalid'],
    // A child's registration takes an agent key, of which the row of all endpoints is.
    code:
      shown !== undefined && id !== 'register'
        ? []
        : [isMissing ? 'auth.error.auth-missing' : 'auth.error.auth-missing.invalid'],
  };
}

/** Child registration: that it is refused is the text's, with which status and code is D-32's. */
const CHILD_REFUSED = ['register.child.auth', 'key.parent.register', 'register.error.auth-missing.parent'] as const;

/** Judges the reply to a bad key. One that a rate limit kept from its route shows nothing. */
function judgeBadKey(t: Trial, route: ProtectedRoute, reply: Reply, isMissing: boolean, more: readonly string[]): void {
  const limited = lacking('address', `${reply.name} is rate limited where one address has to do`);
  if (more.includes(SCHEME)) {
    if (isRateLimited(reply)) t.shows(SCHEME).unjudged(limited);
    else t.refusedWith(reply, '4xx', SCHEME);
    return;
  }
  if (route.id === 'register') {
    t.refused(reply, 'register/AUTH_MISSING', ...CHILD_REFUSED, ...more);
    return;
  }
  const { refused, status, code } = unauthorized(route, isMissing, more);
  if (isRateLimited(reply)) {
    t.shows(...refused, ...status, ...code).unjudged(limited);
    return;
  }
  t.refusedWith(reply, '4xx', ...refused);
  t.refusedWith(reply, 401, ...status);
  if (code.length > 0) t.refused(reply, 'any/AUTH_MISSING', ...code);
}

/** Every clause that a route's bad keys may speak about. */
function clausesOf(route: ProtectedRoute): readonly string[] {
  const all = Object.entries(badKeys).flatMap(([what, { clauses }]) => {
    if (clauses.includes(SCHEME)) return clauses;
    if (route.id === 'register') return [...CHILD_REFUSED, ...clauses];
    const { refused, status, code } = unauthorized(route, what === 'no key', clauses);
    return [...refused, ...status, ...code, ...(code.length > 0 ? ['error.body.code'] : [])];
  });
  return [...new Set([...all, 'key.agent.header'])];
}

/** The registrations that a number of requests cost. */
const sendsOf = ({ id }: ProtectedRoute, requests: number): number => (id === 'register' ? requests : 0);

const keys = protectedRoutes.map((route): Check => {
  const cost = costOf(route, 1, Object.keys(badKeys).length + 3);
  return {
    ...cost,
    id: `auth/${route.word}-keys`,
    title: `${route.word} is refused without a key, with one that is malformed, forged or altered, and under another scheme`,
    clauses: clausesOf(route),
    registers: cost.registers + 1 + sendsOf(route, Object.keys(badKeys).length + 1),
    refusal: true,
    async run(t) {
      const [other, ready] = [await t.root(), await route.ready(t)];
      for (const [what, bad] of Object.entries(badKeys)) {
        await t.part(async () => {
          // Requests without an identity share the bucket of their address.
          const how = { ...bad.of(ready.key, other), address: t.newAddress(), mayLimit: true };
          judgeBadKey(t, route, await sendAs(t, route, ready, how), what === 'no key', bad.clauses);
        });
      }
      t.accepted(await sendAs(t, route, ready), 'key.agent.header', route.clause);
    },
  };
});

const revoked = protectedRoutes.map((route): Check => {
  const isChild = route.id === 'register';
  const status = isChild ? [] : ['auth.agent-key.invalid'];
  const decided = isChild ? 'register.error.auth-missing.parent' : 'key.agent.revoked';
  const cost = costOf(route, 2, 5);
  return {
    ...cost,
    id: route.id === 'init' ? 'auth/revoked' : `auth/${route.word}-revoked`,
    title: `A revoked key is refused by ${route.word}, and other keys are not`,
    clauses: ['key.agent.revocation', ...status, decided],
    needs: [...new Set([...cost.needs, 'control' as const])],
    controls: [...(cost.controls ?? []), 'agents/:hash/revoke-key'],
    registers: cost.registers + sendsOf(route, 2),
    refusal: true,
    async run(t) {
      const [gone, other] = await twoReady(t, route);
      await t.control(`POST agents/${encodeURIComponent(gone.hash)}/revoke-key`, {});
      const reply = await sendAs(t, route, gone);
      t.refusedWith(reply, '4xx', 'key.agent.revocation');
      t.refusedWith(reply, 401, ...status);
      t.refused(reply, isChild ? 'register/AUTH_MISSING' : 'any/AUTH_MISSING', decided);
      t.accepted(await sendAs(t, route, other));
    },
  };
});

const revokedForGood: Check = {
  id: 'auth/revoked-for-good',
  title: 'A key that was revoked is refused after a freeze of its agent as before it',
  clauses: ['key.agent.revocation', 'auth.agent-key.invalid'],
  needs: ['control', 'clock'],
  controls: ['agents/:hash/revoke-key'],
  registers: 2,
  requests: 7,
  writes: true,
  refusal: true,
  waits: untilFrozen(),
  async run(t) {
    const [gone, other] = [await t.root({ init: true }), await t.root({ init: true })];
    await t.control(`POST agents/${encodeURIComponent(gone.hash)}/revoke-key`, {});
    await t.sleep({ anchors: fewest(t) });
    const reply = await t.call('init', { key: gone.key });
    t.refusedWith(reply, '4xx', 'key.agent.revocation');
    t.refusedWith(reply, 401, 'auth.agent-key.invalid');
    t.accepted(await t.call('init', { key: other.key }));
  },
};

const revokedParent: Check = {
  id: 'auth/revoked-parent',
  title: 'The revocation of a key is that of one key: the child of its agent uses its own as before',
  clauses: ['key.agent.revocation'],
  needs: ['control', 'beats'],
  controls: ['agents/:hash/revoke-key'],
  registers: 2,
  requests: 14,
  writes: true,
  async run(t) {
    const parent = await t.root({ init: true });
    const child = await makeChild(t, parent);
    t.accepted(await t.call('init', { key: child.key }));
    await t.control(`POST agents/${encodeURIComponent(parent.hash)}/revoke-key`, {});
    t.accepted(await t.call('init', { key: child.key }), 'key.agent.revocation');
    t.refusedWith(await t.call('init', { key: parent.key }), '4xx', 'key.agent.revocation');
  },
};

/** Keys that are nearly one: longer, shorter, of another prefix, or with an empty part. */
const nearly: Readonly<Record<string, (key: string) => string>> = {
  'with a character more': (key) => `${key}0`,
  'with a character less': (key) => key.slice(0, -1),
  'with half its signature': (key) => key.slice(0, -Math.ceil(partsOf(key)[1].length / 2)),
  'with the beginning of its signature altered': (key) => {
    const [payload, signature] = partsOf(key);
    return `${payload}.${flipped(signature, 1)}`;
  },
  'with the end of its signature altered': (key) => {
    const [payload, signature] = partsOf(key);
    return `${payload}.${flipped(signature, signature.length - 4)}`;
  },
  'with a part more behind it': (key) => `${key}.0`,
  'with its signature twice': (key) => `${key}.${partsOf(key)[1]}`,
  'with a part more in front': (key) => key.replace(/^pvn_/, 'pvn_0.'),
  'twice, with a comma between': (key) => `${key},${key}`,
  'without its signature': (key) => `${partsOf(key)[0]}.`,
  'without signature and dot': (key) => partsOf(key)[0],
  'under the prefix of an admin': (key) => key.replace(/^pvn_/, 'pva_'),
  'without its prefix': (key) => key.replace(/^pvn_/, ''),
  'with its prefix twice': (key) => `pvn_${key}`,
  'with its prefix in capitals': (key) => key.replace(/^pvn_/, 'PVN_'),
};

const wholeKey: Check = {
  id: 'auth/whole-key',
  title: 'A key that is cut, prolonged, of another prefix or altered near an end is no key',
  clauses: ['key.agent.signature', 'key.agent.form', 'auth.agent-key.invalid'],
  needs: [],
  registers: 1,
  requests: 17,
  writes: true,
  refusal: true,
  async run(t) {
    const { key } = await t.root();
    for (const [what, change] of Object.entries(nearly)) {
      const reply = await t.call('init', { key: change(key) });
      const clause = what.includes('prefix') ? 'key.agent.form' : 'key.agent.signature';
      t.refusedAs(reply, `status of a key ${what}`, '4xx', clause);
      t.refusedWith(reply, 401, 'auth.agent-key.invalid');
    }
    t.accepted(await t.call('init', { key }));
  },
};

/** A limited route with the fewest calls an hour; what it is asked here is refused, and counts in no other way. */
const SPARING = ['spawn', 'sigil'] as const;

const forgedFills: Check = {
  id: 'auth/forged-fills-no-bucket',
  title: "Requests under forged keys of an agent use up none of the agent's own",
  clauses: ['auth.rate-bucket.agent'],
  needs: ['client-ip'],
  registers: 1,
  requests: 40,
  writes: true,
  async run(t) {
    const { key } = await t.root();
    const [payload, signature] = partsOf(key);
    const forged = [`${payload}.${flipped(signature)}`, `${altered(payload)}.${signature}`];
    for (const id of SPARING) {
      const { count } = t.protocol.limits[id];
      needReachableCount(count, REACH.bucket, `requests fill limits.${id}`);
      for (let n = 0; n <= count; n += 1) {
        const how = { key: forged[n % forged.length], body: {}, address: t.newAddress(), mayLimit: true };
        await t.call(id, how);
      }
      const own = await t.call(id, { key, body: {}, mayLimit: true });
      t.shows('auth.rate-bucket.agent').of(
        own,
        'a request after forged ones',
        !isRateLimited(own),
        'no rate limit',
        `${own.status}`,
      );
    }
  },
};

export const authChecks: readonly Check[] = [...keys, wholeKey, forgedFills, ...revoked, revokedForGood, revokedParent];
