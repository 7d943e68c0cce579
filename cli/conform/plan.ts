/** `aips conform plan`: prints what a run would do, in words or as JSON. The plan is made in conformance/run/plan.ts. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { type Plan, plan } from '../../conformance/run/plan.js';
import { countText, secondsText, solText } from '../../results/numbers.js';
import { requireChoice } from '../../runs/suite/judge.js';
import type { Command } from '../flags/command.js';
import { suiteFlags, suiteOptions, type TargetFlags, targetOf, targetOptions } from './options.js';

const { only, profile, quick, failed, protocol, json } = suiteFlags;
const options = { ...targetOptions, only, profile, quick, failed, protocol, json } as const;

/** `aips conform plan [URL]`: what a run would do and cost. */
export const planCommand: Command<InferredOptionTypes<typeof options> & TargetFlags> = {
  builder: (args: Argv) =>
    args
      .positional('url', { type: 'string', describe: 'Base URL of the target, when there is no target file' })
      .options(options)
      .example('$0 conform plan --target target.yaml', 'what a run would do and cost'),
  handler: (flags) => {
    const target = targetOf(flags);
    const options = suiteOptions(flags);
    requireChoice(options);
    const planned = plan(target, allChecks, options);
    console.log(flags.json ? JSON.stringify(planned, null, 2) : planText(planned));
  },
};

/** A plan in words: each check, then the cost of the run. */
function planText(planned: Plan): string {
  const rows = planned.checks.map(
    ({ id, title, reason }) => `  ${id}\n    ${reason === undefined ? title : `not run: ${reason}`}`,
  );
  return [...rows, ...totalsText(planned), ...waitsText(planned), 'Nothing was sent.'].join('\n');
}

/** The checks that a longer wait in real time makes possible. */
function waitsText({ waits }: Pick<Plan, 'waits'>): readonly string[] {
  const rows = waits.map(({ wait, checks }) => `  --wait ${wait.padEnd(6)} ${checks.join(', ')}`);
  return rows.length === 0 ? [] : ['With --wait instead of a clock that can be moved, it can also judge:', ...rows];
}

/** The cost of a run of the plan. */
function totalsText(planned: Plan): readonly string[] {
  const { runs, requests, registrations, lamports, ledgerLamports, seconds, own, writes } = planned;
  const besides =
    ledgerLamports === 0
      ? []
      : [
          `The ledger itself costs at most ${solText(ledgerLamports)} more: transaction fees, and the balances that wallets must keep.`,
        ];
  const { again, looks } = own;
  const all = own.probes + own.shared + own.clockMoves + looks + again;
  const looked = looks === 0 ? '' : `, ${looks} to read what was changed`;
  const repeated =
    again === 0 ? '' : `, ${again} that it repeats because all checks share one address and its rate limits`;
  return [
    `${runs} of ${planned.checks.length} checks would run: at most ${countText(requests, 'request')}, ${countText(registrations, 'registration')}, ${solText(lamports)} in fees, about ${secondsText(seconds)}.`,
    `${writes.checks} of the checks and at most ${writes.requests} of the requests write.`,
    `The run itself sends at most ${all} of the requests: ${own.probes} to probe the target, ${own.shared} for agents that checks share, ${own.clockMoves} to move the clock${looked}${repeated}.`,
    ...besides,
  ];
}
