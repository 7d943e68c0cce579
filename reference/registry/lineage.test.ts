import { describe, expect, it } from 'vitest';
import { golden } from '../../test/fixtures/golden.js';
import { passAnchors, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { appendLineage, type LineageEvent, lineageChainHash } from './lineage.js';
import { hashOf } from './state.js';

interface LineageCase {
  readonly name: string;
  readonly previous: string;
  readonly event: {
    readonly type: LineageEvent;
    readonly agent_hash: string;
    readonly beat: number;
    readonly at: number;
  };
  readonly lineage_chain_hash: string;
}

describe('the lineage chain (D-14)', () => {
  it.each(golden<LineageCase>('lineage'))('golden: $name', ({ previous, event, lineage_chain_hash }) => {
    const registry = testRegistry();
    testAgent(registry);
    const agent = testAgent(registry);
    const { columns } = registry.agents;
    columns.hash.set(Buffer.from(event.agent_hash.slice(2), 'hex'), agent * 32);
    columns.lineageHash.set(Buffer.from(previous, 'hex'), agent * 32);
    registry.anchorIndex = event.beat;
    const neighbour = lineageChainHash(registry, 0);
    appendLineage(registry, agent, event.type, event.at);
    expect(lineageChainHash(registry, agent)).toBe(lineage_chain_hash);
    expect(lineageChainHash(registry, 0)).toBe(neighbour);
    expect(hashOf(registry, agent)).toBe(event.agent_hash);
  });

  it('has an event for the freeze', () => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    passAnchors(registry, 60);
    const before = lineageChainHash(registry, agent);
    passAnchors(registry, 1);
    expect(lineageChainHash(registry, agent)).not.toBe(before);
  });

  it('stays at 64 zeros where a simulation leaves it out', () => {
    const registry = testRegistry({ policy: { lineage: false } });
    expect(lineageChainHash(registry, testAgent(registry))).toBe(`0x${'0'.repeat(64)}`);
  });
});
