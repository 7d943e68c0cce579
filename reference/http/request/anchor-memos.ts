/**
 * Writes anchors to another ledger (D-57): one at a time, the latest, and journals the signature once it has landed. On
 * the mock ledger service.ts writes them at once.
 */

import { type IssuedAnchor, latestAnchor, recentAnchor } from '../../beats/anchor.js';
import { anchorMemo } from '../../beats/memo-text.js';
import type { Command } from '../../store/command.js';
import type { Host } from './host.js';

/** The journal's name for an anchor whose memo has landed. */
export const ANCHOR_MEMO = 'anchor:memo';

const writing = new WeakSet<Host>();

/** Writes the latest anchor, unless it is written or another is being written. Returns at once. */
export function writeLatestAnchor(host: Host): void {
  const latest = latestAnchor(host.service.anchors);
  const wanted = host.memos !== undefined && host.service.registry.dialect.memos === 'json';
  if (!wanted || latest === undefined || latest.txSignature !== undefined || writing.has(host)) return;
  writing.add(host);
  void write(host, latest).finally(() => writing.delete(host));
}

async function write(host: Host, anchor: IssuedAnchor): Promise<void> {
  const { memos, service } = host;
  if (memos === undefined || !(await memos.ready())) return;
  const memo = memos.sign(anchorMemo(anchor, service.registry.protocol));
  // A reset may have begun another chain of anchors meanwhile.
  if (!(await memos.send(memo)) || host.service !== service) return;
  anchor.txSignature = memo.signature;
  const body = { index: anchor.index, signature: memo.signature };
  host.keeper?.record({ at: host.clock.nowMs(), name: ANCHOR_MEMO, agent: -1, body, given: {} });
}

/** Applies a recorded signature again. */
export function replayAnchorMemo({ service }: Host, { body }: Command): void {
  const { index, signature } = body as { readonly index: number; readonly signature: string };
  const anchor = recentAnchor(service.anchors, index);
  if (anchor !== undefined) anchor.txSignature = signature;
}
