/** The clauses of watched traffic as a report shows them, what is missing, and the exit status. */

import type { WatchedClause, WatchResult } from '../results/watch-result.js';
import { clauses } from '../spec/clauses/index.js';
import type { Watched } from './watch.js';

/** The clauses that the traffic came to, in the order of the specification. */
export function watchedClauses({ clauses: seen }: Pick<Watched, 'clauses'>): readonly WatchedClause[] {
  return clauses.flatMap(({ id, section, level, text }): readonly WatchedClause[] => {
    const count = seen.get(id);
    if (count === undefined) return [];
    const { pass, fail, open, reason } = count;
    const state = fail > 0 ? 'fails' : pass > 0 ? 'holds' : 'open';
    return [{ id, section, level, text, state, pass, fail, open, ...(reason === undefined ? {} : { reason }) }];
  });
}

/** The clauses that have to be shown: globs of --expect, as tests with their texts, and the clauses of the lock file. */
export interface Demanded {
  readonly expected: readonly { readonly text: string; readonly test: (clause: string) => boolean }[];
  readonly locked: readonly string[];
}

/** The demanded clauses that are not shown, and the exit status. A broken clause counts as shown: it fails by itself. */
export function concluded(
  { clauses, breaks, exchanges }: Pick<WatchResult, 'clauses' | 'breaks' | 'exchanges'>,
  { expected, locked }: Demanded,
): Pick<WatchResult, 'missing' | 'exit_status'> {
  const shown = new Set(clauses.flatMap(({ id, state }) => (state === 'open' ? [] : [id])));
  const missing = {
    expected: expected.filter(({ test }) => ![...shown].some(test)).map(({ text }) => text),
    locked: locked.filter((id) => !shown.has(id)),
  };
  const isBroken = breaks.some(({ level }) => level === 'must');
  const isMissing = missing.expected.length + missing.locked.length > 0;
  const exit_status = isBroken ? 1 : exchanges.judged === 0 ? 2 : isMissing ? 1 : 0;
  return { missing, exit_status };
}

/** The clauses that a lock file keeps: those that hold. */
export function holding(clauses: readonly WatchedClause[]): readonly string[] {
  return clauses.flatMap(({ id, state }) => (state === 'holds' ? [id] : []));
}
