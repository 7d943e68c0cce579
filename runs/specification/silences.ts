/**
 * Finds where the silence of the text costs: in a small world, each request whose outcome the text leaves open, with the shortest moves after which a
 * server that accepts it differs from one that refuses it in something that the text decides.
 */

import { type Choice, choicesAfter, permitting } from '../../conformance/fuzz/choices.js';
import type { Open, Sequence } from '../../conformance/fuzz/fuzz.js';
import { CHEAP, loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import * as F from '../../explore/fields.js';
import type { Move } from '../../explore/move.js';
import { afterAcceptance, PARTINGS, type Parting, partingsOf, playedFrom } from '../../explore/parting.js';
import { playPath, scriptOf } from '../../explore/script.js';
import { ACCEPTED, explore, type Graph, valuesOf } from '../../explore/search.js';
import { smallNumbers } from '../../explore/small-numbers.js';
import { World } from '../../explore/world.js';
import { type OpenChoice, SILENCES_SCHEMA, type SilencesResult } from '../../results/silences-result.js';
import { decisions } from '../../spec/decisions.js';
import { withOverlay } from '../../spec/overlay.js';
import type { Protocol } from '../../spec/protocol.js';
import type { SpecSide } from './spec-side.js';

/** A request in a state of the small world. */
interface Asked extends Choice {
  readonly move: string;
  /** The reference accepts it. */
  readonly accepted: boolean;
  /** The sequence that ends with it. */
  readonly script: Sequence;
  /** The differences between a server that accepts it and one that refuses it; searched when they are needed. */
  readonly partings: () => readonly Parting[];
}

/** How much of the small world is searched by default. */
const BOUNDS: SilenceBounds = { statesMax: 6_000, probedMax: 80, pairsMax: 120 };

/** The silences of the small world of one side, and the decisions by their consequences. */
export async function silencesOf(side: SpecSide, toolVersion: string): Promise<SilencesResult> {
  const open = openAmong(await askedIn(side.protocol, BOUNDS));
  const met = (isGrave: boolean): ReadonlySet<string> =>
    new Set(open.flatMap((each) => (each.partings.length > 0 === isGrave ? each.decisions : [])));
  const [grave, light] = [met(true), met(false)];
  const those = (test: (id: string) => boolean): readonly string[] => decisions.map(({ id }) => id).filter(test);
  return {
    schema: SILENCES_SCHEMA,
    tool_version: toolVersion,
    change: side.name,
    open,
    decisions: {
      consequences: those((id) => grave.has(id)),
      none: those((id) => light.has(id) && !grave.has(id)),
      outside: those((id) => !grave.has(id) && !light.has(id)),
    },
  };
}

/** How much of the small world is searched. */
interface SilenceBounds {
  readonly statesMax: number;
  /** The largest number of states in which requests are prepared. */
  readonly probedMax: number;
  /** The largest number of pairs of states that are searched after each choice. */
  readonly pairsMax: number;
}

/** The requests of the small world under some numbers: each move once for each kind of state from which it is made. */
export async function askedIn(
  numbers: Protocol,
  { statesMax, probedMax, pairsMax }: SilenceBounds,
): Promise<readonly Asked[]> {
  const small = smallNumbers(numbers);
  const { graph, plan } = planned(small, statesMax, probedMax);
  const modules = await loadReference();
  const open: Open = async () => startInProcess(modules, { seed: 1, numbers: withOverlay(CHEAP, small) });
  const asked: Asked[] = [];
  for (const [state, moves] of plan) {
    const script = scriptOf(graph, playPath(graph, state));
    const before = valuesOf(graph, state);
    const choices = await choicesAfter(open, script, moves.map(actionOf));
    for (const [nth, choice] of choices.entries()) {
      const move = moves[nth] as Move;
      asked.push({
        ...choice,
        move: move.name,
        accepted: playedFrom(graph.world, move, before).answer === ACCEPTED,
        script: { ...script, actions: [...script.actions, choice.action] },
        partings: once(() => partedBy(graph, move, before, pairsMax)),
      });
    }
  }
  return asked;
}

/** The requests whose other outcome the text permits, each silence once for each move and outcome: the one that parts servers most gravely. */
export function openAmong(asked: readonly Asked[], removed: ReadonlySet<string> = new Set()): readonly OpenChoice[] {
  const found = new Map<string, OpenChoice>();
  const tried = new Map<string, number>();
  for (const { move, endpoint, accepted, script, refusals, acceptances, partings } of asked) {
    const silence = permitting(accepted ? refusals : acceptances, removed);
    if (silence === undefined || endpoint === undefined) continue;
    // The model did not judge the request at all.
    const { decisions, questions, breaks } = silence;
    if (decisions.length + questions.length + breaks.length === 0) continue;
    const key = [endpoint, accepted, ...decisions, ...questions, ...breaks].join('|');
    const known = found.get(key);
    const times = tried.get(key) ?? 0;
    if (times >= TRIES || gravityOf(known?.partings ?? []) === 0) continue;
    tried.set(key, times + 1);
    const parted = partings();
    if (known !== undefined && gravityOf(known.partings) <= gravityOf(parted)) continue;
    const more = parted[0]?.moves.flatMap((each) => each.move.actions(each.anchors)) ?? [];
    found.set(key, {
      ...{ decisions, questions, move, endpoint, accepted },
      script: { ...script, actions: [...script.actions, ...more] },
      partings: parted.map(({ moves, ...rest }) => ({ ...rest, moves: moves.map((each) => each.move.name) })),
    });
  }
  return [...found.values()].toSorted((one, other) => gravityOf(one.partings) - gravityOf(other.partings));
}

/** The number of states that are searched for one silence: those with the shortest scripts. */
const TRIES = 3;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The place of the gravest of some partings; beyond the last if there are none. */
function gravityOf([first]: readonly Pick<Parting, 'kind'>[]): number {
  return first === undefined ? PARTINGS.length : PARTINGS.indexOf(first.kind);
}

function actionOf({ name, actions }: Move): Choice['action'] {
  const [action] = actions(0);
  if (action === undefined) throw new Error(`${name} sends nothing`);
  return action;
}

/** Moves that are no requests of an agent. */
const OTHERS: ReadonlySet<string> = new Set(['time', 'review', 'revoke-key', 'register']);

/** The states in which requests are prepared, with the moves: the first state of each kind of source of each move. */
function planned(
  protocol: Protocol,
  statesMax: number,
  probedMax: number,
): { readonly graph: Graph; readonly plan: ReadonlyMap<number, readonly Move[]> } {
  const world = new World({ protocol, agents: 2 });
  const graph = explore(world, { statesMax });
  const kinds = new Set<string>();
  const plan = new Map<number, Move[]>();
  for (let state = 0; state < graph.expanded && plan.size < probedMax; state += 1) {
    const before = valuesOf(graph, state);
    for (const move of graph.moves) {
      if (OTHERS.has(move.op) || !move.isPossible(before)) continue;
      const kind = `${move.name} ${kindOf(world, move, before)}`;
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      plan.set(state, [...(plan.get(state) ?? []), move]);
    }
  }
  return { graph, plan };
}

/** The kind of a source of a move: the fields of the agent that makes it, and of the child, that decide about it. */
function kindOf({ fields }: World, { actor }: Move, values: Int32Array): string {
  const of = (agent: number): readonly unknown[] => {
    const at = fields.agent(agent);
    const flags = Array.from({ length: fields.agents }, (_, by) => values[fields.flag(by, agent)]);
    return [
      ...[F.STAGE, F.STATUS, F.SIGIL_KIND, F.WALLET, F.REVOKED].map((field) => values[at + field]),
      Math.min(F.FRESH, values[at + F.BEAT] ?? 0),
      Math.min(1, values[at + F.COUNT] ?? 0),
      flags.some((each) => ((each ?? 0) & F.SUSTAINED) !== 0),
    ];
  };
  return [...of(Math.max(0, actor)), values[fields.agent(1) + F.STAGE], values[fields.sponsorship(1)]].join();
}

/** The differences between a server that accepts a move and one that refuses it. */
function partedBy(graph: Graph, move: Move, before: Int32Array, pairsMax: number): readonly Parting[] {
  const { answer, after } = playedFrom(graph.world, move, before);
  const other = answer === ACCEPTED ? after : afterAcceptance(graph, move, before);
  if (other === undefined || other.every((value, at) => value === before[at])) return [];
  const isOpen = ({ op, actor }: Move): boolean => op === move.op && actor === move.actor;
  return partingsOf(graph, [other, before], { pairsMax, isOpen });
}
