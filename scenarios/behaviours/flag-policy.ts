import type { IdentityClass } from '../../spec/vocabulary.js';
import type { DurationDistribution } from './outage.js';
import type { RandomStream } from './random-stream.js';

/** How an agent files complaints. */
export interface FlagPolicy {
  readonly every: DurationDistribution;
  /** The population whose agents it complains about, each as likely as another. */
  readonly targets: string;
  readonly assertedClass: IdentityClass;
}

/** How the service reviews complaints (3.5, D-36). */
export interface ReviewPolicy {
  readonly delay: DurationDistribution;
  /** Probability that a review finds what is the case: that of an agent that misbehaves, or of one that does not. */
  readonly accuracy: number;
  /** How long a sustained complaint stands; null: for ever. */
  readonly resolve: DurationDistribution | null;
}

/** Which member of a population of `count` a complaint is about, from 0. */
export function drawTarget(count: number, random: RandomStream): number {
  return Math.floor(random.uniform() * count);
}

/** Whether a review sustains a complaint. */
export function sustains({ accuracy }: ReviewPolicy, misbehaves: boolean, random: RandomStream): boolean {
  return random.uniform() < accuracy ? misbehaves : !misbehaves;
}
