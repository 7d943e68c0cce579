/**
 * Goals of a search, such as `uptime_share > 99 %` or `fees_lamports < 0.02 SOL a day`, and how far runs are from them. The part about
 * the measure is the language of scenarios/expectation.ts.
 */

import { mean } from 'simple-statistics';
import { compare, parseExpectation } from '../../scenarios/expectation.js';
import { type MeasureName, type MeasureUnit, measures } from '../../scenarios/measures.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC } from '../../spec/time.js';
import type { Interval } from '../statistics/bootstrap.js';
import { meanInterval } from '../statistics/estimate.js';
import { type MeasureFormula, type SweptSubject, unitOf } from '../sweep/measure-formula.js';
import { scopeOf } from '../sweep/sweep-expectation.js';

/** A limit of the mean of a measure. */
export interface Goal {
  readonly text: string;
  readonly subject: SweptSubject;
  readonly unit: MeasureUnit;
  readonly comparison: '<' | '<=' | '>' | '>=';
  /** In the unit of the measure. */
  readonly value: number;
  /** Whether `value` is for each day until the moment of the goal. */
  readonly aDay: boolean;
}

/** How far some runs are from a goal. */
export interface GoalState {
  readonly mean: number;
  readonly t95: Interval;
  /** The limit, over the whole time. */
  readonly limit: number;
  /** `reached`: the whole interval is on the right side; `open`: only the mean is. */
  readonly state: 'reached' | 'open' | 'missed';
  /** How far the interval reaches over the limit, as a share of the limit; 0 where the goal is reached. */
  readonly excess: number;
}

const A_DAY = /\s+a day(?=\s|$)/;

/** Parses `MEASURE[.GROUP] < VALUE [a day] [at DURATION]`, with < <= > or >=. */
export function parseGoal(
  text: string,
  scenario: Scenario,
  formulas: readonly MeasureFormula[] = [],
): { readonly ok: true; readonly value: Goal } | { readonly ok: false; readonly message: string } {
  const aDay = A_DAY.test(text);
  const parsed = parseExpectation(text.replace(A_DAY, '').replace(/(\d)\s+%/, '$1%'), scopeOf(scenario, formulas));
  if (!parsed.ok) return { ok: false, message: parsed.message };
  const { measure, group, comparison, value, time } = parsed.value;
  if (comparison === '=') return { ok: false, message: 'a mean is never equal to a number: write <, <=, > or >=' };
  if (time.kind === 'after') return { ok: false, message: 'names many moments: write at, not after' };
  const known = Object.hasOwn(measures, measure) ? measures[measure as MeasureName] : undefined;
  if (aDay && (known === undefined || !known.cumulative || known.ratio)) {
    return { ok: false, message: `${measure} is no sum over time, of which there could be some a day` };
  }
  const subject = { measure, group, atSec: time.kind === 'at' ? time.sec : null };
  return { ok: true, value: { text, subject, unit: unitOf(subject, formulas), comparison, value, aDay } };
}

/** How well a goal is reached, from its measure in runs of `durationSec` in which it has a value; without any, it is missed by its whole limit. */
export function goalState(goal: Goal, values: readonly number[], durationSec: number): GoalState {
  const limit = goal.aDay ? (goal.value * (goal.subject.atSec ?? durationSec)) / DAY_SEC : goal.value;
  if (values.length === 0) return { mean: 0, t95: [0, 0], limit, state: 'missed', excess: 1 };
  const centre = mean([...values]);
  const t95 = meanInterval(values) ?? [centre, centre];
  const worst = goal.comparison.startsWith('<') ? t95[1] : t95[0];
  const scale = limit === 0 ? 1 : Math.abs(limit);
  if (compare(goal.comparison, worst, limit)) return { mean: centre, t95, limit, state: 'reached', excess: 0 };
  const state = compare(goal.comparison, centre, limit) ? 'open' : 'missed';
  // On the limit itself `<` is not reached either.
  return { mean: centre, t95, limit, state, excess: Math.max(Number.EPSILON, Math.abs(worst - limit) / scale) };
}
