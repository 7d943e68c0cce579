/**
 * Parts two servers that are in different states: finds the shortest moves after which one of them freezes an agent and the other does not, asks for
 * another payment, or refuses what the other accepts. Both follow the shipped rules.
 */

import { FROZEN } from '../reference/registry/state.js';
import * as F from './fields.js';
import type { Cost, Move } from './move.js';
import { ACCEPTED, answerOf, errorOf, type Graph, valuesOf } from './search.js';
import type { World } from './world.js';

/** In what two servers differ, the gravest first. */
export const PARTINGS = ['freezing', 'money', 'outcome'] as const;
type PartingKind = (typeof PARTINGS)[number];

/** The moves that part two servers, and what each server does at the last. */
export interface Parting {
  readonly kind: PartingKind;
  readonly moves: readonly MadeMove[];
  readonly one: string;
  readonly other: string;
}

/** A move, and the anchors that passed in it. */
interface MadeMove {
  readonly move: Move;
  readonly anchors: number;
}

interface Bounds {
  /** Pairs of states to look at. */
  readonly pairsMax: number;
  /** Moves that do not count as the last: those that are left open themselves. */
  readonly isOpen: (move: Move) => boolean;
}

interface Pair {
  readonly one: Int32Array;
  readonly other: Int32Array;
  readonly moves: readonly MadeMove[];
}

/** The answer of a server to a move, its cost, and its state afterwards. */
interface Done {
  readonly answer: number;
  readonly cost: Readonly<Cost>;
  readonly after: Int32Array;
}

/** The state that the registry of a world is in. */
function stateOf(world: World): Int32Array {
  const after = world.first();
  world.read(after);
  world.fields.normalize(after, world.symmetric);
  return after;
}

/** Plays a move in a state. */
export function playedFrom(world: World, move: Move, before: Int32Array): Done {
  const cost: Cost = { lamports: 0, beats: 0, anchors: 0 };
  world.load(before);
  const answer = answerOf(move.play(cost, before));
  return { answer, cost, after: stateOf(world) };
}

/** The shortest way to part two states for each kind of difference that is found. */
export function partingsOf(
  { world, moves }: Graph,
  states: readonly [Int32Array, Int32Array],
  { pairsMax, isOpen }: Bounds,
): readonly Parting[] {
  const found = new Map<PartingKind, Parting>();
  const queue: Pair[] = [{ one: states[0], other: states[1], moves: [] }];
  const seen = new Set([keyOf(queue[0] as Pair)]);
  for (let nth = 0; nth < queue.length && nth < pairsMax && found.size < PARTINGS.length; nth += 1) {
    const pair = queue[nth] as Pair;
    for (const move of moves) {
      if (!move.isPossible(pair.one) || !move.isPossible(pair.other)) continue;
      // Time passes by the same number of anchors for both.
      const [one, other] =
        move.op === 'time'
          ? bothPass(pair)
          : ([playedFrom(world, move, pair.one), playedFrom(world, move, pair.other)] as const);
      const way = [...pair.moves, { move, anchors: one.cost.anchors }];
      const kind = kindOf(move, one, other);
      if (kind !== undefined && !isOpen(move)) {
        const said = kind === 'freezing' ? frozenIn : saidOf;
        if (!found.has(kind)) found.set(kind, { kind, moves: way, one: said(one), other: said(other) });
        continue;
      }
      const next = { one: one.after, other: other.after, moves: way };
      const key = keyOf(next);
      if (isSame(next) || seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  return PARTINGS.flatMap((kind) => found.get(kind) ?? []);

  function bothPass({ one, other }: Pair): readonly [Done, Done] {
    const anchors = Math.min(world.fields.untilChange(one), world.fields.untilChange(other));
    const pass = (before: Int32Array): Done => {
      world.load(before);
      world.pass(anchors);
      return { answer: ACCEPTED, cost: { lamports: 0, beats: 0, anchors }, after: stateOf(world) };
    };
    return [pass(one), pass(other)];
  }

  function frozenIn({ after }: Done): string {
    const all = Array.from({ length: world.fields.agents }, (_, agent) => agent);
    const frozen = all.filter((agent) => after[world.fields.agent(agent) + F.STATUS] === FROZEN);
    return frozen.length === 0 ? 'nobody is frozen' : `${frozen.map(F.nameOf).join(' and ')} frozen`;
  }

  function kindOf(move: Move, one: Done, other: Done): PartingKind | undefined {
    if (move.op === 'time') {
      const all = Array.from({ length: world.fields.agents }, (_, agent) => world.fields.agent(agent) + F.STATUS);
      return all.some((at) => (one.after[at] === FROZEN) !== (other.after[at] === FROZEN)) ? 'freezing' : undefined;
    }
    const [isOne, isOther] = [one.answer === ACCEPTED, other.answer === ACCEPTED];
    if (isOne && isOther) return one.cost.lamports === other.cost.lamports ? undefined : 'money';
    return isOne === isOther ? undefined : 'outcome';
  }
}

function saidOf({ answer, cost: { lamports } }: Done): string {
  return errorOf(answer) ?? (lamports === 0 ? 'accepted' : `accepted for ${lamports} lamports`);
}

const keyOf = ({ one, other }: Pick<Pair, 'one' | 'other'>): string => `${one.join()}|${other.join()}`;
const isSame = ({ one, other }: Pair): boolean => one.every((value, at) => value === other[at]);

/**
 * The state after a move that the reference refuses, on a server that accepts it: with the changes that a move of the same agent and operation makes
 * in the nearest state in which the reference accepts one. Undefined if no state of the graph accepts it.
 */
export function afterAcceptance(graph: Graph, move: Move, before: Int32Array): Int32Array | undefined {
  const { edges, expanded, moves } = graph;
  const alike = new Set(
    moves.flatMap(({ op, actor }, place) => (op === move.op && actor === move.actor ? [place] : [])),
  );
  let nearest: { readonly from: Int32Array; readonly to: Int32Array } | undefined;
  let least = Infinity;
  let tried = 0;
  for (let state = 0; state < expanded && tried < ACCEPTED_MAX; state += 1) {
    for (let edge = edges.offsets[state] ?? 0; edge < (edges.offsets[state + 1] ?? 0); edge += 1) {
      if (!alike.has(edges.move[edge] as number) || edges.answer[edge] !== ACCEPTED) continue;
      tried += 1;
      const from = valuesOf(graph, state);
      const distance = from.reduce((sum, value, at) => sum + (value === before[at] ? 0 : 1), 0);
      if (distance >= least) continue;
      least = distance;
      nearest = { from, to: valuesOf(graph, edges.target[edge] ?? 0) };
    }
  }
  if (nearest === undefined) return undefined;
  const { from, to } = nearest;
  return before.map((value, at) => (from[at] === to[at] ? value : (to[at] ?? value)));
}

/** The accepted moves that are compared. */
const ACCEPTED_MAX = 5_000;
