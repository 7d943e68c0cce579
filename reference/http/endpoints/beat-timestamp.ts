/**
 * Handler of POST /beat/timestamp (D-08): dates a hash by a memo on the ledger and a signed receipt. It checks nothing
 * about the hash.
 */

import { beatTimestamp } from '../../../spec/endpoints/index.js';
import { explorerUrl } from '../../../spec/formats.js';
import { latestAnchor } from '../../beats/anchor.js';
import { canonicalJson } from '../../beats/canonical-json.js';
import { memo } from '../../ledger/ledger.js';
import { reply, route } from '../request/route.js';

/** POST /beat/timestamp, D-08. */
export const beatTimestampRoute = route(beatTimestamp, ({ service, body: { hash }, nowMs }) => {
  const { anchors, ledger, paymentAccount, timestampKey } = service;
  const anchor = latestAnchor(anchors);
  if (anchor === undefined) throw new Error('a service issues anchor 0 when it starts');
  const txSignature = memo(ledger, { from: paymentAccount, text: `timestamp ${hash}`, nowMs });
  const timestamp = {
    type: 'timestamp',
    hash,
    anchor_index: anchor.index,
    anchor_hash: anchor.hash,
    utc: nowMs,
    tx_signature: txSignature,
  };
  return reply({
    timestamp,
    on_chain: { tx_signature: txSignature, explorer_url: explorerUrl(txSignature) },
    receipt: { signature: timestampKey.signBase64(canonicalJson(timestamp)), public_key: timestampKey.publicKeyBase58 },
  });
});
