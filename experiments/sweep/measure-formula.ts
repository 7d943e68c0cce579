/**
 * Measures that an experiment's file makes of others by a formula, such as `profit_lamports.low / live_days.low`: their form, their names and
 * their values. The language of formulas is that of the protocol's, spec/formula.
 */

import { z } from 'zod';
import { parseSubject, type Subject } from '../../scenarios/expectation.js';
import { nameableGroups } from '../../scenarios/groups.js';
import { type MeasureUnit, measureNames, measures, measureUnits } from '../../scenarios/measures.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { naming } from '../../scenarios/schema-parts.js';
import type { Path } from '../../spec/document.js';
import { type Expression, parseExpression } from '../../spec/formula/expression.js';
import { nearestNumber } from '../../spec/formula/rational.js';
import { didYouMean } from '../../spec/nearest-name.js';

/** A measure of a sweep, or a formula by its name, at one time. */
export type SweptSubject = Subject<string>;

/** A formula with the measures that its names stand for. */
export interface MeasureFormula {
  readonly name: string;
  readonly formula: string;
  readonly unit: MeasureUnit;
  /** By name. Those without a time are taken at the time of the formula. */
  readonly terms: Readonly<Record<string, Subject>>;
}

const FORMULAS_MAX = 100;
const FORM = 'must be a formula such as profit_lamports / live_days, or a map of formula, unit and where';
const UNITS = measureUnits.filter((unit) => unit !== '').join(', ');
const NAME = /^[a-z][a-z0-9_]*$/;
const named = z.strictObject({
  formula: z.string(),
  unit: z.enum(measureUnits).default(''),
  /** Names of the formula, and the measures that they stand for. */
  where: z.record(z.string(), naming('measures', z.string())).default({}),
});
const short = z.string().transform((formula) => ({ formula, unit: '' as const, where: {} }));

/** The key of formulas in a file of an experiment. */
export const formulasKey = {
  formulas: z
    .record(z.string(), z.union([short, named], `${FORM}; a unit is one of ${UNITS}`))
    .refine((all) => Object.keys(all).length <= FORMULAS_MAX, `must be at most ${FORMULAS_MAX}`)
    .default({}),
};

/** Formulas as their file has them. */
export type WrittenFormulas = Readonly<Record<string, z.output<typeof named>>>;

/** A fault of a formula, at a key of its file. */
interface FormulaFault {
  readonly path: Path;
  readonly message: string;
}

/** The formulas of a file over a scenario, or what is wrong with them. */
export function readFormulas(
  written: WrittenFormulas,
  scenario: Scenario,
): { readonly formulas: readonly MeasureFormula[]; readonly faults: readonly FormulaFault[] } {
  const formulas: MeasureFormula[] = [];
  const faults: FormulaFault[] = [];
  for (const [name, { formula, unit, where }] of Object.entries(written)) {
    const blame = (message: string, ...below: readonly string[]): void => {
      faults.push({ path: ['formulas', name, ...below], message });
    };
    if (!NAME.test(name)) blame('must be a name of lower-case letters, digits and _');
    if (Object.hasOwn(measures, name)) blame('is the name of a measure: choose another');
    const scope = { groups: nameableGroups(scenario), durationSec: scenario.durationSec };
    const terms: Record<string, Subject> = {};
    for (const [word, meant] of Object.entries(where)) {
      const read = parseSubject(meant, scope);
      if (read.ok) terms[word] = read.value;
      else blame(`column ${read.column}: ${read.message}`, 'where', word);
    }
    const subjects = measureNames.flatMap((each) => [each, ...scope.groups.map((group) => `${each}.${group}`)]);
    const known = new Set([...Object.keys(where), ...subjects]);
    const parsed = parseExpression(formula, known);
    if (!parsed.ok) {
      const near = parsed.unknown === undefined ? '' : didYouMean(parsed.unknown, [...known]);
      blame(`position ${parsed.position}: ${parsed.message}${near}`);
      continue;
    }
    for (const word of parsed.expression.names) {
      if (Object.hasOwn(where, word)) continue;
      const read = parseSubject(word, scope);
      if (read.ok) terms[word] = read.value;
    }
    const idle = Object.keys(where).find((word) => !parsed.expression.names.includes(word));
    if (idle !== undefined) blame('is not in the formula', 'where', idle);
    if (!hasValues(parsed.expression)) {
      blame('never has a value: it divides by zero, or the exponent of pow is no whole number from 0 to 1,000,000');
    }
    formulas.push({ name, formula, unit, terms });
  }
  return { formulas, faults };
}

/** Numbers with which a formula is tried, for its first name and the following ones. */
const TRIED = [(i: number) => i + 2, (i: number) => (i + 3) ** 2, (i: number) => 1 / (i + 2)];

function hasValues(expression: Expression): boolean {
  return TRIED.some((number) => formulaValue(expression, (name) => number(expression.names.indexOf(name))) !== null);
}

function formulaValue(expression: Expression, numberOf: (name: string) => number): number | null {
  return expression.dividesByZero(numberOf) ? null : nearestNumber(expression.evaluate(numberOf));
}

/**
 * Gives the value of any subject of a run, with the formulas of its sweep. NaN where a formula divides by zero, has no value, or one of its
 * measures has none.
 */
export function withFormulas(
  formulas: readonly MeasureFormula[],
  valueOfMeasure: (subject: Subject) => number,
): (subject: SweptSubject) => number {
  const read = new Map(formulas.map((each) => [each.name, { ...each, expression: expressionOf(each) }] as const));
  return (subject) => {
    const found = read.get(subject.measure);
    // The plan has refused any other name.
    if (found === undefined) return valueOfMeasure(subject as Subject);
    const values = new Map(
      Object.entries(found.terms).map(([name, { atSec, ...term }]) => [
        name,
        valueOfMeasure({ ...term, atSec: atSec ?? subject.atSec }),
      ]),
    );
    if ([...values.values()].some((value) => !Number.isFinite(value))) return Number.NaN;
    return formulaValue(found.expression, (name) => values.get(name) as number) ?? Number.NaN;
  };
}

function expressionOf({ name, formula, terms }: MeasureFormula): Expression {
  const parsed = parseExpression(formula, new Set(Object.keys(terms)));
  if (!parsed.ok) throw new Error(`the formula ${name} was not checked: ${parsed.message}`);
  return parsed.expression;
}

/** The measures of the simulator that a subject is made of. */
export function measuresOf(subject: SweptSubject, formulas: readonly MeasureFormula[]): readonly Subject['measure'][] {
  const found = formulas.find(({ name }) => name === subject.measure);
  if (found === undefined) return [subject.measure as Subject['measure']];
  return Object.values(found.terms).map(({ measure }) => measure);
}

/** The unit of a subject. */
export function unitOf({ measure }: SweptSubject, formulas: readonly MeasureFormula[]): MeasureUnit {
  return formulas.find(({ name }) => name === measure)?.unit ?? measures[measure as Subject['measure']].unit;
}
