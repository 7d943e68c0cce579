/**
 * Chooses numbers of the protocol: searches one objective, or the front of several, measures what was found by other seeds, and asks what
 * agents choose before and after the change. Points and fronts are judged in experiments/reform.
 */

import { join } from 'node:path';
import { parseEquilibrium } from '../../experiments/equilibrium/equilibrium-file.js';
import type { DesignFile } from '../../experiments/reform/design-file.js';
import {
  changedScenario,
  type DesignPlan,
  distance,
  planDesign,
  scored,
  valuesOf,
  weightsFor,
} from '../../experiments/reform/design-plan.js';
import { dominates, frontOf, isNear, spanOf, thinned } from '../../experiments/reform/front.js';
import { agreementOf } from '../../experiments/search/agreement.js';
import { multiStart } from '../../experiments/search/multi-start.js';
import { numbersSpread, type SearchSource } from '../../experiments/search/numbers-search.js';
import { defaultPoints } from '../../experiments/search/search-file.js';
import { amounts, betterBy, confirmingSeed, type PointValue } from '../../experiments/search/searched-sweep.js';
import { drawsOf } from '../../experiments/statistics/draws.js';
import { DESIGN_SCHEMA, type DesignPoint, type DesignResult } from '../../results/design-result.js';
import type { EquilibriumResult } from '../../results/equilibrium-result.js';
import { Failure } from '../host/failure.js';
import { parsedOrFail } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { searchEquilibria } from './equilibrium.js';
import { type BegunSource, digestOf } from './search-folder.js';
import {
  extremeOf,
  followSearch,
  type PlayedPoint,
  type PlayedPoints,
  playPoints,
  type SearchPlaying,
  sameSettings,
  searchedPoint,
  writePoints,
} from './searched-points.js';

/** The outcome of a search, and how it came to an end. */
interface Found extends Pick<DesignResult, 'stopped' | 'starts' | 'region'> {
  readonly points: readonly PlayedPoint[];
  readonly front: readonly PlayedPoint[];
}

/** Chooses the numbers of a file. Failure for numbers, goals, objectives or a game that its scenarios do not take. */
export async function searchDesign(
  file: DesignFile,
  source: BegunSource,
  { out, workers, memory }: SearchPlaying,
): Promise<DesignResult> {
  const plan = parsedOrFail(planDesign(file, source));
  const playing: PlayedPoints = {
    ...{ ...source, aim: plan.aim, workers, memory },
    ...{ experiment: file, seed: file.seed, replicates: file.replicates },
  };
  const found =
    plan.objectives.length === 1 ? await searchOptimum(file, plan, playing) : await searchFront(file, plan, playing);
  const heldOut = { ...playing, seed: confirmingSeed(file.seed), replicates: file.confirm };
  const measured = await playPoints(heldOut, [{}, ...found.front.map(({ set }) => set)]);
  const [before, ...front] = measured;
  if (before === undefined || front.length === 0) throw new Error('nothing was found');
  if (out !== undefined) {
    writePoints(out, 'points', playing, found.points);
    writePoints(out, 'confirmed', heldOut, measured);
  }
  const values = front.map((point) => valuesOf(plan, point.runs));
  const chosen = chosenOf(front, values);
  const best = front[chosen] as PlayedPoint;
  return {
    ...{ schema: DESIGN_SCHEMA, version: packageVersion(), name: file.name, question: file.question },
    ...{ digest: digestOf(source), seed: file.seed, points: found.points.length },
    objectives: plan.objectives.map(({ amount: { name, unit }, sign }) => ({
      ...{ measure: name, unit },
      direction: sign === 1 ? 'minimize' : 'maximize',
    })),
    ...{ stopped: found.stopped, starts: found.starts, region: found.region },
    before: designPoint(plan, before, heldOut.seed),
    front: front.map((point, i) => ({
      ...designPoint(plan, point, heldOut.seed),
      dominated: values.some((other) => other !== null && values[i] != null && dominates(other, values[i])),
    })),
    ...{ chosen, reached: best.value.excess === 0 },
    equilibrium: source.game === undefined ? null : await games(source.game, best, { out, workers, memory }),
  };
}

type Score = (point: PlayedPoint) => PointValue;

/** A search of the cube of a plan, with a share of the budget behind the points that are spread. */
function cubeOf(
  file: DesignFile,
  { dimensions, settingsAt }: DesignPlan,
  better: ReturnType<typeof betterBy>,
  share = 1,
) {
  const pointsMax = file.points ?? defaultPoints(dimensions);
  const spread = numbersSpread(dimensions, pointsMax);
  return multiStart<PointValue>({
    ...{ dimensions, spread, pointsMax: spread + Math.floor(share * (pointsMax - spread)), better },
    ...{ draws: drawsOf(file.seed, 'search'), isSame: sameSettings(settingsAt), isEnough: () => false },
  });
}

async function searchOptimum(file: DesignFile, plan: DesignPlan, playing: PlayedPoints): Promise<Found> {
  const cube = cubeOf(file, plan, betterBy(plan.aim));
  const pointsMax = file.points ?? defaultPoints(plan.dimensions);
  const { points, best, stopped } = await followSearch(playing, cube, plan.settingsAt, pointsMax);
  return {
    ...{ points, front: [best], stopped },
    starts: agreementOf(cube.descents, best.value, plan.settingsAt),
    region: regionOf(file, plan, points, best),
  };
}

/** The points that are not shown to be worse than the best by more than the tolerance, in pairs of runs. */
function regionOf(
  { numbers, tolerance }: DesignFile,
  { aim, objectives }: DesignPlan,
  points: readonly PlayedPoint[],
  best: PlayedPoint,
): DesignResult['region'] {
  const sign = objectives[0]?.sign ?? 1;
  const of = ({ runs }: PlayedPoint): readonly number[] => amounts(aim, runs) ?? [];
  const near = points.filter(
    (point) => point === best || (point.value.excess === 0 && isNear(of(best), of(point), sign, tolerance)),
  );
  const ranges = Object.keys(numbers).map((path) => {
    const values = near.map(({ set }) => Number(set[path]));
    return { path, from: Math.min(...values), to: Math.max(...values) };
  });
  return { tolerance, points: near.length, ranges };
}

/** Searches each objective alone, and then towards the front between them; all searches share their points. */
async function searchFront(file: DesignFile, plan: DesignPlan, playing: PlayedPoints): Promise<Found> {
  const { dimensions, objectives, settingsAt } = plan;
  const weights = weightsFor(objectives.length);
  const pointsMax = file.points ?? defaultPoints(dimensions);
  const spread = numbersSpread(dimensions, pointsMax);
  const searches = objectives.length + weights.length;
  const archive = new Map<string, PlayedPoint>();
  const better = betterBy({ goals: [], extreme: { amount: { name: '', unit: '', terms: [] }, sign: 1 } });
  let begun = 0;
  const follow = async (score: (values: readonly number[]) => number): Promise<void> => {
    begun += 1;
    const most = spread + Math.floor((begun / searches) * (pointsMax - spread));
    const valued: Score = ({ value, runs }) => {
      const values = valuesOf(plan, runs);
      return scored(value, values === null ? null : score(values));
    };
    await followSearch(playing, cubeOf(file, plan, better, 1 / searches), settingsAt, most, { archive, valued });
  };
  for (const k of objectives.keys()) await follow((values) => values[k] as number);
  for (const each of weights) {
    const { values } = nonDominated(plan, [...archive.values()]);
    const span = spanOf(values);
    await follow((own) => (values.length === 0 ? 0 : distance(own, each, span)));
  }
  const points = [...archive.values()];
  const { front, values } = nonDominated(plan, points);
  const order = front
    .map((point, i) => ({ point, value: values[i]?.[0] ?? 0 }))
    .toSorted((a, b) => a.value - b.value)
    .map(({ point }) => point);
  const closest = points.reduce((a, b) => (b.value.excess < a.value.excess ? b : a));
  return {
    points,
    front: order.length === 0 ? [closest] : thinned(order, file.front),
    ...{ stopped: null, starts: null, region: null },
  };
}

/** The points that reach all goals and that no other such point beats. */
function nonDominated(plan: DesignPlan, points: readonly PlayedPoint[]) {
  const kept = points.flatMap((point) => {
    const values = point.value.excess === 0 ? valuesOf(plan, point.runs) : null;
    return values === null ? [] : [{ point, values }];
  });
  const places = frontOf(kept.map(({ values }) => values));
  const front = places.map((i) => kept[i] as (typeof kept)[number]);
  return { front: front.map(({ point }) => point), values: front.map(({ values }) => values) };
}

/** The place of the point with the least distance from the best of each objective, among those that reach the goals. */
function chosenOf(front: readonly PlayedPoint[], values: readonly (readonly number[] | null)[]): number {
  const known = values.filter((own) => own !== null);
  if (known.length === 0) return 0;
  const span = spanOf(known);
  const scores = values.map((own, i) => {
    if (own === null) return Number.POSITIVE_INFINITY;
    const excess = front[i]?.value.excess ?? 0;
    return (
      distance(
        own,
        own.map(() => 1),
        span,
      ) + (excess === 0 ? 0 : 10 + excess)
    );
  });
  return scores.indexOf(Math.min(...scores));
}

function designPoint(plan: DesignPlan, point: PlayedPoint, seed: number): DesignPoint {
  const { extreme: _all, ...rest } = searchedPoint(plan.aim, point, seed);
  const objectives = plan.objectives.map(({ amount }) => {
    const made = extremeOf(plan.aim, point.runs, amount);
    if (made === null) throw new Failure(`${amount.name} has no value in the runs with ${JSON.stringify(point.set)}.`);
    return made;
  });
  return { ...rest, objectives };
}

/** The game before and after the change. */
async function games(
  source: SearchSource,
  { set }: PlayedPoint,
  { out, workers, memory }: SearchPlaying,
): Promise<DesignResult['equilibrium']> {
  const file = parsedOrFail(parseEquilibrium(source.text, source.file));
  const changed = changedScenario(source.scenarioText, set);
  if ('reason' in changed) throw new Failure(`${source.scenarioFile}: ${changed.reason}`);
  const play = (scenarioText: string, name: string): Promise<EquilibriumResult> =>
    searchEquilibria(
      file,
      { ...source, scenarioText },
      { out: out === undefined ? undefined : join(out, name), workers, memory },
    );
  const before = await play(source.scenarioText, 'equilibrium-before');
  const after = await play(changed.text, 'equilibrium-after');
  const [one, other] = [playedOptions(before), playedOptions(after)];
  return { before, after, moves: one === null || other === null ? null : one !== other };
}

/** The options that are played in the first equilibrium, by role; null if there is none. */
function playedOptions({ answer, equilibria, roles }: EquilibriumResult): string | null {
  const [first] = equilibria;
  if (answer === 'none' || first === undefined) return null;
  return JSON.stringify(
    first.mixture.map((shares, role) => shares.flatMap((share, i) => (share > 0 ? [roles[role]?.options[i]] : []))),
  );
}
