/**
 * Known failures. An entry excuses one clause in one check, or one finding in all checks. It never excuses a whole check, since that
 * would hide new failures.
 */
import { z } from 'zod';
import type { Evidence } from '../../model/evidence.js';
import type { BaselineFault, ConformanceResult, Finding, KnownFailure } from '../../results/conformance-result.js';
import { clauses as allClauses } from '../../spec/clauses/index.js';
import { type Parsed, parseYaml } from '../../spec/document.js';
import { DAY_MS } from '../../spec/time.js';
import type { Check } from '../trial/check.js';
import { findingIdOf } from './findings.js';

/** A known deviation, excused until a day. */
export type BaselineEntry = KnownFailure &
  ({ readonly clause: string; readonly check: string } | { readonly finding: string });

/** The known failures of a target, as listed in a file. */
export interface Baseline {
  readonly file: string;
  readonly entries: readonly BaselineEntry[];
}

const day = z
  .string('must be a day such as 2026-12-31')
  .refine(isDay, 'must be a day of the calendar, such as 2026-12-31');

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && dayOf(ms) === text;
}

const text = (what: string) => z.string(`must be ${what}`).trim().min(1, `must be ${what}`);

const excuse = {
  reason: text('a reason, in words'),
  link: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).exactOptional(),
  expires: day,
};

const FORMS =
  'must name a clause and a check, or a finding: { clause, check, reason, expires } or { finding, reason, expires }';

const entry = z
  .strictObject({
    clause: text('the id of a clause, such as heartbeat.interval.min').exactOptional(),
    check: text('the id of a check, such as heartbeat/too-soon').exactOptional(),
    finding: text('the id of a finding, as conformance.json has it').exactOptional(),
    ...excuse,
  })
  .refine(
    ({ clause, check, finding }) =>
      finding === undefined ? clause !== undefined && check !== undefined : clause === undefined && check === undefined,
    FORMS,
  )
  .transform((value) => value as BaselineEntry);

const schema = z.strictObject({
  known_failures: z
    .array(entry, 'must be a list of { clause, check, reason, link, expires }')
    .superRefine((entries, context) => {
      const names = entries.map(nameOfEntry);
      for (const [index, name] of names.entries()) {
        if (names.indexOf(name) === index) continue;
        context.addIssue({ code: 'custom', path: [index], message: `lists ${name} a second time` });
      }
    }),
});

/** The name of an entry in messages. */
function nameOfEntry(known: BaselineEntry): string {
  return 'finding' in known ? known.finding : `${known.clause} in ${known.check}`;
}

/** Reads a baseline file (YAML or JSON). Reports every problem with file, line and key. */
export function parseBaseline(source: string, file: string): Parsed<Baseline> {
  const parsed = parseYaml(source, file, schema);
  return parsed.ok ? { ok: true, value: { file, entries: parsed.value.known_failures } } : parsed;
}

/** The parts of a result that decide whether an entry still applies. */
type Judged = Pick<ConformanceResult, 'checks' | 'findings' | 'clauses' | 'mode'>;

/**
 * The entries of a baseline that no longer apply: the check was judged and no longer fails, the entry has expired, or it names an unknown
 * clause or check. An entry about a check outside the run is no fault.
 */
export function baselineFaults(
  baseline: Baseline,
  nowMs: number,
  result: Judged,
  checks: readonly Check[],
): readonly BaselineFault[] {
  return baseline.entries.flatMap((known) => faultOf(known, dayOf(nowMs), result, checks));
}

/** Finds the entry of a baseline that excuses evidence in a check. Faulty entries excuse nothing. */
export function excusesOf(
  baseline: Baseline,
  faults: readonly BaselineFault[],
): (seen: Evidence, check: string) => KnownFailure | undefined {
  const faulty = new Set(faults.map((fault) => fault.entry));
  const entries = baseline.entries.filter((known) => !faulty.has(nameOfEntry(known)));
  return (seen, check) => {
    const excused = entries.filter((known) => excuses(known, seen, check));
    // Evidence against several clauses is excused if all of them are excused.
    const all = excused.some((known) => 'finding' in known) || excused.length >= seen.clauses.length;
    const [first] = excused;
    if (!all || first === undefined) return undefined;
    const { reason, link, expires } = first;
    return { reason, ...(link === undefined ? {} : { link }), expires };
  };
}

function excuses(known: BaselineEntry, seen: Evidence, check: string): boolean {
  if ('finding' in known) return known.finding === findingIdOf(seen);
  return known.check === check && seen.clauses.includes(known.clause);
}

function faultOf(
  known: BaselineEntry,
  today: string,
  { checks: results, findings, clauses, mode }: Judged,
  checks: readonly Check[],
): readonly BaselineFault[] {
  const entry = nameOfEntry(known);
  if ('finding' in known) {
    const met = findings.some(({ id }) => id === known.finding);
    // A quick or partial run may lack the check that meets the finding.
    if (
      !met &&
      mode !== 'quick' &&
      results.length >= checks.length &&
      results.every(({ verdict }) => verdict === 'pass' || verdict === 'advisory' || verdict === 'fail')
    ) {
      return [{ entry, fault: 'passes', text: `${entry} is no longer met: take it off the list` }];
    }
  } else {
    const { clause, check } = known;
    if (!checks.some(({ id }) => id === check)) {
      return [
        { entry, fault: 'unknown', text: `${check} is no check of the suite: aips conform list shows all checks` },
      ];
    }
    if (!allClauses.some(({ id }) => id === clause)) {
      return [{ entry, fault: 'unknown', text: `${clause} is no clause: aips spec clauses shows all clauses` }];
    }
    if (passesAgain({ clauses, checks: results }, known, checks)) {
      return [{ entry, fault: 'passes', text: `${entry} passes again: take it off the list` }];
    }
  }
  if (known.expires >= today) return [];
  const text = `${entry} was excused until ${known.expires}: fix it, or give it another day`;
  return [{ entry, fault: 'expired', text }];
}

/**
 * True if a clause passes again in a check: the check has evidence for it and none against it. A check that is about other clauses
 * may have no evidence once the fault is fixed; then the evidence of other checks decides.
 */
function passesAgain(
  { clauses, checks: results }: Pick<ConformanceResult, 'clauses' | 'checks'>,
  { clause, check }: { readonly clause: string; readonly check: string },
  checks: readonly Check[],
): boolean {
  const found = clauses.find(({ id }) => id === clause);
  const own = found?.evidence.filter((seen) => seen.check === check) ?? [];
  if (own.length > 0) return own.every(({ ok }) => ok);
  const listed = checks.some(({ id, clauses: named }) => id === check && named.includes(clause));
  const verdict = results.find(({ id }) => id === check)?.verdict;
  const judged = verdict === 'pass' || verdict === 'advisory' || verdict === 'fail';
  return !listed && judged && found?.state === 'holds';
}

const EXCUSED_DAYS = 90;
const REASON_CHARS_MAX = 200;

/**
 * Writes a baseline of all failures of a run, with an entry for each clause and check, excused for 90 days. `strict`: includes
 * decisions that are not followed. Flaky checks cannot be excused, so they are left out. An entry of an earlier baseline that still
 * applies keeps its form, reason, link and day.
 */
export function baselineText(result: ConformanceResult, nowMs: number, earlier?: Baseline, strict = false): string {
  const expires = dayOf(nowMs + EXCUSED_DAYS * DAY_MS);
  const flaky = new Set(result.checks.filter((check) => check.flaky !== undefined).map(({ id }) => id));
  const entries = new Map<string, BaselineEntry>();
  const kept = new Map(earlier?.entries.map((entry) => [nameOfEntry(entry), entry]));
  for (const finding of result.findings) {
    if (finding.level === 'decision' && !strict) continue;
    const excused = kept.get(findingIdOf(finding));
    if (excused !== undefined) {
      entries.set(nameOfEntry(excused), excused);
      continue;
    }
    for (const check of finding.checks.filter((id) => !flaky.has(id))) {
      for (const clause of finding.clauses) {
        const entry: BaselineEntry = { clause, check, reason: foundIn(finding), expires };
        const name = nameOfEntry(entry);
        if (!entries.has(name)) entries.set(name, kept.get(name) ?? entry);
      }
    }
  }
  const head = '# Known failures: each is excused until its day, and has to go when it is fixed.';
  const list = [...entries.values()].flatMap(entryLines);
  return `${[head, ...(list.length === 0 ? ['known_failures: []'] : ['known_failures:', ...list])].join('\n')}\n`;
}

function entryLines(entry: BaselineEntry): string[] {
  const named = 'finding' in entry ? { finding: entry.finding } : { clause: entry.clause, check: entry.check };
  const fields = Object.entries({ ...named, reason: entry.reason, link: entry.link, expires: entry.expires });
  const given = fields.filter(([, value]) => value !== undefined);
  return given.map(([name, value], at) => `${at === 0 ? '  - ' : '    '}${name}: ${JSON.stringify(value)}`);
}

function foundIn({ endpoint, about, expected, actual }: Finding): string {
  const words = `${endpoint === '' ? '' : `${endpoint}: `}${about}: expected ${expected}, got ${actual}`.replaceAll(
    /\s+/g,
    ' ',
  );
  return words.length <= REASON_CHARS_MAX ? words : `${words.slice(0, REASON_CHARS_MAX - 1)}…`;
}

/** The day of an instant, in UTC. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
