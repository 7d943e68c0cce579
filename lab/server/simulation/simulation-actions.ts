/** The actions of the page's Simulation view: scenarios of the library, problems of a text, lint of its numbers, runs and their results. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { headlines, measuredText } from '../../../reports/simulation-view.js';
import { packageRoot } from '../../../runs/host/package.js';
import { type ScenarioSource, sourceOfText } from '../../../runs/simulation/scenario-source.js';
import { parseSettings, scenarioUnder, settingsText } from '../../../runs/simulation/settings.js';
import { parseScenario } from '../../../scenarios/schema.js';
import { factsOf, lint } from '../../../spec/lint/index.js';
import { type Action, ActionRefused, action, nothing, orRefused } from '../action.js';
import type { ArmName, SimulationDesk } from './simulation-desk.js';

const FILE = 'scenario.yaml';
const TEXT_MAX = 500_000;
const SEEDS_MAX = 30;
const text = z.string().max(TEXT_MAX);

/** The scenarios of the library, read once: a request names one of them, never a file. */
function library(): ReadonlyMap<string, string> {
  const folder = join(packageRoot(), 'scenarios/library');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return new Map(
    files.toSorted().map((name) => [name.replace(/\.yaml$/, ''), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** The actions over a desk. */
export function simulationActions(desk: SimulationDesk): readonly Action[] {
  const scenarios = library();
  // The keys that scenarios of the library use, for completion.
  const words = [
    ...new Set(
      [...scenarios.values()].flatMap((yaml) => [...yaml.matchAll(/([a-z_]+):(?= |$)/gm)].map(([, key]) => key ?? '')),
    ),
  ];
  return [
    action('simulation/scenarios', 'Lists the scenarios of the library with their questions.', nothing, () => ({
      scenarios: [...scenarios].map(([name, yaml]) => ({ name, question: /^question: *(.*)$/m.exec(yaml)?.[1] ?? '' })),
    })),
    action(
      'simulation/scenario',
      'Returns the text of a scenario of the library.',
      z.strictObject({ name: z.string().max(100) }),
      ({ name }) => {
        const found = scenarios.get(name);
        if (found === undefined) throw new ActionRefused(404, 'NO_SCENARIO', `the library has no scenario ${name}`);
        return { name, text: found };
      },
    ),
    action(
      'simulation/problems',
      'Checks the text of a scenario; returns every mistake with its line, and what lint says about its numbers.',
      z.strictObject({ text }),
      (body) => {
        const parsed = parseScenario(body.text, FILE);
        if (!parsed.ok) return { problems: parsed.problems, lint: [], words };
        return { problems: [], lint: lint(factsOf(parsed.value.protocol)), words };
      },
    ),
    action(
      'simulation/run',
      'Plays a scenario; with `set`, a second arm under these numbers, and pairs of runs with successive seeds.',
      z.strictObject({
        text,
        seed: z.int().min(0).optional(),
        set: z.string().max(2_000).default(''),
        seeds: z.int().min(1).max(SEEDS_MAX).default(1),
      }),
      (body) => orRefused(() => start(desk, body)),
    ),
    action('simulation/stop', 'Ends the simulation that is under way.', nothing, () => {
      desk.stop();
      return {};
    }),
    action(
      'simulation/result',
      'Returns series, totals and expectations of both arms, and the paired differences.',
      nothing,
      () => ({
        word: desk.word === undefined ? null : { ...desk.word, timesSec: [], values: {} },
        arms: (['base', 'changed'] as const).flatMap((arm) => armView(desk, arm)),
        differences: desk.differences(),
      }),
    ),
    action(
      'simulation/file',
      'Returns a file of an arm as the command writes it.',
      z.strictObject({
        arm: z.enum(['base', 'changed']),
        name: z.enum(['summary.json', 'series.csv', 'manifest.json']),
      }),
      ({ arm, name }) => ({ name, text: desk.filesOf(arm)[name] }),
    ),
  ];
}

interface Wanted {
  readonly text: string;
  readonly seed?: number | undefined;
  readonly set: string;
  readonly seeds: number;
}

function start(desk: SimulationDesk, { text: yaml, seed, set, seeds }: Wanted) {
  const scenario = scenarioUnder(yaml, FILE, { overlay: null, set: {} });
  const first = seed ?? scenario.seed;
  const changes = set.trim() === '' ? undefined : parseSettings(set);
  const sourceUnder =
    (settings: Readonly<Record<string, number>>) =>
    (each: number): ScenarioSource =>
      sourceOfText(yaml, { label: FILE, seed: each, set: settings });
  const arms = new Map<ArmName, (seed: number) => ScenarioSource>([['base', sourceUnder({})]]);
  if (changes !== undefined) {
    // A setting that the scenario does not take is refused before anything is played.
    sourceUnder(changes)(first);
    arms.set('changed', sourceUnder(changes));
  }
  const n = desk.start(arms, first, seeds);
  const under = changes === undefined ? '' : ` --set ${settingsText(changes)}`;
  return { n, command: `aips simulate ${FILE} --seed ${first}${under}` };
}

function armView(desk: SimulationDesk, arm: ArmName) {
  const result = desk.resultOf(arm);
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
      expectations: expectations.map((each) => ({ ...each, measured: measuredText(each.text, each.measured) })),
    },
  ];
}
