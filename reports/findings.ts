/** Groups failed checks that met the same mismatch into one finding. Missing endpoints are listed in not-served.ts. */

import type { CheckResult, ConformanceResult } from './conformance-result.js';
import { type Contradicted, isContradicted } from './conformance-view.js';

/** Whether a check says no more than that an endpoint is not there: reports list the endpoint in its place. */
export function tellsLacking(check: CheckResult): boolean {
  return isContradicted(check) && check.not_served !== undefined && check.flaky === undefined;
}

/** A mismatch, and every check that met it. */
export interface Finding {
  /** The one that judges what is wrong, where one does. */
  readonly check: Contradicted;
  readonly also: readonly string[];
}

/** What checks found wrong, but for endpoints that are not there; one mismatch that several met is one finding. */
export function findings(result: Pick<ConformanceResult, 'checks'>): readonly Finding[] {
  const groups = new Map<string, Contradicted[]>();
  for (const check of result.checks) {
    if (!isContradicted(check) || tellsLacking(check)) continue;
    const { id, verdict, about, expected, actual, known, flaky } = check;
    const alone = known !== undefined || flaky !== undefined;
    const key = JSON.stringify(alone ? [id] : [verdict, about, expected, actual]);
    groups.set(key, [...(groups.get(key) ?? []), check]);
  }
  return [...groups.values()].flatMap((checks) => {
    const check = checks[0];
    return check === undefined ? [] : [{ check, also: checks.flatMap(({ id }) => (id === check.id ? [] : [id])) }];
  });
}
