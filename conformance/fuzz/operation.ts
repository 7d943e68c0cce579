/** An operation of the model tests: how its actions are drawn, and how one is played. Actions are plain data, so they replay. */

import * as fc from 'fast-check';
import type { Player, Ready } from './player.js';

/** One action: the name of its operation, and what was drawn for it. */
export interface Action {
  readonly op: string;
  readonly [field: string]: unknown;
}

/** An operation: how its actions are drawn, and how one is played. */
export interface Operation {
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<Action>;
  /** Makes its request ready; absent where it is more than one request. Undefined: there is nothing to be done. */
  readonly prepare?: (player: Player, action: Action) => Promise<Ready | undefined>;
  /** Plays it. Throws a Mismatch where a reply is not as the text wants it. */
  readonly run: (player: Player, action: Action) => Promise<void>;
}

type Drawn<A extends object> = { readonly [Field in keyof A]: fc.Arbitrary<A[Field]> };

/** An operation of one request, which can be sent together with another. */
export function request<A extends object>(
  name: string,
  drawn: Drawn<A>,
  prepare: (player: Player, action: A) => Promise<Ready | undefined> | Ready | undefined,
): Operation {
  const ready = async (player: Player, action: Action): Promise<Ready | undefined> =>
    prepare(player, action as unknown as A);
  const run = async (player: Player, action: Action): Promise<void> => {
    const made = await ready(player, action);
    if (made !== undefined) await player.play(made);
  };
  return { name, arbitrary: actions(name, drawn), prepare: ready, run };
}

/** Makes an operation of several requests, which `run` sends. */
export function sequence<A extends object>(
  name: string,
  drawn: Drawn<A>,
  run: (player: Player, action: A) => Promise<void>,
): Operation {
  return { name, arbitrary: actions(name, drawn), run: (player, action) => run(player, action as unknown as A) };
}

function actions<A extends object>(name: string, drawn: Drawn<A>): fc.Arbitrary<Action> {
  return fc.record(drawn as Record<string, fc.Arbitrary<unknown>>).map((fields) => ({ op: name, ...fields }));
}

/** One of the model's agents, by a number that is taken modulo their count. */
export const place: fc.Arbitrary<number> = fc.nat(5);

/** A word, the first more often than all others together. */
export function mostly<const T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 2 * others.length + 1, arbitrary: fc.constant(usual) },
    ...others.map((each) => ({ weight: 1, arbitrary: fc.constant(each) })),
  ) as fc.Arbitrary<T>;
}
