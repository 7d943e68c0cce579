// The search is compared with a brute force: it plays every sequence of moves to a length on a registry that lives on, and merges no states.
import { describe, expect, it } from 'vitest';
import { ACTIVE } from '../reference/registry/state.js';
import { type Overlay, withOverlay } from '../spec/overlay.js';
import * as F from './fields.js';
import { type Move, OK } from './move.js';
import { movesOf } from './moves.js';
import { ACCEPTED, answerOf, errorOf, explore, type Graph, pathTo, valuesOf } from './search.js';
import { smallNumbers } from './small-numbers.js';
import { goalsOf, Reversed, verdictOf } from './traps.js';
import { World } from './world.js';

/** A world with few moves: `start` is played as one move, `others` come after it; undefined: all moves do. */
interface Tiny {
  readonly agents: number;
  /** A change of the specification. */
  readonly change?: Overlay;
  readonly start: readonly string[];
  readonly others?: readonly string[];
  /** The moves of the longest sequences. */
  readonly length: number;
}

const FAMILY = [
  ...['register the root', 'root: init', 'root: wallet', 'root: spawn for the child'],
  ...['root: register-child the child', 'root: spawn-link the child', 'child: init'],
];

const tiny = {
  'a root alone': {
    agents: 1,
    start: ['register the root', 'root: init', 'root: wallet', 'root: sigil ind'],
    others: ['root: heartbeat', 'root: resync', 'root: revoke-key', 'time passes'],
    length: 8,
  },
  'a root and its child': {
    agents: 2,
    start: FAMILY,
    others: [
      ...['root: sponsor the child for a short time', 'root: sponsor-delete of the child', 'time passes'],
      ...['child: heartbeat paid by the parent', 'child: resync'],
    ],
    length: 6,
  },
  'a root with a grace and a formula': {
    agents: 1,
    change: {
      dms: { graceAnchors: 5 },
      parts: { formulas: { 'resync.penaltyBeats': 'min(7 * (missedAnchors - 61), 900)' } },
    },
    start: ['register the root', 'root: init', 'root: wallet', 'root: sigil ind'],
    others: ['root: heartbeat', 'root: resync', 'root: resync with too few beats', 'time passes'],
    length: 8,
  },
  'a root that cannot prove its penalty after a while': {
    agents: 1,
    change: { parts: { formulas: { 'resync.penaltyBeats': 'pow(2, min(max(missedAnchors - 50, 0), 99))' } } },
    start: ['register the root', 'root: init', 'root: wallet', 'root: sigil ind'],
    others: ['root: heartbeat', 'root: resync', 'root: revoke-key', 'time passes'],
    length: 7,
  },
  'all moves': { agents: 2, start: [...FAMILY, 'root: sigil ind'], length: 3 },
} as const satisfies Readonly<Record<string, Tiny>>;

const worldOf = ({ agents, change = {} }: Tiny): World =>
  new World({ protocol: smallNumbers(withOverlay(change)), agents, symmetric: false });

/** The moves of a tiny world. */
function movesIn(world: World, { start, others }: Tiny): readonly Move[] {
  const all = movesOf(world);
  const named = (name: string): Move => all.find((move) => move.name === name) as Move;
  const first = start.map(named);
  const begin: Move = {
    ...named('register the root'),
    play: (cost, values) => {
      const refused = first.find((move) => answerOf(move.play(cost, values)) !== ACCEPTED);
      if (refused !== undefined) throw new Error(`${refused.name} is refused`);
      return OK;
    },
  };
  return [begin, ...(others?.map(named) ?? all.filter(({ op }) => op !== 'register'))];
}

/** The states and answers that brute force meets. */
interface Shown {
  /** Each state after a sequence, with the moves that were left, and how many of them each goal takes; one more than are left: too many. */
  readonly ends: Map<string, { readonly values: Int32Array; readonly left: number; readonly goals: readonly number[] }>;
  /** Each move with each of its answers. */
  readonly rows: Set<string>;
}

const answered = (move: Move | undefined, answer: number): string => `${move?.name}: ${errorOf(answer) ?? 'accepted'}`;

/** The moves to each goal of `goalsOf` in a state that is known alone. */
const goalsAt = ({ fields }: World, values: Int32Array): number[] =>
  Array.from({ length: fields.agents }, (_, agent) => [
    values[fields.agent(agent) + F.STATUS] === ACTIVE ? 0 : Infinity,
    Infinity,
  ]).flat();

function bruteForce(of: Tiny): Shown {
  const world = worldOf(of);
  const moves = movesIn(world, of);
  const shown: Shown = { ends: new Map(), rows: new Set() };
  const visit = (sequence: readonly Move[], values: Int32Array): readonly number[] => {
    const left = of.length - sequence.length;
    const goals = goalsAt(world, values);
    for (const move of left === 0 ? [] : moves) {
      if (!move.isPossible(values)) continue;
      const [answer, after] = played(world, [...sequence, move]);
      shown.rows.add(answered(move, answer));
      if (isBeat(move, answer, move.actor)) goals[2 * move.actor + 1] = 1;
      const later = visit([...sequence, move], after);
      for (const [goal, moves] of later.entries()) goals[goal] = Math.min(goals[goal] ?? 0, moves + 1);
    }
    const end = { values, left, goals: goals.map((moves) => Math.min(moves, left + 1)) };
    shown.ends.set(JSON.stringify([[...values], left, end.goals]), end);
    return goals;
  };
  visit([], world.first());
  return shown;
}

const isBeat = (move: Move | undefined, answer: number | undefined, agent: number): boolean =>
  move?.op === 'heartbeat' && move.actor === agent && answer === ACCEPTED;

/** Plays a sequence from the start, and writes no state on the way. */
function played(world: World, sequence: readonly Move[]): readonly [answer: number, values: Int32Array] {
  const values = world.first();
  let answer = ACCEPTED;
  world.load(values);
  for (const move of sequence) {
    answer = answerOf(move.play({ lamports: 0, beats: 0, anchors: 0 }, values));
    world.read(values);
    world.fields.normalize(values, false);
  }
  return [answer, values];
}

/** Changes an abstract state, by which several become one. */
type Merge = (values: Int32Array, fields: F.Fields) => void;

const none: Merge = () => {};

/** The graph of a tiny world. */
function searched(of: Tiny, merge: Merge, depthMax: number): Graph {
  const world = worldOf(of);
  const normalize = world.fields.normalize.bind(world.fields);
  world.fields.normalize = (values, symmetric) => {
    normalize(values, symmetric);
    merge(values, world.fields);
  };
  return explore(world, { moves: movesIn(world, of), depthMax });
}

/** By state: the moves to each goal, which are found from the edges, one more in each round. */
function waysOf(graph: Graph): readonly (readonly number[])[] {
  const { edges, moves, world, expanded } = graph;
  const ways = Array.from({ length: graph.states.count }, (_, state) => goalsAt(world, valuesOf(graph, state)));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (let state = 0; state < expanded; state++)
      for (let e = edges.offsets[state]!; e < edges.offsets[state + 1]!; e++)
        for (const [nth, { id, agent }] of goalsOf(graph).entries()) {
          const isNow = id === 'heartbeat' && isBeat(moves[edges.move[e]!], edges.answer[e], agent);
          const way = isNow ? 1 : ways[edges.target[e]!]![nth]! + 1;
          if (way >= ways[state]![nth]!) continue;
          ways[state]![nth] = way;
          isChanged = true;
        }
  }
  return ways;
}

/** In what the search differs from brute force. */
function differences(of: Tiny, shown: Shown, merge: Merge): readonly string[] {
  const graph = searched(of, merge, of.length);
  const depths = new Map<string, number>();
  const ways = new Map<string, readonly number[]>();
  for (const [state, way] of waysOf(graph).entries()) {
    const name = valuesOf(graph, state).join();
    depths.set(name, pathTo(graph, state).length);
    ways.set(name, way);
  }
  const least = new Map<string, number>();
  let isSame = true;
  for (const { values, left, goals } of shown.ends.values()) {
    const merged = values.slice();
    merge(merged, graph.world.fields);
    const name = merged.join();
    least.set(name, Math.min(least.get(name) ?? Infinity, of.length - left));
    isSame &&= goals.every((moves, goal) => moves === Math.min(ways.get(name)?.[goal] ?? -1, left + 1));
  }
  const rows = graph.firsts.map(({ move, answer }) => answered(graph.moves[move], answer));
  return [
    ...(sorted(depths) === sorted(least) ? [] : ['states']),
    ...(sorted(rows) === sorted(shown.rows) ? [] : ['answers']),
    ...(isSame ? [] : ['ways']),
  ];
}

const sorted = (all: Iterable<unknown>): string => [...all].map(String).sort().join('\n');

const forgets =
  (at: number, most = 0): Merge =>
  (values) => {
    values[at] = Math.min(values[at] ?? 0, most);
  };

const { phase } = worldOf(tiny['a root alone']).fields;
const GRACE = worldOf(tiny['a root with a grace and a formula']).fields.spans;
const sponsorship = worldOf(tiny['a root and its child']).fields.sponsorship(1);

/** Merges that lose something that a rule asks for, and in what the search differs with them. */
const wrong: readonly (readonly [lost: string, of: keyof typeof tiny, merge: Merge, where: readonly string[]])[] = [
  ['the heartbeats in the epoch', 'a root alone', forgets(F.COUNT), ['states', 'answers', 'ways']],
  ['the anchors since the last sign of life', 'a root alone', forgets(F.AGE), ['states', 'ways']],
  ['the age of the last heartbeat', 'a root alone', forgets(F.BEAT, F.OLD), ['states', 'answers', 'ways']],
  ['the place in the epoch', 'a root alone', forgets(phase), ['states', 'ways']],
  ['the revocation of a key', 'a root alone', forgets(F.REVOKED), ['answers', 'ways']],
  [
    ...(['the end of a grace', 'a root with a grace and a formula'] as const),
    ...([forgets(F.AGE, GRACE.freeze), ['states', 'answers', 'ways']] as const),
  ],
  [
    ...(['the silence after which nobody can prove', 'a root that cannot prove its penalty after a while'] as const),
    ...([forgets(F.AGE, GRACE.freeze), ['states', 'ways']] as const),
  ],
  [
    ...(['the heartbeats that a sponsor has paid', 'a root and its child'] as const),
    ...([forgets(sponsorship + F.SPONSOR_USED), ['states', 'answers', 'ways']] as const),
  ],
  [
    ...(['the end of a sponsorship', 'a root and its child'] as const),
    ...([forgets(sponsorship + F.SPONSOR_LEFT), ['states', 'ways']] as const),
  ],
];

const worlds: readonly (readonly [string, Tiny])[] = Object.entries(tiny);

const shownIn = new Map(worlds.map(([name, of]) => [name, bruteForce(of)]));

describe.each(worlds)('the search of a tiny world: %s', (name, of) => {
  const shown = shownIn.get(name) as Shown;

  it('has the states, the answers and the ways to each goal that brute force has', () => {
    expect(differences(of, shown, none)).toEqual([]);
  });

  it.each(wrong.filter(([, world]) => world === name))('would differ without %s', (_lost, _world, merge, where) => {
    expect(differences(of, shown, merge)).toEqual(where);
  });
});

describe.each(worlds.filter(([, { others }]) => others !== undefined))('the traps of a tiny world: %s', (name, of) => {
  const graph = searched(of, none, Infinity);
  const names = Array.from({ length: graph.states.count }, (_, state) => valuesOf(graph, state).join());
  const all = waysOf(graph);
  const { ends } = shownIn.get(name) as Shown;

  it.each([...goalsOf(graph).entries()])('are those of brute force: goal %i', (nth, goal) => {
    const ways = all.map((way) => way[nth] ?? 0);
    const farthest = Math.max(0, ...ways.filter((moves) => moves < Infinity));
    const traps = new Set(names.filter((_, state) => ways[state] === Infinity));
    const judged = [...ends.values()].filter(({ left }) => left >= farthest);
    expect(judged.length).toBeGreaterThan(10);
    for (const { values, left, goals } of judged)
      expect([values.join(), (goals[nth] ?? 0) > left]).toEqual([values.join(), traps.has(values.join())]);
    const existing = names.filter((_, state) => graph.world.fields.exists(valuesOf(graph, state), goal.agent));
    expect(verdictOf(new Reversed(graph), goal).trapped).toBe(existing.filter((each) => traps.has(each)).length);
  });
});
