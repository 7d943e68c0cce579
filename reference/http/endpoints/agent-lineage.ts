/** Handler of GET /agent/lineage/:hash (D-57). The events behind the hash are not kept. */

import { agentLineage } from '../../../spec/endpoints/client-calls.js';
import { lineageChainHash } from '../../registry/lineage.js';
import { verify } from '../../registry/verify.js';
import { route } from '../request/route.js';
import { lookup } from './lookup.js';

/** GET /agent/lineage/:hash, D-57. */
export const agentLineageRoute = route(agentLineage, (call) =>
  lookup(
    call,
    'verify',
    (agent) => {
      const { agent: own, lineage } = verify(call.registry, agent, call.nowMs);
      return { ok: true, hash: own.hash, lineage_chain_hash: lineageChainHash(call.registry, agent), lineage };
    },
    (hash) => ({ hash }),
  ),
);
