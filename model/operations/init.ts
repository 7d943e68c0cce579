/** POST /agent/init (4.4, 2.3): its refusals, and the evidence of its reply. */

import { numberAt, textAt } from '../reading/values.js';
import { LATE_ANCHORS_MAX, noteFreeze } from '../rules.js';
import type { Operation } from '../settle.js';
import type { Agent } from '../state.js';

/** A server may cut its time to whole seconds. */
const NOW_WITHIN_MS = 1_000;

export const init: Operation<Agent> = {
  ids: ['init'],
  facts: ({ agent }) => agent,
  refusals: [],
  accepts: (agent) => (agent.started ? ['init.transition.repeat', 'init.idempotent'] : ['init.transition.active']),
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
      const { revived } = agent;
      const back = revived === undefined ? [] : ['resync.reactivates'];
      const chain = ['init.transition.repeat', 'init.reply.again', ...(revived ? [`resync.${revived}.chain`] : [])];
      judgement.equals(json, 'already_initialized', true, 'init.reply.already-initialized', ...back);
      judgement.equals(json, 'genesis_hash', agent.genesisHash, 'init.transition.repeat', 'init.reply.again');
      judgement.equals(json, 'latest_hash', agent.chain.hash, ...chain);
      judgement.equals(json, 'latest_beat', agent.chain.beat, ...chain);
      judgement.equals(json, 'total_beats', agent.totalBeats, ...chain);
      if (agent.frozen === undefined && textAt(json, 'status') === 'frozen') noteFreeze(state, agent);
      const missed = agent.syncAnchor === undefined ? undefined : (state.anchor ?? 0) - agent.syncAnchor;
      const { missedAnchorsMax } = state.settings.protocol.dms;
      const isLate = missed !== undefined && missed > missedAnchorsMax + LATE_ANCHORS_MAX;
      const status = agent.frozen === undefined && !isLate ? undefined : agent.frozen === false ? 'active' : 'frozen';
      const isBack = revived !== undefined && agent.frozen === false;
      const alive = ['resync.transition.active', 'service.resync', ...back];
      const since = isBack ? alive : ['dms.freeze', 'constant.dms-threshold', 'service.dms'];
      const counted = revived === undefined ? [] : ['dms.count.resync'];
      judgement.equals(json, 'status', status, ...since, ...counted, 'init.reply.again');
      const exact = missed === undefined ? undefined : missed > missedAnchorsMax || agent.frozen ? 'frozen' : 'active';
      const count = agent.heartbeats > 0 ? 'dms.count.heartbeat' : 'dms.count.init';
      judgement.equals(json, 'status', exact, 'dms.when', count);
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
    agent.started = true;
    agent.syncAnchor = state.anchor;
    agent.genesisHash = textAt(json, 'genesis.hash');
    // A wrong index that is shown says nothing of the end of the chain.
    agent.chain = { beat: state.settings.protocol.beat.genesisIndex, hash: agent.genesisHash };
    agent.totalBeats = 0;
  },
};
