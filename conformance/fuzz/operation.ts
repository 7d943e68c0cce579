/**
 * An operation of random sequences: how its actions are drawn, and how one is played. It judges nothing, since the model judges every
 * exchange. Actions are plain data, so they replay.
 */

import * as fc from 'fast-check';
import type { Player } from './player.js';
import type { Answer, Ready } from './requests.js';

/** One action: the name of its operation, and what was drawn for it. */
export interface Action {
  readonly op: string;
  readonly [field: string]: unknown;
}

/** The values of a field of an action, and its usual value. */
export interface Field<T> {
  readonly usual: T;
  readonly arbitrary: fc.Arbitrary<T>;
}
type Fields<A extends object> = { readonly [Name in keyof A]: Field<A[Name]> };

export interface Operation<A extends object = object> {
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<Action>;
  /** Prepares its request; absent if it has more than one. Returns undefined if there is nothing to do. */
  prepare?(player: Player, given: Partial<A>): Promise<Ready | undefined>;
  /** Plays it with usual values except for the given fields; returns the reply of a single request. */
  run(player: Player, given: Partial<A>): Promise<Answer | undefined>;
}

/** An operation of one request, which can be sent together with another. */
export function request<A extends object>(
  name: string,
  fields: Fields<A>,
  make: (player: Player, action: A) => Promise<Ready | undefined> | Ready | undefined,
): Operation<A> {
  const { arbitrary, whole } = drawn(name, fields);
  const prepare = async (player: Player, given: Partial<A>): Promise<Ready | undefined> => make(player, whole(given));
  const run = async (player: Player, given: Partial<A>): Promise<Answer | undefined> => {
    const ready = await prepare(player, given);
    return ready === undefined ? undefined : player.send(ready);
  };
  return { name, arbitrary, prepare, run };
}

/** An operation of several requests, which `play` sends. */
export function sequence<A extends object>(
  name: string,
  fields: Fields<A>,
  play: (player: Player, action: A) => Promise<unknown>,
): Operation<A> {
  const { arbitrary, whole } = drawn(name, fields);
  const run = async (player: Player, given: Partial<A>): Promise<undefined> => {
    await play(player, whole(given));
  };
  return { name, arbitrary, run };
}

function drawn<A extends object>(op: string, fields: Fields<A>) {
  const each = Object.entries<Field<unknown>>(fields);
  const usual = Object.fromEntries(each.map(([name, field]) => [name, field.usual]));
  const record = fc.record(Object.fromEntries(each.map(([name, field]) => [name, field.arbitrary])));
  const arbitrary: fc.Arbitrary<Action> = record.map((values) => ({ op, ...values }));
  return { arbitrary, whole: (given: Partial<A>) => ({ ...usual, ...given }) as A };
}

/** One of the run's agents, by a number that is taken modulo their count. */
export const place: Field<number> = { usual: 0, arbitrary: fc.nat(5) };

/** A word; the first is drawn more often than all others together. */
export function mostly<const T>(usual: T, ...others: readonly T[]): Field<T> {
  return weighted(usual, 2 * others.length + 1, others);
}

/** A word of several, all equally likely; the first is the usual value. */
export const anyOf = <const T>(usual: T, ...others: readonly T[]): Field<T> => weighted(usual, 1, others);

/** A word that is drawn `weight` times as often as each of the others. */
export function weighted<const T>(usual: T, weight: number, others: readonly T[]): Field<T> {
  const arbitrary = fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    ...others.map((each) => ({ weight: 1, arbitrary: fc.constant(each) })),
  );
  return { usual, arbitrary: arbitrary as fc.Arbitrary<T> };
}

/** The nth of a few reused addresses, or null (the usual value) for a new one. `freq`: the weight of reused ones. */
export const address = (freq: number): Field<number | null> => ({
  usual: null,
  arbitrary: fc.option(fc.nat(1), { freq }),
});
