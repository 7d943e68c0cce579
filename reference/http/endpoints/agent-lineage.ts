/** Handler of GET /agent/lineage/:hash (D-57). It returns the hash over an agent's lineage events, but not the events, which are not stored. */

import { agentLineage } from '../../../spec/endpoints/client-calls.js';
import { lineageChainHash } from '../../registry/lineage.js';
import { verify } from '../../registry/verify.js';
import { route } from '../request/route.js';
import { lookup } from './lookup.js';

export const agentLineageRoute = route(agentLineage, (call) =>
  lookup(
    call,
    'verify',
    (agent) => {
      const { agent: found, lineage } = verify(call.registry, agent, call.nowMs);
      return { ok: true, hash: found.hash, lineage_chain_hash: lineageChainHash(call.registry, agent), lineage };
    },
    (hash) => ({ hash }),
  ),
);
