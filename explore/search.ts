/**
 * The breadth-first search of a small world. It keeps every state, packed, and every edge that changes something; an answer that changes
 * nothing is counted, with the first state that gave it.
 *
 *   const world = new World({ protocol: smallNumbers(protocol), agents: 2 });
 *   const graph = explore(world, { statesMax: 1_000_000 });
 *   graph.firsts   // each (move, answer) with the first state that gives it
 *   pathTo(graph, state)   // the shortest way to it: moves with the anchors that passed
 *
 * A caller that compares two servers plays the same path on both; one that wants more of an edge than its answer loads its source into the
 * world and plays the move again.
 */

import { type ErrorKey, errors } from '../spec/errors.js';
import type { Cost, Move, Outcome } from './move.js';
import { movesOf } from './moves.js';
import { grown, StateTable } from './table.js';
import type { World } from './world.js';

/** The answers of rules: 0 is acceptance, and every row of spec/errors has the number of its place after it. */
export const ACCEPTED = 0;
const keys = Object.keys(errors) as ErrorKey[];
const numbers = new Map(keys.map((key, nth) => [errors[key], nth + 1]));

/** The number of an answer. */
export function answerOf(outcome: Outcome): number {
  return outcome.ok ? ACCEPTED : (numbers.get(outcome.row) as number);
}

/** The row of an answer; undefined for acceptance. */
export function errorOf(answer: number): ErrorKey | undefined {
  return answer === ACCEPTED ? undefined : keys[answer - 1];
}

/** A way in which a move was answered, with the first state that gave it. */
export interface First {
  readonly move: number;
  readonly answer: number;
  readonly state: number;
}

/** Edges in the order of their sources: those of state s are `offsets[s]` to `offsets[s + 1]`. */
interface Edges {
  move: Uint8Array;
  answer: Uint8Array;
  target: Int32Array;
  /** The number of its cost among `costs`. */
  cost: Uint8Array;
  offsets: Int32Array;
  count: number;
}

/** A broken invariant: a statement that every transition has to keep, and the first transition that does not. */
interface Violation {
  readonly invariant: string;
  readonly state: number;
  readonly move: number;
  readonly answer: number;
}

export interface Graph {
  readonly world: World;
  readonly moves: readonly Move[];
  readonly states: StateTable;
  readonly edges: Edges;
  readonly costs: readonly Readonly<Cost>[];
  /** States below this number have all their edges; the others are the frontier. */
  expanded: number;
  /** Calls of rules. */
  transitions: number;
  /** The greatest number of moves from the first state. */
  depth: number;
  readonly firsts: readonly First[];
  readonly violations: readonly Violation[];
  /** By state: the edge by which it was first reached; -1 for the first state. */
  parentEdge: Int32Array;
  /** By state: the source of that edge. */
  parent: Int32Array;
}

/** A statement about every transition. `before` and `after` are the fields of its states. */
export interface Invariant {
  readonly text: string;
  readonly holds: (step: Step) => boolean;
}

export interface Step {
  readonly world: World;
  readonly move: Move;
  readonly answer: number;
  readonly before: Int32Array;
  readonly after: Int32Array;
  readonly cost: Readonly<Cost>;
}

interface Bounds {
  /** Stop once this many states are known. */
  readonly statesMax?: number;
  /** Stop after the states of this depth are known. */
  readonly depthMax?: number;
  readonly invariants?: readonly Invariant[];
  /** Called after some thousand states; true stops the search. */
  readonly isStopped?: (expanded: number) => boolean;
  /** The moves, if not all of the world. */
  readonly moves?: readonly Move[];
}

const EVERY = 1 << 12;

/** Explores a world from its first state, breadth first, until there is nothing new or a bound is met. */
export function explore(world: World, bounds: Bounds = {}): Graph {
  const search = new Search(world, bounds);
  const { statesMax = Infinity, depthMax = Infinity, isStopped } = bounds;
  const { graph } = search;
  // The states that come next, up to this number, are `depth` moves from the first one.
  let levelEnd = 1;
  let depth = 0;
  while (graph.expanded < graph.states.count) {
    if (graph.expanded === levelEnd) {
      depth += 1;
      levelEnd = graph.states.count;
    }
    if (depth >= depthMax || graph.states.count >= statesMax) break;
    if (graph.expanded % EVERY === 0 && isStopped?.(graph.expanded) === true) break;
    search.expand(graph.expanded);
    graph.expanded += 1;
  }
  graph.depth = graph.states.count > levelEnd ? depth + 1 : depth;
  return graph;
}

class Search {
  readonly graph: Graph;
  readonly #before: Int32Array;
  readonly #after: Int32Array;
  readonly #key: Int32Array;
  readonly #cost: Cost = { lamports: 0, beats: 0, anchors: 0 };
  readonly #costs: Cost[] = [{ lamports: 0, beats: 0, anchors: 0 }];
  readonly #firsts: First[] = [];
  readonly #seen: Uint8Array;
  readonly #violations: Violation[] = [];
  readonly #invariants: readonly Invariant[];
  readonly #broken = new Set<string>();

  constructor(world: World, { moves = movesOf(world), invariants = [] }: Bounds) {
    const { layout } = world.fields;
    if (moves.length > 256) throw new RangeError(`${moves.length} moves are more than an edge can number`);
    this.#before = new Int32Array(layout.size);
    this.#after = new Int32Array(layout.size);
    this.#key = new Int32Array(layout.words);
    this.#seen = new Uint8Array(moves.length * (keys.length + 1));
    this.#invariants = invariants;
    const states = new StateTable(layout.words);
    layout.pack(world.first(), this.#key, 0);
    states.add(this.#key);
    const room = 1 << 14;
    this.graph = {
      world,
      moves,
      states,
      edges: {
        move: new Uint8Array(room),
        answer: new Uint8Array(room),
        target: new Int32Array(room),
        cost: new Uint8Array(room),
        offsets: new Int32Array(room),
        count: 0,
      },
      costs: this.#costs,
      expanded: 0,
      transitions: 0,
      depth: 0,
      firsts: this.#firsts,
      violations: this.#violations,
      parentEdge: new Int32Array(room).fill(-1),
      parent: new Int32Array(room).fill(-1),
    };
  }

  /** Plays every move in a state. */
  expand(state: number): void {
    const { graph } = this;
    const { world, moves, states, edges } = graph;
    const { fields } = world;
    const [before, after, cost] = [this.#before, this.#after, this.#cost];
    fields.layout.unpack(states.packed, state * states.words, before);
    let isLoaded = false;
    for (let m = 0; m < moves.length; m++) {
      const move = moves[m]!;
      if (!move.isPossible(before)) continue;
      if (!isLoaded) world.load(before);
      cost.lamports = 0;
      cost.beats = 0;
      cost.anchors = 0;
      const answer = answerOf(move.play(cost, before));
      graph.transitions += 1;
      world.read(after);
      fields.normalize(after, world.symmetric);
      const place = m * (keys.length + 1) + answer;
      if (this.#seen[place] === 0) {
        this.#seen[place] = 1;
        this.#firsts.push({ move: m, answer, state });
      }
      const isSame = same(before, after);
      const isRefused = isSame && answer !== ACCEPTED;
      // The first of two calls of a move may have been accepted.
      isLoaded = isRefused && cost.lamports === 0;
      if (isRefused) continue;
      if (this.#invariants.length > 0) this.#check({ world, move, answer, before, after, cost }, state, m);
      if (isSame) continue;
      fields.layout.pack(after, this.#key, 0);
      const known = states.count;
      const target = states.add(this.#key);
      if (target === known) this.#reach(target, state);
      this.#addEdge(m, answer, target);
    }
    if (state + 2 > edges.offsets.length) edges.offsets = grown(edges.offsets);
    edges.offsets[state + 1] = edges.count;
  }

  #reach(target: number, state: number): void {
    const { graph } = this;
    if (target >= graph.parent.length) {
      graph.parent = grown(graph.parent);
      graph.parentEdge = grown(graph.parentEdge);
    }
    graph.parent[target] = state;
    graph.parentEdge[target] = graph.edges.count;
  }

  #addEdge(move: number, answer: number, target: number): void {
    const { edges } = this.graph;
    if (edges.count === edges.move.length) {
      edges.move = grown(edges.move);
      edges.answer = grown(edges.answer);
      edges.target = grown(edges.target);
      edges.cost = grown(edges.cost);
    }
    edges.move[edges.count] = move;
    edges.answer[edges.count] = answer;
    edges.target[edges.count] = target;
    edges.cost[edges.count] = this.#costNumber();
    edges.count += 1;
  }

  #costNumber(): number {
    const { lamports, beats, anchors } = this.#cost;
    for (let i = 0; i < this.#costs.length; i++) {
      const each = this.#costs[i]!;
      if (each.lamports === lamports && each.beats === beats && each.anchors === anchors) return i;
    }
    if (this.#costs.length === 256) throw new RangeError('a small world has more than 256 different costs');
    this.#costs.push({ lamports, beats, anchors });
    return this.#costs.length - 1;
  }

  #check(step: Step, state: number, move: number): void {
    for (const { text, holds } of this.#invariants) {
      if (this.#broken.has(text) || holds(step)) continue;
      this.#broken.add(text);
      this.#violations.push({ invariant: text, state, move, answer: step.answer });
    }
  }
}

function same(one: Int32Array, other: Int32Array): boolean {
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** The fields of a state. */
export function valuesOf({ world, states }: Graph, state: number): Int32Array {
  const values = new Int32Array(world.fields.layout.size);
  world.fields.layout.unpack(states.packed, state * states.words, values);
  return values;
}

/** One move on a path, the anchors that it took, and its answer. */
interface PathStep {
  readonly move: number;
  readonly answer: number;
  readonly anchors: number;
}

/** The shortest path from the first state, by the number of moves. */
export function pathTo({ edges, costs, parent, parentEdge }: Graph, state: number): readonly PathStep[] {
  const path: PathStep[] = [];
  for (let at = state; parent[at]! >= 0; at = parent[at]!) {
    const edge = parentEdge[at]!;
    path.push({
      move: edges.move[edge]!,
      answer: edges.answer[edge]!,
      anchors: costs[edges.cost[edge]!]!.anchors,
    });
  }
  return path.reverse();
}
