/** `aips experiment compare`: reads two sweeps, or two arms, and prints how they differ. The statistics are in experiments/. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { type ArmPair, type ComparedArm, compareArms } from '../../experiments/sweep/compare.js';
import { comparisonText } from '../../reports/experiment/comparison-console.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { COMPARISON_SCHEMA, type SweepMeasure } from '../../results/sweep-result.js';
import { readSweepFolder } from '../../runs/experiment/sweep-folder.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';

const options = {
  measure: {
    type: 'string',
    array: true,
    describe: 'Compare these alone, such as frozen_share or uptime_share.workers',
  },
  ...json,
} as const;

type CompareFlags = InferredOptionTypes<typeof options> & { a: string; b: string };

/** `aips experiment compare A B`: paired differences with intervals, effect sizes and corrected probabilities. */
export const compareCommand: Command<CompareFlags> = {
  builder: (args: Argv) =>
    args
      .positional('a', { type: 'string', demandOption: true, describe: 'Folder of a sweep, or FOLDER@ARM' })
      .positional('b', { type: 'string', demandOption: true, describe: 'The other' })
      .options(options)
      .example('$0 experiment compare out/fees@0 out/fees@1', 'two arms of one sweep, by number or name')
      .example('$0 experiment compare out/before out/after', 'every arm with the arm of the same name')
      .example('$0 experiment compare out/a out/b --measure frozen_share', 'one measure') as Argv<CompareFlags>,
  handler: ({ a, b, measure, json }) => {
    const found = compareArms(pairsOf(a, b), wantedBy(measure));
    if (found.length === 0) {
      throw new Failure('There is nothing to compare: no measure in common, or less than two runs of an arm.');
    }
    const result = { schema: COMPARISON_SCHEMA, a, b, comparisons: found };
    process.stdout.write(json ? jsonText(result as unknown as Json) : comparisonText(found));
    process.exitCode = EXIT.clean;
  },
};

function wantedBy(names: readonly string[] | undefined): (measure: SweepMeasure) => boolean {
  if (names === undefined) return () => true;
  return ({ measure, group }) => names.includes(group === null ? measure : `${measure}.${group}`);
}

/** The arms to compare: the two that are named, or those of the same name in both folders. */
function pairsOf(a: string, b: string): readonly ArmPair[] {
  const [ofA, ofB] = [armsAt(a), armsAt(b)];
  const [firstA, firstB] = [ofA[0], ofB[0]];
  if (firstA !== undefined && firstB !== undefined && ofA.length === 1 && ofB.length === 1) return [[firstA, firstB]];
  const pairs = ofA.flatMap((arm): ArmPair[] => {
    const other = ofB.find(({ arm: { name } }) => name === arm.arm.name);
    return other === undefined ? [] : [[arm, other]];
  });
  if (pairs.length > 0) return pairs;
  throw new Failure(`${a} and ${b} have no arm of the same name. Name one of each: FOLDER@ARM, by number or name.`);
}

/** The arms of `FOLDER` or `FOLDER@ARM`. An arm is named by its number or its name. */
function armsAt(place: string): readonly ComparedArm[] {
  const at = place.indexOf('@');
  const folder = at < 0 ? place : place.slice(0, at);
  const wanted = at < 0 ? undefined : place.slice(at + 1);
  const { plan, runs } = readSweepFolder(folder);
  const arms = plan.arms.map((arm) => ({ arm, runs: runs.filter((run) => run.arm === arm.arm) }));
  if (wanted === undefined) return arms;
  const found = arms.find(({ arm }) => arm.name === wanted) ?? arms.find(({ arm }) => String(arm.arm) === wanted);
  if (found !== undefined) return [found];
  throw new Failure(
    `${place}: there is no arm ${wanted}; known: ${arms.map(({ arm }) => `${arm.arm} (${arm.name})`).join(', ')}.`,
  );
}
