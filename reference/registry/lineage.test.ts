import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { golden } from '../../test/fixtures/golden.js';
import { Life, type LivedAgent, lifeSteps } from '../../test/fixtures/life.js';
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

/** D-14 a second time, from its text alone: hex of SHA-256 over the hex before and the event with sorted keys. */
function refolded({ hash, events }: LivedAgent): string {
  const folded = events.reduce((before, { type, beat, at }) => {
    const event = `{"agent_hash":"${hash}","at":${at},"beat":${beat},"type":"${type}"}`;
    return bytesToHex(sha256(utf8ToBytes(before + event)));
  }, '0'.repeat(64));
  return `0x${folded}`;
}

describe('the lineage of random lives, folded again from their events', () => {
  const named = ['fold', 'heartbeat', 'sigil', 'wallet-linked', 'spawned', 'frozen', 'reissue'];
  const clauses = named.map((name) => `[lineage.hash.${name}]`).join(' ');

  it(`${clauses} is the same after every step, and no refusal or reissue adds to it`, () => {
    const seen = new Set<string>();
    const property = fc.property(lifeSteps, fc.constantFrom(1, 3), (steps, beatsPerAnchor) => {
      const life = new Life({ dialect: dialects.service, beatsPerAnchor });
      const { registry } = life.service;
      for (const [nth, step] of steps.entries()) {
        const { accepted } = life.take(step);
        seen.add(`${step.kind} ${accepted ? 'accepted' : 'refused'}`);
        const hashes = life.agents.map((_, agent) => lineageChainHash(registry, agent));
        expect([nth, step, hashes]).toEqual([nth, step, life.agents.map(refolded)]);
      }
      for (const { events } of life.agents) for (const { type } of events) seen.add(type);
    });
    fc.assert(property, { seed: 1_400, numRuns: 60 });
    for (const type of ['registered', 'wallet_linked', 'sigil', 'heartbeat', 'spawned', 'frozen', 'unfrozen']) {
      expect(seen).toContain(type);
    }
    for (const kind of ['sigil', 'heartbeat', 'reissue', 'link', 'resync', 'finalize', 'spawn']) {
      expect(seen).toContain(`${kind} accepted`);
      expect(seen).toContain(`${kind} refused`);
    }
  });
});
