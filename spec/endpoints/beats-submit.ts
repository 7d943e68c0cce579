/** POST /agent/beats/submit as data: an agent's beats are credited. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { beatProof } from './proof-schemas.js';
import { agentHash, count } from './shared.js';

/** 4.9. */
export const beatsSubmit = {
  id: 'beats-submit',
  stem: 'beats-submit',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/beats/submit',
  section: '4.9',
  purpose: "Credits proven beats to the agent's chain, for spawning.",
  auth: 'agent',
  buckets: [{ limit: 'beatsSubmit', by: 'subject' }],
  // D-07: the proof itself, or the proof under `proof`.
  body: () =>
    z.union([z.object({ proof: beatProof }), beatProof]).transform((body) => ('proof' in body ? body.proof : body)),
  invalid: 'beats-submit/VALIDATION',
  errorsShown: 'nothing',
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      agent_hash: agentHash(facts),
      beats_accepted: count,
      total_beats: count,
      latest_beat_index: count,
      global_anchor: count,
      spot_checks_verified: count,
    }),
  }),
} as const satisfies Endpoint;
