/** POST /agent/flag as data: a complaint about another agent's class. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { UUID_SHAPE } from '../formats.js';
import { classesOf } from '../parts.js';
import { agentHash, textOf } from './shared.js';

/** 4.16. */
export const flag = {
  id: 'flag',
  stem: 'flag',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/flag',
  section: '4.16',
  purpose: 'Files a complaint that another agent is of another class than it says.',
  auth: 'agent',
  buckets: [
    { limit: 'flag', by: 'ip' },
    { limit: 'flagReporter', by: 'agent' },
    { limit: 'flagTarget', by: 'target' },
  ],
  body: (facts: Facts) => {
    const identityClasses = classesOf(facts.protocol);
    return z.object({
      target_hash: agentHash(facts),
      asserted_class: z.enum(identityClasses),
      reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax),
    });
  },
  invalid: 'flag/VALIDATION',
  replies: () => ({
    200: z.strictObject({
      flagged: z.literal(true),
      flag_id: z.string().regex(UUID_SHAPE),
      status: z.literal('pending'),
    }),
  }),
} as const satisfies Endpoint;
