// The search of three agents, with and without the symmetry of children.
import { describe, expect, it } from 'vitest';
import { protocol } from '../spec/protocol.js';
import { explore, type Graph, valuesOf } from './search.js';
import { smallNumbers } from './small-numbers.js';
import { World } from './world.js';

const small = smallNumbers(protocol);

describe('symmetry', () => {
  it('joins states that differ in the order of children alone, and no others', () => {
    const [apart, joined] = [false, true].map((symmetric) =>
      explore(new World({ protocol: small, agents: 3, symmetric }), { depthMax: 12 }),
    ) as [Graph, Graph];
    const keysOf = (graph: Graph): Set<string> =>
      new Set(
        Array.from({ length: graph.states.count }, (_, state) => {
          const values = valuesOf(graph, state);
          graph.world.fields.normalize(values, true);
          return values.join();
        }),
      );
    expect(keysOf(apart)).toEqual(keysOf(joined));
    expect(joined.states.count).toBeLessThan(apart.states.count);
    const answersOf = (graph: Graph) =>
      new Set(graph.firsts.map(({ move, answer }) => `${graph.moves[move]?.op} ${answer}`));
    expect(answersOf(apart)).toEqual(answersOf(joined));
  });
});
