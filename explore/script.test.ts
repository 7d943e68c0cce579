import { describe, expect, it } from 'vitest';
import { protocol } from '../spec/protocol.js';
import { playPath, scriptOf } from './script.js';
import { errorOf, explore } from './search.js';
import { smallNumbers } from './small-numbers.js';
import { World } from './world.js';

describe('a script', () => {
  const graph = explore(new World({ protocol: smallNumbers(protocol), agents: 2 }), { statesMax: 2_000 });

  it('is the shortest way to an answer, as actions after the two agents that every sequence begins with', () => {
    const first = graph.firsts.find(({ answer }) => errorOf(answer) === 'heartbeat/AGENT_FROZEN');
    const steps = playPath(graph, first?.state ?? -1, [first?.move ?? -1]);
    expect(scriptOf(graph, steps)).toEqual({
      salt: 'explore',
      set_up: 'devnet',
      start_anchors: 4,
      actions: [
        { op: 'register' },
        { op: 'init', agent: 2 },
        { op: 'wait', by: { anchors: 3 } },
        { op: 'heartbeat', agent: 2, payer: 'own' },
      ],
    });
    expect(steps.map(({ answer }) => errorOf(answer))).toEqual([
      undefined,
      undefined,
      undefined,
      'heartbeat/AGENT_FROZEN',
    ]);
  });

  it('names the agents of the path, where the canonical order of children changes on it', () => {
    const family = explore(new World({ protocol: smallNumbers(protocol), agents: 3 }), { depthMax: 11 });
    for (let state = 0; state < family.states.count; state += 50) expect(() => playPath(family, state)).not.toThrow();
  });
});
