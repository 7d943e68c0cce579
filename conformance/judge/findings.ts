/** Groups evidence against clauses into findings: one deviation in many checks is one finding. The findings that it may explain follow it. */

import type { Evidence } from '../../model/evidence.js';
import type { Exchange, Finding, KnownFailure } from '../../results/conformance-result.js';
import { inOrderToFix, MORE } from '../../results/stages.js';
import { type Cause, causeText } from '../../spec/causes.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import type { CheckRun } from './record.js';

interface Group {
  readonly first: Evidence;
  readonly exchange: Exchange | undefined;
  readonly known: KnownFailure | undefined;
  /** The checks that met it, each with the number of its first request that did. */
  readonly seen: ReadonlyMap<string, number>;
  /** The clauses of the finding. Its endpoints are several only if the cause affects the whole service. */
  readonly clauses: Set<string>;
  readonly endpoints: Set<string>;
}

/** The key by which evidence is grouped. */
type FindingKey = Pick<Evidence, 'clauses' | 'endpoint' | 'about' | 'actual' | 'cause' | 'absent'>;

/** The clauses about limits of lookups: D-23, and D-08 for the beats service. */
const LOOKUP_LIMITS =
  /^limit\.(status|verify|beat-status|beat-anchor|authority-key|fees-summary|beat-key|beat-anchor\.beats|work-proof\.get|health)$/;

/**
 * Deviations of a whole service, by name. Each is one finding for all endpoints and clauses.
 */
const causes: Readonly<Record<string, (seen: FindingKey) => boolean>> = {
  'errors-without-code': ({ about, absent }) => about === 'code' && absent === true,
  'server-error-on-bad-json': ({ clauses, cause }) =>
    clauses.every((id) => id === 'error.invalid-json') && cause === 'server-error',
  'lookups-without-limit': ({ clauses, about }) =>
    about === 'the request over the limit' && clauses.every((id) => LOOKUP_LIMITS.test(id)),
};

/** The subject of a finding. For a failure of the server itself, it is the failure, not the field. */
function subjectOf(seen: FindingKey): string {
  const { cause, about } = seen;
  return cause !== undefined && SERVER_FAILURES.includes(cause) && causeOf(seen) === undefined
    ? causeText(cause)
    : about;
}

/** The name of the service-wide cause of evidence, if there is one. */
function causeOf(seen: FindingKey): string | undefined {
  return Object.keys(causes).find((name) => causes[name]?.(seen));
}

/** Failures of the server itself: one finding for each endpoint. */
const SERVER_FAILURES: readonly (Cause | undefined)[] = ['no-reply', 'server-error'];

/** This many endpoints with the same failure are taken to have one cause. */
const SHARED_MIN = 3;

/** A failure without its variable parts: numbers, ids, times, method and path. */
function failureOf({ cause, exchange }: SeenEvidence): string {
  const { status, body = '' } = exchange?.response ?? {};
  const words = body.replaceAll(/\b(?:GET|POST|PUT|PATCH|DELETE)\b|[^\s"]*[/:\d][^\s"]*/g, '');
  return JSON.stringify([cause, status, words]);
}

/** The failures that several endpoints share. */
function sharedFailures(runs: readonly CheckRun[]): ReadonlySet<string> {
  const endpoints = new Map<string, Set<string>>();
  for (const seen of runs.flatMap(({ evidence }) => evidence)) {
    if (seen.ok || !SERVER_FAILURES.includes(seen.cause)) continue;
    const failure = failureOf(seen);
    endpoints.set(failure, (endpoints.get(failure) ?? new Set()).add(seen.endpoint));
  }
  return new Set([...endpoints].flatMap(([failure, met]) => (met.size >= SHARED_MIN ? [failure] : [])));
}

/** The findings of a run, in the order in which to fix them. A finding that occurs only after another one follows that one. */
export function findingsOf(
  runs: readonly CheckRun[],
  excuseOf: (evidence: Evidence, check: string) => KnownFailure | undefined = () => undefined,
): readonly Finding[] {
  const groups = new Map<string, Group>();
  const shared = sharedFailures(runs);
  const placeOf = (seen: SeenEvidence): readonly unknown[] => {
    const cause = causeOf(seen);
    if (cause !== undefined) return [cause];
    if (!SERVER_FAILURES.includes(seen.cause)) return [seen.level, seen.endpoint, seen.about, seen.clauses.toSorted()];
    const failure = failureOf(seen);
    return shared.has(failure) ? [failure] : [seen.cause, seen.endpoint];
  };
  for (const run of runs) {
    for (const seen of run.evidence) {
      if (seen.ok) continue;
      const known = excuseOf(seen, run.id);
      const key = JSON.stringify([...placeOf(seen), known]);
      const before = groups.get(key);
      // A cause against the text and against decisions counts as against the text.
      const stays = before !== undefined && (before.first.level === seen.level || before.first.level === 'must');
      const shown = stays ? before : { first: seen, exchange: seen.exchange };
      groups.set(key, {
        first: shown.first,
        exchange: shown.exchange,
        known,
        seen: withMet(before?.seen ?? new Map(), [[run.id, seen.n]]),
        clauses: new Set([...shown.first.clauses, ...(before?.clauses ?? []), ...seen.clauses]),
        endpoints: new Set([shown.first.endpoint, ...(before?.endpoints ?? []), seen.endpoint]),
      });
    }
  }
  const taken = new Set<string>();
  const findings = folded([...groups.values()]).map((group): Entry => {
    const { first, exchange, known, seen, clauses: all, endpoints } = group;
    const { level, expected = '', actual = '', cause, absent } = first;
    const about = subjectOf(first);
    const others = endpoints.size - 1;
    const finding = {
      id: idOf(first, taken),
      clauses: [...all],
      level,
      endpoint: others === 0 ? first.endpoint : `${first.endpoint} and ${others} more`,
      ...(others === 0 ? {} : { endpoints: [...endpoints] }),
      ...{ about, expected, actual },
      ...(cause === undefined ? {} : { cause }),
      ...(absent === undefined ? {} : { absent }),
      checks: [...seen.keys()],
      transcript: exchange === undefined ? [] : [exchange],
      ...(known === undefined ? {} : { known }),
    };
    return { finding, seen };
  });
  return causesFirst(
    findings.toSorted(({ finding: a }, { finding: b }) => inOrderToFix(a, b) || lackOf(a) - lackOf(b)),
  );
}

/** Merges two maps of checks that met a finding; the earlier request counts. */
function withMet(
  seen: ReadonlyMap<string, number>,
  more: Iterable<readonly [check: string, n: number]>,
): ReadonlyMap<string, number> {
  const all = new Map(seen);
  for (const [check, n] of more) all.set(check, Math.min(n, all.get(check) ?? n));
  return all;
}

/** A missing object comes before its missing fields. */
const lackOf = ({ about, absent }: Finding): number => (absent === true ? about.split('.').length : 0);

interface Entry {
  readonly finding: Finding;
  readonly seen: ReadonlyMap<string, number>;
}

/** Merges deviations from the same clause: a wrong status or code with other deviations of the reply, and equal deviations of equal replies. */
function folded(groups: readonly Group[]): readonly Group[] {
  const kept: Group[] = [];
  for (const group of groups) {
    const at = kept.findIndex(
      (other) => isAlike(other, group) && (isSameReply(other, group) || isSameWords(other, group)),
    );
    const other = kept[at];
    if (other === undefined) kept.push(group);
    else
      kept[at] = {
        ...other,
        seen: withMet(other.seen, group.seen),
        clauses: new Set([...other.clauses, ...group.clauses]),
        endpoints: new Set([...other.endpoints, ...group.endpoints]),
      };
  }
  return kept;
}

const isOfStatus = ({ first: { about } }: Group): boolean => about === 'status' || about === 'code';

function isAlike(one: Group, other: Group): boolean {
  return (
    one.first.level === other.first.level &&
    one.first.endpoint === other.first.endpoint &&
    JSON.stringify(one.known) === JSON.stringify(other.known) &&
    [...other.clauses].some((id) => one.clauses.has(id))
  );
}

function isSameReply(one: Group, other: Group): boolean {
  const [[check = '', n] = []] = other.seen;
  return (isOfStatus(one) || isOfStatus(other)) && one.seen.get(check) === n;
}

function isSameWords({ first: one }: Group, { first: other }: Group): boolean {
  return one.about === other.about && (one.actual === other.actual || (one.absent === true && other.absent === true));
}

/** Moves each finding that occurs only after another one directly behind that one. */
function causesFirst(entries: readonly Entry[]): readonly Finding[] {
  const causeOf = new Map<Entry, Entry>();
  for (const [at, entry] of entries.entries())
    for (const [place, other] of entries.entries())
      if (!causeOf.has(entry) && !causeOf.has(other) && explains(other, entry, place < at)) causeOf.set(entry, other);
  return entries.flatMap((cause) => {
    if (causeOf.has(cause)) return [];
    const after = entries.filter((entry) => causeOf.get(entry) === cause);
    return [cause.finding, ...after.map(({ finding }) => ({ ...finding, follows: cause.finding.id }))];
  });
}

/** Whether a finding may be the cause of another: every check that met the other had met the cause earlier, or in the same reply and earlier in the list. */
function explains({ finding: cause, seen: before }: Entry, { finding, seen }: Entry, isFirst: boolean): boolean {
  if (cause === finding || cause.known !== undefined || finding.known !== undefined) return false;
  if (cause.level !== finding.level) return false;
  return [...seen].every(([check, n]) => {
    const then = before.get(check);
    return then !== undefined && then > 0 && (then < n || (then === n && isFirst));
  });
}

/** The id of a finding, independent of the order of checks: its cause, or its clause, endpoint and subject. */
export function findingIdOf(seen: FindingKey): string {
  const { clauses, endpoint, about } = seen;
  const cause = causeOf(seen);
  if (cause !== undefined) return cause;
  const what = SERVER_FAILURES.includes(seen.cause) ? [seen.cause ?? ''] : [clauses[0] ?? '', about];
  return [what[0], endpoint.replace('/api/v1', '').replace(MORE, ''), ...what.slice(1)]
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.*]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function idOf(evidence: Evidence, taken: Set<string>): string {
  const base = findingIdOf(evidence);
  let id = base;
  for (let n = 2; taken.has(id); n += 1) id = `${base}-${n}`;
  taken.add(id);
  return id;
}
