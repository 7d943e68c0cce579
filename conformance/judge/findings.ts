/** Groups evidence against clauses by cause: one deviation that many checks met is one finding. */

import type { Evidence } from '../../model/evidence.js';
import type { Exchange, Finding, KnownFailure } from '../../reports/conformance-result.js';
import type { CheckRun } from './record.js';

interface Group {
  readonly first: Evidence;
  readonly exchange: Exchange | undefined;
  readonly known: KnownFailure | undefined;
  readonly checks: string[];
  /** The clauses and endpoints of the evidence in a finding: more than one endpoint only if the cause affects the whole service. */
  readonly clauses: Set<string>;
  readonly endpoints: Set<string>;
}

/** The key by which evidence is grouped. */
type FindingKey = Pick<Evidence, 'clauses' | 'endpoint' | 'about' | 'actual'>;

/** The clauses that limit lookups: D-23, and D-08 for those of the beats service. */
const LOOKUP_LIMITS =
  /^limit\.(status|verify|beat-status|beat-anchor|authority-key|fees-summary|beat-key|beat-anchor\.beats|work-proof\.get|health)$/;

/**
 * Deviations of a whole service, by name: each is one finding, no matter at which endpoints and against which clauses it was seen.
 * A wrong error code, in contrast, is a deviation of its endpoint.
 */
const causes: Readonly<Record<string, (seen: FindingKey) => boolean>> = {
  'errors-without-code': ({ about, actual }) => about === 'code' && actual === 'nothing',
  'server-error-on-bad-json': ({ clauses, actual = '' }) =>
    clauses.every((id) => id === 'error.invalid-json') && /^5\d\d /.test(actual),
  'lookups-without-limit': ({ clauses, about }) =>
    about === 'the request over the limit' && clauses.every((id) => LOOKUP_LIMITS.test(id)),
};

/** The name of the cause that evidence shows, if it affects the whole service. */
function causeOf(seen: FindingKey): string | undefined {
  return Object.keys(causes).find((name) => causes[name]?.(seen));
}

/** The findings of a run: those against the text first; within each kind, those that the most checks met first. */
export function findingsOf(
  runs: readonly CheckRun[],
  excuseOf: (evidence: Evidence, check: string) => KnownFailure | undefined = () => undefined,
): readonly Finding[] {
  const groups = new Map<string, Group>();
  for (const run of runs) {
    for (const seen of run.evidence) {
      if (seen.ok) continue;
      const known = excuseOf(seen, run.id);
      const cause = causeOf(seen);
      const place = cause === undefined ? [seen.level, seen.endpoint, seen.about, seen.clauses.toSorted()] : [cause];
      const key = JSON.stringify([...place, known]);
      const before = groups.get(key);
      // A cause that is against the text and against decisions counts as against the text.
      const stays = before !== undefined && (before.first.level === seen.level || before.first.level === 'must');
      const shown = stays ? before : { first: seen, exchange: seen.exchange };
      groups.set(key, {
        first: shown.first,
        exchange: shown.exchange,
        known,
        checks: [...new Set([...(before?.checks ?? []), run.id])],
        clauses: new Set([...shown.first.clauses, ...(before?.clauses ?? []), ...seen.clauses]),
        endpoints: new Set([shown.first.endpoint, ...(before?.endpoints ?? []), seen.endpoint]),
      });
    }
  }
  const taken = new Set<string>();
  return [...groups.values()]
    .map(({ first, exchange, known, checks, clauses: all, endpoints }): Finding => {
      const { level, about, expected = '', actual = '' } = first;
      const clauses = [...all];
      const others = endpoints.size - 1;
      const endpoint = others === 0 ? first.endpoint : `${first.endpoint} and ${others} more`;
      const transcript = exchange === undefined ? [] : [exchange];
      const excused = known === undefined ? {} : { known };
      return {
        id: idOf(first, taken),
        clauses,
        level,
        endpoint,
        about,
        expected,
        actual,
        checks,
        transcript,
        ...excused,
      };
    })
    .toSorted(
      (a, b) => Number(a.level === 'decision') - Number(b.level === 'decision') || b.checks.length - a.checks.length,
    );
}

/** An id that does not depend on the order of the checks: the cause, or the clause, the endpoint and the subject. */
export function findingIdOf(seen: FindingKey): string {
  const { clauses, endpoint, about } = seen;
  const cause = causeOf(seen);
  if (cause !== undefined) return cause;
  return `${clauses[0] ?? ''} ${endpoint.replace('/api/v1', '')} ${about}`
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
