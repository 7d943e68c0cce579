/**
 * The lineage chain of an agent: a hash over the events of its life (D-14, and D-57 for another form). The events
 * themselves are not kept.
 */

import { createHash } from 'node:crypto';
import { canonicalJson } from '../beats/canonical-json.js';
import { emptyHash, hashHex, hashMore } from '../beats/resumable-sha256.js';
import { currentBeat, hashOf, type Registry } from './state.js';

/** D-14: the events of a lineage chain. */
export type LineageEvent = 'registered' | 'wallet_linked' | 'sigil' | 'heartbeat' | 'spawned' | 'frozen' | 'unfrozen';

const WIDTH = 32;

function hashBytes(registry: Registry, row: number): Buffer {
  const { lineageHash } = registry.agents.columns;
  return Buffer.from(lineageHash.buffer, lineageHash.byteOffset + row * WIDTH, WIDTH);
}

/** Appends an event: the new hash is SHA-256 of the previous one in hex and the event as canonical JSON. */
export function appendLineage(registry: Registry, row: number, type: LineageEvent, nowMs: number): void {
  if (!registry.policy.lineage) return;
  const previous = hashBytes(registry, row);
  if (registry.dialect.lineage === 'event-hashes') {
    appendEventHash(registry, row, type, previous);
    return;
  }
  const event = { type, agent_hash: hashOf(registry, row), beat: currentBeat(registry), at: nowMs };
  createHash('sha256').update(previous.toString('hex')).update(canonicalJson(event)).digest().copy(previous);
}

/**
 * D-57: an event is hashed as `agent:type:beat:prev`, where prev is the hash of the event before, and 64 zeros of the first.
 * The chain is the hash of all event hashes, joined by colons: only how far it has come is kept, whatever their number.
 */
function appendEventHash(registry: Registry, row: number, type: LineageEvent, previous: Buffer): void {
  const event = `${hashOf(registry, row)}:${type}:${currentBeat(registry)}:0x${previous.toString('hex')}`;
  createHash('sha256').update(event).digest().copy(previous);
  const before = registry.lineages.get(row);
  const text = `0x${previous.toString('hex')}`;
  registry.lineages.set(row, before === undefined ? hashMore(emptyHash, text) : hashMore(before, `:${text}`));
}

/** `lineage_chain_hash` as passports and lookups show it. */
export function lineageChainHash(registry: Registry, row: number): string {
  const events = registry.lineages.get(row);
  return `0x${events === undefined ? hashBytes(registry, row).toString('hex') : hashHex(events)}`;
}
