/** Morris' screening: which factors have an effect at all, from trajectories that change one factor at a time. It evaluates nothing. */

import { mean, sampleStandardDeviation } from 'simple-statistics';
import type { Interval } from '../statistics/bootstrap.js';
import { type Draws, shuffled } from '../statistics/draws.js';
import { bestInterval } from '../statistics/estimate.js';

/** Points of the unit cube in the order in which they are evaluated. */
export interface MorrisDesign {
  readonly points: readonly (readonly number[])[];
  /** The steps: from one point to the next, a factor goes up or down by `delta`. */
  readonly steps: readonly { readonly from: number; readonly factor: number; readonly delta: number }[];
}

/** The effects of one factor, in units of the measure over its whole range. */
export interface MorrisEffect {
  readonly mu: number;
  /** The mean of the absolute effects (Campolongo et al. 2007), with its 95 % interval. */
  readonly mu_star: number;
  readonly mu_star95: Interval;
  /** The spread of the effects: it is large where the factor interacts with others or is not linear. */
  readonly sigma: number;
}

/** A number of trajectories through `dimensions` factors, on a grid of an even number of levels (Morris 1991). */
export function morrisDesign(trajectories: number, dimensions: number, levels: number, draws: Draws): MorrisDesign {
  const delta = levels / (2 * (levels - 1));
  const points: number[][] = [];
  const steps: { from: number; factor: number; delta: number }[] = [];
  for (let t = 0; t < trajectories; t += 1) {
    let point = Array.from({ length: dimensions }, () => Math.floor(draws() * levels) / (levels - 1));
    points.push(point);
    for (const factor of shuffled(dimensions, draws)) {
      const place = point[factor] as number;
      // One way leads out of the cube for every place of the grid.
      const step = place + delta <= 1 + 1e-12 ? delta : -delta;
      steps.push({ from: points.length - 1, factor, delta: step });
      point = point.with(factor, place + step);
      points.push(point);
    }
  }
  return { points, steps };
}

/** The effects of each factor, from the value at each point. */
export function morrisEffects(
  { steps }: MorrisDesign,
  values: readonly number[],
  dimensions: number,
  draws: Draws,
): readonly MorrisEffect[] {
  return Array.from({ length: dimensions }, (_, factor) => {
    const effects = steps
      .filter((step) => step.factor === factor)
      .map(({ from, delta }) => ((values[from + 1] as number) - (values[from] as number)) / delta);
    const sizes = effects.map(Math.abs);
    const [low, high] = bestInterval(sizes, draws);
    return {
      mu: mean(effects),
      mu_star: mean(sizes),
      // A mean of sizes is not below zero.
      mu_star95: [Math.max(0, low), high],
      sigma: effects.length < 2 ? 0 : sampleStandardDeviation(effects),
    };
  });
}
