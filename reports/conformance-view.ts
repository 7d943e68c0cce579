import type {
  CheckResult,
  ConformanceResult,
  KnownFailure,
  Repetition,
  ReportedClause,
  Verdict,
} from './conformance-result.js';
import { needHint } from './need-hints.js';
import { countText, numberText } from './numbers.js';
import { shellWord } from './shell-word.js';

/** What a writer may be told besides the result. */
export interface ConformanceWriting {
  /** The command of the run without `--only` and `--seed`. Absent: `aips conform <base_url>`. */
  readonly command?: string;
  /** A check of a decision that is not followed fails the run (`--strict`). */
  readonly strict?: boolean;
}

/** A check that found the target wrong. */
export type Contradicted = Extract<CheckResult, { readonly verdict: 'fail' | 'advisory' }>;

/** A check that gave no judgement of the target. */
export type Unjudged = Extract<CheckResult, { readonly reason: string }>;

/** Every verdict, from what needs attention to what does not, with its name in a report. */
export const VERDICTS: readonly { readonly verdict: Verdict; readonly label: string }[] = [
  { verdict: 'fail', label: 'failed' },
  { verdict: 'error', label: 'error' },
  { verdict: 'inconclusive', label: 'inconclusive' },
  { verdict: 'advisory', label: 'advisory' },
  { verdict: 'not-tested', label: 'not tested' },
  { verdict: 'not-applicable', label: 'not applicable' },
  { verdict: 'pass', label: 'passed' },
];

/** `214 of 392 clauses judged: 212 hold, 2 do not`. */
export function judgedLine({ coverage }: Pick<ConformanceResult, 'coverage'>): string {
  const broken = coverage.judged - coverage.held;
  const judged = `${numberText(coverage.judged)} of ${countText(coverage.clauses, 'clause')} judged`;
  const hold = `${numberText(coverage.held)} ${coverage.held === 1 ? 'holds' : 'hold'}`;
  return `${judged}: ${hold}, ${numberText(broken)} ${broken === 1 ? 'does' : 'do'} not`;
}

/**
 * The counts that are not zero, as `2 failed (1 known), 3 endpoints not served, 290 passed, 1 flaky`; `no check ran` when all
 * are. A check that says no more than that its endpoint is not there counts with the endpoint.
 */
export function verdictCounts({ checks, not_served = [] }: Pick<ConformanceResult, 'checks' | 'not_served'>): string {
  const lacking = not_served.length === 0 ? [] : [`${countText(not_served.length, 'endpoint')} not served`];
  const others = checks.filter((check) => !isContradicted(check) || check.not_served === undefined);
  const counts = VERDICTS.flatMap(({ verdict, label }) => {
    const found = others.filter((check) => check.verdict === verdict);
    const known = found.filter((check) => check.known !== undefined).length;
    const excused = known === 0 ? '' : ` (${numberText(known)} known)`;
    const count = found.length === 0 ? [] : [`${numberText(found.length)} ${label}${excused}`];
    return verdict === 'fail' ? [...count, ...lacking] : count;
  });
  const flaky = checks.filter((check) => check.flaky !== undefined).length;
  if (flaky > 0) counts.push(`${numberText(flaky)} flaky`);
  return counts.length === 0 ? 'no check ran' : counts.join(', ');
}

/** Whether the target was found wrong: by the specification's own text, or by a decision. */
export function isContradicted(check: CheckResult): check is Contradicted {
  return check.verdict === 'fail' || check.verdict === 'advisory';
}

/** The clauses that a check says do not hold. */
export function failedClauses(check: CheckResult): readonly string[] {
  return check.clauses;
}

/** Of how many clauses of a check its failure says nothing: neither that they hold nor that they do not. */
export function unsaidClauses(check: CheckResult): number {
  const said = new Set(failedClauses(check));
  return check.clauses.filter((id) => !said.has(id)).length;
}

/** Whether a check gave no judgement: it was not run, or it could not tell. */
export function isUnjudged(check: CheckResult): check is Unjudged {
  return 'reason' in check;
}

/** Whether the check by itself makes the run fail. */
export function failsRun(check: CheckResult, writing: ConformanceWriting): boolean {
  if (check.flaky !== undefined) return true;
  if (check.known !== undefined) return false;
  return check.verdict === 'fail' || (check.verdict === 'advisory' && writing.strict === true);
}

/** `until 2026-12-31: not built yet (https://…)`: why a failure is excused. */
export function knownText({ reason, link, expires }: KnownFailure): string {
  return `until ${expires}: ${reason}${link === undefined ? '' : ` (${link})`}`;
}

/** `seed 1 pass, seed 2 fail`: what the repetitions of a flaky check found. */
export function flakyText(flaky: readonly Repetition[]): string {
  return flaky.map(({ seed, verdict }) => `seed ${seed} ${verdict}`).join(', ');
}

/** What fails the run beside its checks: entries of the baseline that are not true any more. */
export function baselineFaults(result: Pick<ConformanceResult, 'baseline'>): readonly string[] {
  return result.baseline?.faults.map(({ text }) => text) ?? [];
}

/** Checks without a judgement for one reason. */
export interface UnjudgedGroup {
  readonly verdict: Unjudged['verdict'];
  readonly label: string;
  readonly reason: string;
  readonly checks: readonly Unjudged[];
  /** How a user can provide what was missing. */
  readonly provide?: string;
}

/**
 * The checks without a judgement by verdict and reason, but for those that wait for an endpoint which is not there; the most
 * frequent reason of each verdict first.
 */
export function unjudgedGroups(result: Pick<ConformanceResult, 'checks'>): readonly UnjudgedGroup[] {
  const unjudged = result.checks.filter(isUnjudged).filter((check) => check.not_served === undefined);
  return VERDICTS.flatMap(({ verdict, label }) => {
    const byReason = new Map<string, Unjudged[]>();
    for (const check of unjudged) {
      if (check.verdict !== verdict) continue;
      byReason.set(check.reason, [...(byReason.get(check.reason) ?? []), check]);
    }
    return [...byReason]
      .map(([reason, checks]) => unjudgedGroup(label, reason, checks))
      .sort((a, b) => b.checks.length - a.checks.length || (a.reason < b.reason ? -1 : 1));
  });
}

function unjudgedGroup(label: string, reason: string, checks: readonly Unjudged[]): UnjudgedGroup {
  const verdict = checks[0]?.verdict ?? 'not-tested';
  const provide = verdict === 'not-tested' ? needHint(reason) : undefined;
  return { verdict, label, reason, checks, ...(provide === undefined ? {} : { provide }) };
}

/** One section of the specification and what the run found in it. */
export interface ReportedSection {
  readonly section: string;
  readonly title: string;
  readonly clauses: readonly ReportedClause[];
}

function bySectionNumber(a: string, b: string): number {
  const left = a.split('.');
  const right = b.split('.');
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = Number(left[part] ?? -1) - Number(right[part] ?? -1);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The clauses by section, 2.9 before 2.10, in their own order within each. */
export function bySection(result: Pick<ConformanceResult, 'clauses'>): readonly ReportedSection[] {
  const sections = new Map<string, ReportedClause[]>();
  for (const clause of result.clauses) sections.set(clause.section, [...(sections.get(clause.section) ?? []), clause]);
  return [...sections]
    .sort(([a], [b]) => bySectionNumber(a, b))
    .map(([section, clauses]) => ({ section, title: clauses[0]?.section_title ?? '', clauses }));
}

/** The command that runs one check of the run again, with the run's seed. */
export function rerunCommand(result: ConformanceResult, checkId: string, writing: ConformanceWriting): string {
  const check = result.checks.find(({ id }) => id === checkId);
  // Of a flaky check the run is shown that found what the report says.
  const seed = check?.flaky?.find(({ verdict }) => verdict === check.verdict)?.seed ?? result.seed;
  return `${runCommand(result, writing)} --only ${shellWord(checkId)} --seed ${seed}`;
}

/** The command of the whole run, without its seed. */
export function runCommand(result: ConformanceResult, writing: ConformanceWriting): string {
  return writing.command ?? `aips conform ${shellWord(result.target.base_url)}`;
}
