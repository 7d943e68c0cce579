/** Public lookups of agents: status, verify, beat-status and verify/batch (section 4.14; the shapes of the others are ours). */

import { inEpoch, sigilObject } from './paid.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { type Agent, find, isHash, type World } from './world.js';

const statusOf = (agent: Agent): string => (agent.frozen ? 'frozen' : agent.chain === null ? 'registered' : 'active');

function known(world: World, hash: string): Agent {
  if (!isHash(hash)) throw new Refusal(400, 'INVALID_HASH', 'An agent hash is 0x and 64 hex digits.');
  const agent = find(world, hash);
  if (agent === undefined) throw new Refusal(404, 'AGENT_NOT_FOUND', 'There is no such agent.');
  return agent;
}

const sigilOf = (agent: Agent): Record<string, unknown> | null =>
  agent.sigil === null ? null : { ...sigilObject(agent.sigil), ...agent.mutable, generation: agent.generation };

const agentFields = (agent: Agent): Record<string, unknown> => ({
  hash: agent.hash,
  name: agent.name,
  type: agent.parent === null ? 'root' : 'descendant',
  parent: agent.parent?.hash ?? null,
  depth: agent.depth,
  metadata: agent.metadata ?? {},
  wallet: agent.wallet?.shown ?? null,
  wallet_model: agent.wallet?.model ?? null,
  wallet_chain: agent.wallet?.chain ?? null,
  birth_tx: agent.birthTx,
  registered_at_beat: agent.beat,
});

const beatState = (world: World, agent: Agent): Record<string, unknown> => ({
  status: statusOf(agent),
  genesis_hash: agent.chain?.genesis.hash ?? null,
  latest_beat: agent.chain?.latestBeat ?? null,
  latest_hash: agent.chain?.latestHash ?? null,
  total_beats: agent.chain?.total ?? 0,
  total_heartbeats: agent.heartbeats,
  heartbeat_count_epoch: inEpoch(world, agent),
  last_heartbeat_beat: agent.lastHeartbeat,
  last_global_sync: agent.lastSync,
});

/** GET /status/:hash */
export function status(world: World, call: Call): Reply {
  const agent = known(world, call.rest);
  return {
    body: { ...agentFields(agent), status: statusOf(agent), sigil: sigilOf(agent), beats: beatState(world, agent) },
  };
}

/** GET /agent/beat-status/:hash */
export function beatStatus(world: World, call: Call): Reply {
  const agent = known(world, call.rest);
  const published = world.settings.published ? { heartbeat_epoch: { lineage_chain_hash: agent.lineage } } : {};
  return { body: { agent_hash: agent.hash, ...beatState(world, agent), ...published } };
}

function verified(world: World, agent: Agent): Record<string, unknown> {
  const lineage: Agent[] = [];
  for (let each: Agent | null = agent; each !== null; each = each.parent) lineage.unshift(each);
  return {
    verified: true,
    standing: {
      status: statusOf(agent),
      complaint: world.flags.some((flag) => flag.target === agent && flag.status === 'sustained'),
    },
    agent: agentFields(agent),
    sigil: sigilOf(agent),
    passport: agent.passport,
    beat_state: beatState(world, agent),
    network: { current_anchor_index: world.anchor, anchor_degraded: world.stalled },
    lineage: lineage.map((each) => ({ hash: each.hash, name: each.name, depth: each.depth })),
    root: lineage[0]?.hash ?? agent.hash,
  };
}

/** GET /verify/:hash */
export function verifyOne(world: World, call: Call): Reply {
  return { body: verified(world, known(world, call.rest)) };
}

/** POST /verify/batch */
export function verifyBatch(world: World, call: Call): Reply {
  world.limit('verifyBatch', call.ip);
  const hashes: unknown = call.body['hashes'];
  if (!Array.isArray(hashes) || hashes.length === 0)
    throw new Refusal(400, 'INVALID_INPUT', 'hashes is a list of 1 to 50.');
  if (hashes.length > 50) throw new Refusal(400, 'BATCH_TOO_LARGE', 'hashes has at most 50 items.');
  const bad: unknown = hashes.find((hash) => !isHash(hash));
  if (bad !== undefined) throw new Refusal(400, 'INVALID_HASH', 'An agent hash is 0x and 64 hex digits.');
  const found = hashes.map((hash) => find(world, hash));
  const results = found.map((agent, at) =>
    agent === undefined
      ? { verified: false, hash: String(hashes[at]), error: 'There is no such agent.' }
      : verified(world, agent),
  );
  const count = found.filter((agent) => agent !== undefined).length;
  return { body: { results, summary: { total: hashes.length, verified: count, not_found: hashes.length - count } } };
}

/** POST /agent/checkin */
export function checkin(): Reply {
  return {
    status: 410,
    body: { error: 'Heartbeats have replaced check-ins: POST /api/v1/agent/heartbeat.', deprecated: true },
  };
}
