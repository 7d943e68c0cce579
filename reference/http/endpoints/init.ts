/** Handler of POST /agent/init (2.3, 4.4). The chain is started in registry/init.ts. */

import { init } from '../../../spec/endpoints/index.js';
import { ZERO_HASH } from '../../../spec/formats.js';
import { genesisHash } from '../../beats/beat.js';
import { latestHash } from '../../registry/beat-status.js';
import { init as initRule } from '../../registry/init.js';
import { FROZEN, hashOf } from '../../registry/state.js';
import { reply, route } from '../request/route.js';

const NEXT_STEPS = {
  purchase_sigil: 'POST /api/v1/sigil gives the agent a named identity; heartbeats of a root need it.',
  heartbeat: 'POST /api/v1/agent/heartbeat proves liveness and returns a passport.',
  spawn_children: 'POST /api/v1/agent/spawn makes children, paid in beats.',
  check_status: 'GET /api/v1/agent/beat-status/<hash> shows the chain and its deadline.',
} as const;

export const initRoute = route(init, ({ registry, agent, nowMs }) => {
  const { started } = initRule(registry, { agent }, nowMs);
  const { columns, line } = registry.agents;
  const agentHash = hashOf(registry, agent);
  const { difficulty, genesisIndex } = registry.protocol.beat;
  const genesis = genesisHash(agentHash);
  if (started) {
    return reply({
      agent_hash: agentHash,
      genesis: { index: genesisIndex, hash: genesis, prev: ZERO_HASH, timestamp: columns.initAtMs[agent]! },
      difficulty,
      status: 'active',
      _next_steps: NEXT_STEPS,
    });
  }
  return reply({
    ok: true,
    already_initialized: true,
    agent_hash: agentHash,
    genesis_hash: genesis,
    total_beats: columns.totalBeats[agent]!,
    latest_hash: latestHash(registry, agent),
    latest_beat: columns.latestBeat[agent]!,
    status: line.status(agent) === FROZEN ? 'frozen' : 'active',
    difficulty,
    last_heartbeat_beat: Math.max(0, line.lastHeartbeatBeat(agent)),
  });
});
