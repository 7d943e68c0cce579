/** Handler of GET /agent/beat-status/:hash (D-21). The reply is built in registry/beat-status.ts. */

import { beatStatus } from '../../../spec/endpoints/index.js';
import { beatStatus as beatStatusReply } from '../../registry/beat-status.js';
import { route } from '../request/route.js';
import { lookup } from './lookup.js';

export const beatStatusRoute = route(beatStatus, (call) =>
  lookup(
    call,
    'beat-status',
    (agent) => beatStatusReply(call.registry, agent, call.nowMs),
    () => ({}),
  ),
);
