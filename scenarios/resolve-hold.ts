/** Turns an intervention that holds a measure from a scenario file into the model's, and reports keys that do not fit together. */

import { didYouMean } from '../spec/nearest-name.js';
import { boundsOf, isFixed } from '../spec/number-bounds.js';
import { protocolNumbers } from '../spec/protocol.js';
import type { Hold } from './disturbance.js';
import type { ScenarioFile } from './file-schema.js';
import type { ReportProblem } from './resolve-population.js';

type HoldFile = Extract<ScenarioFile['interventions'][number], { kind: 'hold' }>;

const HEARTBEAT_FEES = ['tier1', 'tier2', 'tier3'].map((tier) => `heartbeat.${tier}FeeLamports`);

/** Reports numbers that are unknown, named twice or cannot change, and a target, gain or bounds that can hold nothing. */
export function checkHold(
  { numbers = [], target, gain, factor_min, factor_max }: HoldFile,
  report: ReportProblem,
): void {
  const known = protocolNumbers().map(({ path }) => path);
  numbers.forEach((path, i) => {
    const { low, high } = boundsOf(path);
    if (!known.includes(path))
      report(['numbers', i], `"${path}" is no number of the protocol${didYouMean(path, known)}`);
    else if (isFixed(path) || low === high) report(['numbers', i], `${path} cannot change in the middle of a run`);
    else if (numbers.indexOf(path) < i) report(['numbers', i], `${path} is named twice`);
  });
  if (target.measure !== 'availability' && target.per_day === 0) report(['target', 'per_day'], 'must be above zero');
  if (target.measure === 'availability' && target.share === 0) report(['target', 'share'], 'must be above zero');
  if (gain === 0) report(['gain'], 'must not be zero: nothing would answer');
  if (factor_min > 1) report(['factor_min'], 'must be at most 1, the factor at first');
  if (factor_max < 1) report(['factor_max'], 'must be at least 1, the factor at first');
}

/** That intervention. A higher fee raises revenue and lowers availability, unless the file says otherwise. */
export function resolveHold(file: HoldFile, name: string, populations: readonly string[]): Hold {
  const { target } = file;
  return {
    kind: 'hold',
    name,
    atSec: file.at,
    everySec: file.every,
    measure: target.measure,
    target: target.measure === 'availability' ? target.share : target.per_day,
    populations: (file.populations ?? populations).map((each) => populations.indexOf(each)).filter((i) => i >= 0),
    numbers: file.numbers ?? HEARTBEAT_FEES,
    gain: file.gain ?? (target.measure === 'availability' ? -1 : 1),
    factorMin: file.factor_min,
    factorMax: file.factor_max,
  };
}
