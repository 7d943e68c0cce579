import { describe, expect, it } from 'vitest';
import { protocol } from '../spec/protocol.js';
import { pricesOf } from './prices.js';
import { playPath } from './script.js';
import { ACCEPTED, explore } from './search.js';
import { smallNumbers } from './small-numbers.js';
import { Reversed } from './traps.js';
import { World } from './world.js';

describe('a price of escape', () => {
  const graph = explore(new World({ protocol: smallNumbers(protocol), agents: 2 }), { statesMax: 3_000 });
  const rows = pricesOf(new Reversed(graph), protocol);

  it('is paid by its moves, the last of which is the heartbeat', () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const { agent, best, worst } of rows) {
      for (const { state, moves, lamports, anchors, beats } of [...best, ...worst]) {
        const way = playPath(graph, state, moves).slice(-moves.length);
        const paid = (part: 'lamports' | 'anchors' | 'beats'): number =>
          way.reduce((sum, { cost }) => sum + cost[part], 0);
        expect([paid('lamports'), paid('anchors'), paid('beats') > 0]).toEqual([lamports, anchors, beats > 0]);
        expect(way.at(-1)).toMatchObject({ answer: ACCEPTED, move: { op: 'heartbeat', actor: agent } });
      }
    }
  });

  it('of a frozen agent is the penalty of 61 missed anchors at least, and the fee of the first tier from the dearest state', () => {
    const frozen = rows.find(({ agent, condition }) => agent === 0 && condition === 'frozen');
    expect(frozen?.worst).toEqual([expect.objectContaining({ lamports: 500_000, beats: 10_000, anchors: 0 })]);
    expect(frozen?.best[0]?.beats).toBe(6_100);
  });
});
