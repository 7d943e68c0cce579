/** The actions of the page's Simulation view: scenarios of the library, sweeps, problems of a text, lint of its numbers, runs and their results. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { planSweep } from '../../../experiments/sweep/plan.js';
import { sweepJsonSchema } from '../../../experiments/sweep/sweep-file.js';
import { headlines, measuredText } from '../../../reports/simulation/simulation-view.js';
import { shellWord } from '../../../reports/text/shell-word.js';
import { planOfTexts, type SweepTexts } from '../../../runs/experiment/sweep-plan.js';
import { packageRoot } from '../../../runs/host/package.js';
import { type ScenarioSource, sourceOfText } from '../../../runs/simulation/scenario-source.js';
import { parseSettings, scenarioUnder } from '../../../runs/simulation/settings.js';
import { parseScenario, scenarioJsonSchema } from '../../../scenarios/schema.js';
import { type Action, ActionRefused, action, nothing, orRefused } from '../action.js';
import type { CommandFolder } from '../command-folder.js';
import { wordsAt } from '../editor-words.js';
import { linted } from '../linted.js';
import { scenarioCommand, writtenSweep } from './simulation-commands.js';
import type { ArmName, SimulationDesk } from './simulation-desk.js';

const FILE = 'scenario.yaml';
const TEXT_MAX = 500_000;
const SEEDS_MAX = 30;
const text = z.string().max(TEXT_MAX);
const name = z.string().max(100);

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
      'Plays a scenario, or the sweep of this name; with `set`, a second arm under these numbers, and pairs of runs with successive seeds.',
      z.strictObject({
        text,
        name: name.optional(),
        seed: z.int().min(0).optional(),
        set: z.string().max(2_000).default(''),
        seeds: z.int().min(1).max(SEEDS_MAX).default(1),
      }),
      (body) =>
        orRefused(() => {
          const sweep = sweeps.get(body.name ?? '');
          const stem = scenarios.has(body.name ?? '') ? (body.name ?? '') : 'scenario';
          if (sweep === undefined) return start(desk, body, (yaml) => folder.write(stem, '.yaml', yaml));
          const of = { name: body.name ?? '', text: body.text };
          const texts = writtenSweep(folder, sweep, body.text);
          const n = desk.startSweep(planOfTexts(texts), of);
          return { n, command: `aips experiment sweep ${shellWord(texts.file)}` };
        }),
    ),
    action('simulation/stop', 'Ends the simulation that is under way.', nothing, () => {
      desk.stop();
      return {};
    }),
    action(
      'simulation/result',
      'Returns series, totals and expectations of both arms, and the paired differences; or the sweep as far as it has been played. Of the latest run, or the latest of a scenario or sweep of this name.',
      z.strictObject({ name: name.optional() }),
      ({ name: of }) => ({
        text: of === undefined ? null : (desk.textOf(of) ?? null),
        arms: (['base', 'changed'] as const).flatMap((arm) => armView(desk, arm, of)),
        differences: desk.differences(of),
        sweep: desk.reportedSweep(of) ?? null,
      }),
    ),
    action(
      'simulation/file',
      'Returns a file of an arm, or of the sweep, as the command writes it.',
      z.strictObject({
        arm: z.enum(['base', 'changed', 'sweep']),
        name: z.enum(['summary.json', 'series.csv', 'manifest.json', 'rows.csv']),
      }),
      ({ arm, name: file }) => {
        const content = (arm === 'sweep' ? desk.filesOfSweep() : desk.filesOf(arm))[file];
        if (content === undefined) throw new ActionRefused(404, 'NO_FILE', `the command writes no ${file} of this`);
        return { name: file, text: content };
      },
    ),
  ];
}

interface Wanted {
  readonly text: string;
  readonly name?: string | undefined;
  readonly seed?: number | undefined;
  readonly set: string;
  readonly seeds: number;
}

function start(
  desk: SimulationDesk,
  { text: yaml, name: of = '', seed, set, seeds }: Wanted,
  write: (text: string) => string,
) {
  const scenario = scenarioUnder(yaml, FILE, { overlay: null, set: {} });
  const first = seed ?? scenario.seed;
  const changes = set.trim() === '' ? undefined : parseSettings(set);
  const file = write(yaml);
  const sourceUnder =
    (settings: Readonly<Record<string, number>>) =>
    (each: number): ScenarioSource =>
      sourceOfText(yaml, { label: file, seed: each, set: settings });
  const arms = new Map<ArmName, (seed: number) => ScenarioSource>([['base', sourceUnder({})]]);
  if (changes !== undefined) {
    // A setting that the scenario does not take is refused before anything is played.
    sourceUnder(changes)(first);
    arms.set('changed', sourceUnder(changes));
  }
  const n = desk.start(arms, { seed: first, seeds }, { name: of, text: yaml });
  return { n, command: scenarioCommand({ file, seed: first, seeds, changes }) };
}

function armView(desk: SimulationDesk, arm: ArmName, name: string | undefined) {
  const result = desk.resultOf(arm, name);
  if (result === undefined) return [];
  const { question, times_ms: timesMs, series, expectations, command, manifest } = result;
  return [
    {
      arm,
      question,
      timesMs,
      series,
      command,
      seed: manifest.seed,
      headlines: headlines(result),
      expectations: expectations.map((each) => ({ ...each, measured: measuredText(each) })),
    },
  ];
}
