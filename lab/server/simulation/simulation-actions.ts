/** The actions of the page's Simulation view: scenarios of the library, sweeps, problems of a text, lint of its numbers, runs and their results. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { planSweep } from '../../../experiments/sweep/plan.js';
import { sweepJsonSchema } from '../../../experiments/sweep/sweep-file.js';
import { linesFile } from '../../../reports/charts/chart-file.js';
import { headlines, measuredText } from '../../../reports/simulation/simulation-view.js';
import { shellWord } from '../../../reports/text/shell-word.js';
import type { Json } from '../../../results/json-text.js';
import { planOfTexts, type SweepTexts } from '../../../runs/experiment/sweep-plan.js';
import { packageRoot } from '../../../runs/host/package.js';
import { type ScenarioSource, sourceOfText } from '../../../runs/simulation/scenario-source.js';
import { parseSettings, scenarioUnder } from '../../../runs/simulation/settings.js';
import type { Expectation } from '../../../scenarios/expectation.js';
import { parseScenario, scenarioJsonSchema } from '../../../scenarios/schema.js';
import { parseDurationSec } from '../../../scenarios/units.js';
import { type Action, ActionRefused, action, nothing, orRefused } from '../action.js';
import type { CommandFolder } from '../command-folder.js';
import { wordsAt } from '../editor-words.js';
import { linted } from '../linted.js';
import { scenarioCommand, writtenSweep } from './simulation-commands.js';
import { BASE, type SimulationDesk } from './simulation-desk.js';
import { rulesOf, withChange } from './what-if.js';

const FILE = 'scenario.yaml';
const TEXT_MAX = 500_000;
const SEEDS_MAX = 30;
const ARMS_MAX = 7;
const POINTS_MAX = 10_000;
const LINES_MAX = 60;
/** The arm of a file that is of a sweep. */
const SWEEP = 'sweep';
const text = z.string().max(TEXT_MAX);
const name = z.string().max(100);
const moment = z
  .string()
  .max(20)
  .refine((at) => parseDurationSec(at) !== undefined, 'must be a duration such as 3d');
const armName = z.string().regex(/^[^\p{Cc}]{1,60}$/u, 'must be a name of 1 to 60 characters');

/** The scenarios of the library, read once: a request names one of them, never a file. */
function library(): ReadonlyMap<string, string> {
  const folder = join(packageRoot(), 'scenarios/library');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return new Map(
    files.toSorted().map((name) => [name.replace(/\.yaml$/, ''), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** The actions over a desk. */
export function simulationActions(
  desk: SimulationDesk,
  folder: CommandFolder,
  sweeps: ReadonlyMap<string, SweepTexts> = new Map(),
): readonly Action[] {
  const scenarios = library();
  const [schema, sweepSchema] = [scenarioJsonSchema(), sweepJsonSchema()];
  return [
    action(
      'simulation/scenarios',
      'Lists the scenarios of the library and the sweeps that can be played, with their questions.',
      nothing,
      () => ({
        scenarios: [...scenarios, ...[...sweeps].map(([name, { text: yaml }]) => [name, yaml] as const)].map(
          ([name, yaml]) => ({ name, question: /^question: *(.*)$/m.exec(yaml)?.[1] ?? '' }),
        ),
      }),
    ),
    action(
      'simulation/scenario',
      'Returns the text of a scenario or of a sweep.',
      z.strictObject({ name }),
      ({ name: wanted }) => {
        const found = scenarios.get(wanted) ?? sweeps.get(wanted)?.text;
        if (found === undefined) throw new ActionRefused(404, 'NO_SCENARIO', `there is no scenario or sweep ${wanted}`);
        return { name: wanted, text: found };
      },
    ),
    action(
      'simulation/problems',
      'Checks the text of a scenario, or of the sweep of this name; returns every mistake with its line, and what lint says about the numbers that it changes.',
      z.strictObject({ text, name: name.optional() }),
      (body) => {
        const sweep = sweeps.get(body.name ?? '');
        if (sweep !== undefined) {
          const planned = planSweep({ ...sweep, text: body.text, version: '' });
          return { problems: planned.ok ? [] : planned.problems, lint: [] };
        }
        const parsed = parseScenario(body.text, FILE);
        if (!parsed.ok) return { problems: parsed.problems, lint: [] };
        return { problems: [], lint: linted(body.text, ['protocol'], parsed.value.protocol) };
      },
    ),
    action(
      'simulation/words',
      'Returns the keys and values that may be written at an offset of such a text, with what each means.',
      z.strictObject({ text, at: z.int().min(0), name: name.optional() }),
      (body) => wordsAt(body.text, body.at, sweeps.has(body.name ?? '') ? sweepSchema : schema),
    ),
    action(
      'simulation/run',
      'Plays a scenario, or the sweep of this name; with `arms`, other texts next to it, and with `set`, an arm under these numbers; all of them with the same successive seeds.',
      z.strictObject({
        text,
        name: name.optional(),
        seed: z.int().min(0).optional(),
        set: z.string().max(2_000).default(''),
        arms: z
          .array(z.strictObject({ name: armName, text }))
          .max(ARMS_MAX)
          .default([]),
        seeds: z.int().min(1).max(SEEDS_MAX).default(1),
      }),
      (body) =>
        orRefused(() => {
          const sweep = sweeps.get(body.name ?? '');
          const stem = scenarios.has(body.name ?? '') ? (body.name ?? '') : 'scenario';
          if (sweep === undefined)
            return start(desk, body, (yaml, mark = '') => folder.write(stem + mark, '.yaml', yaml));
          const of = { name: body.name ?? '', text: body.text };
          const texts = writtenSweep(folder, sweep, body.text);
          const n = desk.startSweep(planOfTexts(texts), of);
          return { n, command: `aips experiment sweep ${shellWord(texts.file)}` };
        }),
    ),
    action(
      'simulation/rules',
      'Lists the numbers of the protocol that a text of a scenario can change, with what it has at a moment (the start, unless `at` is given), unit and bounds.',
      z.strictObject({ text, at: moment.default('0s') }),
      ({ text: of, at }) => ({ rules: rulesOf(of, parseDurationSec(at)) }),
    ),
    action(
      'simulation/change',
      'Writes a change of numbers into a text of a scenario, from a moment on; the rest of the text stays as it is.',
      z.strictObject({
        text,
        paths: z.array(z.string().max(100)).min(1).max(10),
        how: z.enum(['times', 'to']),
        value: z.number('must be a number: a factor, or what the rule becomes').min(0).max(Number.MAX_SAFE_INTEGER),
        at: moment,
      }),
      ({ text: before, ...change }) => orRefused(() => ({ text: withChange(before, change) })),
    ),
    action(
      'simulation/chart',
      'Draws lines over time, as the page shows them, as an SVG file.',
      z.strictObject({
        id: z.string().regex(/^[a-z_]{1,60}$/),
        name: z.string().max(100),
        title: z.string().max(200),
        unit: z.string().max(20),
        times_ms: z.array(z.number()).max(POINTS_MAX),
        lines: z
          .array(
            z.strictObject({
              label: z.string().max(200),
              values: z.array(z.number().nullable()).max(POINTS_MAX),
              dashed: z.boolean().optional(),
            }),
          )
          .max(LINES_MAX),
      }),
      ({ lines, ...chart }) => {
        const numbers = lines.map(({ label, values, dashed = false }) => ({
          ...{ label, dashed },
          values: values.map((each) => each ?? Number.NaN),
        }));
        return { text: linesFile({ ...chart, lines: numbers }) };
      },
    ),
    action('simulation/stop', 'Ends the simulation that is under way.', nothing, () => {
      desk.stop();
      return {};
    }),
    action(
      'simulation/result',
      'Returns series, totals and expectations of each arm, and the paired differences; or the sweep as far as it has been played. Of the latest run, or the latest of a scenario or sweep of this name.',
      z.strictObject({ name: name.optional() }),
      ({ name: of }) => ({
        text: of === undefined ? null : (desk.textOf(of) ?? null),
        arms: desk.armsOf(of).flatMap((arm) => armView(desk, arm, of)),
        differences: desk.differences(of),
        sweep: desk.reportedSweep(of) ?? null,
      }),
    ),
    action(
      'simulation/file',
      'Returns a file of an arm, or of the `sweep`, as the command writes it: a text, or bytes as `base64`. Of the latest run, or the latest `of` a name.',
      z.strictObject({ arm: z.string().max(100), name: z.string().max(100), of: name.optional() }),
      ({ arm, name: file, of }) => {
        const files = arm === SWEEP ? desk.filesOfSweep(of) : desk.filesOf(arm, of);
        const content = Object.hasOwn(files, file) ? files[file] : undefined;
        if (content === undefined) throw new ActionRefused(404, 'NO_FILE', `the command writes no ${file} of this`);
        return typeof content === 'string'
          ? { name: file, text: content }
          : { name: file, base64: Buffer.from(content).toString('base64') };
      },
    ),
  ];
}

interface Wanted {
  readonly text: string;
  readonly name?: string | undefined;
  readonly seed?: number | undefined;
  readonly set: string;
  readonly arms: readonly { readonly name: string; readonly text: string }[];
  readonly seeds: number;
}

function start(
  desk: SimulationDesk,
  { text: yaml, name: of = '', seed, set, arms: others, seeds }: Wanted,
  write: (text: string, mark?: string) => string,
) {
  const scenario = scenarioUnder(yaml, FILE, { overlay: null, set: {} });
  const first = seed ?? scenario.seed;
  const changes = set.trim() === '' ? undefined : parseSettings(set);
  const file = write(yaml);
  const source =
    (own: string, label: string, settings: Readonly<Record<string, number>> = {}) =>
    (each: number): ScenarioSource =>
      sourceOfText(own, { label, seed: each, set: settings });
  const arms = new Map([[BASE, source(yaml, file)]]);
  if (changes !== undefined) arms.set('changed', source(yaml, file, changes));
  const commands = [scenarioCommand({ file, seed: first, seeds, changes })];
  for (const { name: arm, text: own } of others) {
    if (arms.has(arm) || arm === SWEEP)
      throw new ActionRefused(400, 'VALIDATION', `arms: ${arm} is the name of another arm`);
    const armFile = write(own, `-${arm.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`);
    arms.set(arm, source(own, armFile));
    commands.push(scenarioCommand({ file: armFile, seed: first, seeds, changes: undefined }));
  }
  // An arm that cannot be played is refused before anything is.
  for (const sourceOf of arms.values()) sourceOf(first);
  const n = desk.start(arms, { seed: first, seeds }, { name: of, text: yaml });
  return { n, command: commands.join('; ') };
}

function armView(desk: SimulationDesk, arm: string, name: string | undefined) {
  const result = desk.resultOf(arm, name);
  if (result === undefined) return [];
  const { question, times_ms: timesMs, series, expectations, command, manifest } = result;
  const bounds = boundsIn(manifest.resolved.scenario['expectations'], timesMs.at(-1) ?? 0);
  return [
    {
      arm,
      text: manifest.scenario.text,
      question,
      timesMs,
      series,
      command,
      seed: manifest.seed,
      seeds: desk.seedsOf(arm, name),
      differences: arm === BASE ? [] : desk.differences(name, arm),
      headlines: headlines(result),
      expectations: expectations.map((each) => ({
        ...each,
        measured: measuredText(each),
        bound: bounds.get(each.text) ?? null,
      })),
    },
  ];
}

/** Where an expectation is drawn: its value, over the span of time in which it has to hold. */
export interface Bound extends Pick<Expectation, 'measure' | 'group' | 'comparison' | 'value'> {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The bounds of the expectations of a resolved scenario, by their text. A goal that was reached or not has none. */
function boundsIn(expectations: Json | undefined, endMs: number): ReadonlyMap<string, Bound> {
  return new Map(
    (expectations as unknown as readonly Expectation[]).map(({ text: of, measure, group, comparison, value, time }) => {
      const fromMs = time.kind === 'end' ? endMs : time.sec * 1_000;
      return [of, { measure, group, comparison, value, fromMs, toMs: time.kind === 'after' ? endMs : fromMs }];
    }),
  );
}
