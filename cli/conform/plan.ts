/**
 * Prints a plan, the answer of `aips conform --plan`, in words or as JSON. The plan itself is made in
 * conformance/run/plan.ts.
 */

import type { Plan } from '../../conformance/run/plan.js';
import { countText, secondsText, solText } from '../../reports/numbers.js';
import type { PlannedConfiguration } from '../../runs/suite/self.js';

/** A plan in words: each check, then the cost of one run of `runs`. */
export function planText(planned: Plan, runs: number): string {
  const rows = planned.checks.map(
    ({ id, title, reason }) => `  ${id}\n    ${reason === undefined ? title : `not run: ${reason}`}`,
  );
  return [
    ...rows,
    ...totalsText(planned, `of ${planned.checks.length} checks would run`),
    ...waitsText(planned),
    ...ending(runs),
  ].join('\n');
}

/** The plans of the configurations of `--self` in words, each with the checks that it runs, and their sum. */
export function selfPlanText(configurations: readonly PlannedConfiguration[], runs: number): string {
  const parts = configurations.map(({ name, plan }) =>
    [
      `${name}:`,
      ...plan.checks.flatMap(({ id, title, verdict }) => (verdict === undefined ? [`  ${id}\n    ${title}`] : [])),
      ...totalsText(plan, `of ${plan.checks.length} checks would run`),
      '',
    ].join('\n'),
  );
  const { checks, ...totals } = selfPlanJson(configurations);
  const all = [
    `All ${countText(configurations.length, 'configuration')}:`,
    ...totalsText(totals, `runs of ${checks} checks`),
  ];
  return [...parts, ...all, ...ending(runs)].join('\n');
}

/** The plans of the configurations of `--self`, and their sum. `checks`: the number of selected checks. */
export function selfPlanJson(configurations: readonly PlannedConfiguration[]) {
  const plans = configurations.map(({ plan }) => plan);
  const sum = (of: (plan: Plan) => number): number => plans.reduce((all, one) => all + of(one), 0);
  const sums = <Name extends string>(names: readonly Name[], of: (plan: Plan) => Readonly<Record<Name, number>>) =>
    Object.fromEntries(names.map((name) => [name, sum((plan) => of(plan)[name])])) as Record<Name, number>;
  return {
    configurations,
    checks: new Set(plans.flatMap(({ checks }) => checks.map(({ id }) => id))).size,
    ...sums(['runs', 'requests', 'lamports', 'ledgerLamports', 'registrations', 'waves', 'seconds'], (plan) => plan),
    own: sums(OWN, ({ own }) => own),
    writes: sums(['checks', 'requests'], ({ writes }) => writes),
  };
}

const OWN = ['probes', 'shared', 'clockMoves', 'again', 'writing', 'registrations', 'lamports'] as const;

/** The checks that a longer wait in real time makes possible. */
function waitsText({ waits }: Pick<Plan, 'waits'>): readonly string[] {
  const rows = waits.map(({ wait, checks }) => `  --wait ${wait.padEnd(6)} ${checks.join(', ')}`);
  return rows.length === 0 ? [] : ['Given time to wait, without a clock to move, it can also judge:', ...rows];
}

function ending(runs: number): readonly string[] {
  return [...(runs === 1 ? [] : [`--repeat ${runs}: ${runs} times as much.`]), 'Nothing was sent.'];
}

/** The cost of a run of the plan. `which`: the noun after the number of runs. */
function totalsText(planned: Omit<Plan, 'checks' | 'waits'>, which: string): readonly string[] {
  const { runs, requests, registrations, lamports, ledgerLamports, seconds, own, writes } = planned;
  const besides =
    ledgerLamports === 0
      ? []
      : [
          `The ledger itself costs at most ${solText(ledgerLamports)} more: transaction fees, and the balances that wallets must keep.`,
        ];
  const [all, again] = [own.probes + own.shared + own.clockMoves + own.again, own.again];
  const repeated =
    again === 0 ? '' : `, ${again} that it repeats because all checks share one address and its rate limits`;
  return [
    `${runs} ${which}: at most ${countText(requests, 'request')}, ${countText(registrations, 'registration')}, ${solText(lamports)} in fees, about ${secondsText(seconds)}.`,
    `${writes.checks} of them write, and at most ${writes.requests} of the requests.`,
    `The run itself sends at most ${all} of them: ${own.probes} to probe the target, ${own.shared} for agents that checks share, ${own.clockMoves} to move the clock${repeated}.`,
    ...besides,
  ];
}
