import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { initRepeated, initStarted } from '../../spec/endpoints/init.js';
import { show } from '../assertions/mismatch.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';

const first: Check = {
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
    const reply = t.accepted(await t.call('init', { key: agent.key }), initStarted);
    t.about(['init.reply.agent-hash'], () => t.equal('agent_hash', reply.get('agent_hash'), agent.hash));
    const prev = reply.string('genesis.prev');
    t.about(['init.reply.genesis.prev'], () => t.that('genesis.prev', /^0+$/.test(prev), 'a string of zeros', prev));
    t.decided('D-03', () => {
      t.equal('genesis.prev', prev, '0'.repeat(64));
      const expected = bytesToHex(sha256(utf8ToBytes(`beats:genesis:v1:${agent.hash}`)));
      t.equal('genesis.hash', reply.get('genesis.hash'), expected);
    });
    const driftMs = Math.abs(reply.number('genesis.timestamp') - t.nowMs());
    if (!t.session.offers.has('clock')) return;
    t.about(['init.reply.genesis.timestamp'], () => t.equal('genesis.timestamp, ms from now', driftMs, 0));
  },
};

/** What a second genesis beat speaks against. */
const REPEATED = [
  'init.idempotent',
  'init.transition.repeat',
  'init.reply.again',
  'init.reply.already-initialized',
] as const;

const again: Check = {
  id: 'init/again',
  title: 'A repeated init starts no second chain and tells of the one that exists',
  clauses: [
    'init.idempotent',
    'init.transition.repeat',
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
    const started = t.accepted(await t.call('init', { key: agent.key }), initStarted);
    const replies = [await t.call('init', { key: agent.key }), await t.call('init', { key: agent.key })];
    for (const reply of replies) {
      t.about(REPEATED, () => {
        const genesis = reply.get('genesis');
        t.that('a repeated init', genesis === undefined, 'no new genesis beat', show(genesis));
      });
      t.accepted(reply, initRepeated);
      t.equal('already_initialized', reply.get('already_initialized'), true);
      t.equal('agent_hash', reply.get('agent_hash'), agent.hash);
      t.equal('genesis_hash', reply.get('genesis_hash'), started.get('genesis.hash'));
      t.equal('latest_hash', reply.get('latest_hash'), started.get('genesis.hash'));
      t.equal('latest_beat', reply.get('latest_beat'), t.protocol.beat.genesisIndex);
      t.equal('total_beats', reply.get('total_beats'), 0);
      t.about(['init.reply.again'], () => t.equal('status', reply.get('status'), 'active'));
      t.decided('D-41', () => t.equal('difficulty', reply.get('difficulty'), t.protocol.beat.difficulty));
      const tells = typeof reply.json === 'object' && reply.json !== null && 'last_heartbeat_beat' in reply.json;
      t.decided('D-41', () => t.that('last_heartbeat_beat', tells, 'a field', 'no such field'));
    }
  },
};

const independent: Check = {
  id: 'init/independent',
  title: 'An agent is registered whether or not it called init',
  clauses: ['init.independent', 'agent.unstarted.beat-state', 'agent.unstarted.standing'],
  needs: [],
  registers: 1,
  requests: 4,
  writes: true,
  async run(t) {
    const { hash, key } = await t.root();
    const before = t.accepted(await t.call('status', { params: { hash } }));
    t.decided('D-43', () => t.equal('status before init', before.get('status'), 'registered'));
    t.decided('D-43', () => t.equal('beat_state before init', before.get('beat_state'), null));
    t.accepted(await t.call('init', { key }), initStarted);
    const after = t.accepted(await t.call('status', { params: { hash } }));
    t.decided('D-19', () => t.equal('status after init', after.get('status'), 'active'));
    t.decided('D-49', () => t.equal('beat_state.status after init', after.get('beat_state.status'), 'active'));
  },
};

const limit: Check = {
  id: 'init/limit',
  title: 'An agent calls init 30 times an hour',
  clauses: ['limit.init', 'limit.error.rate-limited', 'auth.rate-bucket.agent', 'limit.window', 'limit.retry-after'],
  needs: ['clock'],
  registers: 2,
  requests: 37,
  writes: true,
  refusal: true,
  waits: windowOf('init'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    await judgeLimit(t, {
      limit: 'init',
      send: () => t.call('init', { key: agent.key, mayLimit: true }),
      other: () => t.call('init', { key: other.key, mayLimit: true }),
    });
  },
};

const limitWithoutKey: Check = {
  id: 'init/limit-without-key',
  title: 'Requests without an identity share a bucket by path and address, apart from the agents',
  clauses: ['limit.no-identity', 'limit.refused-count'],
  needs: ['clock', 'client-ip'],
  registers: 1,
  requests: 37,
  writes: true,
  refusal: true,
  waits: windowOf('init'),
  async run(t) {
    const agent = await t.root();
    await judgeLimit(t, {
      limit: 'init',
      send: () => t.call('init', { mayLimit: true }),
      other: () => t.call('init', { key: agent.key, mayLimit: true }),
    });
  },
};

const elsewhere: Check = {
  id: 'init/limit-elsewhere',
  title: 'Requests without a key from one address leave another address and the agents their own buckets',
  clauses: ['auth.rate-bucket.ip', 'auth.rate-bucket.agent'],
  needs: ['client-ip'],
  registers: 1,
  requests: 33,
  writes: true,
  refusal: true,
  async run(t) {
    const agent = await t.root();
    const { count } = t.protocol.limits.init;
    await Promise.all(Array.from({ length: count }, () => t.call('init', { mayLimit: true })));
    const stranger = await t.call('init', { mayLimit: true, address: t.newAddress() });
    t.refused(stranger, 'any/AUTH_MISSING');
    t.accepted(await t.call('init', { key: agent.key, mayLimit: true }), initStarted);
  },
};

export const initChecks: readonly Check[] = [first, again, independent, limit, limitWithoutKey, elsewhere];
