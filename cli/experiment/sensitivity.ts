/** `aips experiment sensitivity`: plays the points of an analysis as a sweep, and prints which factors matter. The indices are in experiments/. */

import { dirname, join, relative } from 'node:path';
import { mean } from 'simple-statistics';
import type { Argv, InferredOptionTypes } from 'yargs';
import { parseSensitivity, planAnalysis } from '../../experiments/sensitivity/sensitivity-file.js';
import { planSweep, type SweepPlan } from '../../experiments/sweep/plan.js';
import { type MeasureEffects, sensitivityText } from '../../reports/experiment/sensitivity-console.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { type SweepRun, valuesAt } from '../../results/sweep-result.js';
import { addRun, beginSweepFolder, writeResults } from '../../runs/experiment/sweep-folder.js';
import { warnOfNoEffects } from '../../runs/experiment/sweep-outputs.js';
import { playSweep } from '../../runs/experiment/sweep-run.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { packageVersion } from '../../runs/host/package.js';
import { refuseMissingBehaviours } from '../../runs/simulation/scenario-source.js';
import { readScenarioText } from '../../runs/simulation/scenario-text.js';
import type { Command } from '../flags/command.js';
import { json, out, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';

/** The version of the shape of `sensitivity.json`. */
const SENSITIVITY_SCHEMA = 'aips-lab/sensitivity/1';

const options = { ...out, ...threads, ...json } as const;

type Flags = InferredOptionTypes<typeof options> & { readonly file: string };

/** `aips experiment sensitivity FILE`: elementary effects or Sobol indices of the factors that a file names. */
export const sensitivityCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The analysis, a YAML file' })
      .options(options)
      .example('$0 experiment sensitivity analysis.yaml --threads 2 --out out/effects', 'which factors matter'),
  handler: async (flags) => {
    requireWhole(flags.threads, '--threads');
    process.exitCode = await analyse(flags);
  },
};

async function analyse({ file, out, threads: workers, json }: Flags): Promise<number> {
  const fileText = readText(file, 'sensitivity file');
  const parsed = parsedOrFail(parseSensitivity(fileText, file));
  const { sweepText, effects } = planAnalysis(parsed);
  const path = join(dirname(file), parsed.scenario);
  const scenarioFile = relative('.', path);
  const source = {
    file,
    text: sweepText,
    written: fileText,
    scenarioFile,
    scenarioText: await readScenarioText(path, { file, text: fileText }),
    version: packageVersion(),
  };
  const plan = parsedOrFail(planSweep(source));
  for (const { scenario } of plan.arms)
    refuseMissingBehaviours(scenario, { file: scenarioFile, text: source.scenarioText });
  if (out !== undefined) {
    ensureFolder(out, ['sensitivity.json']);
    beginSweepFolder(out, plan.inputs);
  }
  const onRun = (run: SweepRun): void => {
    if (out !== undefined) addRun(out, run);
  };
  const { runs, interrupted } = await playSweep(plan, { workers, shard: null, known: [], onRun });
  if (interrupted) throw new Failure('Interrupted: not all points were played.');
  const found = parsed.measures.map(
    (measure, m): MeasureEffects => ({ measure, effects: effects(meansOf(plan, runs, m)) }),
  );
  const result = {
    schema: SENSITIVITY_SCHEMA,
    name: parsed.name,
    question: parsed.question,
    method: parsed.method,
    digest: plan.inputs.digest,
    measures: found,
  };
  const text = jsonText(result as unknown as Json);
  if (out !== undefined) {
    writeResults(out, plan, runs);
    writeFiles(out, { 'sensitivity.json': text });
  }
  process.stdout.write(json ? text : sensitivityText(`${parsed.name}: ${parsed.question}`, found));
  warnOfNoEffects(plan, runs);
  return EXIT.clean;
}

/** The mean of a measure at each point. Failure for a point whose runs all failed, or have no value. */
function meansOf({ arms }: SweepPlan, runs: readonly SweepRun[], measure: number): readonly number[] {
  return arms.map(({ arm, name, set }) => {
    const own = runs.filter((run) => run.arm === arm && run.error === undefined);
    if (own.length === 0) throw new Failure(`Every run of ${name} failed: ${JSON.stringify(set)}.`);
    const values = valuesAt(own, measure);
    if (values.length === 0)
      throw new Failure(`No run of ${name} has a value of measures.${measure}, with ${JSON.stringify(set)}.`);
    return mean([...values]);
  });
}
