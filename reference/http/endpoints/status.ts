/** Handler of GET /status/:hash (D-19). The reply is built in registry/status.ts. */

import { status } from '../../../spec/endpoints/index.js';
import { status as statusReply } from '../../registry/status.js';
import { route } from '../request/route.js';
import { lookup } from './lookup.js';

export const statusRoute = route(status, (call) =>
  lookup(
    call,
    'status',
    (agent) => statusReply(call.registry, agent, call.nowMs),
    (hash) => ({ exists: false, status: 'not_found', hash }),
  ),
);
