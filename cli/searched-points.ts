/** Plays the points of a search as sweeps, each point once, and keeps their runs. Which points are named is for experiments/search. */

import { join } from 'node:path';
import type { ArmSettings } from '../experiments/design/designs.js';
import type { PointSearch } from '../experiments/search/nelder-mead.js';
import {
  type Aim,
  betterBy,
  type PointValue,
  pointValue,
  type SearchedExperiment,
  sweepTextOf,
} from '../experiments/search/searched-sweep.js';
import { planSweep, type SweepPlan } from '../experiments/sweep/plan.js';
import type { SweepRun } from '../reports/sweep-result.js';
import { Failure } from './failure.js';
import { ensureFolder, parsedOrFail } from './files.js';
import { packageVersion } from './package.js';
import { beginSweepFolder, writeResults } from './sweep-folder.js';
import { inOrder, playSweep } from './sweep-run.js';

/** How points are played. */
export interface PlayedPoints {
  readonly experiment: SearchedExperiment;
  readonly aim: Aim;
  readonly file: string;
  readonly scenarioFile: string;
  readonly scenarioText: string;
  readonly seed: number;
  readonly replicates: number;
  readonly workers: number;
}

/** A point that was played, with its runs in the order of replicates. */
export interface PlayedPoint {
  readonly set: ArmSettings;
  readonly runs: readonly SweepRun[];
  readonly value: PointValue;
}

/** Why a search ended. */
export type Stopped = 'converged' | 'points';

/** The sweep of some points. */
function planOf(playing: PlayedPoints, sets: readonly ArmSettings[], first: number): SweepPlan {
  const { experiment, aim, file, scenarioFile, scenarioText, seed, replicates } = playing;
  const text = sweepTextOf(experiment, { seed, replicates, aim, first }, sets);
  return parsedOrFail(planSweep({ file, text, scenarioFile, scenarioText, version: packageVersion() }));
}

/** Plays points that were not played before, `first` of which there were. */
export async function playPoints(
  playing: PlayedPoints,
  sets: readonly ArmSettings[],
  first = 0,
): Promise<readonly PlayedPoint[]> {
  if (sets.length === 0) return [];
  const plan = planOf(playing, sets, first);
  const { workers, aim } = playing;
  const { runs, interrupted } = await playSweep(plan, { workers, shard: null, known: [], onRun: () => undefined });
  if (interrupted) throw new Failure('Interrupted: the search did not come to its end.');
  return plan.arms.map(({ arm, set, scenario }) => {
    const own = inOrder(runs.filter((run) => run.arm === arm));
    const value = pointValue(aim, own, scenario.durationSec);
    return { set, runs: own.map((run) => ({ ...run, arm: first + arm })), value };
  });
}

/** Follows a search until it ends or `pointsMax` different points were played. Points that have the same settings are played once. */
export async function followSearch(
  playing: PlayedPoints,
  search: PointSearch<PointValue>,
  settingsAt: (point: readonly number[]) => ArmSettings,
  pointsMax: number,
): Promise<{ readonly points: readonly PlayedPoint[]; readonly stopped: Stopped }> {
  const points = new Map<string, PlayedPoint>();
  let step = search.next();
  while (step.done !== true) {
    const asked = step.value.map(settingsAt);
    const unknown = new Map(
      asked.map((set) => [JSON.stringify(set), set] as const).filter(([key]) => !points.has(key)),
    );
    if (points.size + unknown.size > pointsMax) return { points: [...points.values()], stopped: 'points' };
    for (const point of await playPoints(playing, [...unknown.values()], points.size)) {
      points.set(JSON.stringify(point.set), point);
    }
    step = search.next(asked.map((set) => (points.get(JSON.stringify(set)) as PlayedPoint).value));
  }
  return { points: [...points.values()], stopped: 'converged' };
}

/** The best of some points; of equals the first. */
export function bestOf(points: readonly PlayedPoint[], aim: Aim): PlayedPoint {
  const better = betterBy(aim);
  return points.reduce((best, point) => (better(point.value, best.value) ? point : best));
}

/** Writes points as the folder of a sweep, which `aips sweep --from` plays again. */
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
