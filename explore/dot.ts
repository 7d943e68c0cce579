/** The graph of a small world as DOT: states by the status of each agent alone, and the operations that lead from one to another. */

import { ACTIVE, FROZEN } from '../reference/registry/state.js';
import * as F from './fields.js';
import type { Graph } from './search.js';

function statusOf(fields: F.Fields, values: Int32Array, agent: number): string {
  const at = fields.agent(agent);
  if (!fields.exists(values, agent)) return 'absent';
  const status =
    values[at + F.STATUS] === ACTIVE ? 'active' : values[at + F.STATUS] === FROZEN ? 'frozen' : 'registered';
  return values[at + F.REVOKED] === 1 ? `${status}, key revoked` : status;
}

/** The text of the graph. The same graph gives the same bytes. */
export function dotOf({ world, states, edges, moves, expanded }: Graph): string {
  const { fields } = world;
  const values = world.first();
  const names = Array.from({ length: states.count }, (_, state) => {
    fields.layout.unpack(states.packed, state * states.words, values);
    const each = Array.from(
      { length: fields.agents },
      (_, agent) => `${F.nameOf(agent)} ${statusOf(fields, values, agent)}`,
    );
    return each.join('\\n');
  });
  const arrows = new Map<string, Set<string>>();
  for (let state = 0; state < expanded; state++) {
    for (let e = edges.offsets[state]!; e < edges.offsets[state + 1]!; e++) {
      const [from, to] = [names[state], names[edges.target[e]!]];
      if (from === to) continue;
      const arrow = `  "${from}" -> "${to}"`;
      const ops = arrows.get(arrow) ?? new Set<string>();
      arrows.set(arrow, ops.add(moves[edges.move[e]!]!.op));
    }
  }
  const lines = [...arrows].map(([arrow, ops]) => `${arrow} [label="${[...ops].sort().join('\\n')}"];`);
  return ['digraph world {', ...lines, '}', ''].join('\n');
}
