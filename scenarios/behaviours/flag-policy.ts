/** How agents file complaints, and how the service reviews them. Eligibility is the registry's rule (4.16). */

import type { IdentityClass } from '../../spec/vocabulary.js';
import type { DurationDistribution } from './duration.js';
import type { RandomStream } from './random-stream.js';

/** How an agent files complaints. */
export interface FlagPolicy {
  readonly every: DurationDistribution;
  /** The population of the targets, each equally likely. */
  readonly targets: string;
  readonly assertedClass: IdentityClass;
}

/** How the service reviews complaints (3.5, D-36). */
export interface ReviewPolicy {
  readonly delay: DurationDistribution;
  /** The probability that a review is right about whether the target misbehaves. */
  readonly accuracy: number;
  /** How long a sustained complaint lasts; null: for ever. */
  readonly resolve: DurationDistribution | null;
}

/** Draws the target of a complaint: a member of a population of `count`, from 0. */
export function drawTarget(count: number, random: RandomStream): number {
  return Math.floor(random.uniform() * count);
}

/** Whether a review sustains a complaint. */
export function sustains({ accuracy }: ReviewPolicy, misbehaves: boolean, random: RandomStream): boolean {
  return random.uniform() < accuracy ? misbehaves : !misbehaves;
}
