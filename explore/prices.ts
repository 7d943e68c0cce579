/**
 * The price of an escape: the cheapest ways from a state in which an agent cannot have a heartbeat accepted to one in which it has, as a
 * Pareto front of lamports, beats and anchors. The labels of all states are settled in one order, from the goal backwards (Martins 1984).
 */

import { ACTIVE, FROZEN } from '../reference/registry/state.js';
import type { Protocol } from '../spec/protocol.js';
import * as F from './fields.js';
import type { Cost } from './move.js';
import { ACCEPTED, type Graph, valuesOf } from './search.js';
import { spansOf } from './small-numbers.js';
import type { Reversed } from './traps.js';

/** A way that no other one beats in all three. */
type Price = Readonly<Cost>;

/** The prices of the states in which an agent is in the same condition. */
interface PriceRow {
  readonly agent: number;
  /** The condition, in words. */
  readonly condition: string;
  readonly states: number;
  /** The front over all of them, and that of the dearest state. */
  readonly best: readonly Price[];
  readonly worst: readonly Price[];
  /** The first of the dearest states. */
  readonly state: number;
}

/** Labels in lexicographic order: lamports, then beats, then anchors. A label is one number, its parts are far from their bounds. */
const BEATS = 1_000;
const LAMPORTS = 100_000_000;

const labelOf = ({ lamports, beats, anchors }: Price): number => lamports * LAMPORTS + beats * BEATS + anchors;

function priceOf(label: number): Price {
  const rest = label % LAMPORTS;
  return { lamports: (label - rest) / LAMPORTS, beats: Math.floor(rest / BEATS), anchors: rest % BEATS };
}

/** True if a settled label costs no more beats and anchors than another one. Labels are settled in the order of their lamports. */
function beats(settled: number, label: number): boolean {
  const [one, other] = [settled % LAMPORTS, label % LAMPORTS];
  return Math.floor(one / BEATS) <= Math.floor(other / BEATS) && one % BEATS <= other % BEATS;
}

/** A heap of labels with their states. */
class Heap {
  readonly #labels: number[] = [];
  readonly #states: number[] = [];

  push(label: number, state: number): void {
    let at = this.#labels.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (this.#labels[up]! <= label) break;
      this.#labels[at] = this.#labels[up]!;
      this.#states[at] = this.#states[up]!;
      at = up;
    }
    this.#labels[at] = label;
    this.#states[at] = state;
  }

  pop(): readonly [label: number, state: number] | undefined {
    const [label, state] = [this.#labels[0], this.#states[0]];
    const [last, lastState] = [this.#labels.pop(), this.#states.pop()];
    if (label === undefined || state === undefined || last === undefined || lastState === undefined) return undefined;
    const { length } = this.#labels;
    if (length === 0) return [label, state];
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= length) break;
      if (down + 1 < length && this.#labels[down + 1]! < this.#labels[down]!) down += 1;
      if (this.#labels[down]! >= last) break;
      this.#labels[at] = this.#labels[down]!;
      this.#states[at] = this.#states[down]!;
      at = down;
    }
    this.#labels[at] = last;
    this.#states[at] = lastState;
    return [label, state];
  }
}

/** The costs of edges in the numbers of `text`, of which the world has small ones: the penalty at the freeze, and the highest one. */
function textCosts({ costs, edges, moves, world }: Graph, text: Protocol): (edge: number) => number {
  const { beatsPerMissedAnchor, beatsMax } = world.registry.protocol.resync;
  const { freeze } = spansOf(text);
  const least = Math.min(beatsPerMissedAnchor * world.fields.spans.freeze, beatsMax);
  const { resync } = text;
  const penalty = (beats: number): number =>
    beats === least ? Math.min(resync.beatsPerMissedAnchor * freeze, resync.beatsMax) : resync.beatsMax;
  const plain = costs.map(labelOf);
  const penalties = costs.map((cost) => labelOf({ ...cost, beats: penalty(cost.beats) }));
  return (edge) => (moves[edges.move[edge]!]?.isResync === true ? penalties : plain)[edges.cost[edge]!]!;
}

/** By state: the labels of the ways to an accepted heartbeat of an agent. */
function frontsOf(reversed: Reversed, agent: number, text: Protocol): readonly (readonly number[])[] {
  const { graph } = reversed;
  const { edges, moves, states } = graph;
  const cost = textCosts(graph, text);
  const settled: number[][] = Array.from({ length: states.count }, () => []);
  const heap = new Heap();
  for (let e = 0; e < edges.count; e++) {
    const { op, actor } = moves[edges.move[e]!]!;
    if (op === 'heartbeat' && actor === agent && edges.answer[e] === ACCEPTED) heap.push(cost(e), reversed.source[e]!);
  }
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) {
    const [label, state] = next;
    const front = settled[state]!;
    if (front.some((each) => beats(each, label))) continue;
    front.push(label);
    reversed.forEachInto(state, (edge) => heap.push(label + cost(edge), reversed.source[edge]!));
  }
  return settled;
}

/** The prices of escape of every agent, by its condition. `text`: the protocol that the world is small of. */
export function pricesOf(reversed: Reversed, text: Protocol): readonly PriceRow[] {
  const { graph } = reversed;
  return Array.from({ length: graph.world.fields.agents }, (_, agent) => agent).flatMap((agent) => {
    const rows = new Map<string, { states: number; best: number[]; worst: readonly number[]; state: number }>();
    frontsOf(reversed, agent, text).forEach((front, state) => {
      const condition = front.length === 0 ? undefined : conditionOf(graph, valuesOf(graph, state), agent);
      if (condition === undefined) return;
      const row = rows.get(condition);
      if (row === undefined) rows.set(condition, { states: 1, best: [...front], worst: front, state });
      else {
        row.states += 1;
        row.best = merged(row.best, front);
        if (dearest(front) > dearest(row.worst)) Object.assign(row, { worst: front, state });
      }
    });
    return [...rows].map(([condition, { states, best, worst, state }]) => ({
      ...{ agent, condition, states, state, best: best.map(priceOf), worst: worst.map(priceOf) },
    }));
  });
}

const dearest = (front: readonly number[]): number => front[0] ?? 0;

function merged(one: readonly number[], other: readonly number[]): number[] {
  const front: number[] = [];
  for (const label of [...one, ...other].sort((a, b) => a - b))
    if (!front.some((each) => beats(each, label))) front.push(label);
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
  const state = status === FROZEN ? 'frozen' : status === ACTIVE ? 'active' : 'not started';
  return words.length === 0 && state === 'active' ? undefined : [state, ...words].join(', ');
}
