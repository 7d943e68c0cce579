/**
 * The orders in which overlapping exchanges may have been served: the search of Wing and Gong (1993), in the form with a memo of what has been served
 * and of the state after it. An order breaks no rule if the model accepts each reply in it.
 */

import { commit, fork, type State, tablesOf, valuesOf } from './facts/state.js';

/** When an exchange began and ended, by a counter of such events. */
interface Span {
  readonly begin: number;
  readonly end: number;
}

/** How a search judges one exchange. */
interface Search<E, J> {
  judge(state: State, entry: E): readonly J[];
  /** Whether an exchange is a read or a refusal, which change nothing that a later exchange needs. */
  isPassive(entry: E): boolean;
  /** The weight of the evidence against the service. */
  weight(judged: readonly J[]): number;
  /** Whether all orders with the least weight are wanted, or only the first. */
  readonly all: boolean;
}

/** The best orders of a group. */
interface Orders<J> {
  /** The judgements in the first order with the least weight. */
  readonly judged: readonly J[];
  readonly against: number;
  /** Whether no other order can have less weight. Otherwise the evidence against the service proves nothing. */
  readonly isProven: boolean;
  /** The states after the orders with the least weight, if the search wants all; the first is committed. */
  readonly ends: readonly State[];
}

/** At most this many exchanges are judged in the search for one group, in all its orders together. */
const STEPS_MAX = 1_000;
/** A group may lead to at most this many different states. */
const ENDS_MAX = 16;

/** Judges a group of overlapping exchanges in the order with the least evidence against the service, and updates the state by it. */
export function judgeOrders<E extends Span, J>(state: State, entries: readonly E[], search: Search<E, J>): Orders<J> {
  let steps = 0;
  let isComplete = true;
  let best: { readonly path: readonly State[]; readonly judged: readonly J[]; readonly against: number } | undefined;
  const ends = new Map<string, State>();
  const seen = new Map<string, number>();
  const walk = (path: readonly State[], left: readonly E[], judged: readonly J[], against: number): void => {
    const here = path.at(-1) ?? state;
    if (best !== undefined && (against > best.against || (against === best.against && !search.all))) return;
    const digest = digestOf(state, here);
    if (left.length === 0) {
      if (best === undefined || against < best.against) {
        best = { path, judged, against };
        ends.clear();
      }
      if (ends.size < ENDS_MAX) ends.set(digest, here);
      else isComplete = false;
      return;
    }
    const key = `${left.map(({ begin }) => begin).join()} ${digest}`;
    if ((seen.get(key) ?? Number.POSITIVE_INFINITY) <= against) return;
    seen.set(key, against);
    for (const next of left) {
      // No exchange comes after one that began when it had ended.
      if (left.some((other) => other !== next && other.end < next.begin)) continue;
      if (steps >= STEPS_MAX) {
        isComplete = false;
        return;
      }
      steps += 1;
      const tried = fork(here);
      const own = search.judge(tried, next);
      const others = left.filter((other) => other !== next);
      const more = search.weight(own);
      const isFree = more === 0 && search.isPassive(next) && digestOf(state, tried) === digest;
      walk(isFree ? path : [...path, tried], others, [...judged, ...own], against + more);
      // A read or a refusal that is right here and changes nothing may as well come first.
      if (isFree) return;
    }
  };
  walk([], entries, [], 0);
  const found = best ?? inOrder(state, entries, search);
  for (const [n, tried] of [...found.path.entries()].toReversed()) commit(found.path[n - 1] ?? state, tried);
  return {
    judged: found.judged,
    against: found.against,
    isProven: isComplete || found.against === 0,
    ends: isComplete ? [...ends.values()] : [],
  };
}

/** Judges a group in the order of its replies. */
function inOrder<E, J>(state: State, entries: readonly E[], search: Search<E, J>) {
  const path = [fork(state)];
  const judged = entries.flatMap((entry) => search.judge(path[0] ?? state, entry));
  return { path, judged, against: search.weight(judged) };
}

/** The changes of a fork as text. */
function digestOf(base: State, tried: State): string {
  const changes = tablesOf(tried).map(([name, table], n) => [
    name,
    [...table.changesSince(tablesOf(base)[n]?.[1] ?? table)].sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
  return JSON.stringify([changes, valuesOf(tried)]);
}
