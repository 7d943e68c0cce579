/**
 * The orders in which overlapping exchanges may have been served: the search of Wing and Gong (1993), in the form with a memo of what has been served
 * and of the state after it. An order breaks no rule if the model accepts each reply in it.
 */

import { commit, fork, type State, tablesOf, valuesOf } from './facts/state.js';
import { inJson, type Table } from './facts/table.js';

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
  /** Whether two exchanges are about the same subjects, so that their order may matter. */
  meet(one: E, other: E): boolean;
  /** The weight of the evidence against the service. */
  weight(judged: readonly J[]): number;
  /** Whether an order of this weight breaks no clause of the text. */
  isGood(against: number): boolean;
  /** Whether all orders with the least weight are wanted, or only the first. */
  readonly all: boolean;
}

/** The best orders of a group. */
interface Orders<J> {
  /** The judgements in the first order with the least weight. */
  readonly judged: readonly J[];
  readonly against: number;
  /** The forks that lead to the state after the first order with the least weight. */
  readonly path: readonly State[];
  /** Whether all different orders were tried. Otherwise evidence against the service proves nothing, and `ends` lacks states. */
  readonly isComplete: boolean;
  /** The states after the orders with the least weight, if the search wants all. */
  readonly ends: readonly State[];
}

/** At most this many exchanges are judged in the search for one group, in all its orders together. */
const STEPS_MAX = 1_000;
/** After an order that breaks no rule, at most this many more, to find other orders and states. */
const MORE_STEPS_MAX = 100;
/** A group may lead to at most this many different states. */
const ENDS_MAX = 16;

/** A place in the search: the forks that lead to it, the exchanges that are left, and the latest one. */
interface Place<E, J> {
  readonly path: readonly State[];
  readonly left: readonly E[];
  readonly last: E | undefined;
  readonly judged: readonly J[];
  readonly against: number;
  readonly digest: string;
}

/** Judges a group of overlapping exchanges in the order with the least evidence against the service. The state does not change until `settleOn`. */
export function judgeOrders<E extends Span, J>(state: State, entries: readonly E[], search: Search<E, J>): Orders<J> {
  const digestOf = digester(state);
  const ends = new Map<string, State>();
  const seen = new Map<string, number>();
  let [steps, most, isComplete] = [0, STEPS_MAX, true];
  let best: Pick<Place<E, J>, 'path' | 'judged' | 'against'> | undefined;
  const end = ({ path, judged, against, digest }: Place<E, J>): void => {
    if (best === undefined || against < best.against) {
      best = { path, judged, against };
      if (search.isGood(against)) most = Math.min(most, steps + MORE_STEPS_MAX);
      ends.clear();
    }
    if (ends.size < ENDS_MAX) ends.set(digest, path.at(-1) ?? state);
    else isComplete = false;
  };
  const walk = (place: Place<E, J>): void => {
    const { path, left, last, judged, against, digest } = place;
    if (best !== undefined && (against > best.against || (against === best.against && !search.all))) return;
    if (left.length === 0) {
      end(place);
      return;
    }
    const key = `${last?.begin} ${left.map(({ begin }) => begin).join()} ${digest}`;
    if ((seen.get(key) ?? Number.POSITIVE_INFINITY) <= against) return;
    seen.set(key, against);
    const worse: Place<E, J>[] = [];
    for (const next of left) {
      // No exchange comes after one that began when it had ended.
      if (left.some((other) => other !== next && other.end < next.begin)) continue;
      // Two that do not meet give the same in both orders.
      if (last !== undefined && next.begin < last.begin && !search.meet(last, next)) continue;
      if (steps >= most) {
        isComplete = false;
        return;
      }
      steps += 1;
      const tried = fork(path.at(-1) ?? state);
      const own = search.judge(tried, next);
      const more = search.weight(own);
      const after = digestOf(tried);
      const isFree = more === 0 && after === digest && search.isPassive(next);
      const then: Place<E, J> = {
        path: isFree ? path : [...path, tried],
        left: left.filter((other) => other !== next),
        last: isFree ? last : next,
        judged: [...judged, ...own],
        against: against + more,
        digest: after,
      };
      if (more > 0) worse.push(then);
      else walk(then);
      // A read or a refusal that is right here and changes nothing may as well come first.
      if (isFree) return;
    }
    for (const place of worse.toSorted((one, other) => one.against - other.against)) walk(place);
  };
  walk({ path: [], left: entries, last: undefined, judged: [], against: 0, digest: digestOf(state) });
  return { ...(best ?? inOrder(state, entries, search)), isComplete, ends: [...ends.values()] };
}

/** Updates a state by the forks of an order. */
export function settleOn(state: State, path: readonly State[]): void {
  for (const [n, tried] of [...path.entries()].toReversed()) commit(path[n - 1] ?? state, tried);
}

/** Judges a group in the order of its replies. */
function inOrder<E, J>(state: State, entries: readonly E[], search: Search<E, J>) {
  const path = [fork(state)];
  const judged = entries.flatMap((entry) => search.judge(path[0] ?? state, entry));
  return { path, judged, against: search.weight(judged) };
}

/** Writes the changes of a fork as text. */
function digester(base: State): (tried: State) => string {
  const tables = tablesOf(base);
  // Entries do not change any more once their fork was judged.
  const texts = new WeakMap<object, string>();
  const textOf = (entry: object | undefined): string => {
    if (entry === undefined) return '';
    const text = texts.get(entry) ?? inJson(entry);
    texts.set(entry, text);
    return text;
  };
  return (tried) => {
    const changes = tables.flatMap(([name, table]) => {
      const own = (tried[name] as Table<object>).changesSince(table, textOf);
      return own.size === 0 ? [] : [[name, [...own].sort(([one], [other]) => (one < other ? -1 : 1))]];
    });
    return JSON.stringify([changes, valuesOf(tried)]);
  };
}
