import {
  type CheckResult,
  CONFORMANCE_SCHEMA,
  type ConformanceResult,
  type Verdict,
} from '../reports/conformance-result.js';
import type { Check, Need } from './check.js';
import { coverageOf, reportClauses } from './coverage.js';
import type { Target } from './target.js';
import { exitStatusOf } from './verdict.js';
import type { Wire } from './wire.js';

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
  readonly wire: Pick<Wire, 'requests' | 'lamports' | 'stopped'>;
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
  const clauses = reportClauses(record.checks, results);
  const coverage = coverageOf(clauses);
  const counts = { ...none };
  for (const { verdict } of results) counts[verdict] += 1;
  const exitStatus = exitStatusOf({
    counts,
    unjudgeable: wire.stopped?.unjudgeable ?? false,
    judgedPercent: (100 * coverage.judged) / coverage.clauses,
    requiredPercent: options.requireJudged ?? 0,
  });
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
    ...(wire.stopped === undefined ? {} : { stopped: wire.stopped.reason }),
    summary: {
      pass: counts.pass,
      fail: counts.fail,
      advisory: counts.advisory,
      not_applicable: counts['not-applicable'],
      not_tested: counts['not-tested'],
      inconclusive: counts.inconclusive,
      error: counts.error,
    },
    exit_status: exitStatus,
    checks: results,
    coverage,
    clauses,
  };
}
