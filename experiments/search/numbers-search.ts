/** A search for numbers of a scenario or the protocol that reach goals: reads its file against its scenario. It plays nothing. */

import { z } from 'zod';
import type { Json } from '../../results/json-text.js';
import { parseSubject } from '../../scenarios/expectation.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { type Parsed, type Path, type Problem, parseYaml, problemIn } from '../../spec/document.js';
import type { ArmSettings } from '../design/designs.js';
import { type MeasureFormula, readFormulas, unitOf } from '../sweep/measure-formula.js';
import { armText } from '../sweep/plan.js';
import { scopeOf } from '../sweep/sweep-expectation.js';
import { type Goal, parseGoal } from './goal.js';
import type { NumbersFile } from './search-file.js';
import { type Aim, subjectText } from './searched-sweep.js';

/** A measure to make small (sign 1) or large (sign -1). */
export type Objective = NonNullable<Aim['extreme']>;

/** A search that can be begun. */
interface NumbersSearch {
  /** The goals, and the first objective. */
  readonly aim: Aim;
  readonly objectives: readonly Objective[];
  /** The settings of a point of the unit cube. */
  readonly settingsAt: (point: readonly number[]) => ArmSettings;
  readonly dimensions: number;
}

/** The search file and its scenario file, by name and text. */
export interface SearchSource {
  readonly file: string;
  readonly text: string;
  readonly scenarioFile: string;
  readonly scenarioText: string;
}

/** The part of a file that says what is searched. */
type SearchedNumbers = Pick<NumbersFile, 'numbers' | 'goals' | 'formulas'>;

/** A direction, with the place of its keys in the file. */
interface Direction extends Partial<Pick<NumbersFile, 'minimize' | 'maximize'>> {
  readonly path: Path;
}

/** The search of a file that was read, or everything that is wrong with its numbers and goals. */
export function planNumbersSearch(
  file: SearchedNumbers,
  source: SearchSource,
  directions: readonly Direction[],
): Parsed<NumbersSearch> {
  const base = parseScenario(source.scenarioText, source.scenarioFile);
  if (!base.ok) return base;
  const wrong: Problem[] = [];
  const blame = (path: Path, message: string): void => {
    wrong.push(problemIn(source.text, source.file, path, message));
  };
  blameNumbers(file, source, blame);
  const { formulas, faults } = readFormulas(file.formulas, base.value);
  for (const { path, message } of faults) blame(path, message);
  if (wrong.length > 0) return { ok: false, problems: wrong };
  const goals: Goal[] = [];
  file.goals.forEach((text, i) => {
    const read = parseGoal(text, base.value, formulas);
    if (read.ok) goals.push(read.value);
    else blame(['goals', i], read.message);
  });
  const objectives = directions.flatMap((each) => objectiveOf(each, { scenario: base.value, formulas }, blame));
  const terms = objectives.flatMap(({ amount }) => amount.terms);
  for (const { name } of formulas) {
    const isNamed = [...goals, ...terms].some(({ subject }) => subject.measure === name);
    if (!isNamed) blame(['formulas', name], 'is in no goal, and is neither minimized nor maximized');
  }
  if (wrong.length > 0) return { ok: false, problems: wrong };
  const numbers = Object.entries(file.numbers);
  const settingsAt = (point: readonly number[]): ArmSettings =>
    Object.fromEntries(numbers.map(([path, range], d) => [path, range.value(point[d] as number)]));
  const aim = { goals, extreme: objectives[0] ?? null };
  return { ok: true, value: { aim, objectives, settingsAt, dimensions: numbers.length } };
}

/** The number of `points` that are spread over the bounds: enough to see them, and not most of the budget. */
export function numbersSpread(dimensions: number, points: number): number {
  return Math.min(points, 16 * (dimensions + 1), Math.max(4 * (dimensions + 1), Math.floor(points / 4)));
}

type Blame = (path: Path, message: string) => void;

/** A number whose ends the scenario does not take. */
function blameNumbers({ numbers }: SearchedNumbers, source: SearchSource, blame: Blame): void {
  const yaml = parseYaml(source.scenarioText, source.scenarioFile, z.json() as unknown as z.ZodType<Json>);
  if (!yaml.ok) throw new Error(`${source.scenarioFile} was a scenario and is no YAML`);
  for (const [path, range] of Object.entries(numbers)) {
    for (const place of [0, 1]) {
      const value = range.value(place);
      const made = armText(yaml.value, { [path]: value });
      const parsed = 'reason' in made ? null : parseScenario(made.text, source.scenarioFile);
      if (parsed?.ok === true) continue;
      const [problem] = parsed?.problems ?? [];
      const why = 'reason' in made ? made.reason : `${problem?.key}: ${problem?.message}`;
      blame(['numbers', path], `${source.scenarioFile} does not take ${value}: ${why}`);
      break;
    }
  }
}

function objectiveOf(
  { minimize, maximize, path }: Direction,
  { scenario, formulas }: { readonly scenario: Scenario; readonly formulas: readonly MeasureFormula[] },
  blame: Blame,
): readonly Objective[] {
  const text = minimize ?? maximize;
  if (text === undefined) return [];
  const read = parseSubject(text, scopeOf(scenario, formulas));
  if (read.ok) {
    const subject = read.value;
    const unit = unitOf(subject, formulas);
    const amount = { name: subjectText(subject), unit, terms: [{ subject, weight: 1 }] };
    return [{ amount, sign: minimize === undefined ? -1 : 1 }];
  }
  blame([...path, minimize === undefined ? 'maximize' : 'minimize'], read.message);
  return [];
}
