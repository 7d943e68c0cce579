/** The start of a beat chain (4.4), and the reply to a repeated init. How a chain grows is in beats-submit.ts. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { show } from '../../model/reading/compare.js';
import { matches, within } from '../../model/reading/field-tests.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { makeChild } from '../steps/spawn-call.js';
import { windowOf } from '../steps/waits.js';
import { asBeatProof, chainOn, workTaken } from '../steps/work.js';
import { isRateLimited } from '../trial/caller.js';
import type { Check } from '../trial/check.js';
import { needReachableCount, REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

/** The genesis beat is as old as the request that makes it, give or take the time of the reply. */
const GENESIS_WITHIN_MS = 10_000;

/** 2.3: the genesis beat is as old as its chain, in milliseconds. Only a clock that can be read says how old that is. */
export function genesisIsNow(t: Trial, reply: Reply): void {
  if (!t.session.offers.has('clock')) return;
  const at = reply.get('genesis.timestamp');
  const near = typeof at === 'number' && Math.abs(at - t.nowMs()) <= GENESIS_WITHIN_MS;
  t.shows('init.reply.genesis.timestamp').of(reply, 'genesis.timestamp', near, `now, ${t.nowMs()}`, at);
}

const initFirst: Check = {
  id: 'init/first',
  title: 'The first init starts the chain with its genesis beat',
  clauses: [
    'init.route',
    'init.body',
    'init.reply',
    'init.reply.agent-hash',
    'init.reply.genesis',
    'init.reply.genesis.index',
    'init.reply.genesis.hash',
    'init.reply.genesis.prev',
    'init.reply.genesis.timestamp',
    'init.reply.difficulty',
    'init.reply.status',
    'init.reply.next-steps',
    'init.transition.active',
    'init.transition.genesis',
    'convention.indexes',
    'constant.beats-difficulty',
    'service.beat-chain',
    'genesis.hash',
    'genesis.prev',
    'beat.hash.form',
    'key.agent.header',
  ],
  needs: [],
  registers: 1,
  requests: 2,
  writes: true,
  async run(t) {
    const agent = await t.root();
    const sent = await t.call('init', { key: agent.key });
    const reply = t.accepted(sent, 'init.body', 'init.transition.active', 'service.beat-chain', 'key.agent.header');
    t.shows('init.reply.agent-hash').field(reply, 'agent_hash', agent.hash);
    t.shows('constant.beats-difficulty').field(reply, 'difficulty', t.protocol.beat.difficulty);
    t.shows('genesis.prev').field(reply, 'genesis.prev', '0'.repeat(64));
    const genesis = bytesToHex(sha256(utf8ToBytes(`beats:genesis:v1:${agent.hash}`)));
    t.shows('genesis.hash').field(reply, 'genesis.hash', genesis);
    const form = matches(/^[0-9a-f]{64}$/, '64 lower-case hex characters');
    t.shows('beat.hash.form').fieldIs(reply, 'genesis.hash', form);
    genesisIsNow(t, reply);
  },
};

const initAgain: Check = {
  id: 'init/again',
  title: 'A repeated init starts no second chain and tells of the one that exists',
  clauses: [
    'init.idempotent',
    'init.transition.repeat',
    'init.reply.agent-hash',
    'init.reply.again',
    'init.reply.already-initialized',
    'init.reply.again.difficulty',
    'init.reply.again.last-heartbeat-beat',
  ],
  needs: [],
  registers: 1,
  requests: 4,
  writes: true,
  async run(t) {
    const agent = await t.root();
    const started = t.accepted(await t.call('init', { key: agent.key }));
    t.shows('init.reply.agent-hash').field(started, 'agent_hash', agent.hash);
    for (let times = 0; times < 2; times += 1) {
      const reply = t.accepted(await t.call('init', { key: agent.key }), 'init.idempotent', 'init.transition.repeat');
      // A reply in the form of the first one would show the same genesis beat, or another.
      const genesis = reply.get('genesis_hash') ?? reply.get('genesis.hash');
      const same = t.shows('init.idempotent', 'init.transition.repeat');
      same.equal('genesis hash of a repeated init', genesis, started.string('genesis.hash'));
      // The hash depends only on the agent: a second chain would show in the time of its start.
      const startedAt = reply.get('genesis.timestamp');
      if (startedAt !== undefined) {
        same.equal('genesis timestamp of a repeated init', startedAt, started.get('genesis.timestamp'));
      }
      t.shows('init.reply.already-initialized').field(reply, 'already_initialized', true);
      const again = t.shows('init.reply.again');
      again.field(reply, 'ok', true);
      again.field(reply, 'agent_hash', agent.hash);
      again.field(reply, 'genesis_hash', started.string('genesis.hash'));
      // The genesis beat is the one beat that there is; whether it counts is not said.
      again.field(reply, 'latest_hash', started.string('genesis.hash'));
      again.field(reply, 'latest_beat', t.protocol.beat.genesisIndex);
      again.fieldIs(reply, 'total_beats', within(0, 1));
      again.field(reply, 'status', 'active');
      t.shows('init.reply.again.difficulty').field(reply, 'difficulty', t.protocol.beat.difficulty);
      const tells = reply.get('last_heartbeat_beat') !== undefined;
      const actual = show(reply.get('last_heartbeat_beat'));
      t.shows('init.reply.again.last-heartbeat-beat').of(reply, 'last_heartbeat_beat', tells, 'a field', actual);
    }
  },
};

/** The beats of each of two submissions. */
const BEATS = 6;

const initAgainWithBeats: Check = {
  id: 'init/again-with-beats',
  title: 'A repeated init takes nothing from a chain that has grown: it and the lookups tell where it ends',
  clauses: [
    'init.idempotent',
    'init.transition.repeat',
    'init.reply.again',
    'status.purpose',
    'verify.purpose',
    'beat-status.purpose',
  ],
  needs: [],
  registers: 2,
  requests: 14,
  writes: true,
  async run(t) {
    // Not the service's first agent, so that the reply about an earlier agent's chain would be noticed.
    const [before, agent] = [await t.root(), await t.root()];
    const started = t.accepted(await t.call('init', { key: agent.key }));
    const genesis = started.string('genesis.hash');
    let end = { beat: started.number('genesis.index'), hash: genesis.toLowerCase() };
    let total = 0;
    for (let times = 0; times < 2; times += 1) {
      const proof = asBeatProof(await chainOn(t, end, BEATS), BEATS, BEATS);
      const sent = await t.call('beats-submit', { key: agent.key, body: proof });
      // The second one goes on from where the first ended, though init was called between them.
      const taken = await workTaken(t, sent, ...(times > 0 ? ['init.idempotent'] : []));
      end = { beat: proof.to_beat, hash: proof.to_hash };
      total = taken.number('total_beats');
      const reply = t.accepted(await t.call('init', { key: agent.key }), 'init.idempotent', 'init.transition.repeat');
      const again = t.shows('init.transition.repeat', 'init.reply.again');
      again.field(reply, 'genesis_hash', genesis);
      again.field(reply, 'total_beats', total);
      again.field(reply, 'latest_hash', end.hash);
      again.field(reply, 'latest_beat', end.beat);
    }
    const chain = t.shows('beat-status.purpose').through('D-21');
    const reported = t.accepted(await look(t, 'beat-status', agent.hash));
    chain.field(reported, 'agent_hash', agent.hash);
    chain.field(reported, 'heartbeat.genesis_hash', genesis);
    chain.field(reported, 'heartbeat.latest_beat', end.beat);
    chain.field(reported, 'heartbeat.latest_hash', end.hash);
    chain.field(reported, 'heartbeat.total_beats', total);
    const other = t.accepted(await look(t, 'beat-status', before.hash));
    chain.field(other, 'agent_hash', before.hash);
    chain.fieldIs(other, 'heartbeat.total_beats', {
      words: 'no beats',
      holds: (beats) => beats === 0 || beats === null,
    });
    for (const [id, clause, decision] of [
      ['status', 'status.purpose', 'D-19'],
      ['verify', 'verify.purpose', 'D-20'],
    ] as const) {
      const reply = t.accepted(await look(t, id, agent.hash));
      const state = t.shows(clause).through(decision);
      state.field(reply, 'beat_state.latest_beat', end.beat);
      // Whether the genesis beat counts is not said.
      state.fieldIs(reply, 'beat_state.beat_count', within(total, total + 1));
    }
  },
};

const initIndependent: Check = {
  id: 'init/independent',
  title: 'An agent is registered whether or not it called init',
  clauses: [
    'init.independent',
    'init.transition.active',
    'status.purpose',
    'agent.unstarted.beat-state',
    'agent.unstarted.standing',
    'agent.beat-state.status',
  ],
  needs: [],
  registers: 1,
  requests: 5,
  writes: true,
  async run(t) {
    const { hash, key, name } = await t.root();
    const found = t.accepted(await t.call('verify-batch', { body: { hashes: [hash] } }));
    t.shows('init.independent').field(found, 'results.0.verified', true);
    const before = t.accepted(await look(t, 'status', hash), 'init.independent', 'status.purpose');
    t.shows('agent.unstarted.standing').field(before, 'status', 'registered');
    t.shows('agent.unstarted.beat-state').field(before, 'beat_state', null);
    t.accepted(await t.call('init', { key }));
    const after = t.accepted(await t.call('status', { params: { hash } }));
    const registered = { hash, name, type: 'root', depth: 0, wallet: null };
    for (const [field, value] of Object.entries(registered)) {
      t.shows('init.independent').through('D-19').field(after, field, value);
    }
    t.shows('init.transition.active').through('D-19').field(after, 'status', 'active');
    t.shows('agent.beat-state.status').field(after, 'beat_state.status', 'active');
  },
};

const initLimit: Check = {
  id: 'init/limit',
  title: 'An agent calls init 30 times an hour',
  clauses: ['limit.init', 'limit.error.rate-limited', 'auth.rate-bucket.agent', 'limit.window', 'limit.retry-after'],
  needs: ['clock'],
  registers: 2,
  requests: 45,
  writes: true,
  refusal: true,
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

const initLimitOfParent: Check = {
  id: 'init/limit-of-parent',
  title: 'What a parent has called is none of the calls of its child',
  clauses: ['auth.rate-bucket.agent'],
  needs: ['beats'],
  registers: 2,
  requests: 48,
  writes: true,
  async run(t) {
    const { count } = t.protocol.limits.init;
    needReachableCount(count, REACH.bucket, 'requests fill limits.init');
    const parent = await t.root({ init: true });
    const child = await makeChild(t, parent);
    const called: Reply[] = [];
    for (let n = 0; n <= count; n += 1) called.push(await t.call('init', { key: parent.key, mayLimit: true }));
    const own = await t.call('init', { key: child.key, mayLimit: true });
    if (!called.some(isRateLimited)) {
      t.shows('auth.rate-bucket.agent').unjudged('the calls of the parent met no limit');
      return;
    }
    const actual = `${own.status} ${own.excerpt()}`;
    t.shows('auth.rate-bucket.agent').of(own, 'a call of the child', !isRateLimited(own), 'no rate limit', actual);
  },
};

const initLimitWithoutKey: Check = {
  id: 'init/limit-without-key',
  title: 'Requests without an identity share a bucket by path and address, apart from the agents',
  clauses: ['limit.no-identity', 'limit.refused-count'],
  needs: ['clock', 'client-ip'],
  registers: 1,
  requests: 39,
  writes: true,
  refusal: true,
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

const initLimitElsewhere: Check = {
  id: 'init/limit-elsewhere',
  title: 'Requests without a key from one address leave another address, another path and the agents their own buckets',
  clauses: ['auth.rate-bucket.ip', 'auth.rate-bucket.agent'],
  needs: ['client-ip'],
  registers: 1,
  requests: 35,
  writes: true,
  refusal: true,
  async run(t) {
    const agent = await t.root();
    const { count } = t.protocol.limits.init;
    await Promise.all(Array.from({ length: count }, () => t.call('init', { mayLimit: true })));
    // How many requests without an identity a bucket holds is D-34's: where it is not full yet, nothing is known.
    if (!isRateLimited(await t.call('init', { mayLimit: true }))) {
      const reason = `${count + 1} requests without a key are not limited, so that they share a bucket does not show`;
      t.shows('auth.rate-bucket.ip', 'auth.rate-bucket.agent').unjudged(reason);
      return;
    }
    const stranger = await t.call('init', { mayLimit: true, address: t.newAddress() });
    const free = !isRateLimited(stranger);
    const actual = `${stranger.status} ${stranger.excerpt()}`;
    t.shows('auth.rate-bucket.ip').of(stranger, 'a request of another address', free, 'not rate limited', actual);
    // The limit of another path is no wider, so that it would be full too where paths share a bucket.
    const elsewhere = await t.call('metadata', { body: {}, mayLimit: true });
    const apart = !isRateLimited(elsewhere);
    const reported = `${elsewhere.status} ${elsewhere.excerpt()}`;
    t.shows('auth.rate-bucket.ip').of(elsewhere, 'a request to another path', apart, 'not rate limited', reported);
    t.accepted(await t.call('init', { key: agent.key, mayLimit: true }), 'auth.rate-bucket.agent');
  },
};

export const initChecks: readonly Check[] = [
  initFirst,
  initAgain,
  initAgainWithBeats,
  initIndependent,
  initLimit,
  initLimitOfParent,
  initLimitWithoutKey,
  initLimitElsewhere,
];
