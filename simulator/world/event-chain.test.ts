import { describe, expect, it } from 'vitest';
import { createEventChains, type EventChains, eventHash, foldEvents, hashEvent } from './event-chain.js';

type Event = readonly [second: number, agent: number, what: number, lamports: number];

function hashOf(events: readonly Event[], after: (chain: EventChains) => void = () => undefined): string {
  const chain = createEventChains();
  for (const event of events) hashEvent(chain, ...event);
  after(chain);
  return eventHash(chain);
}

const events: readonly Event[] = [
  [0, 0, 1, 0],
  [60, 1, 2, 500_000],
  [60, 0, 2, 350_000_000],
  [60, 65, 2, 500_000],
];

describe('the event chain', () => {
  it('is the same for the same events, and reading it does not change it', () => {
    expect(hashOf(events)).toBe(hashOf(events));
    expect(hashOf(events, (chain) => void eventHash(chain))).toBe(hashOf(events));
    expect(hashOf(events)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, readonly Event[]]>([
    ['an event less', events.slice(0, 3)],
    ['an event of zeros more', [...events, [0, 0, 0, 0]]],
    ['an event of no agent more', [...events, [0, -1, 0, 0]]],
    ['another order of agents of one hand', [events[0]!, events[3]!, events[2]!, events[1]!]],
    ['another second', [events[0]!, [61, 1, 2, 500_000], ...events.slice(2)]],
    ['another agent', [events[0]!, [60, 3, 2, 500_000], ...events.slice(2)]],
    ['another agent of the same hand', [events[0]!, [60, 129, 2, 500_000], ...events.slice(2)]],
    ['another outcome', [events[0]!, [60, 1, 3, 500_000], ...events.slice(2)]],
    ['another amount', [events[0]!, [60, 1, 2, 500_001], ...events.slice(2)]],
    ['an amount that differs by 2^32', [events[0]!, [60, 1, 2, 500_000 + 4_294_967_296], ...events.slice(2)]],
  ])('%s makes another hash', (_name, other) => {
    expect(hashOf(other)).not.toBe(hashOf(events));
  });

  it('is the same for another order of agents of different hands, which no thread can know', () => {
    expect(hashOf([events[0]!, events[2]!, events[1]!, events[3]!])).toBe(hashOf(events));
  });

  it('folding at another moment makes another hash', () => {
    expect(hashOf(events, foldEvents)).not.toBe(hashOf(events));
  });

  it('tells a hundred thousand single events apart', () => {
    const hashes = new Set<string>();
    for (let i = 0; i < 100_000; i += 1) {
      const chain = createEventChains();
      hashEvent(chain, i, i >> 3, i & 7, i * 1_000);
      hashes.add(chain.lanes.join());
    }
    expect(hashes.size).toBe(100_000);
  });
});
