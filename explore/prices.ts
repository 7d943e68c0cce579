/**
 * The price of an escape: the cheapest ways from a state in which an agent cannot have a heartbeat accepted to one in which it has, as a
 * Pareto front of lamports, beats and anchors. The labels of all states are settled in one order, from the goal backwards (Martins 1984).
 */

import { ACTIVE, FROZEN } from '../reference/registry/state.js';
import { penaltyBeats } from '../spec/lint/quantities.js';
import type { Protocol } from '../spec/protocol.js';
import * as F from './fields.js';
import type { Cost } from './move.js';
import { ACCEPTED, type Graph, valuesOf } from './search.js';
import { spansOf } from './small-numbers.js';
import type { Reversed } from './traps.js';

type Price = Readonly<Cost>;

/** A way that no other one beats in all three: its price, the state that it begins in, and its moves up to the heartbeat. */
export interface PricedWay extends Price {
  readonly state: number;
  readonly moves: readonly number[];
}

/** The prices of the states in which an agent is in the same condition. */
interface PriceRow {
  readonly agent: number;
  /** The condition, in words. */
  readonly condition: string;
  readonly states: number;
  /** The front over all of them, and that of the first of the dearest states. */
  readonly best: readonly PricedWay[];
  readonly worst: readonly PricedWay[];
}

/** Labels are in lexicographic order: lamports, then the rest, which is beats and anchors in one number. In one number with the lamports they would not be exact. */
interface Label {
  readonly lamports: number;
  readonly rest: number;
}

const BEATS = 1_000;

const labelOf = ({ lamports, beats, anchors }: Price): Label => ({ lamports, rest: beats * BEATS + anchors });
const priceOf = ({ lamports, rest }: Label): Price => ({
  ...{ lamports, beats: Math.floor(rest / BEATS), anchors: rest % BEATS },
});

/** True if a settled label costs no more beats and anchors than another one. Labels are settled in the order of their lamports. */
function beats(settled: Label, { rest }: Label): boolean {
  return Math.floor(settled.rest / BEATS) <= Math.floor(rest / BEATS) && settled.rest % BEATS <= rest % BEATS;
}

const isLess = (one: Label, other: Label): boolean =>
  one.lamports < other.lamports || (one.lamports === other.lamports && one.rest < other.rest);

/** A label, and the edge that its way begins with. */
interface Way extends Label {
  readonly edge: number;
}

/** The order in which ways are settled: of equal ones that with the first edge, so that a receipt comes before a challenge. */
const isSooner = (one: Way, other: Way): boolean =>
  isLess(one, other) || (!isLess(other, one) && one.edge < other.edge);

/** A heap of ways, the cheapest first. */
class Heap {
  readonly #ways: Way[] = [];

  push(way: Way): void {
    const ways = this.#ways;
    let at = ways.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!isSooner(way, ways[up]!)) break;
      ways[at] = ways[up]!;
      at = up;
    }
    ways[at] = way;
  }

  pop(): Way | undefined {
    const ways = this.#ways;
    const [first, last] = [ways[0], ways.pop()];
    const { length } = ways;
    if (last === undefined || length === 0) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= length) break;
      if (down + 1 < length && isSooner(ways[down + 1]!, ways[down]!)) down += 1;
      if (!isSooner(ways[down]!, last)) break;
      ways[at] = ways[down]!;
      at = down;
    }
    ways[at] = last;
    return first;
  }
}

/** The costs of edges in the numbers of `text`, of which the world has small ones: each penalty is that of the silence which the small one stands for. */
function textCosts({ costs, edges, moves, world }: Graph, text: Protocol): (edge: number) => Label {
  const { protocol } = world.registry;
  const { freeze } = world.fields.spans;
  const ofText = new Map<number, number>();
  for (const [nth, missed] of spansOf(text).silences.entries()) {
    const small = penaltyBeats(protocol, freeze + nth);
    if (!ofText.has(small)) ofText.set(small, penaltyBeats(text, missed));
  }
  const plain = costs.map(labelOf);
  const penalties = costs.map((cost) => labelOf({ ...cost, beats: ofText.get(cost.beats) ?? cost.beats }));
  return (edge) => (moves[edges.move[edge]!]?.isResync === true ? penalties : plain)[edges.cost[edge]!]!;
}

/** The ways to an accepted heartbeat of an agent. */
class Ways {
  /** By state. */
  readonly fronts: readonly Way[][];
  readonly #reversed: Reversed;
  readonly #cost: (edge: number) => Label;

  constructor(
    reversed: Reversed,
    readonly agent: number,
    text: Protocol,
  ) {
    const { graph, source } = reversed;
    const cost = textCosts(graph, text);
    this.#reversed = reversed;
    this.#cost = cost;
    this.fronts = Array.from({ length: graph.states.count }, () => []);
    const heap = new Heap();
    for (let edge = 0; edge < graph.edges.count; edge++) if (this.#isGoal(edge)) heap.push({ ...cost(edge), edge });
    for (let way = heap.pop(); way !== undefined; way = heap.pop()) {
      const { lamports, rest, edge: first } = way;
      const state = source[first]!;
      const front = this.fronts[state]!;
      if (front.some((each) => beats(each, way))) continue;
      front.push(way);
      reversed.forEachInto(state, (edge) => {
        const more = cost(edge);
        heap.push({ lamports: lamports + more.lamports, rest: rest + more.rest, edge });
      });
    }
  }

  #isGoal(edge: number): boolean {
    const { edges, moves } = this.#reversed.graph;
    const { op, actor } = moves[edges.move[edge]!]!;
    return op === 'heartbeat' && actor === this.agent && edges.answer[edge] === ACCEPTED;
  }

  /** A way in full. */
  inFull(way: Way): PricedWay {
    const { graph, source } = this.#reversed;
    const moves: number[] = [];
    for (let left: Way | undefined = way; left !== undefined; ) {
      const { lamports, rest, edge }: Way = left;
      moves.push(graph.edges.move[edge]!);
      const paid = this.#cost(edge);
      if (this.#isGoal(edge) && paid.lamports === lamports && paid.rest === rest)
        return { ...priceOf(way), state: source[way.edge]!, moves };
      const next: readonly Way[] = this.fronts[graph.edges.target[edge]!]!;
      left = next.find((each) => each.lamports === lamports - paid.lamports && each.rest === rest - paid.rest);
    }
    throw new Error(`a way of ${moves.length} moves does not end in a heartbeat`);
  }
}

/** The prices of escape of every agent, by its condition. `text`: the protocol that the world is small of. */
export function pricesOf(reversed: Reversed, text: Protocol): readonly PriceRow[] {
  const { graph } = reversed;
  return Array.from({ length: graph.world.fields.agents }, (_, agent) => agent).flatMap((agent) => {
    const ways = new Ways(reversed, agent, text);
    const rows = new Map<string, { states: number; best: readonly Way[]; worst: readonly Way[] }>();
    ways.fronts.forEach((front, state) => {
      const condition = front.length === 0 ? undefined : conditionOf(graph, valuesOf(graph, state), agent);
      if (condition === undefined) return;
      const row = rows.get(condition);
      if (row === undefined) rows.set(condition, { states: 1, best: front, worst: front });
      else {
        row.states += 1;
        row.best = merged(row.best, front);
        if (isLess(row.worst[0]!, front[0]!)) row.worst = front;
      }
    });
    const inFull = (front: readonly Way[]): PricedWay[] => front.map((way) => ways.inFull(way));
    return [...rows].map(([condition, { states, best, worst }]) => ({
      ...{ agent, condition, states, best: inFull(best), worst: inFull(worst) },
    }));
  });
}

function merged(one: readonly Way[], other: readonly Way[]): readonly Way[] {
  const front: Way[] = [];
  for (const way of [...one, ...other].sort((a, b) => a.lamports - b.lamports || a.rest - b.rest))
    if (!front.some((each) => beats(each, way))) front.push(way);
  return front;
}

/** Why an agent cannot send a heartbeat at once; undefined where it only has to wait for its interval, or can. */
function conditionOf({ world: { fields } }: Graph, values: Int32Array, agent: number): string | undefined {
  if (!fields.exists(values, agent)) return undefined;
  const at = fields.agent(agent);
  const status = values[at + F.STATUS]!;
  const wallet = values[at + F.WALLET] === 0 ? ['without a wallet'] : [];
  const sigil = agent === 0 && values[at + F.SIGIL_KIND] === F.NO_SIGIL ? ['without a SIGIL'] : [];
  const complaint = Array.from({ length: fields.agents }, (_, by) => by).some(
    (by) => values[fields.flag(by, agent)] === F.SUSTAINED,
  );
  const capped = values[at + F.COUNT] === fields.countMax && status === ACTIVE ? ['at its cap'] : [];
  const words = [...wallet, ...sigil, ...capped, ...(complaint ? ['under a complaint'] : [])];
  const grace = fields.isInGrace(values, at) ? ' within its grace' : '';
  const state = status === FROZEN ? `frozen${grace}` : status === ACTIVE ? 'active' : 'not started';
  return words.length === 0 && state === 'active' ? undefined : [state, ...words].join(', ');
}
