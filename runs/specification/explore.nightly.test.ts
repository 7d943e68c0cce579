// The small world at two scales: what is said of it does not depend on how its numbers were scaled.
import { expect, it } from 'vitest';
import type { ExploreResult } from '../../results/explore-result.js';
import { exploreSide } from './explore.js';
import { presentSide } from './spec-side.js';

const answersOf = ({ world, goals, rows, transitions, races, invariants }: ExploreResult) => ({
  complete: world.complete,
  goals: goals.map(({ text, verdict }) => [text, verdict]),
  dead: [rows.dead, transitions.dead],
  races: races.map(({ first, second, stake }) => [first, second, stake]),
  broken: invariants.filter(({ broken }) => broken !== undefined),
});

it('has the same verdicts, dead rows and races at each scale', { timeout: 300_000 }, () => {
  const [one, two] = ([1, 2] as const).map((scale) =>
    exploreSide(presentSide(), { agents: 2, scale, quick: true, toolVersion: '' }),
  ) as [ExploreResult, ExploreResult];
  expect(one.world.complete).toBe(true);
  expect(two.world.states).toBeGreaterThan(one.world.states);
  expect(answersOf(two)).toEqual(answersOf(one));
});
