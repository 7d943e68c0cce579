/** Explores the small world of a specification, and gathers the answers with their scripts. The options of the command are in cli/. */

import { nameOf } from '../../explore/fields.js';
import { invariants } from '../../explore/invariants.js';
import type { Withheld } from '../../explore/move.js';
import { movesOf } from '../../explore/moves.js';
import { type PricedWay, pricesOf } from '../../explore/prices.js';
import { racesOf } from '../../explore/races.js';
import { type Reach, reasons, rowsOf, transitionsOf } from '../../explore/rows.js';
import { type PlayedStep, playPath, scriptOf } from '../../explore/script.js';
import { errorOf, explore, type Graph } from '../../explore/search.js';
import { smallNumbers } from '../../explore/small-numbers.js';
import { goalsOf, Reversed, type Verdict, verdictOf } from '../../explore/traps.js';
import { World } from '../../explore/world.js';
import {
  EXPLORE_SCHEMA,
  type ExploredGoal,
  type ExploredPrices,
  type ExploredScript,
  type ExploredSteps,
  type ExploreResult,
} from '../../results/explore-result.js';
import { changedNumbers } from '../../spec/change.js';
import { factsOf, lint } from '../../spec/lint/index.js';
import { protocol } from '../../spec/protocol.js';
import { lintShown } from './explore-lint.js';
import type { SpecSide } from './spec-side.js';

/** The extent of an exploration. */
export interface ExploreOptions {
  readonly toolVersion: string;
  /** The root and its children: 2 or 3. */
  readonly agents: number;
  /** Stop after this many states. */
  readonly statesMax?: number | undefined;
  /** Anchors that the minimum interval takes: 1 or 2. */
  readonly scale?: 1 | 2 | undefined;
  /** Parts of the service to withhold, each by itself. */
  readonly without?: readonly Withheld[];
  /** Leaves out complaints, revocations, the sandbox and sponsorships with an end: the world is a tenth as large. */
  readonly quick?: boolean;
  readonly isStopped?: (expanded: number) => boolean;
}

/** The answers about one side, and the graph that they follow from. */
export interface ExploredSide {
  readonly answers: ExploreResult;
  readonly graph: Graph;
}

/** Explores the small world of one side. The same options give the same result. */
export function exploreSide(side: SpecSide, options: ExploreOptions): ExploreResult {
  return exploredSide(side, options).answers;
}

/** The same, with the graph. */
export function exploredSide(side: SpecSide, options: ExploreOptions): ExploredSide {
  const { agents, statesMax = Infinity, scale = 1, without = [], quick = false, isStopped, toolVersion } = options;
  const small = smallNumbers(side.protocol, scale);
  // Where children exchange their places, a verdict about one of them has no meaning.
  const world = new World({ protocol: small, agents, symmetric: false });
  const moves = movesOf(world).filter(({ isFurther }) => !quick || isFurther !== true);
  const graph = explore(world, { statesMax, invariants, moves, ...(isStopped === undefined ? {} : { isStopped }) });
  const reversed = new Reversed(graph);
  const goals = goalsOf(graph);
  const goalsWithout = (parts: readonly Withheld[]): ExploredGoal[] =>
    goals.map((goal) => exploredGoal(graph, verdictOf(reversed, goal, parts)));
  const { expanded, states, transitions, depth } = graph;
  const answers = {
    schema: EXPLORE_SCHEMA,
    tool_version: toolVersion,
    change: side.name,
    world: {
      ...{ agents, states: states.count, transitions, depth, complete: expanded === states.count, quick },
      numbers: Object.fromEntries(changedNumbers(protocol, small).map(({ path, to }) => [path, to])),
    },
    invariants: invariants.map(({ text }) => {
      const broken = graph.violations.find(({ invariant }) => invariant === text);
      return broken === undefined
        ? { text }
        : { text, broken: scriptTo(graph, 'broken invariant', broken.state, [broken.move]) };
    }),
    goals: goalsWithout([]),
    without: without.map((part) => ({ part, goals: goalsWithout([part]) })),
    rows: stepsOf(graph, rowsOf(graph)),
    transitions: stepsOf(graph, transitionsOf(graph)),
    prices: pricesOf(reversed, side.protocol).map(({ agent, best, worst, ...row }): ExploredPrices => {
      const name = `price for ${nameOf(agent)} ${row.condition}`;
      const priced = (ways: readonly PricedWay[], which: string): ExploredPrices['best'] =>
        ways.map(({ state, moves: way, ...price }, nth) => {
          const steps = playPath(graph, state, way);
          const script = exploredScript(graph, `${name} ${which}${nth === 0 ? '' : ` ${nth + 1}`}`, steps);
          return { ...price, script, actions: scriptOf(graph, steps.slice(-way.length)).actions.length };
        });
      return { agent: nameOf(agent), ...row, best: priced(best, 'at best'), worst: priced(worst, 'from the dearest') };
    }),
    races: racesOf(graph).map(({ first, second, stake, states: count, state }) => {
      const [one = '', other = ''] = [first, second].map((move) => graph.moves[move]?.name);
      const script = scriptTo(graph, `race with ${other}`, state, [first]);
      return { first: one, second: other, stake, states: count, script };
    }),
  } satisfies Omit<ExploreResult, 'lint'>;
  const withoutReviews = { ...answers, without: [{ part: 'review', goals: goalsWithout(['review']) }] };
  return { answers: { ...answers, lint: lintShown(lint(factsOf(side.protocol)), withoutReviews) }, graph };
}

/** The script to a state, and through the moves after it. */
function scriptTo(graph: Graph, name: string, state: number, further: readonly number[]): ExploredScript {
  return exploredScript(graph, name, playPath(graph, state, further));
}

/** The script of played steps. */
export function exploredScript(
  graph: Pick<Graph, 'world'>,
  name: string,
  steps: readonly PlayedStep[],
): ExploredScript {
  return {
    name: fileName(`${name} ${steps.at(-1)?.move.name ?? ''}`),
    moves: steps.map(({ move: played, answer }) => {
      const row = errorOf(answer);
      return row === undefined ? played.name : `${played.name}: ${row}`;
    }),
    refused: steps.map(({ answer }) => errorOf(answer) ?? null),
    sequence: scriptOf(graph, steps),
  };
}

const fileName = (words: string): string => words.replace(/[^a-z0-9]+/gi, '-').toLowerCase();

function exploredGoal(graph: Graph, { goal, closings, ...counts }: Verdict): ExploredGoal {
  return {
    ...{ id: goal.id, agent: goal.name, text: goal.text, ...counts },
    traps: closings.map(({ move, state, edges }) => ({
      move: graph.moves[move]?.name ?? '',
      transitions: edges,
      script: scriptTo(graph, `${goal.name} never ${goal.id}`, state, [move]),
    })),
  };
}

function stepsOf(graph: Graph, all: readonly Reach[]): ExploredSteps {
  const inside = all.filter(({ outside }) => outside === undefined);
  const reached = inside.filter(({ first }) => first !== undefined);
  return {
    reached: reached.length,
    total: inside.length,
    dead: inside.filter(({ first }) => first === undefined).map(({ id }) => id),
    outside: Object.fromEntries(
      Object.entries(reasons).flatMap(([reason, text]) => {
        const ids = all.filter(({ outside }) => outside === reason).map(({ id }) => id);
        return ids.length === 0 ? [] : [[text, ids]];
      }),
    ),
    scripts: Object.fromEntries(
      reached.flatMap(({ id, first }) =>
        first === undefined ? [] : [[id, scriptTo(graph, `reaches ${id}`, first.state, [first.move])]],
      ),
    ),
  };
}
