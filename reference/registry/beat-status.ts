/** The reply of GET /agent/beat-status/:hash (D-21). It reads the state and changes nothing. */

import { sigilText } from '../../spec/formats.js';
import { genesisHash } from '../beats/beat.js';
import { billingEpoch, heartbeatCap } from './fees.js';
import { heartbeatsInEpoch } from './heartbeat.js';
import { lineageChainHash } from './lineage.js';
import { spendableBeats } from './reservation.js';
import { progressPct, spawnCostBeats } from './spawn-cost.js';
import { standingOf } from './standing.js';
import { currentBeat, FROZEN, hashOf, missedAnchors, REGISTERED, type Registry } from './state.js';

/** The hash at an agent's latest beat: the genesis hash until it submits beats. */
export function latestHash(registry: Registry, agent: number): string {
  return registry.latestHashes.get(agent) ?? genesisHash(hashOf(registry, agent));
}

/**
 * D-21: the body of GET /agent/beat-status/:hash for a known agent. Fields of a chain that has not started are null.
 */
export function beatStatus(registry: Registry, agent: number, nowMs: number) {
  const sigil = registry.sigils.get(agent);
  return {
    agent_hash: hashOf(registry, agent),
    beat_initialized: registry.agents.line.status(agent) !== REGISTERED,
    sigil: sigil === undefined ? null : sigilText(sigil),
    heartbeat: heartbeatView(registry, agent, nowMs),
    heartbeat_epoch: epochView(registry, agent),
    whitelist: whitelistView(registry, agent),
    gestation: gestationView(registry, agent, nowMs),
  };
}

function heartbeatView(registry: Registry, agent: number, nowMs: number) {
  const { columns, line } = registry.agents;
  const started = line.status(agent) !== REGISTERED;
  return {
    status: standingOf(registry, agent),
    genesis_hash: started ? genesisHash(hashOf(registry, agent)) : null,
    latest_beat: started ? columns.latestBeat[agent]! : null,
    latest_hash: started ? latestHash(registry, agent) : null,
    total_beats: columns.totalBeats[agent]!,
    available_beats: spendableBeats(registry, agent, nowMs),
    difficulty: registry.protocol.beat.difficulty,
    frozen_since: line.status(agent) === FROZEN ? columns.frozenAtBeat[agent]! : null,
    refused: line.complaints(agent) > 0,
  };
}

function epochView(registry: Registry, agent: number) {
  const epoch = billingEpoch(registry.protocol, currentBeat(registry));
  const count = heartbeatsInEpoch(registry, agent, epoch);
  const cap = heartbeatCap(registry.protocol, registry.agents.line.identityClass(agent));
  return {
    billing_epoch: epoch,
    count_in_epoch: count,
    volume_cap: cap,
    remaining: Math.max(0, cap - count),
    lineage_chain_hash: lineageChainHash(registry, agent),
  };
}

function whitelistView(registry: Registry, agent: number) {
  const { missedAnchorsMax } = registry.protocol.dms;
  const { beatsPerAnchor } = registry.protocol.anchor;
  const started = registry.agents.line.status(agent) !== REGISTERED;
  const missed = started ? missedAnchors(registry, agent) : 0;
  return {
    standing: standingOf(registry, agent),
    last_global_sync: started ? registry.agents.line.lastSyncAnchor(agent) : null,
    current_global_beat: currentBeat(registry),
    beats_behind: missed * beatsPerAnchor,
    beats_until_freeze: started ? Math.max(0, missedAnchorsMax + 1 - missed) * beatsPerAnchor : null,
    deadline_anchors: missedAnchorsMax,
  };
}

/**
 * The cost of the next child. If it exceeds 2^53 - 1 beats (D-31), cost and deficit are null and no child can be
 * spawned.
 */
function gestationView(registry: Registry, agent: number, nowMs: number) {
  const { columns, line } = registry.agents;
  const depth = line.depth(agent);
  const children = columns.children[agent]!;
  const cost = spawnCostBeats(registry.protocol, depth, children, registry.dialect);
  const available = spendableBeats(registry, agent, nowMs);
  return {
    depth,
    children_spawned: children,
    next_child_cost: cost,
    beats_accumulated: available,
    progress_pct: cost === null ? 0 : progressPct(available, cost),
    can_spawn: cost !== null && available >= cost,
    deficit: cost === null ? null : Math.max(0, cost - available),
  };
}
