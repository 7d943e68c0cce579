/**
 * The step of `aips spec check` about mutants: mistakes that follow from tables (replies, refusals, numbers) and are about clauses
 * that the change touches are found under the change, if they are without it. Mistakes of code are planted in the repository alone.
 */

import { availableParallelism } from 'node:os';
import { derivedMutants } from '../../conformance/mutants/derived.js';
import type { MutantResult } from '../../conformance/mutants/judge-mutant.js';
import { judgeMutants, type MutantsJudged } from '../../conformance/mutants/run.js';
import { glob } from '../../conformance/run/select.js';
import { countText } from '../../results/numbers.js';
import type { CheckedFault, CheckStep } from '../../results/spec-check-result.js';
import { overlayOfSide, type SpecSide } from '../../runs/specification/spec-side.js';
import { changedNumbers, changedParts, GONE, touchedClauses } from '../../spec/change.js';
import { unreadNumbers } from '../../spec/formula/formulas.js';
import { protocol } from '../../spec/protocol.js';
import { interrupted } from './check-steps.js';

/** The places, in their list, of the mutants that a change concerns; `only` are globs over their ids and clauses. */
export function touchedMutants(to: SpecSide, only: readonly string[] = []): readonly number[] {
  const numbers = changedNumbers(protocol, to.protocol);
  const parts = changedParts(protocol, to.protocol);
  const touched = new Set(touchedClauses(numbers, parts));
  const gone = parts.filter(({ to: state }) => state === GONE);
  // Clauses of a disabled mode cannot be broken.
  const unsaid = new Set(gone.flatMap(({ path, clauses }) => (path.startsWith('modes.') ? clauses : [])));
  const unread = unreadNumbers(to.protocol);
  const tests = only.map(glob);
  const named = (text: string): boolean => tests.length === 0 || tests.some((test) => test(text));
  return derivedMutants.flatMap(({ id, clause, patch }, place) => {
    // Mutants that the change makes correct, or whose subject it removes, are not mistakes.
    const same =
      unsaid.has(clause) ||
      ('number' in patch &&
        (unread.has(patch.number) ||
          numbers.some(({ path, to: value }) => path === patch.number && value === patch.value)));
    return touched.has(clause) && !same && (named(id) || named(clause)) ? [place] : [];
  });
}

/** Judges the mutants at these places under the change, or, without one, under the specification. */
type Judge = (places: readonly number[], to: SpecSide | undefined, threads: number) => Promise<MutantsJudged>;

const onThreads =
  (signal: AbortSignal | undefined): Judge =>
  (places, to, threads) =>
    judgeMutants(places, { threads, signal, workerData: { overlay: to === undefined ? {} : overlayOfSide(to) } });

/** Found by a must clause, its own or another: a run of the suite fails for the mistake. */
const isFound = ({ outcome }: MutantResult): boolean => outcome === 'killed' || outcome === 'killed-elsewhere';
/** Clauses that the change makes unreachable are not judged: the step before says so of the clause. */
const isBeyond = (result: MutantResult): boolean => !isFound(result) && result.unreachable === true;

/** The faults of the step. A mutant that is missed is judged once more on its own, since a busy machine can make a check give up. */
async function missedOf(
  to: SpecSide,
  { results, broken }: MutantsJudged,
  judge: Judge,
): Promise<{ readonly faults: readonly CheckedFault[]; readonly missedAnyway: number }> {
  const missed = new Set(results.filter((each) => !isFound(each) && !isBeyond(each)).map(({ id }) => id));
  for (const { id } of broken) missed.add(id);
  const placesOf = (ids: ReadonlySet<string>): readonly number[] =>
    derivedMutants.flatMap(({ id }, place) => (ids.has(id) ? [place] : []));
  // A mutant that is missed without the change too is no fault of the change.
  const stated = await judge(placesOf(missed), undefined, availableParallelism());
  const lost = new Set(stated.results.filter(isFound).map(({ id }) => id));
  const again = await judge(placesOf(lost), to, 1);
  const faults = [
    ...again.results
      .filter((each) => !isFound(each) && !isBeyond(each))
      .map(({ id, outcome, clause }) => ({
        id,
        text:
          outcome === 'advisory'
            ? `the suite notices it by a decision alone under the change, and by ${clause} without it`
            : `the suite does not notice it under the change, and by ${clause} without it`,
      })),
    ...again.broken.map(({ id, error }) => ({
      id,
      text: `cannot be judged under the change: ${error.split('\n')[0]}`,
    })),
  ];
  return { faults, missedAnyway: missed.size - lost.size };
}

interface MutantOptions {
  /** Globs over ids of mutants and clauses. */
  readonly only: readonly string[];
  readonly signal?: AbortSignal;
  /** Another one in tests. */
  readonly judge?: Judge;
}

/** The step about mutants. */
export async function mutantStep(
  to: SpecSide,
  { only, signal, judge = onThreads(signal) }: MutantOptions,
): Promise<CheckStep> {
  const name = 'mutants of the touched clauses are killed';
  const places = touchedMutants(to, only);
  const changed = await judge(places, to, availableParallelism());
  const { faults, missedAnyway } = await missedOf(to, changed, judge);
  if (signal?.aborted === true) {
    const judged = changed.results.length + changed.broken.length;
    return {
      name,
      looked: `${judged} of ${countText(places.length, 'mutant')}`,
      faults: [],
      unable: interrupted(signal),
    };
  }
  const elsewhere = changed.results.filter(({ outcome }) => outcome === 'killed-elsewhere').length;
  const beyond = changed.results.filter(isBeyond).length;
  const looked = [
    countText(places.length, 'mutant'),
    ...(elsewhere === 0 ? [] : [`${elsewhere} of which are killed by another clause`]),
    ...(missedAnyway === 0 ? [] : [`${missedAnyway} of which are not killed without the change either`]),
    ...(beyond === 0 ? [] : [`${beyond} of which are about what the change puts out of reach of the suite`]),
  ].join(', ');
  return { name, looked, faults };
}
