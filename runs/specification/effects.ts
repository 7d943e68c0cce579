/** Plays the standard scenarios under two specifications, in pairs of the same seed, and measures the effects of the change. */

import { join } from 'node:path';
import { pairedDifference } from '../../experiments/statistics/difference.js';
import type { SimulationResult } from '../../results/simulation-result.js';
import type { DiffEffect, SpecDiff } from '../../results/spec-diff-result.js';
import { effects, type StandardScenario, standardScenarios } from '../../simulator/modes/effects.js';
import { reachedScenarios } from '../../simulator/modes/reach.js';
import { simulateScenario } from '../../simulator/run/simulate.js';
import { changedNumbers, changedParts, GONE } from '../../spec/change.js';
import { Failure } from '../host/failure.js';
import { readText } from '../host/files.js';
import { packageRoot } from '../host/package.js';
import { runSourceOf, sourceOfText } from '../simulation/scenario-source.js';
import { overlayNumbersOf, requireClasses, type SpecSide } from './spec-side.js';

/** The effects of a change, and the scenarios that could not be played. */
export type MeasuredEffects = Pick<SpecDiff, 'effects' | 'unmeasured'>;

interface Pairs {
  readonly replicates: number;
  readonly seed: number;
}

/** Seconds of a pair of runs on one core, measured. */
const PAIR_SEC: Readonly<Record<StandardScenario, number>> = {
  'epoch-of-life': 0.6,
  'frozen-on-purpose': 0.1,
  'sybil-family': 0.1,
  complaints: 0.2,
};

/** The standard scenarios that a comparison plays, and about how long that takes. */
interface EffectPlan {
  readonly names: readonly StandardScenario[];
  readonly seconds: number;
}

/** Only the scenarios that the change can reach, or all under `full`. */
export function effectPlan(
  from: SpecSide,
  to: SpecSide,
  { replicates, full }: Pick<Pairs, 'replicates'> & { readonly full: boolean },
): EffectPlan {
  const numbers = changedNumbers(from.protocol, to.protocol).map(({ path }) => path);
  const parts = changedParts(from.protocol, to.protocol);
  // A formula reaches the scenarios that numbers of its group reach: formulas.spawn.costBeats those of spawn.
  const formulas = parts.flatMap(({ path }) => (path.startsWith(FORMULAS) ? [path.slice(FORMULAS.length)] : []));
  // A removed class leaves agents of a scenario without a class.
  const isWhole = full || parts.some(({ to: state }) => state === GONE);
  const reached = isWhole
    ? standardScenarios
    : reachedScenarios([...numbers, ...formulas], [from.protocol, to.protocol]);
  const names = replicates === 0 ? [] : reached;
  return { names, seconds: replicates * names.reduce((sum, name) => sum + PAIR_SEC[name], 0) };
}

const FORMULAS = 'formulas.';

/** Plays standard scenarios `replicates` times under both sides, with successive seeds from `seed` on. */
export function measureEffects(
  names: readonly StandardScenario[],
  from: SpecSide,
  to: SpecSide,
  pairs: Pairs,
): MeasuredEffects {
  const played = names.map((name) => measureScenario(name, from, to, pairs));
  return { effects: played.flatMap((each) => each.effects), unmeasured: played.flatMap((each) => each.unmeasured) };
}

/** Plays one standard scenario. */
export function measureScenario(
  name: StandardScenario,
  from: SpecSide,
  to: SpecSide,
  { replicates, seed }: Pairs,
): MeasuredEffects {
  try {
    const runs = Array.from({ length: replicates }, (_, nth) => [from, to].map((side) => play(name, side, seed + nth)));
    const found = effects.filter(({ scenario }) => scenario === name);
    return { effects: found.map((effect) => effectOf(effect, runs)), unmeasured: [] };
  } catch (error) {
    // A change can leave no room for what a scenario does, such as a margin before the deadline of the Dead Man's Switch.
    if (!(error instanceof Failure)) throw error;
    return { effects: [], unmeasured: [{ scenario: name, reason: error.message }] };
  }
}

function effectOf(
  { id, label, unit, scenario, value }: (typeof effects)[number],
  runs: readonly (readonly SimulationResult[])[],
): DiffEffect {
  const arm = (at: 0 | 1): number[] => runs.map((pair) => value(pair[at] as SimulationResult));
  const { means, difference, t95 } = pairedDifference(arm(0), arm(1));
  return {
    id,
    label,
    unit,
    scenario,
    from: means[0],
    to: means[1],
    difference,
    half_width: (t95[1] - t95[0]) / 2,
  };
}

function play(name: StandardScenario, side: SpecSide, seed: number): SimulationResult {
  const file = `scenarios/standard/${name}.yaml`;
  const text = readText(join(packageRoot(), file), 'standard scenario');
  const source = sourceOfText(text, { label: file, seed, overlay: overlayNumbersOf(side) });
  requireClasses(source.scenario, side);
  return simulateScenario(source.scenario, { ...runSourceOf(source), seed, nowWallMs: () => 0, rssMb: () => 0 });
}
