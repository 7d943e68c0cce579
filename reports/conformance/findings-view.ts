/** Sorts the findings of a result by what they mean for the run. How deviations become findings is decided by the suite. */

import type { ConformanceResult, Finding } from '../../results/conformance-result.js';
import { placeText } from '../../spec/clause.js';
import { type ConformanceWriting, knownText } from './conformance-view.js';

/** The findings of a run, each in one list. Findings that only report a missing endpoint are in none of them. */
interface SortedFindings {
  /** They fail the run: against the text, and against decisions too where the run is strict. */
  readonly failing: readonly Finding[];
  /** Against the text, and excused by a baseline. */
  readonly known: readonly Finding[];
  /** Decisions that are not followed, excused or not. */
  readonly decisions: readonly Finding[];
}

/** The findings by what they mean for the run, in their own order within each list. */
export function sortedFindings(
  result: Pick<ConformanceResult, 'findings' | 'not_served'>,
  writing: ConformanceWriting,
): SortedFindings {
  const shown = result.findings.filter((finding) => !tellsLacking(finding, result));
  const failing = shown.filter((finding) => failsRunBy(finding, writing));
  const rest = shown.filter((finding) => !failing.includes(finding));
  return {
    failing,
    known: rest.filter(({ level }) => level === 'must'),
    decisions: rest.filter(({ level }) => level === 'decision'),
  };
}

/** The findings without those that may follow from another of them. */
export function causesOf(findings: readonly Finding[]): readonly Finding[] {
  const ids = new Set(findings.map(({ id }) => id));
  return findings.filter(({ follows = '' }) => !ids.has(follows));
}

/** The findings that may follow from one. */
export function followersOf({ id }: Finding, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ follows }) => follows === id);
}

/** Whether a finding by itself makes the run fail. */
export function failsRunBy({ level, known }: Finding, { strict }: ConformanceWriting): boolean {
  return known === undefined && (level === 'must' || strict === true);
}

/** Whether a finding only reports a missing endpoint: reports list the endpoint instead. */
export function tellsLacking(
  { about, endpoint }: Finding,
  { not_served = [] }: Pick<ConformanceResult, 'not_served'>,
): boolean {
  return about === 'existence' && not_served.some(({ method, path }) => endpoint === `${method} ${path}`);
}

/** The findings that a check met: those that fail the run first. */
export function findingsOfCheck(
  { findings }: Pick<ConformanceResult, 'findings'>,
  check: string,
  writing: ConformanceWriting,
): readonly Finding[] {
  const own = findings.filter(({ checks }) => checks.includes(check));
  return own.toSorted((a, b) => Number(failsRunBy(b, writing)) - Number(failsRunBy(a, writing)));
}

/** The endpoint and what was judged: `POST /api/v1/sigil: fee.amount_lamports`. */
export function findingTitle({ endpoint, about }: Pick<Finding, 'endpoint' | 'about'>): string {
  if (endpoint === '') return about;
  return `${endpoint}: ${about.startsWith(endpoint) ? about.slice(endpoint.length).replace(/^[ ,]+/, '') : about}`;
}

/** The clauses of a finding, each with where it rests and its text: `id (section 4.5, …): text`. */
export function clauseLines(
  { clauses }: Pick<Finding, 'clauses'>,
  result: Pick<ConformanceResult, 'clauses'>,
): readonly string[] {
  return clauses.map((id) => {
    const clause = result.clauses.find((one) => one.id === id);
    return clause === undefined ? id : `${id} (${placeText(clause)}): ${clause.text}`;
  });
}

/** The check with which to see a finding again: one that is about a clause of it, where one met it. */
export function checkToRepeat(
  { checks, clauses }: Pick<Finding, 'checks' | 'clauses'>,
  result: Pick<ConformanceResult, 'checks'>,
): string | undefined {
  const met = result.checks.filter(({ id }) => checks.includes(id));
  const own = met.find((check) => check.clauses.some((id) => clauses.includes(id)));
  return own?.id ?? checks[0];
}

/**
 * A finding in lines of plain text: what was judged, expected and found, each clause with where it rests, and why it does
 * not count where it is excused.
 */
export function findingLines(finding: Finding, result: Pick<ConformanceResult, 'clauses'>): readonly string[] {
  const { expected, actual, known } = finding;
  return [
    `${findingTitle(finding)}: expected ${expected}, got ${actual}`,
    ...(known === undefined ? [] : [`  known ${knownText(known)}`]),
    ...clauseLines(finding, result).map((line) => `  clause ${line}`),
  ];
}
