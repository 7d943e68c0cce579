/**
 * The flags of a registry with what finds them: by id, and the n-th newest pending one. Neither takes longer than the logarithm of their
 * number. The rules that file and review them are in ../flag.ts.
 */

import type { Flag, FlagStatus } from './records.js';

/** Every flag, the oldest first, with its indexes, which follow from the list. */
export interface Flags {
  readonly list: Flag[];
  /** The place in the list, by id. */
  readonly placeOf: Map<string, number>;
  /** `<reporter>:<target>` of each that is pending. */
  readonly pendingPairs: Set<string>;
  /** A Fenwick tree (Fenwick 1994): entry i holds how many of the flags up to place i, of those that bit i covers, are pending. */
  readonly pendingTree: number[];
}

/** Without any flag. */
export function createFlags(): Flags {
  return { list: [], placeOf: new Map(), pendingPairs: new Set(), pendingTree: [] };
}

/** Appends a flag, which is the newest. */
export function addFlag({ list, placeOf, pendingTree: tree }: Flags, flag: Flag): void {
  list.push(flag);
  placeOf.set(flag.id, list.length - 1);
  // Entry i of the tree is at place i - 1, and covers the lowest bit of i: itself and the entries that lie within it.
  const end = list.length - lowestBit(list.length);
  let count = flag.status === 'pending' ? 1 : 0;
  for (let i = list.length - 1; i > end; i -= lowestBit(i)) count += tree[i - 1]!;
  tree.push(count);
}

/** The flag with this id; undefined if there is none. */
export function flagOf({ list, placeOf }: Flags, id: string): Flag | undefined {
  const place = placeOf.get(id);
  return place === undefined ? undefined : list[place];
}

/** Gives a flag another status. */
export function setFlagStatus({ placeOf, pendingTree: tree }: Flags, flag: Flag, status: FlagStatus): void {
  const change = (status === 'pending' ? 1 : 0) - (flag.status === 'pending' ? 1 : 0);
  flag.status = status;
  const place = placeOf.get(flag.id);
  if (place === undefined) throw new Error(`flag ${flag.id} is not in the list`);
  if (change !== 0) for (let i = place + 1; i <= tree.length; i += lowestBit(i)) tree[i - 1]! += change;
}

/** The pending flag after which `newer` pending ones were filed; undefined if there are not more than that. */
export function pendingBefore({ list, pendingTree: tree }: Flags, newer: number): Flag | undefined {
  let pending = 0;
  for (let i = tree.length; i > 0; i -= lowestBit(i)) pending += tree[i - 1]!;
  if (pending <= newer) return undefined;
  // The last place with fewer than this many pending flags up to it, by halves.
  let fewer = pending - newer;
  let place = 0;
  for (let step = 2 ** Math.floor(Math.log2(tree.length)); step >= 1; step /= 2) {
    const count = tree[place + step - 1];
    if (count === undefined || count >= fewer) continue;
    place += step;
    fewer -= count;
  }
  return list[place];
}

function lowestBit(i: number): number {
  return i & -i;
}
