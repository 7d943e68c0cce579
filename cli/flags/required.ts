/** The options that demand how much a run judges, and would notice. */

import { Failure } from '../../runs/host/failure.js';

export const requirePower = {
  'require-power': {
    type: 'number',
    describe: 'Percent of the planted mistakes that the requests have to be able to notice; less is exit status 2',
  },
} as const;

/** The percentages that a run has to reach. Throws a Failure for one outside 0 to 100. */
export function requiredOf(flags: {
  readonly 'require-judged'?: number | undefined;
  readonly 'require-power'?: number | undefined;
}): { readonly requireJudged?: number; readonly requirePower?: number } {
  const percent = (name: 'require-judged' | 'require-power'): number | undefined => {
    const value = flags[name];
    if (value === undefined || (value >= 0 && value <= 100)) return value;
    throw new Failure(`--${name} must be a percentage from 0 to 100.`);
  };
  const [requireJudged, requirePower] = [percent('require-judged'), percent('require-power')];
  return {
    ...(requireJudged === undefined ? {} : { requireJudged }),
    ...(requirePower === undefined ? {} : { requirePower }),
  };
}
