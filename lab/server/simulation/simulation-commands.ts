/** The commands that play what the page plays, and the files that they read. */

import { basename, posix } from 'node:path';
import { parseSweep } from '../../../experiments/sweep/sweep-file.js';
import { shellWord } from '../../../reports/text/shell-word.js';
import type { SweepTexts } from '../../../runs/experiment/sweep-plan.js';
import { parsedOrFail } from '../../../runs/host/files.js';
import { settingsText } from '../../../runs/simulation/settings.js';
import type { Settings } from '../../../simulator/run/simulate.js';
import { ActionRefused } from '../action.js';
import type { CommandFolder } from '../command-folder.js';

/** A run of a scenario whose file is in the folder. */
interface ScenarioRun {
  readonly file: string;
  readonly seed: number;
  readonly seeds: number;
  /** The numbers of a second arm; undefined without one. */
  readonly changes: Settings | undefined;
}

/** The command of a run: of one arm or of two, with one seed or successive ones. */
export function scenarioCommand({ file, seed, seeds, changes }: ScenarioRun): string {
  const change = changes === undefined ? undefined : shellWord(settingsText(changes));
  if (seeds > 1) {
    const pairs = change === undefined ? '' : ` --pair ${change}`;
    return `aips simulate replicates ${file} --seed ${seed} --runs ${seeds}${pairs}`;
  }
  const base = `aips simulate ${file} --seed ${seed}`;
  // The second arm is played even if an expectation of the first one fails.
  return change === undefined ? base : `${base}; ${base} --set ${change}`;
}

/**
 * Writes a sweep, as it was edited, with its scenario, so that the one names the other as before; returns both by their names in the folder.
 * A sweep of another scenario is refused: the page reads it at start.
 */
export function writtenSweep(folder: CommandFolder, sweep: SweepTexts, text: string): SweepTexts {
  const scenarioOf = (yaml: string): string => posix.normalize(parsedOrFail(parseSweep(yaml, sweep.file)).scenario);
  const scenario = scenarioOf(text);
  if (scenario !== scenarioOf(sweep.text))
    throw new ActionRefused(
      400,
      'OTHER_SCENARIO',
      `scenario: must be ${scenarioOf(sweep.text)}, which was read at start`,
    );
  const name = basename(sweep.file);
  // A folder for each that the path of the scenario leaves.
  const within = 'in/'.repeat(scenario.split('/').filter((part) => part === '..').length);
  const [sweepPath, scenarioPath] = [`${within}${name}`, posix.join(within, scenario)];
  const root = folder.writeAll(name.replace(/\.ya?ml$/, ''), {
    [sweepPath]: text,
    [scenarioPath]: sweep.scenarioText,
  });
  const [file, scenarioFile] = [sweepPath, scenarioPath].map((path) => posix.join(root, path)) as [string, string];
  return { file, text, scenarioFile, scenarioText: sweep.scenarioText };
}
