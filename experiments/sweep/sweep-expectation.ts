/**
 * Expectations over replicates, such as `mean(frozen_share) < 5% at 7d in margin=5m`. The part about the measure is the language of
 * scenarios/expectation.ts.
 */

import { max, mean, min, quantileSorted, sampleStandardDeviation } from 'simple-statistics';
import { type Comparison, parseExpectation } from '../../scenarios/expectation.js';
import { nameableGroups } from '../../scenarios/groups.js';
import type { MeasureUnit } from '../../scenarios/measures.js';
import type { Scenario } from '../../scenarios/scenario.js';
import type { MeasureFormula, SweptSubject } from './measure-formula.js';
import type { PlannedArm } from './plan.js';

/** A statement about a statistic of a measure over the replicates of some arms. */
export interface SweepExpectation {
  readonly text: string;
  readonly statistic: string;
  readonly subject: SweptSubject;
  readonly comparison: Comparison;
  readonly value: number;
  /** The arms it is about, by number. */
  readonly arms: readonly number[];
}

const FORM = /^(mean|sd|min|max|p\d{1,2})\(\s*([^()\s]+)\s*\)\s*(.*?)(?:\s+in\s+(\S+))?$/;

/** The groups and the formulas that a subject may name. */
export function scopeOf(
  scenario: Scenario,
  formulas: readonly MeasureFormula[],
): { groups: readonly string[]; durationSec: number; named: ReadonlyMap<string, MeasureUnit> } {
  const named = new Map(formulas.map(({ name, unit }) => [name, unit]));
  return { groups: nameableGroups(scenario), durationSec: scenario.durationSec, named };
}

/** Parses `STATISTIC(MEASURE[.GROUP]) < VALUE [at DURATION] [in ARM]`. Statistics: mean, sd, min, max, p05 to p95 and the like. */
export function parseSweepExpectation(
  text: string,
  arms: readonly PlannedArm[],
): { readonly ok: true; readonly value: SweepExpectation } | { readonly ok: false; readonly message: string } {
  const [, statistic, measured, rest, armName] = FORM.exec(text.trim()) ?? [];
  if (statistic === undefined || measured === undefined || rest === undefined) {
    return {
      ok: false,
      message: 'must have the form mean(frozen_share) < 5% at 7d in ARM, with mean, sd, min, max or p05',
    };
  }
  const meant = arms.filter(({ name }) => armName === undefined || name === armName);
  if (meant.length === 0) {
    return { ok: false, message: `there is no arm ${armName}; known: ${arms.map(({ name }) => name).join(', ')}` };
  }
  let found: SweepExpectation | undefined;
  for (const { scenario, name, formulas } of meant) {
    const parsed = parseExpectation(`${measured} ${rest}`, scopeOf(scenario, formulas));
    if (!parsed.ok) return { ok: false, message: `in ${name}: ${parsed.message}` };
    const { measure, group, comparison, value, time } = parsed.value;
    if (time.kind === 'after') return { ok: false, message: 'names many moments: write at, not after' };
    const subject = { measure, group, atSec: time.kind === 'at' ? time.sec : null };
    found = { text, statistic, subject, comparison, value, arms: meant.map(({ arm }) => arm) };
  }
  return { ok: true, value: found as SweepExpectation };
}

/** A statistic over at least one value. */
export function statisticOf(statistic: string, values: readonly number[]): number {
  const list = [...values];
  switch (statistic) {
    case 'mean':
      return mean(list);
    case 'sd':
      return list.length < 2 ? 0 : sampleStandardDeviation(list);
    case 'min':
      return min(list);
    case 'max':
      return max(list);
    default:
      return quantileSorted(
        list.toSorted((a, b) => a - b),
        Number(statistic.slice(1)) / 100,
      );
  }
}
