/** The marks of agents at a moment of a run, as paths, and how many are in each state. The page and its script draw by the same code. */

import type { AgentLives } from '../../results/agent-lives.js';
import { countText, numberText } from '../../results/numbers.js';
import type { Slot } from '../charts/palette.js';
import { type Layout, layoutOf } from './agent-layout.js';

/** The states of an agent that has registered, and their colours. */
export const LIFE_STATES: readonly { readonly name: string; readonly slot: Slot }[] = [
  { name: 'active', slot: 'good' },
  { name: 'resynced', slot: 'two' },
  { name: 'frozen', slot: 'cold' },
];
const [ACTIVE, RESYNCED, FROZEN] = [0, 1, 2];
const ABSENT = -1;

/** The width of a picture in its own units, whatever that of the page is. */
export const MARKS_WIDTH = 2_000;
/** The families of a line for each line. */
const FLAT = 4;

/** The families of the roots of a population, with the places of their agents. */
interface LifeGroup {
  readonly name: string;
  readonly agents: readonly number[];
  readonly layout: Layout;
  readonly height: number;
}

/** The groups of all agents that registered: families stay together, whatever the populations of children are. */
export function lifeGroups({ populations, parents, changes }: AgentLives): readonly LifeGroup[] {
  const rootOf = (agent: number): number => {
    const parent = parents[agent] ?? ABSENT;
    return parent < 0 ? agent : rootOf(parent);
  };
  const roots = parents.map((_, agent) => rootOf(agent));
  const isRegistered = (agent: number): boolean => (changes[agent] ?? []).length > 0;
  const families = roots.filter((root, agent) => root === agent && isRegistered(agent)).length;
  const columns = Math.max(1, Math.ceil(Math.sqrt(families * FLAT)));
  let first = 0;
  return populations.flatMap(({ name, count }) => {
    const [from, until] = [first, first + count];
    first = until;
    const agents = parents.flatMap((_, agent) => {
      const root = roots[agent] ?? ABSENT;
      return root >= from && root < until && isRegistered(agent) ? [agent] : [];
    });
    if (agents.length === 0) return [];
    const place = new Map(agents.map((agent, at) => [agent, at]));
    const own = agents.map((agent) => place.get(parents[agent] ?? ABSENT) ?? ABSENT);
    const lines = Math.ceil(own.filter((parent) => parent < 0).length / columns);
    const height = Math.round((lines * MARKS_WIDTH) / columns);
    const whole = agents.some((agent) => roots[agent] !== agent) ? `${name} and descendants` : name;
    return [{ name: whole, agents, layout: layoutOf(own, MARKS_WIDTH, height, columns), height }];
  });
}

/** The state of an agent before a second is played, as samples have it: the place among the states, or -1. */
export function stateAt(changes: readonly number[], second: number): number {
  const done = changes.findLastIndex((each) => each < second) + 1;
  if (done === 0) return ABSENT;
  if (done === 1) return ACTIVE;
  return done % 2 === 0 ? FROZEN : RESYNCED;
}

/** How many of some agents are in each state at a second. */
export function lifeCounts({ changes }: AgentLives, agents: readonly number[], second: number): readonly number[] {
  const counts = LIFE_STATES.map(() => 0);
  for (const agent of agents) {
    const state = stateAt(changes[agent] ?? [], second);
    if (state !== ABSENT) counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

/** The path of the marks of each state. */
export function lifePaths({ changes }: AgentLives, { agents, layout }: LifeGroup, second: number): readonly string[] {
  const paths = LIFE_STATES.map((): string[] => []);
  agents.forEach((agent, at) => {
    const r = Math.max(1, Math.round(layout.radius[at] ?? 0));
    const [left, y] = [Math.round(layout.x[at] ?? 0) - r, Math.round(layout.y[at] ?? 0)];
    paths[stateAt(changes[agent] ?? [], second)]?.push(
      `M${left} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`,
    );
  });
  return paths.map((marks) => marks.join(''));
}

/** `955 active, 43 resynced, 2 frozen`; states without an agent are left out. */
export function lifeWords(counts: readonly number[]): string {
  const words = counts.flatMap((count, at) =>
    count === 0 ? [] : [`${numberText(count)} ${LIFE_STATES[at]?.name ?? ''}`],
  );
  return words.length === 0 ? countText(0, 'agent') : words.join(', ');
}
