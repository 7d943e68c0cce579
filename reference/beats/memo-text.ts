/** The texts of the beats service's memos as JSON (D-57). They are written to a ledger by service.ts and in http/request/. */

import type { Protocol } from '../../spec/protocol.js';
import { type IssuedAnchor, wireAnchor } from './anchor.js';

const VERSION = 1;

/** The memo of an anchor, by which it can be recomputed from the ledger alone. */
export function anchorMemo(anchor: IssuedAnchor, protocol: Protocol): string {
  const {
    beat_index,
    hash,
    prev_hash: prev,
    utc,
    difficulty,
    epoch,
    solana_entropy,
  } = wireAnchor(anchor, protocol, null);
  return JSON.stringify({ v: VERSION, type: 'anchor', beat_index, hash, prev, utc, difficulty, epoch, solana_entropy });
}

/** A timestamp to write: the hash that is dated, and the latest anchor at `nowMs` (Unix ms). */
interface TimestampMemo {
  readonly hash: string;
  readonly anchor: IssuedAnchor;
  readonly nowMs: number;
}

/** The memo of a timestamp: the hash, its time (Unix ms), and the index and hash of the anchor. */
export function timestampMemo({ hash, anchor, nowMs }: TimestampMemo): string {
  const { index: anchor_index, hash: anchor_hash } = anchor;
  return JSON.stringify({ v: VERSION, type: 'timestamp', hash, anchor_index, anchor_hash, utc: nowMs });
}

/** The memo of a birth at `nowMs` (Unix ms): of an agent with a wallet of its own, or, with `sigil`, of a SIGIL. */
export function birthMemo(born: {
  readonly agentHash: string;
  readonly sigil?: string;
  readonly nowMs: number;
}): string {
  const { agentHash: agent_hash, sigil, nowMs: utc } = born;
  return JSON.stringify({ v: VERSION, type: 'birth', agent_hash, ...(sigil === undefined ? {} : { sigil }), utc });
}
