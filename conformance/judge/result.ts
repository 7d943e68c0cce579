import {
  type CheckResult,
  CONFORMANCE_SCHEMA,
  type ConformanceResult,
  type Verdict,
} from '../../reports/conformance-result.js';
import type { Target } from '../target/target.js';
import type { Check, Need } from '../trial/check.js';
import type { Wire } from '../wire/wire.js';
import { coverageOf, reportClauses } from './coverage.js';
import { notServedIn, tellerOf, untoldIn } from './not-served.js';
import { exitStatusOf } from './verdict.js';

/** Everything from which the result of a run follows. */
export interface RunRecord {
  readonly target: Target;
  readonly offers: ReadonlySet<Need>;
  readonly options: {
    readonly seed: number;
    readonly toolVersion: string;
    readonly nowWallMs: () => number;
    readonly requireJudged?: number;
  };
  readonly startedMs: number;
  readonly wire: Pick<Wire, 'requests' | 'lamports' | 'stopped' | 'unpaid'>;
  /** Every check of the suite, chosen or not: the matrix of clauses. */
  readonly checks: readonly Check[];
  readonly results: readonly CheckResult[];
}

const none: Readonly<Record<Verdict, number>> = {
  pass: 0,
  fail: 0,
  advisory: 0,
  'not-applicable': 0,
  'not-tested': 0,
  inconclusive: 0,
  error: 0,
};

/** The result of a run, as conformance.json holds it. */
export function resultFrom(record: RunRecord): ConformanceResult {
  const { target, options, results, wire, startedMs } = record;
  return {
    schema: CONFORMANCE_SCHEMA,
    tool_version: options.toolVersion,
    target: {
      base_url: target.baseUrl,
      beats_url: target.beatsUrl,
      network: target.network,
      dialect: target.dialect.name,
      offers: [...record.offers],
    },
    seed: options.seed,
    started_at: new Date(startedMs).toISOString(),
    wall_s: Math.round(options.nowWallMs() - startedMs) / 1_000,
    requests: wire.requests,
    lamports: wire.lamports,
    ...endOf({ stopped: wire.stopped?.reason, unpaid: wire.unpaid }),
    ...concluded(record.checks, results, {
      unjudgeable: wire.stopped?.unjudgeable ?? false,
      requireJudged: options.requireJudged ?? 0,
    }),
  };
}

/** How runs ended early, and what they left unpaid, as their result has it: the first reason of each. */
export function endOf(
  ...runs: readonly { readonly [Why in 'stopped' | 'unpaid']?: string | undefined }[]
): Pick<ConformanceResult, 'stopped' | 'unpaid'> {
  const stopped = runs.find((run) => run.stopped !== undefined)?.stopped;
  const unpaid = runs.find((run) => run.unpaid !== undefined)?.unpaid;
  return { ...(stopped === undefined ? {} : { stopped }), ...(unpaid === undefined ? {} : { unpaid }) };
}

type Conclusion = Pick<ConformanceResult, 'summary' | 'not_served' | 'exit_status' | 'checks' | 'coverage' | 'clauses'>;

/** What else the exit status rests on. */
export interface Concluding {
  /** The run stopped because the target could no longer be judged. */
  readonly unjudgeable: boolean;
  /** Percent of the clauses. */
  readonly requireJudged: number;
  /** Entries of a baseline that are not true any more. */
  readonly baselineFaults?: number;
  /** Checks whose failure a baseline excuses, chosen or not. */
  readonly excused?: ReadonlySet<string>;
}

/** What follows from the results of the checks: counts, clauses, exit status. */
export function concluded(
  checks: readonly Check[],
  results: readonly CheckResult[],
  { unjudgeable, requireJudged, baselineFaults = 0, excused: excusable = new Set() }: Concluding,
): Conclusion {
  const clauses = reportClauses(checks, results);
  const coverage = coverageOf(clauses);
  const counts = { ...none };
  for (const { verdict } of results) counts[verdict] += 1;
  const flaky = results.filter((check) => check.flaky !== undefined).length;
  const excused = results.filter(({ verdict, known }) => verdict === 'fail' && known !== undefined).length;
  const notServed = notServedIn(results);
  const untold = untoldIn(results).filter((id) => !excusable.has(tellerOf(checks, id)?.id ?? ''));
  const judgedPercent = (100 * coverage.judged) / coverage.clauses;
  return {
    summary: {
      pass: counts.pass,
      fail: counts.fail,
      advisory: counts.advisory,
      not_applicable: counts['not-applicable'],
      not_tested: counts['not-tested'],
      inconclusive: counts.inconclusive,
      error: counts.error,
    },
    ...(notServed.length === 0 ? {} : { not_served: notServed }),
    exit_status: exitStatusOf({
      counts,
      unjudgeable,
      judgedPercent,
      requiredPercent: requireJudged,
      excused,
      faults: flaky + baselineFaults + untold.length,
    }),
    checks: results,
    coverage,
    clauses,
  };
}

/** From what says least to what weighs most: of two runs of a check the weightier verdict is that of both. */
const WEIGHT: readonly Verdict[] = [
  'not-tested',
  'not-applicable',
  'pass',
  'inconclusive',
  'advisory',
  'fail',
  'error',
];

/** Whether a result weighs more than another of the same check; the first of those that weigh the same stands. */
export function outweighs(one: CheckResult, other: CheckResult | undefined): boolean {
  return other === undefined || WEIGHT.indexOf(one.verdict) > WEIGHT.indexOf(other.verdict);
}

/** What several runs took together. */
export function totalsOf(
  runs: readonly ConformanceResult[],
): Pick<ConformanceResult, 'wall_s' | 'requests' | 'lamports'> {
  const sum = (field: 'wall_s' | 'requests' | 'lamports'): number => runs.reduce((all, run) => all + run[field], 0);
  return {
    wall_s: Math.round(1_000 * sum('wall_s')) / 1_000,
    requests: sum('requests'),
    lamports: sum('lamports'),
  };
}

/** Runs of the suite against several configurations of one service, as one: each check as its weightiest verdict. */
export function mergedResult(
  runs: readonly [ConformanceResult, ...ConformanceResult[]],
  checks: readonly Check[],
  { target, requireJudged = 0 }: { readonly target: string; readonly requireJudged?: number },
): ConformanceResult {
  const byId = new Map<string, CheckResult>();
  for (const result of runs.flatMap((run) => run.checks)) {
    if (outweighs(result, byId.get(result.id))) byId.set(result.id, result);
  }
  const end = endOf(...runs);
  const results = checks.flatMap(({ id }) => byId.get(id) ?? []);
  const [first] = runs;
  return {
    ...first,
    target: { ...first.target, base_url: target, offers: [...new Set(runs.flatMap((run) => run.target.offers))] },
    ...totalsOf(runs),
    ...end,
    ...concluded(checks, results, { unjudgeable: end.stopped !== undefined, requireJudged }),
  };
}
