/**
 * Races: two operations of different senders at one moment, of which each is accepted first, but whose order decides what is accepted, who
 * pays or who owns. They follow from the edges of the graph alone.
 */

import * as F from './fields.js';
import { ACCEPTED, type Graph, valuesOf } from './search.js';

/** The difference that the order makes. */
type Stake = 'who pays' | 'who owns' | 'what is accepted';

interface Race {
  readonly first: number;
  readonly second: number;
  readonly stake: Stake;
  /** The states in which the order matters, and the one with the shortest way to it. */
  readonly states: number;
  readonly state: number;
}

/** All races of a graph, those with the highest stakes first. */
export function racesOf(graph: Graph): readonly Race[] {
  const { edges, expanded, moves } = graph;
  const found = new Map<string, { first: number; second: number; stake: Stake; states: number; state: number }>();
  const edgeOf = (state: number, move: number): number => {
    if (state >= expanded) return -1;
    for (let e = edges.offsets[state]!; e < edges.offsets[state + 1]!; e++) if (edges.move[e] === move) return e;
    return -1;
  };
  const isRacing = (edge: number): boolean =>
    edges.answer[edge] === ACCEPTED &&
    moves[edges.move[edge]!]!.op !== 'time' &&
    moves[edges.move[edge]!]!.op !== 'revoke-key';
  for (let state = 0; state < expanded; state++) {
    const [from, to] = [edges.offsets[state]!, edges.offsets[state + 1]!];
    for (let a = from; a < to; a++) {
      if (!isRacing(a)) continue;
      for (let b = a + 1; b < to; b++) {
        const [first, second] = [edges.move[a]!, edges.move[b]!];
        if (!isRacing(b) || moves[first]!.actor === moves[second]!.actor) continue;
        const [ab, ba] = [edgeOf(edges.target[a]!, second), edgeOf(edges.target[b]!, first)];
        // A target beyond the frontier has no edges yet.
        if (edges.target[a]! >= expanded || edges.target[b]! >= expanded) continue;
        const ends = [
          ab < 0 ? edges.target[a]! : edges.target[ab]!,
          ba < 0 ? edges.target[b]! : edges.target[ba]!,
        ] as const;
        if (ends[0] === ends[1]) continue;
        const key = `${first} ${second}`;
        const known = found.get(key);
        if (known !== undefined) known.states += 1;
        else found.set(key, { first, second, stake: stakeOf(graph, ...ends), states: 1, state });
      }
    }
  }
  const rank: readonly Stake[] = ['who owns', 'who pays', 'what is accepted'];
  return [...found.values()].sort(
    (one, other) => rank.indexOf(one.stake) - rank.indexOf(other.stake) || one.state - other.state,
  );
}

/** The stake of two ends that the order of the same two operations leads to. */
function stakeOf(graph: Graph, one: number, other: number): Stake {
  const { fields } = graph.world;
  const [left, right] = [valuesOf(graph, one), valuesOf(graph, other)];
  const differs = (at: number): boolean => left[at] !== right[at];
  const agents = Array.from({ length: fields.agents }, (_, agent) => agent);
  if (agents.some((agent) => [F.STAGE, F.SIGIL_KIND, F.WALLET].some((of) => differs(fields.agent(agent) + of))))
    return 'who owns';
  const paid = agents.some((agent) => differs(fields.agent(agent) + F.COUNT));
  return paid || agents.slice(1).some((child) => differs(fields.sponsorship(child) + F.SPONSOR_USED))
    ? 'who pays'
    : 'what is accepted';
}
