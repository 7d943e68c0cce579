/**
 * Makes one result from the records of one or more runs: against several deployments of a service, or with successive seeds.
 * It derives findings, states of clauses, counts, flaky checks, known failures and the exit status.
 */

import type { Evidence } from '../../model/evidence.js';
import { percentOf, powerOf } from '../../power/power.js';
import { countsOf } from '../../results/clause-counts.js';
import {
  type CheckResult,
  CONFORMANCE_SCHEMA,
  type ConformanceResult,
  type Exchange,
  type KnownFailure,
  type Repetition,
  type ReportedClause,
  type Verdict,
} from '../../results/conformance-result.js';
import type { Clause } from '../../spec/clause.js';
import { clauses as allClauses } from '../../spec/clauses/index.js';
import type { Check } from '../trial/check.js';
import { type Baseline, baselineFaults, excusesOf } from './baseline.js';
import { coverageOf, reportClauses } from './coverage.js';
import { findingsOf } from './findings.js';
import { notServedIn } from './not-served.js';
import type { CheckRun, RunRecord, TrafficSeen } from './record.js';
import { aboutOf, endedBy, exitStatusOf } from './verdict.js';

/** The settings of a result. */
interface Concluding {
  /** All checks of the suite; a baseline may name only these. */
  readonly checks: readonly Check[];
  /** The required percentage of judged must clauses. */
  readonly requireJudged?: number | undefined;
  /** The required percentage of planted mistakes that the run would have noticed. */
  readonly requirePower?: number | undefined;
  /** Deviations from decisions fail the run, too. */
  readonly strict?: boolean | undefined;
  /** Known failures, and the time of the run, which decides whether they have expired. */
  readonly baseline?: { readonly list: Baseline; readonly nowMs: number } | undefined;
  /** The name of the target, if the records are of several of its deployments. */
  readonly target?: string | undefined;
}

/** Returns the known failure that excuses the evidence of a check; undefined if none does. */
type ExcuseOf = (evidence: Evidence, check: string) => KnownFailure | undefined;

/** The result of runs, in the form of conformance.json. Records with the same seed are of different deployments. */
export function conclude(
  records: readonly [RunRecord, ...RunRecord[]],
  { checks, requireJudged = 0, requirePower = 0, strict = false, baseline, target }: Concluding,
): ConformanceResult {
  const [first] = records;
  const seeds = [...new Set(records.map(({ seed }) => seed))];
  const found = withReporters(seeds.length > 1 ? repeatedRuns(records, seeds) : mergedByCheck(records), strict);
  const traffic = trafficOf(records);
  const judging = { runs: found, matrix: matrixOf(records), list: clausesOf(records), strict, traffic };
  const whole = concluded(judging);
  const quick = quickOf(records);
  const faults =
    baseline === undefined ? [] : baselineFaults(baseline.list, baseline.nowMs, { ...whole, ...quick }, checks);
  const judged = baseline === undefined ? whole : concluded({ ...judging, excuseOf: excusesOf(baseline.list, faults) });
  const { counts, must, ...shown } = judged;
  const known = shown.findings.filter((finding) => finding.known !== undefined).length;
  const failures = shown.findings.filter((one) => one.known === undefined && (strict || one.level === 'must')).length;
  const flaky = shown.checks.filter((check) => check.flaky !== undefined).length;
  const sum = (field: 'wallMs' | 'requests' | 'lamports'): number => records.reduce((all, run) => all + run[field], 0);
  const stopped = records.find((run) => run.stopped !== undefined)?.stopped;
  const notes = [...new Set(records.flatMap((run) => run.notes))];
  const unpaid = records.find((run) => run.unpaid !== undefined)?.unpaid;
  const exitStatus = exitStatusOf({
    counts,
    failures,
    unjudgeable: records.some((run) => run.stopped?.unjudgeable === true),
    judgedPercent: must.total === 0 ? 0 : (100 * must.judged) / must.total,
    requiredPercent: requireJudged,
    powerPercent: percentOf(judged.power),
    requiredPower: requirePower,
    faults: flaky + faults.length,
  });
  const offers = [...new Set(records.flatMap((run) => run.target.offers))];
  return {
    schema: CONFORMANCE_SCHEMA,
    tool_version: first.tool_version,
    target: { ...first.target, offers, ...(target === undefined ? {} : { base_url: target }) },
    seed: first.seed,
    ...(seeds.length > 1 ? { repeat: seeds.length } : {}),
    ...quick,
    started_at: new Date(first.startedMs).toISOString(),
    ...(first.replayed === true ? { replayed: true as const } : {}),
    wall_s: Math.round(sum('wallMs')) / 1_000,
    ...(records.length === 1 && first.replyMs !== undefined ? { reply_ms: first.replyMs } : {}),
    requests: sum('requests'),
    lamports: sum('lamports'),
    ...(stopped === undefined ? {} : { stopped: stopped.reason }),
    ...(stopped?.why === undefined ? {} : { stopped_why: stopped.why }),
    ...(unpaid === undefined ? {} : { unpaid }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(baseline === undefined ? {} : { baseline: { file: baseline.list.file, known, faults } }),
    ...shown,
    exit_status: exitStatus,
  };
}

/** For quick runs: the number of checks that no run made. */
function quickOf(records: readonly RunRecord[]): Pick<ConformanceResult, 'mode' | 'spared'> {
  if (records.every(({ spared }) => spared === undefined)) return {};
  const made = new Set(records.flatMap(({ runs }) => runs.map(({ id }) => id)));
  const spared = new Set(records.flatMap((record) => record.spared ?? []).filter((id) => !made.has(id)));
  return { mode: 'quick', spared: spared.size };
}

/** The clauses of several runs. A clause is excluded if all runs exclude it. */
function clausesOf(records: readonly RunRecord[]): readonly Clause[] {
  const [first, ...others] = records.map(({ clauses }) => new Map(clauses.map((clause) => [clause.id, clause])));
  return allClauses.map((clause) => {
    const here = first?.get(clause.id) ?? clause;
    return others.every((each) => each.get(clause.id)?.excluded !== undefined) ? here : clause;
  });
}

/** The clauses of each check, from all runs. */
function matrixOf(records: readonly RunRecord[]): RunRecord['checks'] {
  const judged = new Map<string, Set<string>>();
  for (const { id, clauses } of records.flatMap(({ checks }) => checks)) {
    judged.set(id, new Set([...(judged.get(id) ?? []), ...clauses]));
  }
  return [...judged].map(([id, clauses]) => ({ id, clauses: [...clauses] }));
}

interface Judging {
  readonly runs: readonly CheckRun[];
  readonly matrix: RunRecord['checks'];
  readonly list: readonly Clause[];
  readonly strict: boolean;
  readonly excuseOf?: ExcuseOf;
  readonly traffic: Omit<TrafficSeen, 'runs' | 'learnt'> | undefined;
}

/** Derives findings, clauses and counts from the runs of the checks. */
function concluded({ runs, matrix, list, strict, excuseOf, traffic }: Judging) {
  const power = traffic === undefined ? undefined : powerOf(new Set(traffic.noticed));
  const clauses = reportClauses(matrix, runs, list, traffic?.clauses).map((clause) => {
    const own = power?.clauses.get(clause.id);
    return own === undefined ? clause : { ...clause, power: own };
  });
  const results = runs.map((run) => resultOf(run, strict, excuseOf));
  const counts = countsByVerdict(results);
  const notServed = notServedIn(results);
  return {
    counts,
    must: countsOf(clauses, 'must'),
    summary: summaryOf(counts, clauses),
    ...(notServed.length === 0 ? {} : { not_served: notServed }),
    findings: findingsOf(runs, excuseOf),
    checks: results,
    coverage: coverageOf(clauses),
    ...(traffic === undefined ? {} : { model: traffic.model }),
    ...(power === undefined ? {} : { power: power.all }),
    clauses,
  };
}

/** The number of checks of each verdict. */
export function countsByVerdict(checks: readonly Pick<CheckResult, 'verdict'>[]): Readonly<Record<Verdict, number>> {
  const counts = { ...none };
  for (const { verdict } of checks) counts[verdict] += 1;
  return counts;
}

/** The counts of a result, as in reports. */
export function summaryOf(
  { 'not-applicable': not_applicable, 'not-tested': not_tested, ...counts }: Readonly<Record<Verdict, number>>,
  clauses: readonly ReportedClause[],
): ConformanceResult['summary'] {
  const byLevel = { must: countsOf(clauses, 'must'), decision: countsOf(clauses, 'decision') };
  return { ...counts, not_applicable, not_tested, clauses: byLevel };
}

/** The sums of the model's counts over all runs. */
function trafficOf(records: readonly RunRecord[]): Judging['traffic'] {
  const all = records.flatMap(({ traffic }) => traffic ?? []);
  if (all.length === 0) return undefined;
  const sum = (field: keyof TrafficSeen['model']): number => all.reduce((n, { model }) => n + model[field], 0);
  const clauses: Record<string, TrafficSeen['clauses'][string]> = {};
  for (const [id, { pass, fail, open }] of all.flatMap((each) => Object.entries(each.clauses))) {
    const counts = clauses[id] ?? { pass: 0, fail: 0, open: 0 };
    clauses[id] = { pass: counts.pass + pass, fail: counts.fail + fail, open: counts.open + open };
  }
  const noticed = [...new Set(all.flatMap((each) => each.noticed))];
  return { model: { exchanges: sum('exchanges'), judged: sum('judged'), evidence: sum('evidence') }, clauses, noticed };
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

/**
 * If only checks about other clauses have evidence against a clause, the first of these checks fails. So every deviation fails a
 * check.
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
    const ended = 'reason' in run ? endedBy(run) : {};
    return { ...run, verdict: 'fail', about: aboutOf(first), expected, actual, ...ended };
  });
}

/** A run of a check in the form of reports, which list its evidence with the clauses. */
function resultOf(run: CheckRun, strict: boolean, excuseOf: ExcuseOf | undefined): CheckResult {
  const { evidence, withheld: _, transcript, id, title, clauses, level, wall_ms, ...judgement } = run;
  let exchanges: readonly Exchange[] | undefined;
  const result: CheckResult = {
    ...{ id, title, clauses, level, wall_ms },
    get transcript() {
      exchanges ??= transcript();
      return exchanges;
    },
    ...judgement,
  };
  const against = evidence.filter(({ ok }) => !ok);
  if (excuseOf === undefined || against.length === 0 || (result.verdict !== 'fail' && result.verdict !== 'advisory')) {
    return result;
  }
  // A failed check is excused if all evidence that fails it is excused; an advisory one, if all its findings are.
  const failing = against.filter(({ level }) => strict || level === 'must');
  const excuses = (failing.length > 0 ? failing : against).map((seen) => excuseOf(seen, result.id));
  const [known] = excuses;
  return known === undefined || excuses.includes(undefined) ? result : Object.assign(result, { known });
}

/** Verdicts by rising weight. Of several runs of a check, the one with the heaviest verdict counts. */
const WEIGHT: readonly Verdict[] = [
  'not-tested',
  'not-applicable',
  'pass',
  'inconclusive',
  'advisory',
  'fail',
  'error',
];

/** The runs of several records by the id of the check, each with the seed of its record. */
function runsByCheck(records: readonly RunRecord[]): ReadonlyMap<string, readonly (CheckRun & { seed: number })[]> {
  const byId = new Map<string, (CheckRun & { seed: number })[]>();
  for (const { seed, runs } of records) {
    for (const run of runs) byId.set(run.id, [...(byId.get(run.id) ?? []), { ...run, seed }]);
  }
  return byId;
}

/**
 * One run for each check: the heaviest verdict, with the evidence of all runs, since a run may have judged clauses that another
 * could not judge.
 */
function mergedByCheck(records: readonly RunRecord[]): readonly CheckRun[] {
  const [only] = records;
  if (records.length === 1 && only !== undefined) return only.runs;
  return [...runsByCheck(records).values()].map(mergedRuns);
}

function mergedRuns(runs: readonly (CheckRun & { readonly seed?: number })[]): CheckRun {
  const [weightiest] = runs.toSorted((a, b) => WEIGHT.indexOf(b.verdict) - WEIGHT.indexOf(a.verdict));
  const { seed: _, ...run } = weightiest as CheckRun & { readonly seed?: number };
  return {
    ...run,
    evidence: runs.flatMap(({ evidence }) => evidence),
    withheld: runs.flatMap(({ withheld }) => withheld),
  } as CheckRun;
}

/**
 * Merges runs with successive seeds. A check with different verdicts is flaky, and fails the run. A run in which a check was not
 * tested does not count.
 */
function repeatedRuns(records: readonly RunRecord[], seeds: readonly number[]): readonly CheckRun[] {
  const bySeed = seeds.map((seed) => mergedByCheck(records.filter((record) => record.seed === seed)));
  return [...runsByCheck(records).values()].map((runs): CheckRun => {
    const merged = mergedRuns(runs);
    const seen = seeds.flatMap((seed, at): readonly Repetition[] => {
      const run = bySeed[at]?.find(({ id }) => id === merged.id);
      return run === undefined ? [] : [{ seed, verdict: run.verdict }];
    });
    const tried = seen.filter(({ verdict }) => verdict !== 'not-tested' && verdict !== 'not-applicable');
    return new Set(tried.map(({ verdict }) => verdict)).size > 1 ? { ...merged, flaky: tried } : merged;
  });
}
