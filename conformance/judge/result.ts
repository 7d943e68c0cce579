/** Makes the result of a run from the runs of its checks: findings, states of clauses, counts and exit status. */
import {
  type CheckResult,
  CONFORMANCE_SCHEMA,
  type ConformanceResult,
  countsOf,
  type Exchange,
  type Finding,
  type KnownFailure,
  type Verdict,
} from '../../reports/conformance-result.js';
import type { Clause } from '../../spec/clause.js';
import { clauses as allClauses } from '../../spec/clauses/index.js';
import { clausesIn } from '../../spec/dialect-clauses.js';
import type { Evidence } from '../assertions/evidence.js';
import type { Target } from '../target/target.js';
import type { Check, Need } from '../trial/check.js';
import type { Wire } from '../wire/wire.js';
import { coverageOf, reportClauses } from './coverage.js';
import { findingsOf } from './findings.js';
import { notServedIn } from './not-served.js';
import { aboutOf, type CheckRun, exitStatusOf } from './verdict.js';

/** Everything that the result of a run is made from. */
export interface RunRecord {
  readonly target: Target;
  readonly offers: ReadonlySet<Need>;
  readonly options: {
    readonly seed: number;
    readonly toolVersion: string;
    readonly nowWallMs: () => number;
    readonly requireJudged?: number;
    readonly strict?: boolean;
  };
  readonly startedMs: number;
  readonly wire: Pick<Wire, 'requests' | 'lamports' | 'stopped' | 'unpaid'>;
  /** Every check of the suite, chosen or not: the matrix of clauses. */
  readonly checks: readonly Check[];
  readonly results: readonly CheckRun[];
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
      strict: options.strict ?? false,
      list: clausesIn(target.dialect),
    }),
  };
}

/** The clauses for a merged result: a clause is excluded only if each of the results excludes it. */
export function listOf(results: readonly Pick<ConformanceResult, 'clauses'>[]): readonly Clause[] {
  const [first, ...others] = results.map(
    ({ clauses }) => new Map(clauses.flatMap(({ id, excluded }) => (excluded === undefined ? [] : [[id, excluded]]))),
  );
  return allClauses.map((clause) => {
    const excluded = others.every((each) => each.has(clause.id)) ? first?.get(clause.id) : undefined;
    return excluded === undefined ? clause : { ...clause, excluded };
  });
}

/** Why runs ended early, and why they could not pay: the first reason of each kind. */
export function endOf(
  ...runs: readonly { readonly [Why in 'stopped' | 'unpaid']?: string | undefined }[]
): Pick<ConformanceResult, 'stopped' | 'unpaid'> {
  const stopped = runs.find((run) => run.stopped !== undefined)?.stopped;
  const unpaid = runs.find((run) => run.unpaid !== undefined)?.unpaid;
  return { ...(stopped === undefined ? {} : { stopped }), ...(unpaid === undefined ? {} : { unpaid }) };
}

type Conclusion = Pick<
  ConformanceResult,
  'summary' | 'not_served' | 'exit_status' | 'findings' | 'checks' | 'coverage' | 'clauses'
>;

/** The facts, besides the runs of checks, that decide the exit status. */
export interface Concluding {
  /** The run stopped because the target could no longer be judged. */
  readonly unjudgeable: boolean;
  /** Percent of the must clauses. */
  readonly requireJudged: number;
  /** Decisions count as the text does. */
  readonly strict: boolean;
  /** The clauses as they are for the target. */
  readonly list: readonly Clause[];
  /** Entries of a baseline that no longer apply. */
  readonly baselineFaults?: number;
  /** The excuse of a baseline for evidence against a clause in a check; undefined if there is none. */
  readonly excuseOf?: (evidence: Evidence, check: string) => KnownFailure | undefined;
}

/** Everything that is derived from the runs of the checks: findings, clauses, counts, exit status. */
export function concluded(
  checks: readonly Check[],
  found: readonly CheckRun[],
  { unjudgeable, requireJudged, strict, list, baselineFaults = 0, excuseOf }: Concluding,
): Conclusion {
  const runs = withReporters(found, strict);
  const clauses = reportClauses(checks, runs, list);
  const coverage = coverageOf(clauses);
  const findings = findingsOf(runs, excuseOf);
  const results = runs.map((run) => resultOf(run, { strict, excuseOf }));
  const counts = { ...none };
  for (const { verdict } of results) counts[verdict] += 1;
  const must = countsOf(clauses, 'must');
  const notServed = notServedIn(results);
  const failures = findings.filter(({ level, known }) => known === undefined && (strict || level === 'must'));
  return {
    summary: {
      pass: counts.pass,
      fail: counts.fail,
      advisory: counts.advisory,
      not_applicable: counts['not-applicable'],
      not_tested: counts['not-tested'],
      inconclusive: counts.inconclusive,
      error: counts.error,
      clauses: { must, decision: countsOf(clauses, 'decision') },
    },
    ...(notServed.length === 0 ? {} : { not_served: notServed }),
    exit_status: exitStatusOf({
      counts,
      failures: failures.length,
      unjudgeable,
      judgedPercent: must.total === 0 ? 0 : (100 * must.judged) / must.total,
      requiredPercent: requireJudged,
      faults: results.filter(({ flaky }) => flaky !== undefined).length + baselineFaults,
    }),
    findings,
    checks: results,
    coverage,
    clauses,
  };
}

/**
 * Evidence against a clause may come only from checks about something else. Then the first of them fails, so that a reader who
 * looks at checks alone does not miss it.
 */
function withReporters(runs: readonly CheckRun[], strict: boolean): readonly CheckRun[] {
  const binds = ({ ok, level }: Evidence): boolean => !ok && (strict || level === 'must');
  const failing = runs.filter(({ verdict }) => verdict === 'fail');
  const reported = new Set(failing.flatMap((run) => run.evidence.filter(binds).flatMap(({ clauses }) => clauses)));
  return runs.map((run) => {
    const first = run.evidence.find((seen) => binds(seen) && seen.clauses.some((id) => !reported.has(id)));
    if (first === undefined || run.verdict === 'fail' || run.verdict === 'error') return run;
    for (const id of first.clauses) reported.add(id);
    const { expected = '', actual = '' } = first;
    const ended = 'reason' in run ? { ended: run.reason } : {};
    return { ...run, verdict: 'fail', about: aboutOf(first), expected, actual, ...ended };
  });
}

/** A run of a check as a report shows it; its evidence is listed with the clauses. */
function resultOf(
  { evidence, withheld: _, exchanges: __, ...result }: CheckRun,
  { strict, excuseOf }: { readonly strict: boolean; readonly excuseOf: Concluding['excuseOf'] | undefined },
): CheckResult {
  const against = evidence.filter(({ ok }) => !ok);
  if (excuseOf === undefined || against.length === 0 || (result.verdict !== 'fail' && result.verdict !== 'advisory')) {
    return result;
  }
  // A failed check is excused if everything that makes it fail is excused; an advisory one, if everything that it found is.
  const failing = against.filter(({ level }) => strict || level === 'must');
  const excuses = (failing.length > 0 ? failing : against).map((seen) => excuseOf(seen, result.id));
  const [known] = excuses;
  return known === undefined || excuses.includes(undefined) ? result : { ...result, known };
}

/** The runs of checks from which a result was made, with their evidence. */
export function runsOf(result: ConformanceResult): readonly CheckRun[] {
  const endpoints = new Map<string, Finding>();
  for (const finding of result.findings) {
    for (const check of finding.checks)
      endpoints.set(JSON.stringify([check, finding.about, finding.clauses[0]]), finding);
  }
  const byCheck = new Map<string, Map<string, Evidence>>();
  for (const { id: clause, evidence } of result.clauses) {
    for (const { check, ...seen } of evidence) {
      const found = byCheck.get(check) ?? new Map<string, Evidence>();
      byCheck.set(check, found);
      const key = JSON.stringify(seen);
      const known = found.get(key);
      const finding = endpoints.get(JSON.stringify([check, seen.about, clause]));
      // A step names its endpoint; a finding may be of several.
      const endpoint = known?.endpoint || seen.step.replace(/^#\d+ ?/, '') || finding?.endpoint || '';
      found.set(key, { ...seen, endpoint, clauses: [...(known?.clauses ?? []), clause] });
    }
  }
  const reasons = new Map(
    result.clauses.flatMap(({ id, reason }) => (reason === undefined ? [] : [[id, reason] as const])),
  );
  return result.checks.map((check): CheckRun => {
    const evidence = [...(byCheck.get(check.id)?.values() ?? [])];
    const exchanges = new Map<Evidence, Exchange>();
    for (const seen of evidence) {
      const finding = endpoints.get(JSON.stringify([check.id, seen.about, seen.clauses[0]]));
      if (!seen.ok && finding?.transcript[0] !== undefined) exchanges.set(seen, finding.transcript[0]);
    }
    const withheld = check.clauses.flatMap((id) => {
      const reason = reasons.get(id);
      return reason === undefined ? [] : [{ clauses: [id], reason }];
    });
    return { ...check, evidence, withheld, exchanges };
  });
}

/** Verdicts by rising weight: of two runs of a check, the one with the weightier verdict counts. */
const WEIGHT: readonly Verdict[] = [
  'not-tested',
  'not-applicable',
  'pass',
  'inconclusive',
  'advisory',
  'fail',
  'error',
];

/** Whether a result weighs more than an earlier one of the same check; of two with the same weight the earlier one counts. */
export function outweighs(one: Pick<CheckResult, 'verdict'>, other: Pick<CheckResult, 'verdict'> | undefined): boolean {
  return other === undefined || WEIGHT.indexOf(one.verdict) > WEIGHT.indexOf(other.verdict);
}

/** The total time, requests and fees of several runs. */
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

/**
 * Merges several runs of one check: the weightiest verdict, with the evidence of all, since one run may have judged what another
 * could not.
 */
export function mergedRuns(runs: readonly CheckRun[]): CheckRun | undefined {
  const [weightiest] = runs.toSorted((a, b) => WEIGHT.indexOf(b.verdict) - WEIGHT.indexOf(a.verdict));
  if (weightiest === undefined) return undefined;
  return {
    ...weightiest,
    evidence: runs.flatMap(({ evidence }) => evidence),
    withheld: runs.flatMap(({ withheld }) => withheld),
    exchanges: new Map(runs.flatMap(({ exchanges }) => [...exchanges])),
  };
}

/** The runs of each check in several results, by its id. */
export function runsByCheck(results: readonly ConformanceResult[]): ReadonlyMap<string, CheckRun[]> {
  const byId = new Map<string, CheckRun[]>();
  for (const run of results.flatMap(runsOf)) byId.set(run.id, [...(byId.get(run.id) ?? []), run]);
  return byId;
}

/** Merges runs against several configurations of one service, with the weightiest verdict of each check. */
export function mergedResult(
  runs: readonly [ConformanceResult, ...ConformanceResult[]],
  checks: readonly Check[],
  {
    target,
    requireJudged = 0,
    strict = false,
  }: {
    readonly target: string;
    readonly requireJudged?: number;
    readonly strict?: boolean;
  },
): ConformanceResult {
  const byId = runsByCheck(runs);
  const end = endOf(...runs);
  const found = checks.flatMap(({ id }) => mergedRuns(byId.get(id) ?? []) ?? []);
  const [first] = runs;
  return {
    ...first,
    target: { ...first.target, base_url: target, offers: [...new Set(runs.flatMap((run) => run.target.offers))] },
    ...totalsOf(runs),
    ...end,
    ...concluded(checks, found, {
      unjudgeable: end.stopped !== undefined,
      requireJudged,
      strict,
      list: listOf(runs),
    }),
  };
}
