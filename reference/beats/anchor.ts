/**
 * Global anchors: their hashes, the chain of the latest ones, and their form on the wire (D-05, D-06). When one is due
 * is decided in service.ts, and who freezes then in registry/dead-man-switch.ts.
 */

import { hash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Anchor as WireAnchor } from '../../spec/endpoints/proof-schemas.js';
import { CHAIN_HASH } from '../../spec/formats.js';
import type { Protocol } from '../../spec/protocol.js';
import { genesisHash } from './beat.js';

const HASH_BYTES = 32;
const INDEX_BYTES = 8;

/** A global anchor as the service keeps it (D-05); `wireAnchor` gives its form on the wire. */
export interface IssuedAnchor {
  readonly index: number;
  /** When it was issued, Unix ms. */
  readonly utcMs: number;
  readonly hash: string;
  readonly prevHash: string;
  /** The ledger's block hash at that moment, 64 hex characters. */
  readonly entropyHex: string;
  /** Absent: that of the protocol. */
  readonly difficulty?: number;
  /** The signature of the anchor's memo on the ledger; absent: it has none. */
  txSignature?: string;
}

/** The latest anchors of one service. Plain data: a JSON copy of it continues the chain. */
export interface AnchorChain {
  /** Domain prefix of the preimages, from the dialect. */
  readonly domain: string;
  /** How many of the latest anchors are kept. */
  readonly keep: number;
  /** Index of the latest anchor; −1 before the first. */
  latestIndex: number;
  /** Anchor i is at i mod `keep`. */
  readonly ring: IssuedAnchor[];
}

/**
 * Makes a chain without anchors. It keeps as many as a rule looks back on: the grace window (D-06), and the life of a
 * receipt including the anchor at its end (D-09).
 */
export function createAnchorChain({ domain, protocol }: { domain: string; protocol: Protocol }): AnchorChain {
  const keep = Math.max(protocol.anchor.graceAnchors, protocol.work.receiptAnchorsMax + 1);
  return { domain, keep, latestIndex: -1, ring: [] };
}

/** The inputs of an anchor: 32 unpredictable bytes (D-05), and the time. */
interface AnchorMoment {
  readonly entropy: Uint8Array;
  readonly nowMs: number;
  /** Absent: that of the protocol. */
  readonly difficulty?: number | undefined;
}

/**
 * D-05: issues the next anchor of the chain. The first has index 0, and its `prev_hash` is the hash of
 * `beats:genesis:v1:`.
 */
export function issueAnchor(chain: AnchorChain, { entropy, nowMs, difficulty }: AnchorMoment): IssuedAnchor {
  const index = chain.latestIndex + 1;
  const prevHash = latestAnchor(chain)?.hash ?? genesisHash('');
  const anchor: IssuedAnchor = {
    index,
    utcMs: nowMs,
    hash: anchorHash(chain.domain, prevHash, index, entropy),
    prevHash,
    entropyHex: Buffer.from(entropy.buffer, entropy.byteOffset, entropy.byteLength).toString('hex'),
    ...(difficulty === undefined ? {} : { difficulty }),
  };
  chain.ring[index % chain.keep] = anchor;
  chain.latestIndex = index;
  return anchor;
}

/**
 * D-05: hex SHA-256 of domain (UTF-8) ‖ prev_hash (32 bytes) ‖ beat_index (u64, big-endian) ‖ entropy (32 bytes).
 * Throws a RangeError for parts of another size.
 */
export function anchorHash(domain: string, prevHash: string, beatIndex: number, entropy: Uint8Array): string {
  if (!CHAIN_HASH.test(prevHash)) throw new RangeError('prev_hash is not 64 hex characters');
  if (!Number.isSafeInteger(beatIndex) || beatIndex < 0) throw new RangeError(`no anchor has the index ${beatIndex}`);
  if (entropy.length !== HASH_BYTES) throw new RangeError(`entropy has 32 bytes, not ${entropy.length}`);
  const domainBytes = Buffer.byteLength(domain);
  const preimage = Buffer.allocUnsafe(domainBytes + HASH_BYTES + INDEX_BYTES + HASH_BYTES);
  preimage.write(domain, 0, 'utf8');
  preimage.write(prevHash, domainBytes, 'hex');
  const at = domainBytes + HASH_BYTES;
  preimage.writeUInt32BE(Math.floor(beatIndex / 2 ** 32), at);
  preimage.writeUInt32BE(beatIndex % 2 ** 32, at + 4);
  preimage.set(entropy, at + INDEX_BYTES);
  return hash('sha256', preimage, 'hex');
}

/** The latest anchor; undefined before the first. */
export function latestAnchor(chain: AnchorChain): IssuedAnchor | undefined {
  return recentAnchor(chain, chain.latestIndex);
}

/** The anchor of this index; undefined if it is no longer kept or not issued yet. */
export function recentAnchor(chain: AnchorChain, index: number): IssuedAnchor | undefined {
  if (!(index >= 0 && index <= chain.latestIndex && index > chain.latestIndex - chain.keep)) return undefined;
  return chain.ring[index % chain.keep];
}

/** D-06: whether a proof may weave the anchor of this index, because it is one of the latest `anchor.graceAnchors`. */
export function isWithinGrace(chain: AnchorChain, index: number, protocol: Protocol): boolean {
  return index > chain.latestIndex - protocol.anchor.graceAnchors && recentAnchor(chain, index) !== undefined;
}

/** How much a difficulty can change at once, in either direction. */
const CHANGE_MAX = 4;

/**
 * D-57: the difficulty of the next anchor. With the first of an epoch it follows the time since the anchor before: anchors
 * that come too slowly make it fall, down to a quarter, and those that come too fast make it rise, up to four times.
 */
export function nextDifficulty(
  chain: AnchorChain,
  nowMs: number,
  protocol: Protocol,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const latest = latestAnchor(chain);
  const difficulty = latest?.difficulty ?? protocol.beat.difficulty;
  if (latest === undefined || (latest.index + 1) % protocol.anchor.anchorsPerEpoch !== 0) return difficulty;
  const ratio = (protocol.anchor.intervalSec * 1_000) / Math.max(1, nowMs - latest.utcMs);
  const bounded = Math.min(Math.max(ratio, 1 / CHANGE_MAX), CHANGE_MAX);
  return Math.min(Math.max(Math.floor(difficulty * bounded), min), max);
}

/**
 * D-05: the `anchor` object of GET /beat/anchor, whose canonical JSON the beats service signs. `txSignature` names the
 * anchor's memo on the ledger; null without one.
 */
export function wireAnchor(anchor: IssuedAnchor, protocol: Protocol, txSignature: string | null): WireAnchor {
  return {
    type: 'anchor',
    beat_index: anchor.index,
    hash: anchor.hash,
    prev_hash: anchor.prevHash,
    utc: anchor.utcMs,
    difficulty: anchor.difficulty ?? protocol.beat.difficulty,
    epoch: Math.floor(anchor.index / protocol.anchor.anchorsPerEpoch),
    tx_signature: txSignature,
    solana_entropy: base58.encode(Buffer.from(anchor.entropyHex, 'hex')),
  };
}
