/** The start of a beat chain (4.4), and the reply to a repeated init. How a chain grows is in beats-submit.ts. */

import type { Reply } from '../assertions/reply.js';
import { submitBeats } from '../moves/beats-submit.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { makeChild } from '../steps/spawn-call.js';
import { windowOf } from '../steps/waits.js';
import { chainProof, workTaken } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import { isRateLimited } from '../trial/rate-limit.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import { look } from './lookup.js';

const initFirst: WrittenCheck = {
  id: 'init/first',
  title: 'The first init starts the chain with its genesis beat; a repeated one starts no second chain',
  async run(t) {
    const { key } = await t.root();
    t.accepted(await t.call('init', { key }), 'init.body', 'init.transition.active', 'service.beat-chain');
    for (let times = 0; times < 2; times += 1) t.accepted(await t.call('init', { key }), 'init.transition.repeat');
  },
};

/** The number of beats in each of two submissions. */
const BEATS = 6;

const initAgainWithBeats: WrittenCheck = {
  id: 'init/again-with-beats',
  title: 'A repeated init keeps a grown chain, and init and lookups show its end',
  async run(t) {
    // With a second agent a reply with the chain of an earlier agent is visible.
    const [before, { key, hash }] = [await t.root(), await t.root()];
    const started = t.mustSucceed(await t.call('init', { key }));
    let end = { beat: started.number('genesis.index'), hash: started.string('genesis.hash').toLowerCase() };
    for (let times = 0; times < 2; times += 1) {
      const body = await chainProof(t, end, BEATS);
      // The second submission continues the first, although init was called between them.
      await workTaken(t, await t.send(submitBeats({ key }, body)), ...(times > 0 ? ['init.idempotent'] : []));
      end = { beat: body.to_beat, hash: body.to_hash };
      await t.call('init', { key });
    }
    await look(t, 'beat-status', before.hash);
    for (const id of ['status', 'verify', 'beat-status'] as const) await look(t, id, hash);
  },
};

const initIndependent: WrittenCheck = {
  id: 'init/independent',
  title: 'Lookups find an agent that has not called init',
  async run(t) {
    const { hash, key } = await t.root();
    await t.send(verifyBatch([hash]));
    t.accepted(await look(t, 'status', hash), 'init.independent', 'status.purpose');
    t.mustSucceed(await t.call('init', { key }));
    await look(t, 'status', hash);
  },
};

const initLimit: WrittenCheck = {
  id: 'init/limit',
  title: 'The 31st init call of an agent in an hour is refused',
  needs: ['clock'],
  waits: windowOf('init'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    await judgeLimit(t, {
      limit: 'init',
      clause: 'limit.init',
      bucket: 'auth.rate-bucket.agent',
      send: () => t.call('init', { key: agent.key, mayLimit: true }),
      other: () => t.call('init', { key: other.key, mayLimit: true }),
      elsewhere: otherPaths(t, agent.key, 'init'),
    });
  },
};

const initLimitOfParent: WrittenCheck = {
  id: 'init/limit-of-parent',
  title: 'Calls of a parent do not count as calls of its child',
  needs: ['beats'],
  async run(t) {
    const { count } = t.protocol.limits.init;
    needReachableCount(count, REACH.bucket, 'requests fill limits.init');
    const parent = await t.root({ init: true });
    const child = await makeChild(t, parent);
    const called: Reply[] = [];
    for (let n = 0; n <= count; n += 1) called.push(await t.call('init', { key: parent.key, mayLimit: true }));
    const own = await t.call('init', { key: child.key, mayLimit: true });
    if (!called.some(isRateLimited)) {
      t.shows('auth.rate-bucket.agent').unjudged('the calls of the parent reached no limit');
      return;
    }
    const actual = `${own.status} ${own.excerpt()}`;
    t.shows('auth.rate-bucket.agent').that('a call of the child', !isRateLimited(own), 'no rate limit', actual, own);
  },
};

const initLimitWithoutKey: WrittenCheck = {
  id: 'init/limit-without-key',
  title: 'Requests without an identity share a bucket by path and address, separate from those of agents',
  needs: ['clock', 'client-ip'],
  waits: windowOf('init'),
  async run(t) {
    const agent = await t.root();
    await judgeLimit(t, {
      limit: 'init',
      clause: 'limit.no-identity',
      send: () => t.call('init', { mayLimit: true }),
      other: () => t.call('init', { key: agent.key, mayLimit: true }),
    });
  },
};

const initLimitElsewhere: WrittenCheck = {
  id: 'init/limit-elsewhere',
  title: 'Requests without a key do not count for another address, another path or an agent',
  needs: ['client-ip'],
  async run(t) {
    const agent = await t.root();
    const { count } = t.protocol.limits.init;
    await Promise.all(Array.from({ length: count }, () => t.call('init', { mayLimit: true })));
    // Only D-34 says how many requests without an identity a bucket admits: if it is not full yet, the replies are no evidence.
    if (!isRateLimited(await t.call('init', { mayLimit: true }))) {
      const reason = `${count + 1} requests without a key are not limited, so it is not visible whether they share a bucket`;
      t.shows('auth.rate-bucket.ip', 'auth.rate-bucket.agent').unjudged(reason);
      return;
    }
    const stranger = await t.call('init', { mayLimit: true, address: t.newAddress() });
    const free = !isRateLimited(stranger);
    const actual = `${stranger.status} ${stranger.excerpt()}`;
    t.shows('auth.rate-bucket.ip').that('a request of another address', free, 'not rate limited', actual, stranger);
    // The limit of this path is not higher, so it would be full too if paths shared a bucket.
    const elsewhere = await t.call('metadata', { body: {}, mayLimit: true });
    const apart = !isRateLimited(elsewhere);
    const reported = `${elsewhere.status} ${elsewhere.excerpt()}`;
    t.shows('auth.rate-bucket.ip').that('a request to another path', apart, 'not rate limited', reported, elsewhere);
    t.accepted(await t.call('init', { key: agent.key, mayLimit: true }), 'auth.rate-bucket.agent');
  },
};

export const initChecks: readonly WrittenCheck[] = [
  initFirst,
  initAgainWithBeats,
  initIndependent,
  initLimit,
  initLimitOfParent,
  initLimitWithoutKey,
  initLimitElsewhere,
];
