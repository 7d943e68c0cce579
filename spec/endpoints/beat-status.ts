/** GET /agent/beat-status/:hash as data: the state of an agent's beat chain. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { standings } from '../vocabulary.js';
import { agentHash, chainHash, count, lineageHash } from './shared.js';

/**
 * 4.1 lists the route; D-21 gives its reply. Fields of a chain that has not been started are null, and so is a cost beyond
 * 2^53 - 1 (D-31).
 */
export const beatStatus = {
  id: 'beat-status',
  stem: 'beat-status',
  service: 'registry',
  method: 'GET',
  path: '/api/v1/agent/beat-status/:hash',
  section: '4.1',
  purpose:
    "Tells the state of an agent's beat chain, its heartbeats in the epoch, its deadline and its next child's cost.",
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: (facts: Facts) => ({
    200: z.strictObject({
      agent_hash: agentHash(facts),
      beat_initialized: z.boolean(),
      sigil: z.string().nullable(),
      heartbeat: z.strictObject({
        status: z.enum(standings),
        genesis_hash: chainHash.nullable(),
        latest_beat: count.nullable(),
        latest_hash: chainHash.nullable(),
        total_beats: count,
        available_beats: count,
        difficulty: z.literal(facts.protocol.beat.difficulty),
        frozen_since: count.nullable(),
        refused: z.boolean(),
      }),
      heartbeat_epoch: z.strictObject({
        billing_epoch: count,
        count_in_epoch: count,
        volume_cap: count,
        remaining: count,
        lineage_chain_hash: lineageHash,
      }),
      whitelist: z.strictObject({
        standing: z.enum(standings),
        last_global_sync: count.nullable(),
        current_global_beat: count,
        beats_behind: count,
        beats_until_freeze: count.nullable(),
        deadline_anchors: z.literal(facts.protocol.dms.missedAnchorsMax),
      }),
      gestation: z.strictObject({
        depth: count,
        children_spawned: count,
        next_child_cost: count.nullable(),
        beats_accumulated: count,
        progress_pct: z.number().min(0).max(100),
        can_spawn: z.boolean(),
        deficit: count.nullable(),
      }),
    }),
  }),
} as const satisfies Endpoint;
