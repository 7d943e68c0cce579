import { describe, expect, it } from 'vitest';
import { createEventChain, type EventChain, eventHash, foldEvents, hashEvent } from './event-chain.js';

type Event = readonly [second: number, agent: number, what: number, lamports: number];

function hashOf(events: readonly Event[], after: (chain: EventChain) => void = () => undefined): string {
  const chain = createEventChain();
  for (const event of events) hashEvent(chain, ...event);
  after(chain);
  return eventHash(chain);
}

const events: readonly Event[] = [
  [0, 0, 1, 0],
  [60, 1, 2, 500_000],
  [60, 0, 2, 350_000_000],
];

describe('the event chain', () => {
  it('is the same for the same events, and reading it does not change it', () => {
    expect(hashOf(events)).toBe(hashOf(events));
    expect(hashOf(events, (chain) => void eventHash(chain))).toBe(hashOf(events));
    expect(hashOf(events)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, readonly Event[]]>([
    ['an event less', events.slice(0, 2)],
    ['an event of zeros more', [...events, [0, 0, 0, 0]]],
    ['another order', [events[0]!, events[2]!, events[1]!]],
    ['another second', [events[0]!, [61, 1, 2, 500_000], events[2]!]],
    ['another agent', [events[0]!, [60, 3, 2, 500_000], events[2]!]],
    ['another outcome', [events[0]!, [60, 1, 3, 500_000], events[2]!]],
    ['another amount', [events[0]!, [60, 1, 2, 500_001], events[2]!]],
    ['an amount that differs by 2^32', [events[0]!, [60, 1, 2, 500_000 + 4_294_967_296], events[2]!]],
  ])('%s makes another hash', (_name, other) => {
    expect(hashOf(other)).not.toBe(hashOf(events));
  });

  it('folding at another moment makes another hash', () => {
    expect(hashOf(events, foldEvents)).not.toBe(hashOf(events));
  });

  it('tells a hundred thousand single events apart', () => {
    const hashes = new Set<string>();
    for (let i = 0; i < 100_000; i += 1) {
      const chain = createEventChain();
      hashEvent(chain, i, i >> 3, i & 7, i * 1_000);
      hashes.add(`${chain.laneA}:${chain.laneB}`);
    }
    expect(hashes.size).toBe(100_000);
  });
});
