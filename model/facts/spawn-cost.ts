/** The cost of a child in beats (4.8), for the model and the fuzzer. */

import type { Facts } from '../../spec/endpoint.js';
import { formulaOf } from '../../spec/formula/formulas.js';

/** The place of a parent in its lineage: its depth, and the number of its children. */
interface Place {
  readonly depth: number;
  readonly children: number;
}

/** floor(floor(1000 × 1.5^depth) × 1.2^siblings), in whole numbers and in doubles. */
function costsOf({ protocol: { spawn: by } }: Facts, { depth, children }: Place): Record<'exact' | 'doubles', number> {
  const { depthFactorNumerator: up, depthFactorDenominator: down } = by;
  const { siblingFactorNumerator: more, siblingFactorDenominator: less } = by;
  const grown = (base: bigint, numerator: number, denominator: number, times: number): bigint =>
    (base * BigInt(numerator) ** BigInt(times)) / BigInt(denominator) ** BigInt(times);
  const exact = Number(grown(grown(BigInt(by.baseBeats), up, down, depth), more, less, children));
  const doubles = Math.floor(Math.floor(by.baseBeats * (up / down) ** depth) * (more / less) ** children);
  return { exact, doubles };
}

/** The cost of the next child: in whole numbers (D-31), in doubles (D-57), or by the formula of an overlay; without limit: 2^53 - 1. */
export function spawnCost(facts: Facts, place: Place): number {
  const formula = formulaOf(facts.protocol, 'spawn.costBeats');
  if (formula !== undefined) return formula(place.depth, place.children) ?? Number.MAX_SAFE_INTEGER;
  return costsOf(facts, place)[facts.dialect.spawnCost ?? 'exact'];
}

/** 4.8: the places with a cost stated in the text, as depth-siblings. */
const CHECKED = ['0-0', '0-1', '1-0', '1-1', '2-0', '2-3'];

/** The clauses about a shown cost. If doubles give another result, a decision says which one is right. */
export function costClauses(facts: Facts, place: Place, shown: string): readonly string[] {
  if (formulaOf(facts.protocol, 'spawn.costBeats') !== undefined)
    return [shown, 'spawn.cost.depth', 'spawn.cost.siblings'];
  const { exact, doubles } = costsOf(facts, place);
  const at = `${place.depth}-${place.children}`;
  const checked = CHECKED.includes(at) && facts.dialect.spawnCost === undefined ? [`spawn.cost.check.${at}`] : [];
  const own = ['spawn.cost.exact', ...checked, ...(at === '0-3' ? ['spawn.cost.exact.0-3'] : [])];
  return exact === doubles
    ? [shown, 'spawn.cost.depth', 'spawn.cost.siblings', ...own]
    : ['dialect.spawn.cost', ...own];
}
