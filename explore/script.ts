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
export interface PlayedStep {
  readonly move: Move;
  readonly answer: number;
  readonly cost: Readonly<Cost>;
  /** The fields before and after it. */
  readonly before: Int32Array;
  readonly after: Int32Array;
}

/**
 * Plays the path to a state, and then further moves, on one registry, without writing its state in between. Where the order of
 * children changed on the way, the moves are those of the agents that the path began with. Throws if an answer on the path is another one.
 */
export function playPath(graph: Graph, state: number, further: readonly number[] = []): readonly PlayedStep[] {
  const world = new World({ ...graph.world.options, symmetric: false });
  const moves = movesOf(world);
  const byName = new Map(moves.map((move) => [move.name, move]));
  const mirrored = mirrorOf(graph);
  const path = pathTo(graph, state).map(({ move, answer }) => ({ move, answer: answer as number | undefined }));
  path.push(...further.map((move) => ({ move, answer: undefined })));
  const played = new Played(world);
  let isSwapped = false;
  return path.map(({ move: number, answer: wanted }) => {
    const name = (isSwapped ? mirrored[number] : graph.moves[number]?.name) ?? '';
    const move = byName.get(name);
    if (move === undefined) throw new Error(`the world has no move ${name}`);
    const step = played.play(move);
    if (wanted !== undefined && step.answer !== wanted)
      throw new Error(`${name}: answered ${errorOf(step.answer) ?? 'accepted'} on the way to state ${state}`);
    if (graph.world.symmetric && world.fields.agents === 3) isSwapped = world.fields.isOutOfOrder(step.after);
    return step;
  });
}

/** A registry that lives on, from the first state of its world. */
class Played {
  values: Int32Array;

  constructor(readonly world: World) {
    this.values = world.first();
    world.load(this.values);
  }

  play(move: Move): PlayedStep {
    const { world, values: before } = this;
    const cost: Cost = { lamports: 0, beats: 0, anchors: 0 };
    const answer = answerOf(move.play(cost, before));
    const after = world.first();
    world.read(after);
    world.fields.normalize(after, false);
    this.values = after;
    return { move, answer, cost, before, after };
  }
}

/** Plays the moves of another world by their names, up to the first one that is answered in another way; it ends before one that is not possible. */
export function playAgain(world: World, steps: readonly PlayedStep[]): readonly PlayedStep[] {
  const byName = new Map(movesOf(world).map((move) => [move.name, move]));
  const played = new Played(world);
  const again: PlayedStep[] = [];
  for (const {
    move: { name },
    answer,
  } of steps) {
    const move = byName.get(name);
    if (move?.isPossible(played.values) !== true) break;
    const step = played.play(move);
    again.push(step);
    if (step.answer !== answer) break;
  }
  return again;
}

/** The name of each move with the two children exchanged. */
function mirrorOf({ moves }: Graph): readonly string[] {
  const other: Readonly<Record<string, string>> = { child: 'sibling', sibling: 'child' };
  return moves.map(({ name }) => name.replace(/\b(child|sibling)\b/g, (word) => other[word] ?? word));
}

/** The script of played steps, from the first anchor of a billing epoch on. */
export function scriptOf({ world }: Pick<Graph, 'world'>, steps: readonly PlayedStep[]): Script {
  return {
    salt: 'explore',
    set_up: 'devnet',
    start_anchors: world.fields.spans.epoch,
    actions: steps.flatMap(({ move, cost }) => move.actions(cost.anchors)),
  };
}
