/**
 * Scripts: a path of a small world as a sequence of `conformance/fuzz`, which plays on any server with a control API and is judged by the
 * model. It begins with two agents of its own, after which those of the world come.
 */

import type { Action, Cost, Move } from './move.js';
import { movesOf } from './moves.js';
import { answerOf, errorOf, type Graph, pathTo } from './search.js';
import { World } from './world.js';

/** A sequence in the form that `aips conform fuzz FILE` plays. */
interface Script {
  readonly salt: string;
  readonly set_up: 'devnet';
  readonly start_anchors: number;
  readonly actions: readonly Action[];
}

/** A move of a path, on a registry that lives on: the agents are those of the moves, not those of the abstract state. */
interface PlayedStep {
  readonly move: Move;
  readonly answer: number;
  readonly cost: Readonly<Cost>;
  /** The fields before and after it. */
  readonly before: Int32Array;
  readonly after: Int32Array;
}

/**
 * Plays the path to a state, and one more move in it if given, on one registry, without writing its state in between. Where the order of
 * children changed on the way, the moves are those of the agents that the path began with. Throws if an answer is another one.
 */
export function playPath(graph: Graph, state: number, last?: number): readonly PlayedStep[] {
  const world = new World({ ...graph.world.options, symmetric: false });
  const moves = movesOf(world);
  const byName = new Map(moves.map((move) => [move.name, move]));
  const mirrored = mirrorOf(graph);
  const path = pathTo(graph, state).map(({ move, answer }) => ({ move, answer: answer as number | undefined }));
  if (last !== undefined) path.push({ move: last, answer: undefined });
  let values = world.first();
  let isSwapped = false;
  world.load(values);
  return path.map(({ move: number, answer: wanted }) => {
    const name = (isSwapped ? mirrored[number] : graph.moves[number]?.name) ?? '';
    const move = byName.get(name);
    if (move === undefined) throw new Error(`the world has no move ${name}`);
    const cost: Cost = { lamports: 0, beats: 0, anchors: 0 };
    const before = values;
    const answer = answerOf(move.play(cost, before));
    if (wanted !== undefined && answer !== wanted)
      throw new Error(`${name}: answered ${errorOf(answer) ?? 'accepted'} on the way to state ${state}`);
    const after = world.first();
    world.read(after);
    world.fields.normalize(after, false);
    values = after;
    if (graph.world.symmetric && world.fields.agents === 3) isSwapped = world.fields.isOutOfOrder(after);
    return { move, answer, cost, before, after };
  });
}

/** The name of each move with the two children exchanged. */
function mirrorOf({ moves }: Graph): readonly string[] {
  const other: Readonly<Record<string, string>> = { child: 'sibling', sibling: 'child' };
  return moves.map(({ name }) => name.replace(/\b(child|sibling)\b/g, (word) => other[word] ?? word));
}

/** The script of played steps, from the first anchor of a billing epoch on. */
export function scriptOf(graph: Graph, steps: readonly PlayedStep[]): Script {
  return {
    salt: 'explore',
    set_up: 'devnet',
    start_anchors: graph.world.fields.spans.epoch,
    actions: steps.flatMap(({ move, cost }) => move.actions(cost.anchors)),
  };
}
