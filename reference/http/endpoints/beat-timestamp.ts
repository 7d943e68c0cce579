/**
 * Handler of POST /beat/timestamp (D-08): dates a hash by a memo on the ledger and a signed receipt. It checks nothing
 * about the hash.
 */

import { beatTimestamp } from '../../../spec/endpoints/index.js';
import { explorerUrl } from '../../../spec/formats.js';
import { latestAnchor } from '../../beats/anchor.js';
import { canonicalJson } from '../../beats/canonical-json.js';
import { timestampMemo } from '../../beats/memo-text.js';
import { recordNote } from '../request/memo-writer.js';
import { type EndpointCall, type HandlerResult, reply, route } from '../request/route.js';

export const beatTimestampRoute = route(beatTimestamp, timestampHash, { writesMemo: true });

function timestampHash({ service, body, nowMs, writeMemo }: EndpointCall<typeof beatTimestamp>): HandlerResult {
  const { anchors, timestampKey, registry } = service;
  const { memos, timestamps } = registry.dialect;
  const anchor = latestAnchor(anchors);
  if (anchor === undefined) throw new Error('a service issues anchor 0 when it starts');
  const hash = timestamps === undefined ? body.hash : body.hash.toLowerCase();
  const txSignature = writeMemo(memos === 'json' ? timestampMemo({ hash, anchor, nowMs }) : `timestamp ${hash}`);
  const timestamp = {
    type: 'timestamp',
    hash,
    anchor_index: anchor.index,
    anchor_hash: anchor.hash,
    utc: nowMs,
    tx_signature: txSignature,
  };
  const note = recordNote(txSignature);
  return reply({
    timestamp,
    on_chain: { tx_signature: txSignature, explorer_url: explorerUrl(txSignature) },
    receipt: { signature: timestampKey.signBase64(canonicalJson(timestamp)), public_key: timestampKey.publicKeyBase58 },
    ...(timestamps === undefined ? {} : { tier: timestamps.tier }),
    ...(note === undefined ? {} : { _note: note }),
  });
}
