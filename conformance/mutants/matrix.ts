/** The kill matrix of a run over mutants. How they are judged is in run.ts. */
import { MUTANTS_SCHEMA, type MutantsResult } from '../../reports/mutants-result.js';
import { clauses } from '../../spec/clauses/index.js';
import { allChecks } from '../checks/index.js';
import { levelOf } from '../trial/check.js';
import { allMutants } from './index.js';
import type { MutantsJudged } from './run.js';

/** The matrix of what was judged. Where that is every mutant there is, it names the must checks that found none of them, too. */
export function matrixOf({ results, broken }: MutantsJudged, toolVersion: string): MutantsResult {
  const count = (fate: string): number => results.filter((result) => result.fate === fate).length;
  const sizes = results.map(({ collateral }) => collateral.length).toSorted((a, b) => a - b);
  const alone: Record<string, string[]> = {};
  for (const { id, killers } of results) {
    const [only, ...others] = killers;
    if (only !== undefined && others.length === 0) alone[only] = [...(alone[only] ?? []), id];
  }
  const must = clauses.filter(({ level, excluded }) => level === 'must' && excluded === undefined);
  const found = new Set(results.flatMap(({ killers }) => killers));
  const idle = allChecks.filter((check) => levelOf(check) === 'must' && !found.has(check.id)).map(({ id }) => id);
  const planted = new Set(results.map(({ clause }) => clause));
  return {
    schema: MUTANTS_SCHEMA,
    tool_version: toolVersion,
    summary: {
      mutants: results.length + broken.length,
      killed: count('killed'),
      killed_elsewhere: count('killed-elsewhere'),
      advisory: count('advisory'),
      survived: count('survived'),
      broken: broken.length,
      collateral_median: sizes[Math.floor(sizes.length / 2)] ?? 0,
      clauses: { covered: must.filter(({ id }) => planted.has(id)).length, total: must.length },
    },
    mutants: results,
    broken,
    alone,
    ...(results.length + broken.length === allMutants.length ? { idle } : {}),
  };
}
