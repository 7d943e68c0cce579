/** POST /agent/init (4.4, 2.3): its refusals, and the evidence of its reply. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { groups } from '../../spec/clauses/groups.js';
import type { Operation } from '../case.js';
import { LATE_ANCHORS_MAX, noteFreeze } from '../facts/rules.js';
import type { Agent } from '../facts/state.js';
import { at, numberAt, textAt } from '../reading/values.js';

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
      'agent_hash',
      agent.hash,
      'init.reply.agent-hash',
      agent.started ? 'init.reply.again' : 'init.reply',
    );
    if (agent.started) {
      const { revived } = agent;
      const back = revived === undefined ? [] : ['resync.reactivates'];
      const again = ['init.transition.repeat', 'init.reply.again'];
      const chain = [...again, ...(revived ? [`resync.${revived}.chain`] : [])];
      const { difficulty } = state.settings.protocol.beat;
      judgement.equals('difficulty', difficulty, 'init.reply.again.difficulty');
      const last = at(json, 'last_heartbeat_beat');
      judgement.that('last_heartbeat_beat', last !== undefined, 'a beat', last, 'init.reply.again.last-heartbeat-beat');
      judgement.equals('already_initialized', true, 'init.reply.already-initialized', ...back);
      judgement.equals('genesis_hash', agent.genesisHash, ...again, 'init.idempotent');
      // The genesis hash depends on the agent alone, so only another timestamp reveals a second chain.
      if (at(json, 'genesis.timestamp') !== undefined)
        judgement.equals('genesis.timestamp', agent.shown['genesis.timestamp'], 'init.idempotent');
      judgement.equals('latest_hash', agent.chain.hash, ...chain);
      judgement.equals('latest_beat', agent.chain.beat, ...chain);
      judgement.equals('total_beats', agent.totalBeats, ...chain);
      const shown = textAt(json, 'status');
      // Init is at fault, and not the dead man's switch, if another reply has shown the freeze or init shows no status.
      const isOwnFault = shown === undefined || (agent.frozen === true && shown !== 'frozen');
      if (agent.frozen === undefined && shown === 'frozen') noteFreeze(state, agent);
      const missed = agent.syncAnchor === undefined ? undefined : (state.anchor ?? 0) - agent.syncAnchor;
      const { missedAnchorsMax } = state.settings.protocol.dms;
      const isLate = missed !== undefined && missed > missedAnchorsMax + LATE_ANCHORS_MAX;
      const status = agent.frozen === undefined && !isLate ? undefined : agent.frozen === false ? 'active' : 'frozen';
      const isBack = revived !== undefined && agent.frozen === false;
      const alive = ['resync.transition.active', 'service.resync', ...back];
      const since = isOwnFault ? [] : isBack ? alive : [...groups.freeze];
      const counted = revived === undefined || isOwnFault ? [] : ['dms.count.resync'];
      judgement.equals('status', status, ...since, ...counted, 'init.reply.again');
      const exact = missed === undefined ? undefined : missed > missedAnchorsMax || agent.frozen ? 'frozen' : 'active';
      const count = agent.heartbeats > 0 ? 'dms.count.heartbeat' : 'dms.count.init';
      if (!isOwnFault) judgement.equals('status', exact, 'dms.when', count);
      return;
    }
    const atMs = numberAt(json, 'genesis.timestamp');
    const isNow =
      state.nowMs === undefined ? undefined : Math.abs((atMs ?? 0) - state.nowMs) <= NOW_WITHIN_MS + state.slackMs;
    judgement.that('genesis.timestamp', isNow, state.nowMs, atMs, 'init.reply.genesis.timestamp');
    judgement.equals('difficulty', state.settings.protocol.beat.difficulty, ...groups.difficulty);
    judgement.equals('status', 'active', 'init.reply.status', 'init.transition.active');
    const [hash, prev] = [`beats:genesis:v1:${agent.written}`, at(json, 'genesis.prev')];
    judgement.equals('genesis.hash', bytesToHex(sha256(utf8ToBytes(hash))), 'genesis.hash');
    const form = /^[0-9a-f]{64}$/.test(String(at(json, 'genesis.hash')));
    judgement.that('genesis.hash', form, '64 lower-case hex characters', at(json, 'genesis.hash'), 'beat.hash.form');
    judgement.that('genesis.prev', prev === '0'.repeat(64), '64 zeros', prev, 'genesis.prev');
    agent.started = true;
    agent.shown['genesis.timestamp'] = atMs;
    agent.syncAnchor = state.anchor;
    agent.genesisHash = textAt(json, 'genesis.hash');
    // A wrong index in the reply does not change the end of the chain.
    agent.chain = { beat: state.settings.protocol.beat.genesisIndex, hash: agent.genesisHash };
    agent.totalBeats = 0;
  },
};
