/** Plays the points of a search as sweeps, each point once, and keeps their runs. Which points are played is decided in experiments/search. */

import { join } from 'node:path';
import type { ArmSettings } from '../../experiments/design/designs.js';
import type { Goal } from '../../experiments/search/goal.js';
import type { multiStart } from '../../experiments/search/multi-start.js';
import type { PointSearch } from '../../experiments/search/nelder-mead.js';
import type { SearchSource } from '../../experiments/search/numbers-search.js';
import {
  type Aim,
  type Amount,
  amounts,
  betterBy,
  type PointValue,
  pointValue,
  type SearchedExperiment,
  sweepTextOf,
} from '../../experiments/search/searched-sweep.js';
import { drawsOf } from '../../experiments/statistics/draws.js';
import { estimateOf } from '../../experiments/statistics/estimate.js';
import { planSweep, type SweepPlan } from '../../experiments/sweep/plan.js';
import type { SearchExtreme, SearchedPoint, SearchStopped } from '../../results/search-result.js';
import type { SweepRun } from '../../results/sweep-result.js';
import { Failure } from '../host/failure.js';
import { ensureFolder, parsedOrFail } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { withRules } from '../host/with-rules.js';
import type { SearchMemory } from './search-folder.js';
import { beginSweepFolder, writeResults } from './sweep-folder.js';
import { inOrder, playSweep } from './sweep-run.js';

/** Options of playing a search. */
export interface SearchPlaying {
  readonly out: string | undefined;
  readonly workers: number;
  /** Where runs are kept as they end; absent: nowhere. */
  readonly memory?: SearchMemory | undefined;
}

/** How points are played. */
export interface PlayedPoints extends Omit<SearchSource, 'text'>, Omit<SearchPlaying, 'out'> {
  readonly experiment: SearchedExperiment;
  readonly aim: Aim;
  readonly seed: number;
  readonly replicates: number;
}

/** A point that was played, with its runs in the order of replicates. */
export interface PlayedPoint {
  readonly set: ArmSettings;
  readonly runs: readonly SweepRun[];
  readonly value: PointValue;
}

/** The sweep that plays some points, an arm for each; `first` is the number of the first. */
function planOf(playing: PlayedPoints, sets: readonly ArmSettings[], first: number): SweepPlan {
  const { experiment, aim, file, scenarioFile, scenarioText, seed, replicates } = playing;
  const text = sweepTextOf(experiment, { seed, replicates, aim, first }, sets);
  return parsedOrFail(planSweep({ file, text, scenarioFile, scenarioText, version: packageVersion() }));
}

/** Plays points that were not played before, each as an arm; `first` is the number of points that were. */
export async function playPoints(
  playing: PlayedPoints,
  sets: readonly ArmSettings[],
  first = 0,
): Promise<readonly PlayedPoint[]> {
  if (sets.length === 0) return [];
  const plan = planOf(playing, sets, first);
  const { workers, aim, memory } = playing;
  const known = memory?.runsOf(plan) ?? [];
  const onRun = (run: SweepRun): void => memory?.keep(plan, run);
  const { runs, interrupted } = await playSweep(plan, { workers, shard: null, known, onRun });
  if (interrupted) {
    const how =
      memory === undefined || memory.isEmpty()
        ? ''
        : ` Continue it with ${withRules(`aips experiment resume ${memory.folder}`)}`;
    throw new Failure(`Interrupted: the search did not finish.${how}`);
  }
  return plan.arms.map(({ arm, set, scenario }) => {
    const own = inOrder(runs.filter((run) => run.arm === arm));
    const value = pointValue(aim, own, scenario.durationSec);
    return { set, runs: own.map((run) => ({ ...run, arm: first + arm })), value };
  });
}

/** Plays one point. */
export async function playPoint(playing: PlayedPoints, set: ArmSettings): Promise<PlayedPoint> {
  const [point] = await playPoints(playing, [set]);
  return point as PlayedPoint;
}

/** Whether two points of the cube round to the same settings. */
export function sameSettings(settingsAt: SettingsAt): (a: readonly number[], b: readonly number[]) => boolean {
  return (a, b) => sameSet(settingsAt(a), settingsAt(b));
}

type SettingsAt = (point: readonly number[]) => ArmSettings;

/** Points by their settings, and how a search values one. */
interface Following {
  /** Points that were played already, to which those of this search are added. */
  readonly archive?: Map<string, PlayedPoint>;
  readonly valued?: (point: PlayedPoint) => PointValue;
}

/**
 * Follows a search until it ends or `pointsMax` different points were played. Points that have the same settings are played once.
 * `converged`: all neighbours of the best point were tried.
 */
export async function followSearch(
  playing: PlayedPoints,
  { search, settled }: ReturnType<typeof multiStart<PointValue>>,
  settingsAt: SettingsAt,
  pointsMax: number,
  { archive = new Map(), valued = ({ value }) => value }: Following = {},
): Promise<{ readonly points: readonly PlayedPoint[]; readonly best: PlayedPoint; readonly stopped: SearchStopped }> {
  const points = await playedPoints(playing, search, settingsAt, pointsMax, archive, valued);
  const best = bestOf(points, playing.aim);
  const point = settled();
  const isSettled = point === undefined ? points.length < pointsMax : sameSet(settingsAt(point), best.set);
  return { points, best, stopped: isSettled ? 'converged' : 'points' };
}

const sameSet = (a: ArmSettings, b: ArmSettings): boolean => JSON.stringify(a) === JSON.stringify(b);

async function playedPoints(
  playing: PlayedPoints,
  search: PointSearch<PointValue>,
  settingsAt: SettingsAt,
  pointsMax: number,
  points: Map<string, PlayedPoint>,
  valued: (point: PlayedPoint) => PointValue,
): Promise<readonly PlayedPoint[]> {
  let step = search.next();
  while (step.done !== true) {
    const asked = step.value.map(settingsAt);
    const unknown = new Map(
      asked.map((set) => [JSON.stringify(set), set] as const).filter(([key]) => !points.has(key)),
    );
    const room = pointsMax - points.size;
    for (const point of await playPoints(playing, [...unknown.values()].slice(0, room), points.size)) {
      points.set(JSON.stringify(point.set), point);
    }
    if (unknown.size > room) break;
    step = search.next(asked.map((set) => valued(points.get(JSON.stringify(set)) as PlayedPoint)));
  }
  return [...points.values()];
}

/** The best of some points; of equals the first. */
function bestOf(points: readonly PlayedPoint[], aim: Aim): PlayedPoint {
  const better = betterBy(aim);
  return points.reduce((best, point) => (better(point.value, best.value) ? point : best));
}

/** A point as search.json shows it. Failure if a run of it failed. */
export function searchedPoint(aim: Aim, { set, runs, value }: PlayedPoint, seed: number): SearchedPoint {
  const failed = runs.find(({ error }) => error !== undefined);
  if (failed !== undefined) {
    const where = `The run of seed ${failed.seed} with ${JSON.stringify(set)}`;
    throw new Failure(`Every point failed. ${where}: ${failed.error}`);
  }
  const goals = value.goals.map(({ mean, t95, limit, state }, i) => {
    const { text, unit } = aim.goals[i] as Goal;
    return { text, unit, mean, t95, limit, state };
  });
  return { set, seed, runs: runs.length, goals, extreme: extremeOf(aim, runs) };
}

/** An amount over the runs of a point, by default that of the aim; null where no run has a value. */
export function extremeOf(
  aim: Aim,
  runs: PlayedPoint['runs'],
  amount: Amount | undefined = aim.extreme?.amount,
): SearchExtreme | null {
  const made = amounts(aim, runs, amount);
  if (amount === undefined || made === null || made.length === 0) return null;
  const { name, unit } = amount;
  const { mean, t95 } = estimateOf(made, () => drawsOf(0, name));
  return { measure: name, unit, mean, t95: t95 ?? [mean, mean] };
}

/** Writes points as the folder of a sweep, which `aips experiment again` plays again. */
export function writePoints(folder: string, name: string, playing: PlayedPoints, points: readonly PlayedPoint[]): void {
  const path = join(folder, name);
  const plan = planOf(
    playing,
    points.map(({ set }) => set),
    0,
  );
  ensureFolder(path);
  beginSweepFolder(path, plan.inputs);
  writeResults(
    path,
    plan,
    points.flatMap(({ runs }, arm) => runs.map((run) => ({ ...run, arm }))),
  );
}
