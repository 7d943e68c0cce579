import { describe, expect, it } from 'vitest';
import { protocol } from '../spec/protocol.js';
import { movesOf } from './moves.js';
import { answerOf, errorOf, explore, type Graph, pathTo, valuesOf } from './search.js';
import { smallNumbers } from './small-numbers.js';
import { World } from './world.js';

/** Numbers between 0 and 1, the same for a seed (mulberry32). */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const small = smallNumbers(protocol);

/** Plays random moves on two worlds: one lives on, the abstract state is written into the other before each move. */
function walkBoth(agents: number, seed: number, length: number, numbers = small): void {
  const [living, written] = [1, 2].map(() => new World({ protocol: numbers, agents, symmetric: false })) as [
    World,
    World,
  ];
  const [ofLiving, ofWritten] = [movesOf(living), movesOf(written)];
  const values = living.first();
  const after = living.first();
  const next = draws(seed);
  living.load(values);
  const names: string[] = [];
  for (let nth = 0; nth < length; nth++) {
    const possible = ofLiving.flatMap((move, m) => (move.isPossible(values) ? [m] : []));
    // Revoking a key early leaves nothing to play.
    const chosen = possible.filter((m) => ofLiving[m]?.op !== 'revoke-key' || next() < 0.05);
    const m = chosen[Math.floor(next() * chosen.length)]!;
    names.push(ofLiving[m]!.name);
    written.load(values);
    const [one, other] = [
      ofLiving[m]!.play({ lamports: 0, beats: 0, anchors: 0 }, values),
      ofWritten[m]!.play({ lamports: 0, beats: 0, anchors: 0 }, values),
    ].map(answerOf);
    expect([names.slice(-12).join('; '), errorOf(one!)]).toEqual([names.slice(-12).join('; '), errorOf(other!)]);
    written.read(after);
    living.read(values);
    written.fields.normalize(after, false);
    living.fields.normalize(values, false);
    expect({ names, state: living.fields.layout.describe(values) }).toEqual({
      names,
      state: living.fields.layout.describe(after),
    });
  }
}

/** Plays the path to a state on a registry that lives on, and returns the state in which it ends. */
function played(graph: Graph, state: number): Int32Array {
  const world = new World({ ...graph.world.options, symmetric: false });
  const moves = movesOf(world);
  const values = world.first();
  world.load(values);
  for (const { move, answer } of pathTo(graph, state)) {
    expect(answerOf(moves[move]!.play({ lamports: 0, beats: 0, anchors: 0 }, values))).toBe(answer);
    world.read(values);
    world.fields.normalize(values, false);
  }
  return values;
}

describe('an abstract state', () => {
  it.each([2, 3])('answers as the registry that it was read from, on random continuations with %i agents', (agents) => {
    for (let seed = 1; seed <= 25; seed++) walkBoth(agents, seed, 120);
  });

  it('does so at another scale too', () => {
    for (let seed = 1; seed <= 10; seed++) walkBoth(2, seed, 120, smallNumbers(protocol, 2));
  });
});

describe('the search of a small world', () => {
  const graph = explore(new World({ protocol: small, agents: 2 }), { statesMax: 4_000 });

  it('has a path to each state, which leads there on a registry that lives on', () => {
    for (let state = 0; state < graph.states.count; state += 97)
      expect(played(graph, state)).toEqual(valuesOf(graph, state));
  });

  it('gives the same states and edges again', () => {
    const again = explore(new World({ protocol: small, agents: 2 }), { statesMax: 4_000 });
    expect(again.states.packed).toEqual(graph.states.packed);
    expect(again.edges).toEqual(graph.edges);
    expect(again.firsts).toEqual(graph.firsts);
  });
});
