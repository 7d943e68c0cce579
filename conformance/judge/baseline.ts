import { z } from 'zod';
import type { BaselineFault, CheckResult, ConformanceResult, KnownFailure } from '../../reports/conformance-result.js';
import { type Parsed, parseYaml } from '../../spec/document.js';
import { allChecks } from '../checks/index.js';
import { nameOf } from '../protocol/endpoints.js';
import type { Check } from '../trial/check.js';
import { tellerOf, untoldIn } from './not-served.js';
import { isUnjudgeable } from './repeat.js';
import { concluded } from './result.js';

/** A failure that is known and excused until a day. */
export interface BaselineEntry extends KnownFailure {
  readonly check: string;
}

/** The known failures of a target, as a file lists them. */
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

const entry = z.strictObject({
  check: text('the id of a check, such as heartbeat/too-soon'),
  reason: text('a reason, in words'),
  link: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).exactOptional(),
  expires: day,
});

const schema = z.strictObject({
  known_failures: z
    .array(entry, 'must be a list of { check, reason, link, expires }')
    .superRefine((entries, context) => {
      for (const [index, { check }] of entries.entries()) {
        if (entries.findIndex((other) => other.check === check) === index) continue;
        context.addIssue({ code: 'custom', path: [index, 'check'], message: `lists ${check} a second time` });
      }
    }),
});

/** Reads a baseline file (YAML or JSON). Reports every problem with file, line and key. */
export function parseBaseline(source: string, file: string): Parsed<Baseline> {
  const parsed = parseYaml(source, file, schema);
  return parsed.ok ? { ok: true, value: { file, entries: parsed.value.known_failures } } : parsed;
}

/** What the excuse of a failure rests on. */
export interface Excusing {
  /** Every check of the suite. */
  readonly checks: readonly Check[];
  readonly nowMs: number;
  /** Percent of the clauses. */
  readonly requireJudged?: number | undefined;
}

/**
 * The result of a run with the known failures excused: they are reported and do not fail it. An entry whose check passes
 * again, whose day is over, or that names no check of the suite, does. One whose check was not tried in this run stands.
 */
export function withBaseline(result: ConformanceResult, baseline: Baseline, excusing: Excusing): ConformanceResult {
  const { checks, nowMs, requireJudged = 0 } = excusing;
  const today = dayOf(nowMs);
  const verdicts = new Map(result.checks.map((check) => [check.id, check.verdict]));
  const ids = new Set(checks.map(({ id }) => id));
  const faults = baseline.entries.flatMap((known) => faultOf(known, { today, verdicts, ids }));
  const faulty = new Set(faults.map(({ check }) => check));
  const entries = new Map(baseline.entries.map((known) => [known.check, known]));
  const results = result.checks.map((check): CheckResult => {
    const known = entries.get(check.id);
    const wrong = check.verdict === 'fail' || check.verdict === 'advisory';
    if (known === undefined || !wrong || faulty.has(check.id)) return check;
    const { reason, link, expires } = known;
    return { ...check, known: { reason, ...(link === undefined ? {} : { link }), expires } };
  });
  const known = results.filter((check) => check.known !== undefined).length;
  return {
    ...result,
    baseline: { file: baseline.file, known, faults },
    ...concluded(checks, results, {
      unjudgeable: isUnjudgeable(result),
      requireJudged,
      baselineFaults: faults.length,
      excused: new Set([...entries.keys()].filter((check) => !faulty.has(check))),
    }),
  };
}

interface Known {
  readonly today: string;
  readonly verdicts: ReadonlyMap<string, CheckResult['verdict']>;
  readonly ids: ReadonlySet<string>;
}

function faultOf({ check, expires }: BaselineEntry, { today, verdicts, ids }: Known): readonly BaselineFault[] {
  if (!ids.has(check)) {
    return [{ check, fault: 'unknown', text: `${check} is no check of the suite: aips conform list names them` }];
  }
  if (verdicts.get(check) === 'pass') {
    return [{ check, fault: 'passes', text: `${check} passes again: take it off the list` }];
  }
  if (expires >= today) return [];
  return [{ check, fault: 'expired', text: `${check} was excused until ${expires}: mend it, or give it another day` }];
}

const DAY_MS = 86_400_000;
const EXCUSED_DAYS = 90;
const REASON_CHARS_MAX = 200;

/**
 * A baseline of everything that failed in a run, excused for 90 days; flaky checks are left out, since nothing excuses them.
 * An endpoint that is lacking stands under the check that would fail for it, chosen or not. An entry of an earlier baseline that
 * still fails keeps its reason, link and day.
 */
export function baselineText(
  result: ConformanceResult,
  nowMs: number,
  earlier?: Baseline,
  checks: readonly Check[] = allChecks,
): string {
  const expires = dayOf(nowMs + EXCUSED_DAYS * DAY_MS);
  const failed = result.checks.flatMap((check) => {
    if (check.verdict !== 'fail' || check.flaky !== undefined) return [];
    return [{ id: check.id, found: `${check.about}: expected ${check.expected}, got ${check.actual}` }];
  });
  const lacking = untoldIn(result.checks).flatMap((endpoint) => {
    const teller = tellerOf(checks, endpoint);
    return teller === undefined ? [] : [{ id: teller.id, found: `${nameOf(endpoint)} is not served` }];
  });
  const entries = [...failed, ...lacking].flatMap(({ id, found }): string[] => {
    const words = found.replaceAll(/\s+/g, ' ');
    const reason = words.length <= REASON_CHARS_MAX ? words : `${words.slice(0, REASON_CHARS_MAX - 1)}…`;
    const known = earlier?.entries.find((one) => one.check === id) ?? { check: id, reason, expires };
    return [
      `  - check: ${JSON.stringify(known.check)}`,
      `    reason: ${JSON.stringify(known.reason)}`,
      ...(known.link === undefined ? [] : [`    link: ${JSON.stringify(known.link)}`]),
      `    expires: ${JSON.stringify(known.expires)}`,
    ];
  });
  const head = '# Known failures: each is excused until its day, and has to go when it is mended.';
  const list = entries.length === 0 ? ['known_failures: []'] : ['known_failures:', ...entries];
  return `${[head, ...list].join('\n')}\n`;
}

/** The day, in UTC, of a moment. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
