/** The standing of an agent and its beat state, as several lookups show them (D-19, D-43). */

import type { Standing } from '../../spec/vocabulary.js';
import { spendableBeats } from './reservation.js';
import { ACTIVE, FROZEN, missedAnchors, REGISTERED, type Registry } from './state.js';

/** The standing of an agent; a sustained complaint takes precedence over everything else. */
export function standingOf(registry: Registry, agent: number): Standing {
  const { line } = registry.agents;
  if (line.complaints(agent) > 0) return 'refused';
  switch (line.status(agent)) {
    case REGISTERED:
      return 'registered';
    case FROZEN:
      return 'frozen';
    case ACTIVE:
      return missedAnchors(registry, agent) > registry.protocol.dms.warningAnchors ? 'warning' : 'active';
    default:
      throw new Error(`agent ${agent} has the status ${line.status(agent)}, which does not exist`);
  }
}

/** `beat_state` of D-19: null until the chain has started (D-43). */
export function beatState(registry: Registry, agent: number, nowMs: number) {
  const { columns, line } = registry.agents;
  if (line.status(agent) === REGISTERED) return null;
  return {
    beat_count: columns.totalBeats[agent]!,
    lifetime_beats: columns.totalBeats[agent]!,
    available_beats: spendableBeats(registry, agent, nowMs),
    latest_beat: columns.latestBeat[agent]!,
    last_checkin_beat: Math.max(0, line.lastHeartbeatBeat(agent)),
    last_global_sync: line.lastSyncAnchor(agent),
    total_heartbeats: line.totalHeartbeats(agent),
    difficulty: registry.protocol.beat.difficulty,
    status: line.status(agent) === FROZEN ? 'frozen' : 'active',
  };
}
