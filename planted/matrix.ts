/** The kill matrix of a run over mutants. How they are judged is in run.ts. */
import { allChecks } from '../conformance/checks/index.js';
import type { MutantResult } from '../conformance/mutants/judge-mutant.js';
import type { BrokenMutant, MutantsJudged } from '../conformance/mutants/run.js';
import { levelOf } from '../conformance/trial/check.js';
import { percentText } from '../results/numbers.js';
import { clauses } from '../spec/clauses/index.js';

const SCHEMA = 'aips-lab/mutants/1';

/** Everything that a run over mutants found: the content of mutants.json. */
interface MutantsResult {
  readonly schema: typeof SCHEMA;
  readonly summary: {
    readonly mutants: number;
    readonly killed: number;
    readonly killed_elsewhere: number;
    readonly advisory: number;
    readonly survived: number;
    readonly broken: number;
    readonly collateral_median: number;
    /** Must clauses that a mutant was planted for, and how many there are. */
    readonly clauses: { readonly covered: number; readonly total: number };
  };
  readonly mutants: readonly MutantResult[];
  readonly broken: readonly BrokenMutant[];
  /** By check, the mutants that it alone killed. */
  readonly alone: Readonly<Record<string, readonly string[]>>;
  /** Must checks that found no mutant; absent where not all were judged. */
  readonly idle?: readonly string[];
}

/** The matrix of what was judged. Where that is every one of `total` mutants, it names the must checks that found none of them, too. */
export function matrixOf({ results, broken }: MutantsJudged, total: number): MutantsResult {
  const count = (outcome: string): number => results.filter((result) => result.outcome === outcome).length;
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
    schema: SCHEMA,
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
    ...(results.length + broken.length === total ? { idle } : {}),
  };
}

/** `412 of 430 mutants killed by their own clause (95.8 %)`. */
export function mutantsHeadline({ summary, idle }: Pick<MutantsResult, 'summary' | 'idle'>): string {
  const { mutants, killed, killed_elsewhere, advisory, survived, broken, collateral_median, clauses } = summary;
  return [
    `${killed} of ${mutants} mutants killed by their own clause (${percentText(mutants === 0 ? 0 : killed / mutants)})`,
    `${killed_elsewhere} by another clause alone, ${advisory} only as an advisory, ${survived} survived, ${broken} broken`,
    `collateral: ${collateral_median} must clauses on the median`,
    `must clauses with a mutant: ${clauses.covered} of ${clauses.total}`,
    ...(idle === undefined ? [] : [`must checks that find none: ${idle.length === 0 ? '0' : idle.join(', ')}`]),
  ].join('\n');
}
