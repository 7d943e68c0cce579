/** The options that several commands of `aips simulate` have, and how each is read. */

import type { InferredOptionTypes } from 'yargs';
import { oneLine } from '../../results/visible.js';
import { loadBehaviours, type OwnBehaviours } from '../../runs/behaviours/behaviours-file.js';
import { Failure } from '../../runs/host/failure.js';
import { type ScenarioSource, scenarioSource } from '../../runs/simulation/scenario-source.js';
import { overlayFile, parseSettings, unchangedNumbers } from '../../runs/simulation/settings.js';
import { parseDurationSec } from '../../scenarios/units.js';
import { protocolFile } from '../flags/common-options.js';

/** The seed of a run, and the numbers of its protocol. */
export const scenarioOptions = {
  seed: { type: 'number', describe: "Seed of the run; absent: the scenario's own" },
  set: {
    type: 'string',
    array: true,
    describe: 'protocol.x=y: replaces a number of the protocol, with commas between several; overrides --protocol',
  },
  ...protocolFile,
} as const;

/** Further files with the results of one run. */
export const besideOptions = {
  checkpoint: { type: 'string', describe: 'Save the state at this interval of protocol time, such as 1d' },
  tables: {
    type: 'boolean',
    default: false,
    describe: 'Write a row for each sample of each measure, and one for each agent, as CSV and as Parquet',
  },
} as const;

type ScenarioFlags = InferredOptionTypes<typeof scenarioOptions> & { readonly file: string };

/** The scenario that flags name, with one set of numbers. Warns of numbers that a flag sets to their usual value. */
export async function sourceOf(flags: ScenarioFlags, behaviours?: OwnBehaviours): Promise<ScenarioSource> {
  const { file, seed, set = [], protocol } = flags;
  if (set.length > 1) {
    throw new Failure(
      '--set is given more than once: put commas between numbers, or play futures with aips simulate fork.',
    );
  }
  const overlay = protocol === undefined ? null : overlayFile(protocol);
  const source = await scenarioSource(file, {
    seed,
    overlay,
    set: set[0] === undefined ? undefined : parseSettings(set[0]),
    behaviours,
  });
  for (const line of unchangedNumbers(source.text, source.file, source)) console.error(oneLine(line));
  return source;
}

/** The module of `--behaviours`; undefined without one. */
export async function behavioursOf(file: string | undefined): Promise<OwnBehaviours | undefined> {
  return file === undefined ? undefined : loadBehaviours(file);
}

/** A duration in seconds. Failure for an invalid text. */
export function seconds(name: string, text: string): number {
  const sec = parseDurationSec(text);
  if (sec === undefined || sec === 0) throw new Failure(`${name} ${text}: must be a duration such as 30d, 12h or 90m.`);
  return sec;
}
