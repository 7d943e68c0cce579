/** The difference between a result and the one before it, in a few words. The whole comparison is in conformance-diff.ts. */

import type { ConformanceResult } from '../../results/conformance-result.js';
import { numberText } from '../../results/numbers.js';
import { type ChangedClause, compareReports } from './conformance-diff.js';

/** Clauses that are in another state than in an earlier result, by their ids. */
export interface Change {
  readonly holds: readonly string[];
  /** They held then. */
  readonly broken: readonly string[];
  /** They were not judged then. */
  readonly fails: readonly string[];
  readonly unjudged: readonly string[];
}

/** The difference between two results. A clause of which no check was chosen has not changed. */
export function changeBetween(before: ConformanceResult, now: ConformanceResult): Change {
  const { fixed, regressed, newly_judged, no_longer_judged } = compareReports(before, now);
  const unchosen = new Set(now.clauses.filter(({ why }) => why?.kind === 'unchosen').map(({ id }) => id));
  const ids = (clauses: readonly ChangedClause[]): readonly string[] => clauses.map(({ id }) => id);
  return {
    holds: ids([...fixed, ...newly_judged.filter(({ to }) => to === 'holds')]),
    broken: ids(regressed),
    fails: ids(newly_judged.filter(({ to }) => to === 'fails')),
    unjudged: ids(no_longer_judged).filter((id) => !unchosen.has(id)),
  };
}

/** `+226 hold, -2 fail that held`: of the clauses; empty where there is no difference. */
export function changeText({ holds, broken, fails, unjudged }: Change): string {
  return [
    ...(holds.length === 0 ? [] : [`+${numberText(holds.length)} hold`]),
    ...(broken.length === 0 ? [] : [`-${numberText(broken.length)} fail that held`]),
    ...(fails.length === 0 ? [] : [`${numberText(fails.length)} fail that were not judged`]),
    ...(unjudged.length === 0 ? [] : [`${numberText(unjudged.length)} not judged any more`]),
  ].join(', ');
}
