/**
 * Scripts that may show a clause, shortest first: each state that a small world reaches first with some answer, and one request more. That request
 * is a move of the world, a read, or one with a single fault of the fuzzer's tables. They are played once, and the model says what each shows.
 */

import * as fc from 'fast-check';
import type { Action } from '../../conformance/fuzz/operation.js';
import { fillings } from '../../conformance/fuzz/operations/fill.js';
import { operations } from '../../conformance/fuzz/operations/index.js';
import { playPath } from '../../explore/script.js';
import { explore, type Graph } from '../../explore/search.js';
import { World } from '../../explore/world.js';
import { protocol } from '../../spec/protocol.js';
import type { Recorded, Recorder } from './record.js';

/** A path of the world, one action more, and the exchange of that action which shows something. */
export interface Candidate {
  readonly actions: readonly Action[];
  /** The place of the exchange among those of the last action. */
  readonly offset: number;
  /** The subjects of the evidence for the clause: fields of the reply, or a behaviour. */
  readonly abouts: readonly string[];
}

/** A state of the world: the actions that lead to it, and its agents. */
interface Place {
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

interface Variants {
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
function aimed({ op, names }: Variants, agents: number): readonly Action[] {
  const [by, about] = [names.includes('agent'), names.find((name) => name !== 'agent')];
  const all = Array.from({ length: agents }, (_, agent) => agent);
  if (!by) return [{ op }];
  if (about === undefined) return all.map((agent) => ({ op, agent }));
  return all.flatMap((agent) => all.map((other) => ({ op, agent, [about]: other })));
}

const READS: readonly ((agent: number) => Action)[] = [
  (agent) => ({ op: 'lookup', agent, path: 'status' }),
  (agent) => ({ op: 'lookup', agent, path: 'verify' }),
  (agent) => ({ op: 'lookup', agent, path: 'agent/beat-status' }),
  (agent) => ({ op: 'passport', agent }),
  (agent) => ({ op: 'sponsor-list', agent }),
  (agent) => ({ op: 'verify-batch', agents: [agent, null] }),
];

/** Operations that may show what another one changed, apart from reads. */
const AFTER: Readonly<Record<string, readonly Action[]>> = {
  subsidy: [{ op: 'heartbeat' }, { op: 'sigil' }, { op: 'reissue-proof' }, { op: 'subsidy-delete' }],
  'register-token': [{ op: 'register', token: 'last' }],
};

/** The actions after an accepted one: reads of all agents, the same action again, and operations whose answer it may change. */
function followUps(action: Action, agents: number): readonly Action[] {
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

/** The most requests of a limit that is filled, and the number of states in which it is tried. */
const FILLED_MAX = 100;
const LIMIT_PLACES = 4;
const PAID = new Set(['heartbeat', 'reissue-proof', 'sigil']);

/** Requests that change nothing when they are accepted. */
const HARMLESS = /\/(?:verify\/batch|beat\/verify|beat\/work-proof|register\/token)$/;
const CANDIDATES_MAX = 14;

/** The candidates for each clause; the shortest first. */
export class Index {
  readonly #byClause = new Map<string, Candidate[]>();
  readonly #seen = new Set<string>();
  readonly #answers = new Set<string>();
  readonly #followed = new Set<string>();
  plays = 0;

  constructor(readonly open: () => Promise<{ readonly recorder: Recorder; readonly close: () => Promise<void> }>) {}

  /** All candidates, by clause. */
  all(): ReadonlyMap<string, readonly Candidate[]> {
    return this.#byClause;
  }

  get clauses(): number {
    return this.#byClause.size;
  }

  /** Notes the reads that every script begins with. */
  async visitStart(): Promise<void> {
    const { recorder, close } = await this.open();
    const shown = await recorder.play([]).finally(close);
    this.#noteAll(shown, [], -shown.length);
  }

  /** Plays all that may be sent in a state. */
  async visit({ actions, agents, moves }: Place, variants: readonly Variants[]): Promise<void> {
    const session = new Session(this.open, actions);
    const all = Array.from({ length: agents }, (_, agent) => agent);
    try {
      const usual = [...moves, ...all.flatMap((agent) => READS.map((read) => read(agent)))];
      for (const action of usual) await this.#try(session, action);
      for (const variant of variants)
        for (const action of aimed(variant, agents)) {
          const answer = await this.#try(session, action);
          if (answer === undefined || this.#answers.has(`${variant.op} ${answer}`)) continue;
          this.#answers.add(`${variant.op} ${answer}`);
          for (const fault of variant.faults) await this.#try(session, { ...action, ...fault });
        }
    } finally {
      await session.close();
    }
  }

  /** Fills each limit in the first states where that shows something, and sends one request more, or one after the window. */
  async visitLimits(places: readonly Place[], open: Index['open']): Promise<void> {
    for (const [limit, filling] of Object.entries(fillings)) {
      const { count, windowSec } = protocol.limits[limit as keyof typeof protocol.limits];
      const [, op, fieldsOf] = filling;
      if (count > FILLED_MAX) continue;
      const action: Action = { op, agent: 0, ...fieldsOf?.(0, 0), ...(PAID.has(op) && { tx: 'none' }) };
      const repeat = (times: number): Action => ({ op: 'repeat', times, action });
      const later = (sec: number): Action => ({ op: 'wait', by: { ms: (sec + 1) * 1_000 } });
      for (const { actions: path } of places.filter(({ agents }) => agents > 0).slice(0, LIMIT_PLACES)) {
        const beyond = [...path, repeat(count + 1)];
        const clauses = await this.#last(open, beyond, []);
        // A reply within the limit, within the window or after it is about the limit too.
        const others = [
          [...path, repeat(count)],
          [...beyond, later(windowSec), action],
          [...beyond, later(60), action],
        ];
        for (const actions of clauses.length === 0 ? [] : others) await this.#last(open, actions, clauses);
      }
    }
  }

  /** Plays actions, and notes what the last reply shows; that of a limit is about `more` too. Returns the clauses about a limit. */
  async #last(open: Index['open'], actions: readonly Action[], more: readonly string[]): Promise<readonly string[]> {
    const session = new Session(open, actions.slice(0, -1));
    const { shown } = await session.play(actions.at(-1) as Action).finally(() => session.close());
    this.#noteAll(shown.slice(-1), actions, shown.length - 1);
    const status = shown.at(-1)?.exchange.response?.status;
    for (const clause of more)
      this.#note(clause, `${JSON.stringify(actions.slice(-2).map(aimless))} ${status}`, {
        actions,
        offset: shown.length - 1,
        abouts: [],
      });
    const limited = status === 429 ? shown.at(-1)?.evidence.filter(({ ok, level }) => ok && level === 'must') : [];
    return limited?.flatMap(({ clauses }) => clauses) ?? [];
  }

  /** Plays an action, and notes what it shows. Returns its answer. */
  async #try(session: Session, action: Action): Promise<string | undefined> {
    const { shown, changes } = await session.play(action);
    const answer = this.#noteAll(shown, [...session.path, action]);
    if (changes) await this.#follow(session, action, `${answer}`);
    return answer;
  }

  /** Plays what may show the effect of an accepted action, once for each kind of it. */
  async #follow(session: Session, action: Action, answer: string): Promise<void> {
    // Whether a fee is due follows from the wallet, so what changes fees is followed with and without one.
    const isFee =
      action.op in AFTER && session.path.map(({ op }) => op).filter((op) => op === 'wallet' || op === 'sigil');
    const kind = JSON.stringify([aimless(action), answer, isFee]);
    for (const next of this.#followed.has(kind) ? [] : followUps(action, session.agents)) {
      const { shown, changes } = await session.play(next);
      this.#noteAll(shown, [...session.path, action, next]);
      if (!changes) continue;
      await session.close();
      await session.play(action);
    }
    this.#followed.add(kind);
    await session.close();
  }

  #noteAll(shown: readonly Recorded[], actions: readonly Action[], before = 0): string | undefined {
    this.plays += 1;
    const answer = shown.map(answerOf).at(-1);
    const key = JSON.stringify(actions.slice(-2).map(aimless));
    for (const [offset, { evidence }] of shown.entries()) {
      const abouts = new Map<string, string[]>();
      for (const { ok, level, clauses, about } of evidence)
        if (ok && level === 'must')
          for (const clause of clauses) abouts.set(clause, [...(abouts.get(clause) ?? []), about]);
      for (const [clause, all] of abouts)
        this.#note(clause, `${key} ${offset} ${answer} ${all.join()}`, {
          actions,
          offset: before + offset,
          abouts: all,
        });
    }
    return answer;
  }

  #note(clause: string, key: string, candidate: Candidate): void {
    const known = this.#byClause.get(clause) ?? [];
    this.#byClause.set(clause, known);
    if (known.length >= CANDIDATES_MAX || this.#seen.has(`${clause} ${key}`)) return;
    this.#seen.add(`${clause} ${key}`);
    known.push(candidate);
  }
}

/** An action without the agents that it names. */
const aimless = (action: Action): Action => ({
  ...action,
  ...Object.fromEntries(AGENT_FIELDS.map((name) => [name, undefined])),
});

const answerOf = ({ exchange: { request, response } }: Recorded): string => {
  const [, code = ''] = /"code":"(\w+)"/.exec(response?.body ?? '') ?? [];
  return `${request.method} ${new URL(request.url).pathname.replace(/0x\w+/, '')} ${response?.status} ${code}`;
};

/** A server in one state, on which requests that change nothing are played one after the other. */
class Session {
  #current: Awaited<ReturnType<Index['open']>> | undefined;

  constructor(
    readonly open: Index['open'],
    readonly path: readonly Action[],
  ) {}

  /** The agents that are there now. */
  get agents(): number {
    return this.#current?.recorder.agents.length ?? 0;
  }

  /** Plays an action in the state of the path, or after those that have changed nothing. */
  async play(action: Action): Promise<{ readonly shown: readonly Recorded[]; readonly changes: boolean }> {
    if (this.#current === undefined) {
      this.#current = await this.open();
      await this.#current.recorder.play(this.path);
    }
    const { recorder } = this.#current;
    const before = recorder.exchanges.length;
    const shown = (await recorder.play([action])).slice(before);
    const changes = shown.some(
      ({ exchange: { request, response } }) =>
        request.method !== 'GET' && (response?.status ?? 0) < 300 && !HARMLESS.test(new URL(request.url).pathname),
    );
    return { shown, changes };
  }

  async close(): Promise<void> {
    await this.#current?.close();
    this.#current = undefined;
  }
}
