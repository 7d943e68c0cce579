import { status } from '../../spec/endpoints/index.js';
import { status as statusOf } from '../registry/status.js';
import { lookup } from './lookup.js';
import { route } from './route.js';

/** GET /status/:hash, D-19. */
export const statusRoute = route(status, (call) =>
  lookup(
    call,
    'status',
    (agent) => statusOf(call.registry, agent, call.nowMs),
    (hash) => ({ exists: false, status: 'not_found', hash }),
  ),
);
