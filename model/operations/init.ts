/** POST /agent/init (4.4, 2.3): its refusals, and the evidence of its reply. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { at, numberAt, textAt } from '../reading/values.js';
import { noteFreeze } from '../rules.js';
import type { Operation } from '../settle.js';
import type { Agent } from '../state.js';

/** A server may cut its time to whole seconds. */
const NOW_WITHIN_MS = 1_000;

const STARTS = ['init.transition.active', 'init.body', 'service.beat-chain'];

export const init: Operation<Agent> = {
  ids: ['init'],
  facts: ({ agent }) => agent,
  refusals: [],
  accepts: (agent) => (agent.started ? ['init.transition.repeat', 'init.idempotent', 'init.body'] : STARTS),
  accepted: (agent, { state, call, judgement }) => {
    const { json } = call;
    judgement.equals(
      json,
      'agent_hash',
      agent.hash,
      'init.reply.agent-hash',
      agent.started ? 'init.reply.again' : 'init.reply',
    );
    if (agent.started) {
      const { difficulty } = state.settings.protocol.beat;
      judgement.equals(json, 'difficulty', difficulty, 'init.reply.again.difficulty');
      const last = at(json, 'last_heartbeat_beat');
      judgement.that('last_heartbeat_beat', last !== undefined, 'a beat', last, 'init.reply.again.last-heartbeat-beat');
      judgement.equals(json, 'already_initialized', true, 'init.reply.already-initialized');
      judgement.equals(
        json,
        'genesis_hash',
        agent.genesisHash,
        'init.transition.repeat',
        'init.idempotent',
        'init.reply.again',
      );
      // The hash depends only on the agent: a second chain would show in the time of its start.
      if (at(json, 'genesis.timestamp') !== undefined)
        judgement.equals(json, 'genesis.timestamp', agent.shown['genesis.timestamp'], 'init.idempotent');
      judgement.equals(json, 'latest_hash', agent.chain.hash, 'init.transition.repeat', 'init.reply.again');
      judgement.equals(json, 'latest_beat', agent.chain.beat, 'init.transition.repeat', 'init.reply.again');
      judgement.equals(json, 'total_beats', agent.totalBeats, 'init.transition.repeat', 'init.reply.again');
      if (agent.frozen === undefined && textAt(json, 'status') === 'frozen') noteFreeze(state, agent);
      const status = agent.frozen === undefined ? undefined : agent.frozen ? 'frozen' : 'active';
      judgement.equals(json, 'status', status, 'dms.freeze', 'init.reply.again');
      return;
    }
    judgement.equals(json, 'genesis.index', state.settings.protocol.beat.genesisIndex, 'init.reply.genesis.index');
    const atMs = numberAt(json, 'genesis.timestamp');
    const isNow = state.nowMs === undefined ? undefined : Math.abs((atMs ?? 0) - state.nowMs) <= NOW_WITHIN_MS;
    judgement.that('genesis.timestamp', isNow, state.nowMs, atMs, 'init.reply.genesis.timestamp');
    judgement.equals(
      json,
      'difficulty',
      state.settings.protocol.beat.difficulty,
      'init.reply.difficulty',
      'constant.beats-difficulty',
    );
    judgement.equals(json, 'status', 'active', 'init.reply.status', 'init.transition.active');
    const [hash, prev] = [`beats:genesis:v1:${agent.written}`, at(json, 'genesis.prev')];
    judgement.equals(json, 'genesis.hash', bytesToHex(sha256(utf8ToBytes(hash))), 'genesis.hash');
    const form = /^[0-9a-f]{64}$/.test(String(at(json, 'genesis.hash')));
    judgement.that('genesis.hash', form, '64 lower-case hex characters', at(json, 'genesis.hash'), 'beat.hash.form');
    judgement.that('genesis.prev', prev === '0'.repeat(64), '64 zeros', prev, 'genesis.prev');
    agent.started = true;
    agent.shown['genesis.timestamp'] = atMs;
    agent.syncAnchor = state.anchor;
    agent.genesisHash = textAt(json, 'genesis.hash');
    agent.chain = { beat: numberAt(json, 'genesis.index'), hash: agent.genesisHash };
    agent.totalBeats = 0;
  },
};
