/** The sweeps by which a search plays its points, and what a point is worth by its runs. Which points there are is in multi-start.ts. */

import { createHash } from 'node:crypto';
import { mean } from 'simple-statistics';
import { stringify } from 'yaml';
import type { SweepRun } from '../../reports/sweep-result.js';
import type { Subject } from '../../scenarios/expectation.js';
import type { ArmSettings } from '../design/designs.js';
import { type Goal, type GoalState, goalState } from './goal.js';

/** Goals and a direction by which points are judged. */
export interface Aim {
  readonly goals: readonly Goal[];
  /** The measure to make small (sign 1) or large (sign -1) where the goals are reached; null: reaching them is enough. */
  readonly extreme: { readonly subject: Subject; readonly sign: 1 | -1 } | null;
}

/** The worth of a point. */
export interface PointValue {
  readonly goals: readonly GoalState[];
  /** The sum of what is missing to each goal; 0: all are reached. */
  readonly excess: number;
  /** The mean of what is made small or large. */
  readonly extreme: number | null;
}

/** A seed whose runs are none of the search's: what looks best by some seeds may have been lucky with them. */
export function confirmingSeed(seed: number): number {
  const key = JSON.stringify(['aips-lab/search/confirm', seed]);
  return Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 13), 16);
}

/** A subject as sweep files write it. */
export function subjectText({ measure, group, atSec }: Subject): string {
  return `${measure}${group === null ? '' : `.${group}`}${atSec === null ? '' : ` at ${atSec}s`}`;
}

/** The subjects of an aim, each once. */
export function subjectsOf({ goals, extreme }: Aim): readonly string[] {
  return [
    ...new Set(
      [...goals.map(({ subject }) => subject), ...(extreme === null ? [] : [extreme.subject])].map(subjectText),
    ),
  ];
}

/** Texts that the sweeps of a search have in common. */
export interface SearchedExperiment {
  readonly name: string;
  readonly question: string;
  readonly scenario: string;
}

/** The sweep file of some points: an arm for each, named by its number. */
export function sweepTextOf(
  { name, question, scenario }: SearchedExperiment,
  {
    seed,
    replicates,
    aim,
    first,
  }: { readonly seed: number; readonly replicates: number; readonly aim: Aim; readonly first: number },
  sets: readonly ArmSettings[],
): string {
  const rows = sets.map((set, i) => ({ name: `point-${first + i}`, set }));
  const measures = subjectsOf(aim);
  return stringify({
    format: 1,
    name,
    question,
    scenario,
    seed,
    replicates,
    measures,
    design: { kind: 'table', rows },
  });
}

/** The worth of a point by its runs. A point of which a run failed is worth least. */
export function pointValue(aim: Aim, runs: readonly SweepRun[], durationSec: number): PointValue {
  const complete = runs.filter(({ error }) => error === undefined);
  if (complete.length < runs.length) return { goals: [], excess: Number.POSITIVE_INFINITY, extreme: null };
  const subjects = subjectsOf(aim);
  const of = (subject: Subject): number[] => {
    const index = subjects.indexOf(subjectText(subject));
    return complete.map(({ values }) => values[index] as number);
  };
  const goals = aim.goals.map((goal) => goalState(goal, of(goal.subject), durationSec));
  return {
    goals,
    excess: goals.reduce((sum, { excess }) => sum + excess, 0),
    extreme: aim.extreme === null ? null : mean(of(aim.extreme.subject)),
  };
}

/** Whether one value is better than another: nearer to the goals, and of those that reach them the one that goes further. */
export function betterBy({ extreme }: Aim): (a: PointValue, b: PointValue) => boolean {
  return (a, b) => {
    if (a.excess !== b.excess) return a.excess < b.excess;
    if (extreme === null || a.extreme === null || b.extreme === null) return false;
    return extreme.sign * a.extreme < extreme.sign * b.extreme;
  };
}
