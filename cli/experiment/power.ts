/** `aips experiment power`: reads two arms of a pilot, and prints how many runs show a difference. The statistics are in experiments/. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { plannedRuns, type WantedPower } from '../../experiments/sweep/plan-runs.js';
import { powerText } from '../../reports/experiment/power-console.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { POWER_SCHEMA } from '../../results/sweep-result.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { parseLamports } from '../../scenarios/units.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';
import { pairsOf, places, wantedBy } from './compared-arms.js';

const options = {
  difference: {
    type: 'string',
    demandOption: true,
    describe:
      'The difference to show: "0.01 SOL", 0.01 in the unit of the measure (lamports for money), or 5% of the mean of A',
  },
  measure: { type: 'string', array: true, describe: 'These alone, such as frozen_share or uptime_share.workers' },
  power: { type: 'number', default: 0.8, describe: 'The probability that it is shown' },
  level: { type: 'number', default: 0.05, describe: 'The probability that a difference is shown that is not there' },
  ...json,
} as const;

type PowerFlags = InferredOptionTypes<typeof options> & { a: string; b: string };

/** `aips experiment power A B --difference D`: how many replicates a sweep needs, in pairs and without. */
export const powerCommand: Command<PowerFlags> = {
  builder: (args: Argv) =>
    args
      .positional('a', places.a)
      .positional('b', places.b)
      .options(options)
      .example('$0 experiment power out/pilot@0 out/pilot@1 --measure frozen_share --difference 0.01', 'one point')
      .example(
        '$0 experiment power out/pilot@0 out/pilot@1 --difference 5% --power 0.9',
        'of every measure',
      ) as Argv<PowerFlags>,
  handler: ({ a, b, measure, difference, power, level, json }) => {
    for (const [name, value] of [
      ['power', power],
      ['level', level],
    ] as const) {
      if (!(value > 0 && value < 1)) throw new Failure(`--${name} must be a number between 0 and 1.`);
    }
    if (power <= level) throw new Failure('--power must be above --level, which every test has.');
    const pairs = pairsOf(a, b);
    const isWanted = wantedBy(measure, pairs);
    const isMoney = parseLamports(difference) !== undefined;
    const planned = plannedRuns(pairs, (each) => isWanted(each) && (!isMoney || each.unit === 'lamports'), {
      ...{ difference: differenceOf(difference), power, level },
    });
    if (planned.length === 0) {
      throw new Failure(
        `There is nothing to plan: no measure in common${isMoney ? ' that is money' : ''}, less than two runs of an arm, or a mean of 0.`,
      );
    }
    const result = { schema: POWER_SCHEMA, a, b, measures: planned };
    process.stdout.write(json ? jsonText(result as unknown as Json) : powerText(planned));
    process.exitCode = EXIT.clean;
  },
};

function differenceOf(text: string): WantedPower['difference'] {
  const [, number, percent] = /^(\d+(?:\.\d+)?) ?(%?)$/.exec(text) ?? [];
  const value = parseLamports(text) ?? Number(number);
  if (!(value > 0 && Number.isFinite(value)))
    throw new Failure(
      '--difference must be a number above zero in the unit of the measure (lamports for money), an amount such as "0.01 SOL", or a share such as 5%.',
    );
  return percent === '%' ? { value: value / 100, relative: true } : { value, relative: false };
}
