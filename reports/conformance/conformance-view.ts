/** Views of a conformance result that several writers share: its headline, its checks, its sections. Findings are in findings-view.ts. */

import { countsOf } from '../../results/clause-counts.js';
import type {
  CheckResult,
  ClauseCounts,
  ConformanceResult,
  KnownFailure,
  Power,
  Repetition,
  ReportedClause,
  Verdict,
} from '../../results/conformance-result.js';
import { countText, numberText, percentText, secondsText } from '../../results/numbers.js';
import { shellWord } from '../text/shell-word.js';
import type { SourceLine } from '../text/source-line.js';

/** The file of the transcripts of checks that passed, next to conformance.json. */
export const TRANSCRIPTS_FILE = 'transcripts.ndjson.gz';

/** Options of a writer, besides the result. */
export interface ConformanceWriting {
  /** The command of the run without `--only` and `--seed`. Absent: `aips conform <base_url>`. */
  readonly command?: string;
  /** The patterns of its `--only`. Absent: all checks. */
  readonly only?: readonly string[];
  /** A decision that is not followed fails the run (`--strict`). */
  readonly strict?: boolean;
  /** The line of the target file that names the server. Absent: the run has no target file. */
  readonly source?: SourceLine;
  /** The way to the folder of the pages of clauses, where the page is a part of a site. */
  readonly clausePages?: string;
}

/** A check that found the target wrong. */
export type Contradicted = Extract<CheckResult, { readonly verdict: 'fail' | 'advisory' }>;

/** A check that gave no judgement. */
export type Unjudged = Extract<CheckResult, { readonly reason: string }>;

/** The verdicts in the order in which reports count them, and the words for them. */
export const VERDICTS: readonly { readonly verdict: Verdict; readonly label: string }[] = [
  { verdict: 'fail', label: 'failed' },
  { verdict: 'error', label: 'error' },
  { verdict: 'inconclusive', label: 'inconclusive' },
  { verdict: 'advisory', label: 'advisory' },
  { verdict: 'not-tested', label: 'not tested' },
  { verdict: 'not-applicable', label: 'not applicable' },
  { verdict: 'pass', label: 'passed' },
];

/**
 * `Specification: 601 of 640 clauses judged: 576 pass, 25 fail. Decisions: 180 of 361 clauses judged: 150 pass, 30 fail`: how
 * much was judged, and with which outcome. It has one form whatever the counts are, so that it can be searched for.
 */
export function headline(result: Pick<ConformanceResult, 'summary' | 'mode' | 'spared'>): string {
  return [...headlineParts(result), ...quickText(result)].join('. ');
}

/** `Quick run: one judgement a clause, 284 checks spared; without --quick all run`; nothing of a run that is not quick. */
function quickText({ mode, spared = 0 }: Pick<ConformanceResult, 'mode' | 'spared'>): readonly string[] {
  if (mode === undefined) return [];
  return [`Quick run: one judgement a clause, ${countText(spared, 'check')} spared; without --quick all run`];
}

/** `These requests would notice 1,021 of 1,248 planted mistakes (81.8 %)`; undefined where nothing was judged. */
export function powerText({ power }: Pick<ConformanceResult, 'power'>): string | undefined {
  if (power === undefined) return undefined;
  const { noticed, of } = power;
  return `These requests would notice ${numberText(noticed)} of ${numberText(of)} planted mistakes (${percentText(noticed / of)})`;
}

/** `3 of 4`: the planted mistakes of a clause that the run would notice. */
export const clausePowerText = ({ noticed, of }: Power): string => `${numberText(noticed)} of ${numberText(of)}`;

/** The two halves of the headline: on the specification's text, and on decisions. */
export function headlineParts({
  summary: { clauses },
}: Pick<ConformanceResult, 'summary'>): readonly [must: string, decisions: string] {
  return [countsText('Specification', clauses.must), countsText('Decisions', clauses.decision)];
}

/** The headline of some clauses alone, as two columns; empty where they have none of that level. */
export function headlineColumns(clauses: readonly ReportedClause[]): readonly [must: string, decisions: string] {
  const [must, decision] = [countsOf(clauses, 'must'), countsOf(clauses, 'decision')];
  return [
    must.total === 0 ? '' : countsText('Specification', must),
    decision.total === 0 ? '' : countsText('Decisions', decision),
  ];
}

function countsText(level: string, { total, judged, hold, fail }: ClauseCounts): string {
  const clauses = `${numberText(judged)} of ${numberText(total)} clauses judged`;
  return `${level}: ${clauses}: ${numberText(hold)} pass, ${numberText(fail)} fail`;
}

/** How long a run took. A replay took as long as this machine, which says nothing. */
export function wallText({ wall_s, replayed }: Pick<ConformanceResult, 'wall_s' | 'replayed'>): string {
  return replayed === true ? 'a replay, which has no times of the server' : secondsText(wall_s);
}

/**
 * The counts of checks that are not zero, as `2 failed (1 known), 3 endpoints not served, 290 passed, 1 flaky`; `no check ran`
 * when all are. A check that says no more than that its endpoint is not there counts with the endpoint.
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

/** Whether a check found the target wrong: by the specification's own text, or by a decision. */
export function isContradicted(check: CheckResult): check is Contradicted {
  return check.verdict === 'fail' || check.verdict === 'advisory';
}

/** Whether a check gave no judgement: it was not run, or it was inconclusive. */
export function isUnjudged(check: CheckResult): check is Unjudged {
  return 'reason' in check;
}

/** Whether a check ran and was inconclusive. */
export function isUndecided(check: CheckResult): check is Unjudged {
  return check.verdict === 'error' || check.verdict === 'inconclusive';
}

/** Whether the check by itself makes the run fail. */
export function failsRun(check: CheckResult, writing: ConformanceWriting): boolean {
  if (check.flaky !== undefined) return true;
  if (check.known !== undefined) return false;
  return check.verdict === 'fail' || (check.verdict === 'advisory' && writing.strict === true);
}

/** Whether the run failed, by its end or by a check that fails it in this report. */
export function isBad(result: ConformanceResult, writing: ConformanceWriting): boolean {
  return result.exit_status !== 0 || result.checks.some((check) => failsRun(check, writing));
}

/** `until 2026-12-31: not built yet (https://…)`: why a failure is excused. */
export function knownText({ reason, link, expires }: KnownFailure): string {
  return `until ${expires}: ${reason}${link === undefined ? '' : ` (${link})`}`;
}

/** `seed 1 pass, seed 2 fail`: what the repetitions of a flaky check found. */
export function flakyText(flaky: readonly Repetition[]): string {
  return flaky.map(({ seed, verdict }) => `seed ${seed} ${verdict}`).join(', ');
}

/** Faults that fail the run in addition to its findings: entries of the baseline that are not true any more. */
export function baselineFaults(result: Pick<ConformanceResult, 'baseline'>): readonly string[] {
  return result.baseline?.faults.map(({ text }) => text) ?? [];
}

/** One section of the specification and what the run found in it. */
export interface ReportedSection<Of = ReportedClause> {
  readonly section: string;
  readonly title: string;
  readonly clauses: readonly Of[];
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
export function bySection<Of extends Pick<ReportedClause, 'section' | 'section_title'>>(result: {
  readonly clauses: readonly Of[];
}): readonly ReportedSection<Of>[] {
  const sections = new Map<string, Of[]>();
  for (const clause of result.clauses) sections.set(clause.section, [...(sections.get(clause.section) ?? []), clause]);
  return [...sections]
    .sort(([a], [b]) => bySectionNumber(a, b))
    .map(([section, clauses]) => ({ section, title: clauses[0]?.section_title ?? '', clauses }));
}

/** The command that runs one check of the run again, with the run's seed. */
export function rerunCommand(result: ConformanceResult, checkId: string, writing: ConformanceWriting): string {
  const check = result.checks.find(({ id }) => id === checkId);
  // For a flaky check, the seed of the run whose verdict the report shows.
  const seed = check?.flaky?.find(({ verdict }) => verdict === check.verdict)?.seed ?? result.seed;
  return `${runCommand(result, writing)} --only ${shellWord(checkId)} --seed ${seed}`;
}

/** The command of the whole run, without its seed. */
export function runCommand(result: ConformanceResult, writing: ConformanceWriting): string {
  return writing.command ?? `aips conform ${shellWord(result.target.base_url)}`;
}
