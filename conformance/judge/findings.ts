import type { Exchange, Finding, KnownFailure } from '../../reports/conformance-result.js';
import type { Evidence } from '../assertions/evidence.js';
import type { CheckRun } from './verdict.js';

/** Evidence against clauses, grouped by cause: one deviation that many checks met is one finding. */

interface Group {
  readonly first: Evidence;
  readonly exchange: Exchange | undefined;
  readonly known: KnownFailure | undefined;
  readonly checks: string[];
}

/** The findings of a run: those against the text first, and those that most checks met first among their kind. */
export function findingsOf(
  runs: readonly CheckRun[],
  excuseOf: (evidence: Evidence, check: string) => KnownFailure | undefined = () => undefined,
): readonly Finding[] {
  const groups = new Map<string, Group>();
  for (const run of runs) {
    for (const seen of run.evidence) {
      if (seen.ok) continue;
      const known = excuseOf(seen, run.id);
      const key = JSON.stringify([seen.level, seen.endpoint, seen.about, seen.clauses.toSorted(), known]);
      const group = groups.get(key) ?? { first: seen, exchange: run.exchanges.get(seen), known, checks: [] };
      groups.set(key, group);
      if (!group.checks.includes(run.id)) group.checks.push(run.id);
    }
  }
  const taken = new Set<string>();
  return [...groups.values()]
    .map(({ first, exchange, known, checks }): Finding => {
      const { clauses, level, endpoint, about, expected = '', actual = '' } = first;
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

/** An id in words that do not depend on the order of the checks: clause, endpoint and what was looked at. */
export function findingIdOf({ clauses, endpoint, about }: Pick<Evidence, 'clauses' | 'endpoint' | 'about'>): string {
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
