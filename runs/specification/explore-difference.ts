/** The differences between the small worlds of two specifications, and the step of `aips spec check` that reports them. */

import { rowsOf, transitionsOf } from '../../explore/rows.js';
import { playAgain, playPath } from '../../explore/script.js';
import type { Graph } from '../../explore/search.js';
import { outsideSmallWorld } from '../../explore/small-numbers.js';
import { World } from '../../explore/world.js';
import type { ExploredDifference, ExploredGoal, ExploredPrices, ExploreResult } from '../../results/explore-result.js';
import { countText } from '../../results/numbers.js';
import type { CheckedFault, CheckStep } from '../../results/spec-check-result.js';
import { type ExploredSide, type ExploreOptions, exploredScript, exploredSide } from './explore.js';
import type { SpecSide } from './spec-side.js';

/** The differences of a changed side: traps and broken invariants first. Dead rows count only where both searches came to an end. */
export function exploreDifferences(base: ExploredSide, changed: ExploredSide): readonly ExploredDifference[] {
  const [from, to] = [base.answers, changed.answers];
  const isDeadAfter = (id: string): Item => deadAfter(base.graph, changed.graph.world, id);
  const isWhole = from.world.complete && to.world.complete;
  return [
    ...compared(brokenOf(from), brokenOf(to)),
    ...compared(from.goals.flatMap(trapsOf), to.goals.flatMap(trapsOf)),
    ...(isWhole ? compared(deadOf(from, deadIn), deadOf(to, isDeadAfter)) : []),
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

const deadOf = ({ rows, transitions }: ExploreResult, item: (id: string) => Item): Item[] =>
  [...rows.dead, ...transitions.dead].map(item);

const deadIn = (id: string): Item => ({ kind: 'dead', id: `dead: ${id}`, text: `no state reaches ${id}` });

/** A row that the change makes dead, with the moves that led to it before: how many of them are answered as before, and the first that is not. */
function deadAfter(base: Graph, { options }: World, id: string): Item {
  const first = [...rowsOf(base), ...transitionsOf(base)].find((each) => each.id === id)?.first;
  if (first === undefined) return deadIn(id);
  const steps = playPath(base, first.state, [first.move]);
  const world = new World(options);
  const again = playAgain(world, steps);
  const alike = again.filter(({ answer }, nth) => answer === steps[nth]?.answer).length;
  return {
    ...deadIn(id),
    text: `no state reaches ${id}: ${alike} of the ${steps.length} moves that led to it are answered as before`,
    script: exploredScript({ world }, `no more ${id}`, again),
  };
}

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
    if (old === now) return [];
    const name = nameOf(row);
    const isWorse = priceWords(known.worst) !== priceWords(row.worst);
    const script = (isWorse ? row.worst : row.best)[0]?.script;
    const item = { kind: 'price', how: 'moved', id: `price: ${name}`, text: `${name}: ${old} becomes ${now}` } as const;
    return [script === undefined ? item : { ...item, script }];
  });
}

/** The prices of a condition in words: the best ways, and the dearest state's where they differ. */
function priceRange({ best, worst }: ExploredPrices): string {
  const [least, most] = [priceWords(best), priceWords(worst)];
  return least === most ? least : `${least}, at most ${most}`;
}

const priceWords = (front: ExploredPrices['best']): string =>
  front.map(({ lamports, beats, anchors }) => `${lamports} lamports, ${beats} beats, ${anchors} anchors`).join(' or ');

/** The step of a check about the quick small world of a change: traps and broken invariants that it brings are faults, the rest is counted. */
export function exploreStep(from: SpecSide, to: SpecSide, options: ExploreOptions): CheckStep {
  const outside = outsideSmallWorld(from.protocol) ?? outsideSmallWorld(to.protocol);
  if (outside !== undefined) return { name: 'small world', looked: `not explored: ${outside}`, faults: [] };
  const [was, is] = [exploredSide(from, options), exploredSide(to, options)];
  const { warnings = [], ...step } = smallWorldStep({ ...is.answers, differences: exploreDifferences(was, is) });
  const rest =
    warnings.length === 0 ? '' : `; ${countText(warnings.length, 'other difference')}: see aips spec explore`;
  return { ...step, looked: `${step.looked}${rest}` };
}

/** The differences as a step: traps and broken invariants that the change brings are faults, the rest are warnings. */
export function smallWorldStep({ world, differences = [] }: ExploreResult): CheckStep {
  const faultOf = ({ how, id, text, script }: ExploredDifference): CheckedFault => ({
    id,
    text: `${how}: ${text}${script === undefined ? '' : `: ${script.moves.join('; ')}`}`,
  });
  const isFault = ({ kind, how }: ExploredDifference): boolean =>
    how === 'brought' && (kind === 'trap' || kind === 'invariant');
  const { states, transitions } = world;
  const warnings = differences.filter((each) => !isFault(each)).map(faultOf);
  return {
    name: 'small world',
    looked: `${countText(states, 'state')} of two agents, ${countText(transitions, 'call')} of rules`,
    faults: differences.filter(isFault).map(faultOf),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
