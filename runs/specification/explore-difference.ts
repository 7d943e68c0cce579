/** The differences between the small worlds of two specifications, and the step of `aips spec check` that reports them. */

import type { ExploredDifference, ExploredGoal, ExploredPrices, ExploreResult } from '../../results/explore-result.js';
import { countText } from '../../results/numbers.js';
import type { CheckedFault, CheckStep } from '../../results/spec-check-result.js';
import { type ExploreOptions, exploreSide } from './explore.js';
import type { SpecSide } from './spec-side.js';

/** The differences of `to` from `from`: traps and broken invariants first. Dead rows count only where both searches came to an end. */
export function exploreDifferences(from: ExploreResult, to: ExploreResult): readonly ExploredDifference[] {
  const isWhole = from.world.complete && to.world.complete;
  return [
    ...compared(brokenOf(from), brokenOf(to)),
    ...compared(from.goals.flatMap(trapsOf), to.goals.flatMap(trapsOf)),
    ...(isWhole ? compared(deadOf(from), deadOf(to)) : []),
    ...priceDifferences(from.prices, to.prices),
    ...compared(racesOf(from), racesOf(to)),
  ];
}

type Item = Omit<ExploredDifference, 'how'>;

function compared(before: readonly Item[], after: readonly Item[]): ExploredDifference[] {
  const [was, is] = [before, after].map((items) => new Set(items.map(({ id }) => id))) as [Set<string>, Set<string>];
  return [
    ...after.filter(({ id }) => !was.has(id)).map((item) => ({ ...item, how: 'brought' as const })),
    ...before.filter(({ id }) => !is.has(id)).map((item) => ({ ...item, how: 'removed' as const })),
  ];
}

const brokenOf = ({ invariants }: ExploreResult): Item[] =>
  invariants.flatMap(({ text, broken }) =>
    broken === undefined ? [] : [{ kind: 'invariant', id: `broken: ${text}`, text: `broken: ${text}`, script: broken }],
  );

const trapsOf = ({ text, traps, id, agent }: ExploredGoal): Item[] =>
  traps.map(({ move, script }) => ({
    kind: 'trap',
    id: `trap/${agent}/${id}: ${move}`,
    text: `no more: ${text}, after ${move}`,
    script,
  }));

const deadOf = ({ rows, transitions }: ExploreResult): Item[] =>
  [...rows.dead, ...transitions.dead].map((id) => ({
    kind: 'dead',
    id: `dead: ${id}`,
    text: `no state reaches ${id}`,
  }));

const racesOf = ({ races }: ExploreResult): Item[] =>
  races.map(({ first, second, stake, script }) => ({
    kind: 'race',
    id: `race: ${first}, ${second}`,
    text: `the order of two operations decides ${stake}: ${first}, and ${second}`,
    script,
  }));

function priceDifferences(before: readonly ExploredPrices[], after: readonly ExploredPrices[]): ExploredDifference[] {
  const nameOf = ({ agent, condition }: ExploredPrices): string => `${agent}, ${condition}`;
  const was = new Map(before.map((row) => [nameOf(row), row]));
  return after.flatMap((row): ExploredDifference[] => {
    const known = was.get(nameOf(row));
    if (known === undefined) return [];
    const [old, now] = [priceRange(known), priceRange(row)];
    const name = nameOf(row);
    return old === now
      ? []
      : [{ kind: 'price', how: 'moved', id: `price: ${name}`, text: `${name}: ${old} becomes ${now}` }];
  });
}

/** The prices of a condition in words: the best ways, and the dearest state's where they differ. */
function priceRange({ best, worst }: ExploredPrices): string {
  const words = (front: ExploredPrices['best']): string =>
    front
      .map(({ lamports, beats, anchors }) => `${lamports} lamports, ${beats} beats, ${anchors} anchors`)
      .join(' or ');
  const [least, most] = [words(best), words(worst)];
  return least === most ? least : `${least}, at most ${most}`;
}

/** The step of a check about the quick small world of a change: traps and broken invariants that it brings are faults, the rest is counted. */
export function exploreStep(from: SpecSide, to: SpecSide, options: ExploreOptions): CheckStep {
  const [was, is] = [exploreSide(from, options), exploreSide(to, options)];
  const { warnings = [], ...step } = smallWorldStep(is, exploreDifferences(was, is));
  const rest =
    warnings.length === 0 ? '' : `; ${countText(warnings.length, 'other difference')}: see aips spec explore`;
  return { ...step, looked: `${step.looked}${rest}` };
}

/** The differences as a step: traps and broken invariants that the change brings are faults, the rest are warnings. */
export function smallWorldStep(to: ExploreResult, differences: readonly ExploredDifference[]): CheckStep {
  const faultOf = ({ how, id, text, script }: ExploredDifference): CheckedFault => ({
    id,
    text: `${how}: ${text}${script === undefined ? '' : `: ${script.moves.join('; ')}`}`,
  });
  const isFault = ({ kind, how }: ExploredDifference): boolean =>
    how === 'brought' && (kind === 'trap' || kind === 'invariant');
  const { states, transitions } = to.world;
  const warnings = differences.filter((each) => !isFault(each)).map(faultOf);
  return {
    name: 'small world',
    looked: `${countText(states, 'state')} of two agents, ${countText(transitions, 'call')} of rules`,
    faults: differences.filter(isFault).map(faultOf),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
