/**
 * Keys on every route that takes an agent key (section 5): invalid and revoked keys are refused, and a key acts for its own agent. Requests that
 * name another agent are in auth-of-another.ts.
 */

import { type BadKey, badKeys, forgedKeys, nearlyKeys } from '../moves/agent-key.js';
import { lookup } from '../moves/lookup.js';
import { revokeKey } from '../steps/keys.js';
import { protectedRoutes, sendAs, twoReady } from '../steps/protected-routes.js';
import { makeChild } from '../steps/spawn-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { isRateLimited } from '../trial/rate-limit.js';
import { needReachableCount, REACH } from '../trial/reach.js';

const keys = protectedRoutes.map(
  (route): WrittenCheck => ({
    ...route.needs,
    id: `auth/${route.word}-keys`,
    title: `A ${route.word} call without a valid key is refused, and a valid key acts for its own agent`,
    async run(t) {
      const [ready, other] = await twoReady(t, route);
      for (const bad of Object.values<BadKey>(badKeys)) {
        // Requests without an identity share the bucket of their address.
        const how = { ...bad(ready.by.key, other.by.key), address: t.newAddress(), mayLimit: true };
        await t.part(async () => void (await sendAs(t, ready, how)));
      }
      t.mustSucceed(await sendAs(t, other));
      await t.send(lookup('status', ready.by.hash));
      // The requests of the other agent do not count in the limits of this one.
      t.accepted(await sendAs(t, ready), route.clause);
    },
  }),
);

const revoked = protectedRoutes.map((route): WrittenCheck => {
  return {
    ...route.needs,
    id: route.id === 'init' ? 'auth/revoked' : `auth/${route.word}-revoked`,
    title: `A ${route.word} call with a revoked key is refused, and one with another key is accepted`,
    needs: [...new Set([...(route.needs.needs ?? []), 'control' as const])],
    controls: [...(route.needs.controls ?? []), 'agents/:hash/revoke-key'],
    async run(t) {
      const [gone, other] = await twoReady(t, route);
      await revokeKey(t, gone.by);
      await sendAs(t, gone);
      t.mustSucceed(await sendAs(t, other));
    },
  };
});

const revokedParent: WrittenCheck = {
  id: 'auth/revoked-parent',
  title: 'After the key of an agent is revoked, the key of its child is still accepted',
  needs: ['control', 'beats'],
  controls: ['agents/:hash/revoke-key'],
  async run(t) {
    const parent = await t.root({ init: true });
    const child = await makeChild(t, parent);
    t.mustSucceed(await t.call('init', { key: child.key }));
    await revokeKey(t, parent);
    t.accepted(await t.call('init', { key: child.key }), 'key.agent.revocation');
    await t.call('init', { key: parent.key });
  },
};

const wholeKey: WrittenCheck = {
  id: 'auth/whole-key',
  title: 'A key that is too short, too long, altered near an end or has another prefix is refused',
  async run(t) {
    const { key } = await t.root();
    for (const change of Object.values(nearlyKeys)) await t.call('init', { key: change(key) });
    t.mustSucceed(await t.call('init', { key }));
  },
};

/** The routes with the lowest hourly limits. The calls of this check are refused, and count in no other limit. */
const LOWEST_LIMITS = ['spawn', 'sigil'] as const;

const forgedFills: WrittenCheck = {
  id: 'auth/forged-fills-no-bucket',
  title: 'Requests under forged keys of an agent do not count in the limits of the agent',
  needs: ['client-ip'],
  async run(t) {
    const { key } = await t.root();
    const forged = Object.values(forgedKeys).map((forge) => forge(key));
    for (const id of LOWEST_LIMITS) {
      const { count } = t.protocol.limits[id];
      needReachableCount(count, REACH.bucket, `requests fill limits.${id}`);
      for (let n = 0; n <= count; n += 1) {
        const how = { key: forged[n % forged.length], body: {}, address: t.newAddress(), mayLimit: true };
        await t.call(id, how);
      }
      const own = await t.call(id, { key, body: {}, mayLimit: true });
      t.shows('auth.rate-bucket.agent').that(
        'a request after forged ones',
        !isRateLimited(own),
        'no rate limit',
        `${own.status}`,
        own,
      );
    }
  },
};

export const authChecks: readonly WrittenCheck[] = [...keys, wholeKey, forgedFills, ...revoked, revokedParent];
