/** `aips experiment design`: delivers the numbers that a file asks for, and writes them as a change of the specification. The search is in runs/experiment. */

import { dirname, join, relative } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { parseEquilibrium } from '../../experiments/equilibrium/equilibrium-file.js';
import { planEquilibrium } from '../../experiments/equilibrium/equilibrium-plan.js';
import { parseDesign } from '../../experiments/reform/design-file.js';
import { changedScenario, planDesign } from '../../experiments/reform/design-plan.js';
import type { SearchSource } from '../../experiments/search/numbers-search.js';
import { frontChart } from '../../reports/charts/front-chart.js';
import { chosenPoint, designText, frontCsv } from '../../reports/experiment/design-console.js';
import { reformOverlay, reformPage, reformSentences } from '../../reports/experiment/reform-text.js';
import { shellWord } from '../../reports/text/shell-word.js';
import type { DesignResult } from '../../results/design-result.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { searchDesign } from '../../runs/experiment/design.js';
import {
  type BegunSource,
  beginSearchFolder,
  endSearchFolder,
  type SearchMemory,
} from '../../runs/experiment/search-folder.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { withRules } from '../../runs/host/with-rules.js';
import { refuseMissingBehaviours } from '../../runs/simulation/scenario-source.js';
import { readScenarioText } from '../../runs/simulation/scenario-text.js';
import { compareSpecs } from '../../runs/specification/compare.js';
import { presentSide, sideOfText } from '../../runs/specification/spec-side.js';
import { parseScenario } from '../../scenarios/schema.js';
import type { Command } from '../flags/command.js';
import { json, out, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';

const options = {
  ...out,
  ...threads,
  ...json,
  emit: {
    type: 'string',
    describe: 'Folder for the change: overlay, sentences, figures, what agents choose, the command',
  },
} as const;

type Flags = InferredOptionTypes<typeof options> & { readonly file: string };

/** `aips experiment design FILE`: exit 0 if the chosen numbers reach the goals in runs with other seeds, 1 if not. */
export const designCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'Numbers, objectives and goals, a YAML file',
      })
      .options(options)
      .example('$0 experiment design tariff.yaml --out out/tariff', 'which tariff is best, and what is near it')
      .example('$0 experiment design reform.yaml --emit reform', 'a change that spec check takes'),
  handler: async ({ file, out, threads: workers, json, emit }) => {
    requireWhole(workers, '--threads');
    const text = readText(file, 'design file');
    const source = await sourceOf(file, text);
    if (emit !== undefined) ensureFolder(emit, ['change.yaml']);
    if (out !== undefined) ensureFolder(out, ['design.json']);
    const memory = out === undefined ? undefined : beginSearchFolder(out, source, 'design');
    process.exitCode = await deliverDesign({ source, out, memory }, { workers, json, emit });
  },
};

/** A design with all that it names, read and tried. Failure for mistakes in any of it. */
async function sourceOf(file: string, text: string): Promise<BegunSource> {
  const design = parsedOrFail(parseDesign(text, file));
  const source = { file, text, ...(await scenarioOf(file, text, design.scenario)) };
  parsedOrFail(planDesign(design, source));
  if (design.equilibrium === undefined) return source;
  const game = relative('.', join(dirname(file), design.equilibrium));
  const gameText = readText(game, 'equilibrium file');
  const parsed = parsedOrFail(parseEquilibrium(gameText, game));
  const played = { file: game, text: gameText, ...(await scenarioOf(game, gameText, parsed.scenario)) };
  parsedOrFail(planEquilibrium(parsed, played));
  return { ...source, game: played };
}

async function scenarioOf(
  file: string,
  text: string,
  scenario: string,
): Promise<Pick<SearchSource, 'scenarioFile' | 'scenarioText'>> {
  const path = join(dirname(file), scenario);
  const scenarioFile = relative('.', path);
  const scenarioText = await readScenarioText(path, { file, text });
  refuseMissingBehaviours(parsedOrFail(parseScenario(scenarioText, scenarioFile)), {
    file: scenarioFile,
    text: scenarioText,
  });
  return { scenarioFile, scenarioText };
}

/** Searches, and delivers what is found. Returns the exit status. */
export async function deliverDesign(
  {
    source,
    out,
    memory,
  }: { readonly source: BegunSource; readonly out: string | undefined; readonly memory: SearchMemory | undefined },
  { workers, json, emit }: { readonly workers: number; readonly json: boolean; readonly emit?: string | undefined },
): Promise<number> {
  const file = parsedOrFail(parseDesign(source.text, source.file));
  const result = await searchDesign(file, source, { out, workers, memory }).catch((error: unknown) => {
    // A folder without a run has nothing to continue, and can be used again.
    if (out !== undefined && memory?.isEmpty() === true) endSearchFolder(out);
    throw error;
  });
  const command = withRules(`aips experiment design ${shellWord(source.file)}`);
  if (out !== undefined) {
    writeFiles(out, filesOf(result, command));
    endSearchFolder(out);
  }
  if (emit !== undefined) writeFiles(emit, reformFiles(result, source, `${command} --emit ${shellWord(emit)}`));
  process.stdout.write(json ? jsonText(result as unknown as Json) : designText(result));
  return result.reached ? EXIT.clean : EXIT.unclean;
}

/** The result, its front as a table and as a figure, and the game before and after. */
function filesOf(result: DesignResult, command: string): Readonly<Record<string, string>> {
  const chart = frontChart(result, command);
  const { equilibrium } = result;
  return {
    'design.json': jsonText(result as unknown as Json),
    'front.csv': frontCsv(result),
    ...(chart === undefined ? {} : { 'front.svg': chart }),
    ...(equilibrium === null
      ? {}
      : {
          'equilibrium-before.json': jsonText(equilibrium.before as unknown as Json),
          'equilibrium-after.json': jsonText(equilibrium.after as unknown as Json),
        }),
  };
}

/** The change that a design proposes, as files of a pull request. Failure for numbers that contradict each other. */
function reformFiles(result: DesignResult, source: BegunSource, command: string): Readonly<Record<string, string>> {
  const made = changedScenario(source.scenarioText, chosenPoint(result).set);
  if ('reason' in made) throw new Failure(`${source.scenarioFile}: ${made.reason}`);
  const overlay = reformOverlay(result, made.protocol);
  const none = { effects: [], unmeasured: [] };
  const diff = compareSpecs(
    presentSide(),
    sideOfText(overlay, 'change.yaml'),
    { replicates: 0, seed: result.seed },
    none,
  );
  return {
    'change.yaml': overlay,
    'sentences.diff': reformSentences(diff),
    'README.md': reformPage(result, diff, [command, withRules('aips spec check change.yaml')]),
    ...filesOf(result, command),
  };
}
