/** The clauses of watched traffic as a report shows them, what is missing, and the exit status. */

import { percentOf, powerOf } from '../power/power.js';
import type { WatchedClause, WatchResult } from '../results/watch-result.js';
import { clauses } from '../spec/clauses/index.js';
import type { Watched } from './watch.js';

/** The clauses that the traffic came to, in the order of the specification. */
export function watchedClauses({
  clauses: seen,
  noticed,
}: Pick<Watched, 'clauses' | 'noticed'>): readonly WatchedClause[] {
  const powers = powerOf(noticed).clauses;
  return clauses.flatMap(({ id, section, level, text }): readonly WatchedClause[] => {
    const count = seen.get(id);
    if (count === undefined) return [];
    const { pass, fail, open, reason } = count;
    const state = fail > 0 ? 'fails' : pass > 0 ? 'holds' : 'open';
    const power = powers.get(id);
    const more = { ...(reason === undefined ? {} : { reason }), ...(power === undefined ? {} : { power }) };
    return [{ id, section, level, text, state, pass, fail, open, ...more }];
  });
}

/** The clauses that have to be shown: globs of --expect, as tests with their texts, and the clauses of the lock file. */
export interface Demanded {
  readonly expected: readonly { readonly text: string; readonly test: (clause: string) => boolean }[];
  readonly locked: readonly string[];
  /** The percentage of planted mistakes that the traffic has to be able to notice. */
  readonly power: number;
}

/** No demand. */
export const NOTHING_DEMANDED: Demanded = { expected: [], locked: [], power: 0 };

/** The demanded clauses that are not shown, and the exit status. A broken clause counts as shown: it fails by itself. */
export function concluded(
  { clauses, breaks, exchanges, power }: Pick<WatchResult, 'clauses' | 'breaks' | 'exchanges' | 'power'>,
  { expected, locked, power: required }: Demanded,
): Pick<WatchResult, 'missing' | 'exit_status'> {
  const shown = new Set(clauses.flatMap(({ id, state }) => (state === 'open' ? [] : [id])));
  const missing = {
    expected: expected.filter(({ test }) => ![...shown].some(test)).map(({ text }) => text),
    locked: locked.filter((id) => !shown.has(id)),
  };
  const isBroken = breaks.some(({ level }) => level === 'must');
  const isMissing = missing.expected.length + missing.locked.length > 0;
  const isWeak = exchanges.judged === 0 || percentOf(power) < required;
  const exit_status = isBroken ? 1 : exchanges.judged > 0 && isMissing ? 1 : isWeak ? 2 : 0;
  return { missing, exit_status };
}

/** The clauses that a lock file keeps: those that hold. */
export function holding(clauses: readonly WatchedClause[]): readonly string[] {
  return clauses.flatMap(({ id, state }) => (state === 'holds' ? [id] : []));
}
