/** GET /agent/beat-status/:hash (D-21): the chain of an agent, its heartbeats and the cost of its next child. */

import type { Case } from '../case.js';
import { beatOf, capOf, epochOf, heartbeatsInEpoch } from '../facts/rules.js';
import { spawnCost } from '../facts/spawn-cost.js';
import type { Agent } from '../facts/state.js';
import { at } from '../reading/values.js';
import { judgeStatusWord } from './agent.js';
import { judgeLineageHash } from './passport.js';

/** Judges the reply about an agent. */
export function judgeBeatStatus(given: Case, agent: Agent): void {
  const { state, call, judgement } = given;
  const { json } = call;
  judgement.shown('agent_hash', agent.hash, 'beat-status.purpose');
  judgement.shown('beat_initialized', agent.started, 'beat-status.reply');
  if (!agent.started) return;
  judgement.shown('heartbeat.latest_beat', agent.chain.beat, 'beat-status.purpose', 'beat-status.reply.heartbeat');
  judgement.shown('heartbeat.latest_hash', agent.chain.hash, 'beat-status.purpose', 'beat-status.reply.heartbeat');
  judgement.shown('heartbeat.genesis_hash', agent.genesisHash, 'beat-status.reply.heartbeat');
  judgement.shown('heartbeat.difficulty', state.settings.protocol.beat.difficulty, 'beat-status.reply.heartbeat');
  judgement.shown('heartbeat.total_beats', agent.totalBeats, 'beat-status.reply.heartbeat', 'beat-status.purpose');
  judgement.shown('heartbeat.available_beats', agent.spendable, 'resync.prove.available-beats');
  judgeStatusWord(given, 'heartbeat.status', agent, 'beat-status.reply.heartbeat', []);
  const epoch = 'beat-status.reply.heartbeat-epoch';
  const done = heartbeatsInEpoch(state, agent);
  judgement.shown('heartbeat_epoch.billing_epoch', epochOf(state), epoch);
  judgement.shown('heartbeat_epoch.count_in_epoch', done, epoch);
  const cap = capOf(state, agent.sigil?.identity_class ?? 'narrow_task');
  const ofChild = agent.sigil === null && agent.depth > 0 ? ['heartbeat.cap.child'] : [];
  // A wrong cap is evidence against the clause of the cap.
  const own = agent.sigil?.identity_class ?? '';
  const ofClass = ['narrow_task', 'autonomous', 'orchestrator'].includes(own)
    ? ['service.class.cap', `heartbeat.cap.${own.replace('_', '-')}`]
    : [];
  judgement.shown(
    'heartbeat_epoch.volume_cap',
    cap,
    epoch,
    ...ofChild,
    ...(own === '' ? [] : ['sigil.caps', ...ofClass]),
  );
  judgement.shown('heartbeat_epoch.remaining', cap === undefined || done === undefined ? undefined : cap - done, epoch);
  if (at(json, 'heartbeat_epoch.lineage_chain_hash') !== undefined)
    judgeLineageHash(given, agent, 'heartbeat_epoch.lineage_chain_hash');
  const whitelist = 'beat-status.reply.whitelist';
  const behind =
    state.anchor === undefined || agent.syncAnchor === undefined ? undefined : state.anchor - agent.syncAnchor;
  judgement.shown('whitelist.last_global_sync', agent.syncAnchor, whitelist);
  judgement.shown('whitelist.current_global_beat', beatOf(state), whitelist);
  const { missedAnchorsMax } = state.settings.protocol.dms;
  const deadline = 'beat-status.reply.whitelist.deadline-anchors';
  judgement.shown('whitelist.deadline_anchors', missedAnchorsMax, deadline);
  const { beatsPerAnchor } = state.settings.protocol.anchor;
  judgement.shown('whitelist.beats_behind', behind === undefined ? undefined : behind * beatsPerAnchor, whitelist);
  judgeStatusWord(given, 'whitelist.standing', agent, whitelist, [whitelist]);
  judgement.shown('gestation.depth', agent.depth, 'beat-status.reply.gestation');
  judgement.shown('gestation.children_spawned', agent.children, 'beat-status.reply.gestation');
  const cost = spawnCost(state.settings, agent);
  const deficit = agent.spendable === undefined ? undefined : Math.max(0, cost - agent.spendable);
  judgement.shown('gestation.deficit', deficit, 'beat-status.reply.gestation');
  const isFirst = agent.depth === 0 && agent.children === 0;
  const costs = ['beat-status.reply.gestation', 'spawn.cost.depth', ...(isFirst ? ['spawn.cost.check.0-0'] : [])];
  judgement.shown('gestation.next_child_cost', cost, ...costs);
}
