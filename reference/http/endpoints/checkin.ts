/** Handler of the retired POST /agent/checkin (4.15): 410 for every caller. Heartbeats replace it. */

import { checkin } from '../../../spec/endpoints/index.js';
import { refuse } from '../../registry/refusal.js';
import { route } from '../request/route.js';

/** POST /agent/checkin, 4.15: retired, with or without a key (D-52). */
export const checkinRoute = route(checkin, () =>
  refuse('checkin/GONE', 'checkin is retired: use POST /api/v1/agent/heartbeat', { deprecated: true }),
);
