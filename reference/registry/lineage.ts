/** The lineage chain of an agent: a hash over the events of its life (D-14). The events themselves are not kept. */

import { createHash } from 'node:crypto';
import { canonicalJson } from '../beats/canonical-json.js';
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
  const event = { type, agent_hash: hashOf(registry, row), beat: currentBeat(registry), at: nowMs };
  createHash('sha256').update(previous.toString('hex')).update(canonicalJson(event)).digest().copy(previous);
}

/** `lineage_chain_hash` as passports and lookups show it. */
export function lineageChainHash(registry: Registry, row: number): string {
  return `0x${hashBytes(registry, row).toString('hex')}`;
}
