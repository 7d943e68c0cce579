/** `aips experiment compare`: reads two sweeps, or two arms, and prints how they differ. The statistics are in experiments/. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { compareArms } from '../../experiments/sweep/compare.js';
import { comparisonText } from '../../reports/experiment/comparison-console.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { COMPARISON_SCHEMA } from '../../results/sweep-result.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';
import { pairsOf, places, wantedBy } from './compared-arms.js';

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
      .positional('a', places.a)
      .positional('b', places.b)
      .options(options)
      .example('$0 experiment compare out/fees@0 out/fees@1', 'two arms of one sweep, by number or name')
      .example('$0 experiment compare out/before out/after', 'every arm with the arm of the same name')
      .example('$0 experiment compare out/a out/b --measure frozen_share', 'one measure') as Argv<CompareFlags>,
  handler: ({ a, b, measure, json }) => {
    const pairs = pairsOf(a, b);
    const found = compareArms(pairs, wantedBy(measure, pairs));
    if (found.length === 0) {
      throw new Failure('There is nothing to compare: no measure in common, or less than two runs of an arm.');
    }
    const result = { schema: COMPARISON_SCHEMA, a, b, comparisons: found };
    process.stdout.write(json ? jsonText(result as unknown as Json) : comparisonText(found));
    process.exitCode = EXIT.clean;
  },
};
