/** The power of a verdict: how many of the planted mistakes of a clause the same requests would have noticed. */

import type { Power } from '../results/conformance-result.js';
import { type KillData, shippedKills } from './kill-data.js';

/** The percentage of mistakes that would have been noticed; 0 without any. */
export function percentOf(power: Power | undefined): number {
  return power === undefined || power.of === 0 ? 0 : (100 * power.noticed) / power.of;
}

/** The power of the verdicts of a run: in all, and by clause. A clause without planted mistakes has none. */
export function powerOf(
  noticed: ReadonlySet<string>,
  data: KillData = shippedKills(),
): { readonly all: Power; readonly clauses: ReadonlyMap<string, Power> } {
  const clauses = new Map<string, Power>();
  for (const { id, clause } of data.mistakes) {
    const { noticed: count, of } = clauses.get(clause) ?? { noticed: 0, of: 0 };
    clauses.set(clause, { noticed: count + (noticed.has(id) ? 1 : 0), of: of + 1 });
  }
  const each = [...clauses.values()];
  const all = { noticed: each.reduce((sum, one) => sum + one.noticed, 0), of: data.mistakes.length };
  return { all, clauses };
}
