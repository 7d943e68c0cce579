/** Handler of GET /beat/anchor on both services (D-05). It shows the latest anchor and issues none. */

import { beatAnchor, beatsBeatAnchor } from '../../../spec/endpoints/index.js';
import { explorerUrl, isoOf } from '../../../spec/formats.js';
import { latestAnchor, wireAnchor } from '../../beats/anchor.js';
import { canonicalJson } from '../../beats/canonical-json.js';
import { type Service, writesElsewhere } from '../../service.js';
import { type HandlerResult, reply, route } from '../request/route.js';

/**
 * D-05: the latest anchor, signed by the beats service. D-57: its memo on the ledger, where the dialect writes one. On
 * another ledger it is there once it has landed, and never without a fee payer.
 */
function answer({ service }: { service: Service }): HandlerResult {
  const { anchors, registry, timestampKey, nextAnchorMs } = service;
  const latest = latestAnchor(anchors);
  const signature = latest?.txSignature ?? null;
  const anchor = latest === undefined ? null : wireAnchor(latest, registry.protocol, signature);
  const receipt = { public_key: timestampKey.publicKeyBase58 };
  const missing = signature === null && registry.dialect.memos === 'json' && writesElsewhere(service);
  return reply({
    anchor,
    on_chain: {
      tx_signature: signature,
      explorer_url: signature === null ? null : explorerUrl(signature),
      anchored: signature !== null,
    },
    receipt: anchor === null ? null : { signature: timestampKey.signBase64(canonicalJson(anchor)), ...receipt },
    anchor_interval_sec: registry.protocol.anchor.intervalSec,
    next_anchor_at: isoOf(nextAnchorMs),
    ...(missing ? { _note: 'the anchor has not landed on the ledger; without --fee-payer none does' } : {}),
  });
}

/** GET /beat/anchor on the registry. */
export const beatAnchorRoute = route(beatAnchor, answer);
/** GET /beat/anchor on the beats service. */
export const beatsBeatAnchorRoute = route(beatsBeatAnchor, answer);
