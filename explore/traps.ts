/**
 * Traps: states from which an agent can never come back. One backward pass over the edges gives the states from which a goal is reached,
 * another those from which the frontier is, where the search stopped: there the answer is open.
 */

import { ACTIVE } from '../reference/registry/state.js';
import { nameOf, STATUS } from './fields.js';
import type { Withheld } from './move.js';
import { ACCEPTED, type Graph } from './search.js';

/** Something that every agent should be able to reach again, from every state. */
interface Goal {
  readonly id: 'active' | 'heartbeat';
  readonly agent: number;
  /** The name of the agent. */
  readonly name: string;
  readonly text: string;
}

/** The goals of a world: each agent can become active again, and can have a heartbeat accepted again. */
export function goalsOf({ world }: Graph): readonly Goal[] {
  return Array.from({ length: world.fields.agents }, (_, agent) => agent).flatMap((agent): Goal[] => {
    const name = nameOf(agent);
    return [
      { id: 'active', agent, name, text: `the ${name} can become active again` },
      { id: 'heartbeat', agent, name, text: `the ${name} can have a heartbeat accepted again` },
    ];
  });
}

/** A move that closes the way back: the last state from which a goal could be reached. */
interface Closing {
  readonly move: number;
  readonly answer: number;
  /** The first state in which it is played, by the number of moves to it. */
  readonly state: number;
  /** Edges by which it leads into a trap. */
  readonly edges: number;
}

export interface Verdict {
  readonly goal: Goal;
  /** `open`: no trap is known, and some states lead to the frontier alone. */
  readonly verdict: 'yes' | 'trap' | 'open';
  /** Of the states in which the agent exists: all, those that are traps, and those that are open. */
  readonly states: number;
  readonly trapped: number;
  readonly open: number;
  readonly closings: readonly Closing[];
}

const NO = 0;
const YES = 1;
const OPEN = 2;

/** The edges of a graph by their targets. */
export class Reversed {
  readonly #offsets: Int32Array;
  readonly #edges: Int32Array;
  readonly source: Int32Array;

  constructor(readonly graph: Graph) {
    const { states, edges, expanded } = graph;
    const offsets = new Int32Array(states.count + 1);
    this.source = new Int32Array(edges.count);
    for (let state = 0; state < expanded; state++)
      for (let e = edges.offsets[state]!; e < edges.offsets[state + 1]!; e++) this.source[e] = state;
    for (let e = 0; e < edges.count; e++) offsets[edges.target[e]! + 1]! += 1;
    for (let state = 0; state < states.count; state++) offsets[state + 1]! += offsets[state]!;
    const next = offsets.slice();
    this.#edges = new Int32Array(edges.count);
    for (let e = 0; e < edges.count; e++) this.#edges[next[edges.target[e]!]!++] = e;
    this.#offsets = offsets;
  }

  /** Calls with every edge that leads to a state. */
  forEachInto(state: number, call: (edge: number) => void): void {
    for (let i = this.#offsets[state]!; i < this.#offsets[state + 1]!; i++) call(this.#edges[i]!);
  }

  /** Marks every state from which a marked one is reached by edges that pass the filter. */
  spread(marked: Uint8Array, mark: number, passes: (edge: number) => boolean): void {
    const queue = new Int32Array(marked.length);
    let end = 0;
    for (let state = 0; state < marked.length; state++) if (marked[state] === mark) queue[end++] = state;
    for (let at = 0; at < end; at++) {
      const state = queue[at]!;
      for (let i = this.#offsets[state]!; i < this.#offsets[state + 1]!; i++) {
        const edge = this.#edges[i]!;
        const source = this.source[edge]!;
        if (marked[source] !== NO || !passes(edge)) continue;
        marked[source] = mark;
        queue[end++] = source;
      }
    }
  }
}

/** The verdict about a goal. `without`: parts of the service whose operations the way back may not use. */
export function verdictOf(reversed: Reversed, goal: Goal, without: readonly Withheld[] = []): Verdict {
  const { graph } = reversed;
  const { states, edges, moves, expanded, world } = graph;
  const { layout } = world.fields;
  const marked = new Uint8Array(states.count);
  const exists = new Uint8Array(states.count);
  const values = world.first();
  const isAllowed = moves.map(({ uses }) => !uses.some((each) => without.includes(each)));
  for (let state = 0; state < states.count; state++) {
    layout.unpack(states.packed, state * states.words, values);
    if (!world.fields.exists(values, goal.agent)) continue;
    exists[state] = 1;
    if (goal.id === 'active' && values[world.fields.agent(goal.agent) + STATUS] === ACTIVE) marked[state] = YES;
    if (goal.id === 'heartbeat' && state < expanded && beats(graph, state, goal.agent, isAllowed)) marked[state] = YES;
  }
  const passes = (edge: number): boolean => isAllowed[edges.move[edge]!]!;
  reversed.spread(marked, YES, passes);
  for (let state = expanded; state < states.count; state++) if (marked[state] === NO) marked[state] = OPEN;
  reversed.spread(marked, OPEN, passes);
  let [all, trapped, open] = [0, 0, 0];
  for (let state = 0; state < states.count; state++) {
    if (exists[state] === 0) continue;
    all += 1;
    if (marked[state] === NO) trapped += 1;
    if (marked[state] === OPEN) open += 1;
  }
  const verdict = trapped > 0 ? 'trap' : open > 0 ? 'open' : 'yes';
  return { goal, verdict, states: all, trapped, open, closings: closingsOf(reversed, marked, exists) };
}

function beats({ edges, moves }: Graph, state: number, agent: number, isAllowed: readonly boolean[]): boolean {
  for (let e = edges.offsets[state]!; e < edges.offsets[state + 1]!; e++) {
    const move = moves[edges.move[e]!]!;
    if (move.op !== 'heartbeat' || move.actor !== agent || edges.answer[e] !== ACCEPTED) continue;
    if (isAllowed[edges.move[e]!]) return true;
  }
  return false;
}

/** The moves that lead from a state with a way back into one without, each with the first state in which it does. */
function closingsOf({ graph, source }: Reversed, marked: Uint8Array, exists: Uint8Array): readonly Closing[] {
  const { edges } = graph;
  const found = new Map<number, { move: number; answer: number; state: number; edges: number }>();
  for (let e = 0; e < edges.count; e++) {
    const [from, to] = [source[e]!, edges.target[e]!];
    if (exists[to] === 0 || marked[to] !== NO || (exists[from] === 1 && marked[from] !== YES)) continue;
    const [move, answer] = [edges.move[e]!, edges.answer[e]!];
    const known = found.get(move * 256 + answer);
    if (known === undefined) found.set(move * 256 + answer, { move, answer, state: from, edges: 1 });
    else known.edges += 1;
  }
  return [...found.values()].sort((a, b) => a.state - b.state);
}
