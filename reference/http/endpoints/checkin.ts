import { checkin } from '../../../spec/endpoints/index.js';
import { refuse } from '../../registry/refusal.js';
import { route } from '../request/route.js';

/** POST /agent/checkin, 4.15: retired, for whoever asks (D-52). */
export const checkinRoute = route(checkin, () =>
  refuse('checkin/GONE', 'checkin is retired: use POST /api/v1/agent/heartbeat', { deprecated: true }),
);
