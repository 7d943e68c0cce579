/** A design that can be begun: its goals, its objectives, and how a point is valued by each or by a mixture of them. It plays nothing. */

import { mean } from 'simple-statistics';
import { parse } from 'yaml';
import type { Json } from '../../results/json-text.js';
import type { SweepRun } from '../../results/sweep-result.js';
import type { Parsed } from '../../spec/document.js';
import { protocol } from '../../spec/protocol.js';
import type { ArmSettings } from '../design/designs.js';
import { type Objective, planNumbersSearch, type SearchSource } from '../search/numbers-search.js';
import { type Aim, amounts, type PointValue } from '../search/searched-sweep.js';
import { armText } from '../sweep/plan.js';
import type { DesignFile } from './design-file.js';

/** A design that was read against its scenario. */
export interface DesignPlan {
  /** The goals, and the measures of all objectives: what each run has to measure. */
  readonly aim: Aim;
  readonly objectives: readonly Objective[];
  readonly settingsAt: (point: readonly number[]) => ArmSettings;
  readonly dimensions: number;
}

/** The design of a file, or everything that is wrong with its numbers, goals and objectives. */
export function planDesign(file: DesignFile, source: SearchSource): Parsed<DesignPlan> {
  const directions = file.objectives.map((each, i) => ({ ...each, path: ['objectives', i] }));
  const planned = planNumbersSearch(file, source, directions);
  if (!planned.ok) return planned;
  const { aim, objectives, settingsAt, dimensions } = planned.value;
  const [first] = objectives;
  if (first === undefined) throw new Error('a design has no objective');
  // With one objective this is its amount; with more it only says what runs measure.
  const amount = { ...first.amount, terms: objectives.flatMap((each) => each.amount.terms) };
  return { ok: true, value: { aim: { ...aim, extreme: { ...first, amount } }, objectives, settingsAt, dimensions } };
}

/** The mean of each objective over some runs, times its sign, so that less is better; null where a run failed or has no value. */
export function valuesOf({ aim, objectives }: DesignPlan, runs: readonly SweepRun[]): readonly number[] | null {
  if (runs.some(({ error }) => error !== undefined)) return null;
  const lists = objectives.map(({ amount }) => amounts(aim, runs, amount) ?? []);
  if (lists.some(({ length }) => length === 0)) return null;
  return lists.map((list, k) => (objectives[k] as Objective).sign * mean([...list]));
}

/** The best and the worst value of each objective on a front. */
export interface Span {
  readonly best: readonly number[];
  readonly worst: readonly number[];
}

/** A small part of the sum makes a point that is dominated worse than the one that dominates it. */
const SUM_SHARE = 0.001;

/** The distance from the best of all objectives, each in shares of its span, by weight (Chebyshev, augmented by Steuer and Choo 1983). */
export function distance(values: readonly number[], weights: readonly number[], { best, worst }: Span): number {
  const parts = values.map((value, k) => {
    const span = (worst[k] as number) - (best[k] as number);
    return ((weights[k] as number) * (value - (best[k] as number))) / (span > 0 ? span : 1);
  });
  return Math.max(...parts) + SUM_SHARE * parts.reduce((sum, part) => sum + part, 0);
}

/** A point valued by one number: goals first. */
export function scored(value: PointValue, score: number | null): PointValue {
  return { ...value, extreme: score };
}

/** Weights between the ends of a front: all combinations of whole parts of a sum, none of them 0 (Das and Dennis 1998). */
export function weightsFor(objectives: number): readonly (readonly number[])[] {
  const parts = objectives === 2 ? 6 : 5;
  const lists = (count: number, left: number): number[][] =>
    count === 1
      ? [[left]]
      : Array.from({ length: left - count + 1 }, (_, i) => i + 1).flatMap((own) =>
          lists(count - 1, left - own).map((rest) => [own, ...rest]),
        );
  return lists(objectives, parts).map((list) => list.map((part) => part / parts));
}

/** A scenario file under chosen numbers, and what it then says of the protocol that the text does not; the reason where it does not take them. */
export function changedScenario(
  text: string,
  set: ArmSettings,
): { readonly text: string; readonly protocol: Overlay } | { readonly reason: string } {
  const made = armText(parse(text) as Json, set);
  if ('reason' in made) return made;
  const { protocol: said = {} } = parse(made.text) as { readonly protocol?: Overlay };
  return { text: made.text, protocol: differing(said, protocol) };
}

type Overlay = Readonly<Record<string, unknown>>;

/** The part of an overlay that differs from numbers. */
function differing(said: Overlay, numbers: object): Overlay {
  const isMap = (value: unknown): value is Overlay => typeof value === 'object' && value !== null;
  const kept = Object.entries(said).flatMap(([key, value]): [string, unknown][] => {
    const own = (numbers as Overlay)[key];
    if (!isMap(value) || !isMap(own)) return value === own ? [] : [[key, value]];
    const below = differing(value, own);
    return Object.keys(below).length === 0 ? [] : [[key, below]];
  });
  return Object.fromEntries(kept);
}
