/** Handler of GET /verify/:hash (D-20). The reply is built in registry/verify.ts. */

import { verify } from '../../../spec/endpoints/index.js';
import { verify as verifyReply } from '../../registry/verify.js';
import { route } from '../request/route.js';
import { lookup } from './lookup.js';

export const verifyRoute = route(verify, (call) =>
  lookup(
    call,
    'verify',
    (agent) => {
      const result = verifyReply(call.registry, agent, call.nowMs);
      return { ...result, lineage_depth: result.lineage.length };
    },
    (hash) => ({ verified: false, hash }),
  ),
);
