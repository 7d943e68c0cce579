/** GET /beat/anchor as data, on the registry and on the beats service: the latest global anchor. */

import type { Endpoint, Facts } from '../endpoint.js';
import { anchorReply } from './proof-schemas.js';

const call = {
  stem: 'beat-anchor',
  method: 'GET',
  path: '/api/v1/beat/anchor',
  purpose: 'Answers with the latest global anchor.',
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: (facts: Facts) => ({ 200: anchorReply(facts) }),
} as const;

/** 4.1 lists the route; D-05 gives its reply. */
export const beatAnchor = {
  ...call,
  id: 'beat-anchor',
  service: 'registry',
  section: '4.1',
} as const satisfies Endpoint;

/** D-05 and D-08: the same call on the beats service. */
export const beatsBeatAnchor = {
  ...call,
  id: 'beats.beat-anchor',
  service: 'beats',
  section: '4.8',
} as const satisfies Endpoint;
