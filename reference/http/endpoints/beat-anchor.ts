/** Handler of GET /beat/anchor on both services (D-05). It shows the latest anchor and issues none. */

import { beatAnchor, beatsBeatAnchor } from '../../../spec/endpoints/index.js';
import { isoOf } from '../../../spec/formats.js';
import { latestAnchor, wireAnchor } from '../../beats/anchor.js';
import { canonicalJson } from '../../beats/canonical-json.js';
import type { Service } from '../../service.js';
import { type HandlerResult, reply, route } from '../request/route.js';

/**
 * D-05: the latest anchor, signed by the beats service. The mock ledger has no memo of an anchor, so it is never on
 * chain.
 */
function answer({ service }: { service: Service }): HandlerResult {
  const { anchors, registry, timestampKey, nextAnchorMs } = service;
  const latest = latestAnchor(anchors);
  const anchor = latest === undefined ? null : wireAnchor(latest, registry.protocol, null);
  const receipt = { public_key: timestampKey.publicKeyBase58 };
  return reply({
    anchor,
    on_chain: { tx_signature: null, explorer_url: null, anchored: false },
    receipt: anchor === null ? null : { signature: timestampKey.signBase64(canonicalJson(anchor)), ...receipt },
    anchor_interval_sec: registry.protocol.anchor.intervalSec,
    next_anchor_at: isoOf(nextAnchorMs),
  });
}

/** GET /beat/anchor on the registry. */
export const beatAnchorRoute = route(beatAnchor, answer);
/** GET /beat/anchor on the beats service. */
export const beatsBeatAnchorRoute = route(beatsBeatAnchor, answer);
