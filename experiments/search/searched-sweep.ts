/** The sweeps that play the points of a search, and the value of a point by its runs. Points are chosen in multi-start.ts. */

import { createHash } from 'node:crypto';
import { mean } from 'simple-statistics';
import { stringify } from 'yaml';
import { type SweepRun, valueAt, valuesAt } from '../../results/sweep-result.js';
import type { ArmSettings } from '../design/designs.js';
import type { SweptSubject, WrittenFormulas } from '../sweep/measure-formula.js';
import { type Goal, type GoalState, goalState } from './goal.js';

/** Goals and a direction by which points are judged. */
export interface Aim {
  readonly goals: readonly Goal[];
  /** The amount to make small (sign 1) or large (sign -1) where the goals are reached; null: reaching them is enough. */
  readonly extreme: { readonly amount: Amount; readonly sign: 1 | -1 } | null;
}

/** A sum of measures, each with a weight. */
export interface Amount {
  readonly name: string;
  readonly unit: string;
  readonly terms: readonly { readonly subject: SweptSubject; readonly weight: number }[];
}

/** How good a point is: the distance of its runs from the goals, and the amount to minimize or maximize. */
export interface PointValue {
  readonly goals: readonly GoalState[];
  /** The sum of the distances to the goals; 0: all are reached. */
  readonly excess: number;
  /** The mean of the minimized or maximized value. */
  readonly extreme: number | null;
}

/** A seed that the search has not used: the best point may have been lucky with the search's seeds. */
export function confirmingSeed(seed: number): number {
  const key = JSON.stringify(['aips-lab/search/confirm', seed]);
  return Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 13), 16);
}

/** A subject as sweep files write it. */
export function subjectText({ measure, group, atSec }: SweptSubject): string {
  return `${measure}${group === null ? '' : `.${group}`}${atSec === null ? '' : ` at ${atSec}s`}`;
}

/** The subjects of an aim, each once. */
function subjectsOf({ goals, extreme }: Aim): readonly string[] {
  const summed = extreme === null ? [] : extreme.amount.terms;
  return [...new Set([...goals, ...summed].map(({ subject }) => subjectText(subject)))];
}

/** The place of a subject among the values of a run. */
function placeOf(aim: Aim, subject: SweptSubject): number {
  return subjectsOf(aim).indexOf(subjectText(subject));
}

/**
 * The amount to minimize or maximize, in each of some complete runs in which it has a value; null if reaching the goals is enough. `amount`
 * is another one, whose measures the aim has.
 */
export function amounts(aim: Aim, runs: readonly SweepRun[], amount = aim.extreme?.amount): readonly number[] | null {
  if (amount === undefined) return null;
  const terms = amount.terms.map(({ subject, weight }) => ({ place: placeOf(aim, subject), weight }));
  return runs.flatMap((run) => {
    const values = terms.map(({ place }) => valueAt(run, place));
    if (values.includes(null)) return [];
    return [terms.reduce((sum, { weight }, i) => sum + weight * (values[i] as number), 0)];
  });
}

/** Texts that the sweeps of a search have in common. */
export interface SearchedExperiment {
  readonly name: string;
  readonly question: string;
  readonly scenario: string;
  /** Formulas that its goals name; absent: none. */
  readonly formulas?: WrittenFormulas;
}

/** The sweep file of some points: an arm for each, named by its number. */
export function sweepTextOf(
  { name, question, scenario, formulas = {} }: SearchedExperiment,
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
  const sweep = {
    format: 1,
    name,
    question,
    scenario,
    seed,
    replicates,
    ...(Object.keys(formulas).length === 0 ? {} : { formulas }),
    measures,
    design: { kind: 'table', rows },
  };
  // Two places of a point may have the same value; files have no aliases.
  return stringify(sweep, { aliasDuplicateObjects: false });
}

/** The value of a point by its runs. A point with a failed run has the worst value. */
export function pointValue(aim: Aim, runs: readonly SweepRun[], durationSec: number): PointValue {
  const complete = runs.filter(({ error }) => error === undefined);
  if (complete.length < runs.length) return { goals: [], excess: Number.POSITIVE_INFINITY, extreme: null };
  const goals = aim.goals.map((goal) => goalState(goal, valuesAt(complete, placeOf(aim, goal.subject)), durationSec));
  const made = amounts(aim, complete);
  return {
    goals,
    excess: goals.reduce((sum, { excess }) => sum + excess, 0),
    extreme: made === null || made.length === 0 ? null : mean([...made]),
  };
}

/** Whether one value is better than another: nearer to the goals, and of those that reach them the one that goes further. */
export function betterBy({ extreme }: Aim): (a: PointValue, b: PointValue) => boolean {
  return (a, b) => {
    if (a.excess !== b.excess) return a.excess < b.excess;
    if (extreme === null || a.extreme === null) return false;
    return b.extreme === null || extreme.sign * a.extreme < extreme.sign * b.extreme;
  };
}
