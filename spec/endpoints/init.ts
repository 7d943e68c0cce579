/** POST /agent/init as data: an agent's beat chain is started, or shown. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { ZERO_HASH } from '../formats.js';
import { agentHash, chainHash, count } from './shared.js';

/** 2.3: the reply of the call that starts the chain. */
function initStarted(facts: Facts) {
  const { beat } = facts.protocol;
  return z.strictObject({
    already_initialized: z.literal(false).optional(),
    agent_hash: agentHash(facts),
    genesis: z.strictObject({
      index: z.literal(beat.genesisIndex),
      hash: chainHash,
      prev: z.literal(ZERO_HASH),
      timestamp: count,
    }),
    difficulty: z.literal(beat.difficulty),
    status: z.literal('active'),
    _next_steps: z.strictObject({
      purchase_sigil: z.string(),
      heartbeat: z.string(),
      spawn_children: z.string(),
      check_status: z.string(),
    }),
  });
}

/** 2.3: the reply of every later call; difficulty and last_heartbeat_beat are D-41's. */
function initRepeated(facts: Facts) {
  return z.strictObject({
    ok: z.literal(true),
    already_initialized: z.literal(true),
    agent_hash: agentHash(facts),
    genesis_hash: chainHash,
    total_beats: count,
    latest_hash: chainHash,
    latest_beat: count,
    status: z.enum(['active', 'frozen']),
    difficulty: z.literal(facts.protocol.beat.difficulty).optional(),
    last_heartbeat_beat: count.nullable().optional(),
  });
}

/** 4.4. */
export const init = {
  id: 'init',
  stem: 'init',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/init',
  section: '4.4',
  purpose: "Starts the agent's beat chain, or returns its state once it has been started.",
  auth: 'agent',
  buckets: [{ limit: 'init', by: 'subject' }],
  body: () => z.object({}),
  invalid: null,
  errorsShown: 'nothing',
  replies: (facts: Facts) => ({
    200: z.discriminatedUnion('already_initialized', [initStarted(facts), initRepeated(facts)]),
  }),
} as const satisfies Endpoint;
