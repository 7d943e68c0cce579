/** Adds up what several runs have judged of one implementation: devnet and mainnet, or its policies, each with a target file of its own. */

import type { ConformanceResult, ReportedClause } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { headlineColumns } from './conformance-view.js';

/** From the strongest: a failure in one run outweighs all others, and what one run judges is judged. */
const STRENGTH: readonly ReportedClause['state'][] = ['fails', 'holds', 'not-judged', 'excluded'];

/** One sentence about several runs together; undefined where there is one or none. */
export function addedUpText(results: readonly Pick<ConformanceResult, 'clauses'>[]): string | undefined {
  if (results.length < 2) return undefined;
  const byId = new Map<string, ReportedClause>();
  for (const clause of results.flatMap(({ clauses }) => clauses)) {
    const known = byId.get(clause.id);
    if (known === undefined || STRENGTH.indexOf(clause.state) < STRENGTH.indexOf(known.state))
      byId.set(clause.id, clause);
  }
  const all = headlineColumns([...byId.values()]).filter((text) => text !== '');
  return `${countText(results.length, 'run')} together, if they are of one implementation: ${all.join('. ')}`;
}
