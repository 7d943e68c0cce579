/** The requests that scripts try: the states of a small world with the moves to them, every operation with single faults, reads, and follow-ups. */

import * as fc from 'fast-check';
import type { Action } from '../../conformance/fuzz/operation.js';
import { operations } from '../../conformance/fuzz/operations/index.js';
import { playPath } from '../../explore/script.js';
import { explore, type Graph } from '../../explore/search.js';
import { World } from '../../explore/world.js';
import { protocol } from '../../spec/protocol.js';

/** A state of the world: the actions that lead to it, and its agents. */
export interface Place {
  readonly actions: readonly Action[];
  readonly agents: number;
  readonly moves: readonly Action[];
}

/** Agents of the scripts of `explore/` begin after the two of each random sequence, which pairs do without. */
const FIRST_AGENT = 2;
const AGENT_FIELDS = ['agent', 'child', 'target', 'by', 'of'];

const own = (action: Action): Action =>
  Object.fromEntries(
    Object.entries(action).map(([name, value]) => [
      name,
      AGENT_FIELDS.includes(name) && typeof value === 'number' ? value - FIRST_AGENT : value,
    ]),
  ) as Action;

/** The states in which a move of the world first gets each of its answers, the nearest first. */
export function placesOf(statesMax: number): readonly Place[] {
  const graph = explore(new World({ protocol, agents: 2 }), { statesMax });
  const states = [...new Set([0, ...graph.firsts.map(({ state }) => state)])].toSorted((one, other) => one - other);
  return states.map((state) => placeOf(graph, state));
}

function placeOf(graph: Graph, state: number): Place {
  const { world, states, moves } = graph;
  const { fields } = world;
  const values = world.first();
  fields.layout.unpack(states.packed, state * states.words, values);
  const actions = playPath(graph, state).flatMap(({ move, cost }) => move.actions(cost.anchors));
  const possible = moves.filter((move) => move.actor !== -1 && move.isPossible(values));
  return {
    actions: actions.map(own),
    agents: [0, 1].filter((agent) => fields.exists(values, agent)).length,
    moves: possible.flatMap((move) => move.actions(0)).map(own),
  };
}

/** Fields that name one of the agents, or hold what is drawn freely. */
const FREE = new Set([...AGENT_FIELDS, 'other', 'look', 'drawn', 'agents', 'beats', 'address']);
const SEQUENCES = new Set(['resync-challenge', 'partner-webhook']);
const LEFT_OUT = new Set([
  'together',
  'burst',
  'fill',
  'march',
  'agent',
  'spawn-child',
  'wait',
  'revive',
  'review',
  'revoke-key',
]);
const SAMPLES = 400;

export interface Variants {
  readonly op: string;
  /** Whether it names an agent, and another one. */
  readonly names: readonly string[];
  readonly faults: readonly Action[];
}

/** Each operation of few requests, with every value of each of its fields. */
export function variantsOf(): readonly Variants[] {
  return operations
    .map(([, operation]) => operation)
    .filter(({ name, prepare }) => !LEFT_OUT.has(name) && (prepare !== undefined || SEQUENCES.has(name)))
    .map(({ name: op, arbitrary }) => {
      const values = new Map<string, unknown>();
      for (const action of fc.sample(arbitrary, { numRuns: SAMPLES, seed: 1 }))
        for (const [field, value] of Object.entries(action))
          if (field !== 'op' && value !== undefined)
            values.set(JSON.stringify([field, FREE.has(field) ? null : value]), value);
      const all = [...values].map(([key, value]) => [(JSON.parse(key) as [string])[0], value] as const);
      const names = [...new Set(all.map(([field]) => field))].filter(
        (field) => AGENT_FIELDS.includes(field) || field === 'other',
      );
      const faults = all.filter(([field]) => !FREE.has(field)).map(([field, value]) => ({ op, [field]: value }));
      return { op, names, faults };
    });
}

/** An operation by every agent, about every agent. */
export function aimed({ op, names }: Variants, agents: number): readonly Action[] {
  const [by, about] = [names.includes('agent'), names.find((name) => name !== 'agent')];
  const all = Array.from({ length: agents }, (_, agent) => agent);
  if (!by) return [{ op }];
  if (about === undefined) return all.map((agent) => ({ op, agent }));
  return all.flatMap((agent) => all.map((other) => ({ op, agent, [about]: other })));
}

export const READS: readonly ((agent: number) => Action)[] = [
  (agent) => ({ op: 'lookup', agent, path: 'status' }),
  (agent) => ({ op: 'lookup', agent, path: 'verify' }),
  (agent) => ({ op: 'lookup', agent, path: 'agent/beat-status' }),
  (agent) => ({ op: 'passport', agent }),
  (agent) => ({ op: 'sponsor-list', agent }),
  (agent) => ({ op: 'verify-batch', agents: [agent, null] }),
];

/** Operations that may show what another one changed, apart from reads. */
export const AFTER: Readonly<Record<string, readonly Action[]>> = {
  subsidy: [{ op: 'heartbeat' }, { op: 'sigil' }, { op: 'reissue-proof' }, { op: 'subsidy-delete' }],
  'register-token': [{ op: 'register', token: 'last' }],
};

/** The actions after an accepted one: reads of all agents, the same action again, and operations whose answer it may change. */
export function followUps(action: Action, agents: number): readonly Action[] {
  const all = Array.from({ length: agents }, (_, agent) => agent);
  const { agent = 0, feeType = 'sigil' } = action;
  return [
    ...all.flatMap((each) => READS.map((read) => read(each))),
    ...(AFTER[action.op] ?? []).map((each) => ({
      ...(each.op === 'subsidy-delete' ? { feeType } : {}),
      ...each,
      agent,
    })),
    action,
  ];
}

/** An action without the agents that it names. */
export const aimless = (action: Action): Action => ({
  ...action,
  ...Object.fromEntries(AGENT_FIELDS.map((name) => [name, undefined])),
});
