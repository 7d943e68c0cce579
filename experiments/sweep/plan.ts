/** The plan of a sweep: its arms as scenarios, what is measured in each, and the seed of each run. It plays nothing. */

import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { Json } from '../../results/json-text.js';
import { SWEEP_SCHEMA, type SweepArm, type SweepInputs, type SweepMeasure } from '../../results/sweep-result.js';
import { parseSubject } from '../../scenarios/expectation.js';
import { groupNames } from '../../scenarios/groups.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { hasPath, type Parsed, type Path, type Problem, parseYaml, problemIn } from '../../spec/document.js';
import { type ArmSettings, rowNames, rowsOf } from '../design/designs.js';
import { withSetting } from '../design/setting.js';
import { type MeasureFormula, measuresOf, readFormulas, type SweptSubject, unitOf } from './measure-formula.js';
import { sampleTimes } from './series.js';
import { survivalFault, survivalGroups } from './survival-groups.js';
import { parseSweepExpectation, type SweepExpectation, scopeOf } from './sweep-expectation.js';
import { ARMS_MAX, parseSweep, RUNS_MAX, SERIES_NUMBERS_MAX, type SweepFile } from './sweep-file.js';

/** An arm with its scenario. */
export interface PlannedArm extends SweepArm {
  /** The scenario file with the arm's settings, as YAML. */
  readonly text: string;
  readonly scenario: Scenario;
  readonly subjects: readonly SweptSubject[];
  /** Measures whose values at every sample are kept. */
  readonly series: readonly SweptSubject[];
  /** The groups with a curve of survival, null for all agents; none without `survival`. */
  readonly survival: readonly (string | null)[];
  /** Formulas that subjects name. */
  readonly formulas: readonly MeasureFormula[];
  readonly measures: readonly SweepMeasure[];
}

/** A sweep that can be played. */
export interface SweepPlan {
  readonly inputs: SweepInputs;
  readonly file: SweepFile;
  readonly arms: readonly PlannedArm[];
  readonly expectations: readonly SweepExpectation[];
}

/** The texts of a sweep, and what its flags say. */
export interface SweepSource {
  readonly file: string;
  readonly text: string;
  /** The user's own file, if `text` is generated from it: problems name its lines. */
  readonly written?: string;
  readonly scenarioFile: string;
  readonly scenarioText: string;
  readonly version: string;
  readonly until?: SweepInputs['until'];
  readonly replicatesMax?: number;
  readonly behaviours?: SweepInputs['behaviours'];
}

/** The seed of a replicate. Two sweeps share it only if they have the same seed; then their runs can be paired. */
export function replicateSeed(seed: number, replicate: number, arm: number | null): number {
  const key = JSON.stringify(['aips-lab/replicate', seed, replicate, arm]);
  // 52 bits, so a safe integer.
  return Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 13), 16);
}

/** The seed of a run. With common random numbers, runs of the same replicate share it in all arms. */
export function seedOfRun({ inputs }: Pick<SweepPlan, 'inputs'>, arm: number, replicate: number): number {
  return replicateSeed(inputs.seed, replicate, inputs.common_random_numbers ? null : arm);
}

/** The plan of a sweep, or everything that is wrong with its file, its arms or its measures. */
export function planSweep(source: SweepSource): Parsed<SweepPlan> {
  const parsed = parseSweep(source.text, source.file);
  if (!parsed.ok) return parsed;
  const file = parsed.value;
  const made = armsOf(file, source);
  if (!made.ok) return made;
  const expectations: SweepExpectation[] = [];
  const problems: Problem[] = [];
  file.expectations.forEach((text, i) => {
    const read = parseSweepExpectation(text, made.value);
    if (read.ok) expectations.push(read.value);
    else problems.push(problemOf(source, `expectations.${i}`, read.message));
  });
  if (problems.length > 0) return { ok: false, problems };
  const arms = made.value.map((arm) => measuring(arm, expectations));
  const idle = Object.keys(file.formulas).find((name) =>
    arms.every(({ subjects, series }) => [...subjects, ...series].every(({ measure }) => measure !== name)),
  );
  if (idle !== undefined) {
    const message = 'is measured nowhere: list it under measures';
    return { ok: false, problems: [problemAt(source, ['formulas', idle], message)] };
  }
  const inputs = inputsOf(file, source);
  const numbers = arms.reduce((sum, { series, scenario }) => sum + series.length * sampleTimes(scenario).length, 0);
  const kept = numbers * Math.max(inputs.replicates, inputs.replicates_max);
  if (kept > SERIES_NUMBERS_MAX) {
    const message = `keeps ${kept} numbers, and at most ${SERIES_NUMBERS_MAX} are: list fewer measures, or sample less often (measures.every of the scenario)`;
    return { ok: false, problems: [problemAt(source, ['series'], message)] };
  }
  const fault = survivalFault(file, arms, Math.max(inputs.replicates, inputs.replicates_max));
  if (fault !== undefined) return { ok: false, problems: [problemAt(source, fault.path, fault.message)] };
  return { ok: true, value: { inputs, file, arms, expectations } };
}

/** The arms of a design over a scenario. A setting that its scenario does not take is a problem of that arm. */
function armsOf(file: SweepFile, source: SweepSource): Parsed<readonly PlannedArm[]> {
  const rows = rowsOf(file.design, file.seed);
  if (rows.length > ARMS_MAX || rows.length * file.replicates > RUNS_MAX) {
    const message = `makes ${rows.length} arms and ${rows.length * file.replicates} runs; at most ${ARMS_MAX} and ${RUNS_MAX} are possible`;
    return { ok: false, problems: [problemOf(source, 'design', message)] };
  }
  const base = parseYaml(source.scenarioText, source.scenarioFile, z.json() as unknown as z.ZodType<Json>);
  if (!base.ok) return base;
  const bare = parseScenario(source.scenarioText, source.scenarioFile);
  const names = rowNames(rows);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    return { ok: false, problems: [problemOf(source, 'design', `has two arms that are the same: ${twice}`)] };
  }
  const arms: PlannedArm[] = [];
  for (const [arm, { set }] of rows.entries()) {
    const made = plannedArm({ arm, name: names[arm] as string, set }, base.value, file, source);
    // A mistake of the scenario itself is reported once, with its line.
    if (!made.ok) return bare.ok ? made : bare;
    arms.push(made.value);
  }
  return { ok: true, value: arms };
}

function plannedArm(arm: SweepArm, base: Json, file: SweepFile, source: SweepSource): Parsed<PlannedArm> {
  const made = armText(base, arm.set);
  const blamed = (message: string): Problem =>
    problemAt(source, placeOf(arm, base, source), `arm ${arm.arm} (${arm.name}): ${message}`);
  if ('reason' in made) return { ok: false, problems: [blamed(made.reason)] };
  const parsed = parseScenario(made.text, `${source.scenarioFile} with ${arm.name}`);
  if (!parsed.ok)
    return { ok: false, problems: parsed.problems.map(({ key, message }) => blamed(`${key}: ${message}`)) };
  const scenario = parsed.value;
  const { formulas, faults } = readFormulas(file.formulas, scenario);
  if (faults.length > 0)
    return { ok: false, problems: faults.map(({ path, message }) => problemAt(source, path, message)) };
  const of = { scenario, formulas };
  const subjects = file.measures === undefined ? everySubject(of) : subjectsOf('measures', file.measures, of, source);
  if (!subjects.ok) return subjects;
  const series = subjectsOf('series', file.series, of, source);
  if (!series.ok) return series;
  const timed = series.value.findIndex(({ atSec }) => atSec !== null);
  if (timed >= 0)
    return { ok: false, problems: [problemOf(source, `series.${timed}`, 'is over all times: leave out at')] };
  const over = { ...of, series: series.value, survival: survivalGroups(file, scenario) };
  return { ok: true, value: { ...arm, text: made.text, ...over, ...measured(over, subjects.value) } };
}

/**
 * The key of the file that gives an arm a setting that its scenario does not take; `design` where no setting alone is to blame. Analyses and
 * searches have their factors and numbers in the file itself.
 */
function placeOf({ arm, set }: SweepArm, base: Json, { text, written = text, scenarioFile }: SweepSource): Path {
  const isTaken = (settings: ArmSettings): boolean => {
    const made = armText(base, settings);
    return 'text' in made && parseScenario(made.text, scenarioFile).ok;
  };
  const guilty = Object.keys(set).find((path) => {
    const { [path]: _without, ...others } = set;
    return isTaken(others);
  });
  if (guilty === undefined) return ['design'];
  const places: readonly Path[] = [
    ['design', 'factors', guilty],
    ['design', 'rows', arm, 'set', guilty],
    ['factors', guilty],
    ['numbers', guilty],
  ];
  return places.find((path) => hasPath(written, path)) ?? ['design'];
}

/** The scenario file with some settings, as YAML. */
export function armText(base: Json, set: ArmSettings): { readonly text: string } | { readonly reason: string } {
  let file = base;
  for (const [path, value] of Object.entries(set)) {
    const changed = withSetting(file, path, value);
    if ('reason' in changed) return changed;
    file = changed.file;
  }
  // yaml writes an object at two places as an alias, which files refuse.
  return { text: stringify(file, { aliasDuplicateObjects: false }) };
}

type Measured = Pick<PlannedArm, 'scenario' | 'formulas'>;

/** Every measure of the scenario, for each group in its results, and every formula. */
function everySubject({ scenario, formulas }: Measured): Parsed<readonly SweptSubject[]> {
  const groups = [null, ...groupNames(scenario)];
  const plain = scenario.measures.names.flatMap((measure) => groups.map((group) => ({ measure, group, atSec: null })));
  return { ok: true, value: [...plain, ...formulas.map(({ name }) => ({ measure: name, group: null, atSec: null }))] };
}

/** The subjects that a key of the file lists. */
function subjectsOf(
  key: 'measures' | 'series',
  listed: readonly string[],
  { scenario, formulas }: Measured,
  source: SweepSource,
): Parsed<readonly SweptSubject[]> {
  const scope = scopeOf(scenario, formulas);
  const subjects: SweptSubject[] = [];
  const problems: Problem[] = [];
  listed.forEach((text, i) => {
    const read = parseSubject(text, scope);
    if (read.ok) subjects.push(read.value);
    else problems.push(problemOf(source, `${key}.${i}`, `column ${read.column}: ${read.message}`));
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: subjects };
}

/** A scenario that samples these subjects, and the subjects as results name them. */
function measured(
  { scenario, formulas, series }: Measured & Pick<PlannedArm, 'series'>,
  subjects: readonly SweptSubject[],
): Pick<PlannedArm, 'scenario' | 'subjects' | 'formulas' | 'measures'> {
  const names = [
    ...new Set([
      ...scenario.measures.names,
      ...[...subjects, ...series].flatMap((subject) => measuresOf(subject, formulas)),
    ]),
  ];
  return {
    scenario: { ...scenario, measures: { ...scenario.measures, names } },
    subjects,
    formulas,
    measures: subjects.map((subject) => ({
      ...{ measure: subject.measure, group: subject.group, unit: unitOf(subject, formulas) },
      time_ms: (subject.atSec ?? scenario.durationSec) * 1_000,
    })),
  };
}

/** The arm with the subjects of the sweep's expectations added to its own. */
function measuring(arm: PlannedArm, expectations: readonly SweepExpectation[]): PlannedArm {
  const has = (list: readonly SweptSubject[], wanted: SweptSubject): boolean =>
    list.some(
      ({ measure, group, atSec }) => measure === wanted.measure && group === wanted.group && atSec === wanted.atSec,
    );
  const subjects = [...arm.subjects];
  for (const { subject, arms } of expectations) {
    if (arms.includes(arm.arm) && !has(subjects, subject)) subjects.push(subject);
  }
  return { ...arm, ...measured(arm, subjects) };
}

function inputsOf(file: SweepFile, source: SweepSource): SweepInputs {
  const said = {
    schema: SWEEP_SCHEMA,
    version: source.version,
    name: file.name,
    question: file.question,
    file: source.file,
    text: source.text,
    scenario_file: source.scenarioFile,
    scenario_text: source.scenarioText,
    seed: file.seed,
    replicates: file.replicates,
    common_random_numbers: file.common_random_numbers,
    until: source.until ?? [],
    replicates_max: source.replicatesMax ?? file.replicates,
    ...(source.behaviours === undefined ? {} : { behaviours: source.behaviours }),
  } as const;
  return { ...said, digest: createHash('sha256').update(JSON.stringify(said)).digest('hex') };
}

function problemOf({ file, text, written = text }: SweepSource, key: string, message: string): Problem {
  const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return problemAt({ file, text, written }, path, message);
}

function problemAt(
  { file, text, written = text }: Pick<SweepSource, 'file' | 'text' | 'written'>,
  path: Path,
  message: string,
): Problem {
  return problemIn(written, file, path, message);
}
