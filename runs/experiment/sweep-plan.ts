/** Makes the plan of a sweep file. What a plan is, is in experiments/sweep. */

import { dirname, join, relative } from 'node:path';
import { planSweep, type SweepPlan, type SweepSource } from '../../experiments/sweep/plan.js';
import { unknownMeasures } from '../../experiments/sweep/summary.js';
import { parseSweep } from '../../experiments/sweep/sweep-file.js';
import type { SweepInputs } from '../../results/sweep-result.js';
import { type OwnBehaviours, originOf } from '../behaviours/behaviours-file.js';
import { Failure } from '../host/failure.js';
import { parsedOrFail, readText } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { refuseMissingBehaviours, refuseUnusedBehaviours } from '../simulation/scenario-source.js';
import { readScenarioText } from '../simulation/scenario-text.js';

const REPLICATES_MAX = 1_000;

/** How many runs an arm has, where it is not as the file says. */
interface SweepLength {
  readonly replicates?: number | undefined;
  /** More until the intervals of these measures are as narrow. */
  readonly until?: SweepInputs['until'];
  readonly replicatesMax?: number | undefined;
}

/** The texts of a sweep, and the names of their files. */
export type SweepTexts = Pick<SweepSource, 'file' | 'text' | 'scenarioFile' | 'scenarioText'>;

/** Reads a sweep file and its scenario. A mistake is a Failure. */
export async function readSweep(file: string, replicates?: number): Promise<SweepTexts> {
  const text = withReplicates(readText(file, 'sweep file'), file, replicates);
  const scenarioPath = join(dirname(file), parsedOrFail(parseSweep(text, file)).scenario);
  const scenarioText = await readScenarioText(scenarioPath, { file, text });
  return { file, text, scenarioFile: relative('.', scenarioPath), scenarioText };
}

/** The plan of a sweep file, with what the options say. */
export async function planOfFile(
  file: string,
  length: SweepLength = {},
  behaviours?: OwnBehaviours,
): Promise<SweepPlan> {
  return planOfTexts(await readSweep(file, length.replicates), length, behaviours);
}

/** The plan of a sweep whose files were read, with what the options say. */
export function planOfTexts(
  texts: SweepTexts,
  { until = [], replicatesMax }: Omit<SweepLength, 'replicates'> = {},
  behaviours?: OwnBehaviours,
): SweepPlan {
  const plan = parsedOrFail(
    planSweep({
      ...{ ...texts, until, version: packageVersion() },
      ...(until.length === 0 ? {} : { replicatesMax: replicatesMax ?? REPLICATES_MAX }),
      ...(behaviours === undefined ? {} : { behaviours: originOf(behaviours) }),
    }),
  );
  const { scenario_file: scenarioFile, scenario_text: scenarioText } = plan.inputs;
  for (const { scenario } of plan.arms) {
    refuseMissingBehaviours(scenario, { file: scenarioFile, text: scenarioText }, behaviours);
  }
  refuseUnusedBehaviours(
    plan.arms.map(({ scenario }) => scenario),
    scenarioFile,
    behaviours,
  );
  const [unknown] = unknownMeasures(plan);
  if (unknown !== undefined) {
    throw new Failure(
      `--until-half-width ${unknown}: is not measured in every arm; list it under measures in ${texts.file}.`,
    );
  }
  if (until.length === 0 && replicatesMax !== undefined) {
    throw new Failure('--replicates-max is for --until-half-width.');
  }
  if (until.length > 0 && plan.inputs.replicates_max < plan.inputs.replicates) {
    throw new Failure(`--replicates-max must be at least the ${plan.inputs.replicates} replicates of the file.`);
  }
  return plan;
}

/** The text of a sweep file with another number of replicates, so that the number is one of its inputs. */
function withReplicates(text: string, file: string, replicates: number | undefined): string {
  if (replicates === undefined) return text;
  parsedOrFail(parseSweep(text, file));
  const line = /^replicates:.*$/m;
  return line.test(text)
    ? text.replace(line, `replicates: ${replicates}`)
    : `${text.trimEnd()}\nreplicates: ${replicates}\n`;
}
