/** Lint: shares of a fee that are more or less than the whole fee. */

import type { Finding, LintFacts, LintRule } from './finding.js';
import { shown } from './quantities.js';

const WHOLE_BPS = 10_000;

function find({ protocol: { feeSplit } }: LintFacts): readonly Finding[] {
  const { operationsBps, contributorsBps, referralBps, developmentStartBps, treasuryStartBps } = feeSplit;
  const shares = [operationsBps, contributorsBps, referralBps, developmentStartBps, treasuryStartBps];
  const sum = shares.reduce((total, share) => total + share, 0);
  if (sum === WHOLE_BPS) return [];
  const percent = (bps: number): string => `${shown(bps / 100)} %`;
  return [
    {
      id: 'fee-split/whole',
      severity: 'error',
      clauses: [
        'split.operations',
        'split.contributors',
        'split.referral',
        'split.development.start',
        'split.treasury.start',
      ],
      arithmetic: `operations, contributors, referral, development and treasury take ${shares.map(percent).join(' + ')} = ${percent(sum)} of a fee`,
      harm: Math.abs(sum - WHOLE_BPS),
      remedy: 'shares of 100 % together: what one gains another gives, most often treasuryStartBps',
    },
  ];
}

export const feeSplit: LintRule = {
  kind: 'fee-split',
  says: 'Shares of a fee that are more or less than the whole fee together.',
  find,
};
